import assert from "node:assert/strict";
import { join } from "node:path";
import { until } from "../gateway/fixture.ts";
import { inFolder } from "./captured_io.ts";
import { batch, jsonOf, ServedNetwork } from "./served_network.ts";

Deno.test("a gateway starts while the state of an embedded witness is unreadable, and uses the witness later", () =>
  inFolder(async (root) => {
    const home = await ServedNetwork.create(root, "home.example");
    const state = join(home.folder, "witnesses", "w1", "state.kv");
    const journal = `${state}.rounds.0`;
    const signed = async () => {
      const files = [0, 1].map((number) => Deno.readFile(`${state}.rounds.${number}`));
      return (await Promise.all(files)).map((bytes) => bytes.toHex()).join();
    };
    const before = await signed();
    await Deno.rename(journal, `${journal}.away`);
    // No file can be opened there: an error of the system, and no damage.
    await Deno.mkdir(journal);
    await home.serve(async ({ url, io }) => {
      const failing = async () => (await jsonOf(url, "/v1/status")).witnesses[0].failing;
      await batch(url, "ab".repeat(32));
      assert.match(io.errLines.join("\n"), /cannot use its state/);
      await until(async () => (await failing()).includes("probe"));
      await Deno.remove(journal);
      await Deno.rename(`${journal}.away`, journal);
      let count = 0;
      await until(async () => {
        await batch(url, (++count).toString(16).padStart(64, "0"));
        return await signed() !== before && !(await failing()).includes("sign");
      });
    });
  }));

Deno.test("a gateway does not start if the journal of an embedded witness is missing", () =>
  inFolder(async (root) => {
    const home = await ServedNetwork.create(root, "home.example");
    await Deno.remove(join(home.folder, "witnesses", "w1", "state.kv.rounds.0"));
    await assert.rejects(home.serve(() => Promise.resolve()), { code: "witness_state_missing" });
  }));
