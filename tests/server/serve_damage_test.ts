/** A served gateway whose files are damaged where only readers meet it. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { logKeys } from "../../src/storage/log/log_keys.ts";
import { valueOf } from "../http/metrics/page_samples.ts";
import { inFolder } from "./captured_io.ts";
import { batch, jsonOf, ServedNetwork } from "./served_network.ts";

const HASHES = ["ab", "cd"].map((byte) => byte.repeat(32)) as [string, string];

/** A network with a batch for each of the hashes, at rest; `file` is its store. */
async function makeServed(root: string) {
  const home = await ServedNetwork.create(root, "home.example");
  await home.serve(async ({ url }) => {
    for (const hash of HASHES) await batch(url, hash);
  });
  return { home, file: (name: string) => join(home.folder, "data", name) };
}

Deno.test("a damaged record gives its readers 500 and its operator one line and a metric", () =>
  inFolder(async (root) => {
    const { home, file } = await makeServed(root);
    {
      using kv = await Deno.openKv(file("store.kv"));
      await kv.set(logKeys.round(0), new Uint8Array(5).fill(1));
    }
    await home.serve(async ({ url, operatorUrl, io }) => {
      for (let i = 0; i < 3; i++) {
        const answer = await fetch(`${url}/v1/bundle/${HASHES[0]}`);
        const { code, request_id } = await answer.json();
        assert.deepEqual([answer.status, code], [500, "internal"]);
        assert.match(request_id, /^[0-9a-f]{16}$/);
      }
      const lines = io.errLines.filter((line) => line.includes("round 0"));
      assert.equal(lines.length, 1, io.errLines.join("\n"));
      assert.match(lines[0]!, /fsck/);
      const page = await (await fetch(`${operatorUrl}/metrics`)).text();
      assert.equal(valueOf(page, "countersign_damaged_records"), 1);
      assert.equal(valueOf(page, "countersign_damaged_reads_total"), 3);
      const other = await jsonOf(url, `/v1/bundle/${HASHES[1]}`);
      assert.equal(other.signed_attestation.attestation.hash, HASHES[1]);
      await batch(url, "ef".repeat(32));
    }, { operatorPort: 0 });
  }));

Deno.test("a gateway with a damaged anchors.kv serves its log and reports the damage", () =>
  inFolder(async (root) => {
    const { home, file } = await makeServed(root);
    await home.configure({
      anchors: [{
        provider: "rfc3161",
        name: "tsa",
        mode: "best_effort",
        url: "http://127.0.0.1:1/",
      }],
    });
    const damages: readonly (() => Promise<void>)[] = [
      () => Deno.writeTextFile(file("anchors.kv"), "garbage, garbage".repeat(1_000)),
      async () => {
        await Deno.remove(file("anchors.kv"));
        // Made anew, and damaged in the records that its loops read.
        await home.serve(() => Promise.resolve());
        using kv = await Deno.openKv(file("anchors.kv"));
        for (const status of ["pending", "confirmed"]) {
          await kv.set(["ea", "tsa", status, 2], new Uint8Array(3));
        }
      },
    ];
    for (const damage of damages) {
      await damage();
      await home.serve(async ({ url, operatorUrl, io }) => {
        const bundle = await jsonOf(url, `/v1/bundle/${HASHES[0]}`);
        assert.deepEqual(bundle.external_anchors, []);
        const page = await (await fetch(`${operatorUrl}/metrics`)).text();
        assert.ok(valueOf(page, "countersign_damaged_records")! >= 1);
        assert.equal(valueOf(page, "countersign_up"), 1);
        assert.match(io.errLines.join("\n"), /store_corrupt|fsck/);
      }, { operatorPort: 0 });
    }
  }));

Deno.test("a gateway over a copied state of its own witness does not start until --moved", () =>
  inFolder(async (root) => {
    const { home } = await makeServed(root);
    const state =
      JSON.parse(await Deno.readTextFile(join(home.folder, "network.json"))).witnesses[0]
        .state_file;
    const path = join(home.folder, state);
    await Deno.copyFile(path, `${path}.copy`);
    await Deno.remove(path);
    await Deno.rename(`${path}.copy`, path);
    const starts = (options = {}) => home.serve(() => Promise.resolve(), options);
    await assert.rejects(starts(), { code: "store_copied", message: /witness state/ });
    await starts({ moved: true });
    await starts();
  }));
