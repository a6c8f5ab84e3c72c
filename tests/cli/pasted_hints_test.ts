/** Commands that messages name, which repeat `--gateway`: each can be pasted. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { digestOf, TestLog, TestNetwork } from "../proof/verify/fixture.ts";
import { type Client, withClient } from "./client_run.ts";
import { StubGateway } from "./stub_gateway.ts";

const network = new TestNetwork("net.example/hints");
const HASH = digestOf("content");
const NONE = "http://127.0.0.1:1";

/** A user who names the gateway on the command line only; it has signed the hash of "a file". */
async function withNamedGateway(
  use: (
    hintOf: (...line: string[]) => Promise<string | undefined>,
    client: Client,
    gateway: StubGateway,
  ) => Promise<void>,
): Promise<void> {
  const log = new TestLog(network);
  log.addRound([HASH], { timestamp: 1_766_275_200 });
  await using gateway = new StubGateway(log, []);
  await withClient(async (client) => {
    client.gateway = NONE;
    await client.write("a file", "content");
    await client.write("a file.countersign.json", log.bundle(0));
    const hintOf = async (...line: string[]) => {
      const { stdout, stderr } = await client.run([...line, "--gateway", gateway.url]);
      const text = `${stdout}\n${stderr}`;
      return text.split("\n").flatMap((part) => /countersign [a-z].*?(?=[).;]*$)/.exec(part) ?? [])
        .at(-1)?.replace(` --gateway ${gateway.url}`, "");
    };
    await use(hintOf, client, gateway);
  });
}

Deno.test("a command that a message names repeats --gateway, and quotes files", () =>
  withNamedGateway(async (hintOf, client, gateway) => {
    const expected = async (line: string[], command: string) =>
      assert.equal(await hintOf(...line), `countersign ${command}`, line.join(" "));
    await expected(["network"], "network --pin");
    await expected(["verify", "a file"], "network --pin");
    await expected(["upgrade", "."], "network --pin");

    await client.trust.savePin(network.configuration);
    await expected(["verify", "a file"], "upgrade 'a file'");
    let now = Date.now();
    client.clock = {
      nowMs: () => now,
      elapsedMs: () => now,
      sleep: (ms) => {
        now += ms;
        return Promise.resolve();
      },
    };
    const saved = "upgrade 'a file.countersign.json'";
    await expected(["stamp", "--save", "a file", "--timeout", "2"], saved);
    await Deno.mkdir(join(client.folder, "no proofs"));
    await expected(["upgrade", "no proofs"], "stamp --save 'no proofs'");

    gateway.sizes.push(1);
    await expected(["stamp", "a file"], "stamp --save 'a file'");
    await client.trust.unpin(network.id);
    await expected(["stamp", "--save", "a file"], "network --pin");
  }));
