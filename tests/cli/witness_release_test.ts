/** `countersign witness release`, and the way out of a half-signed fork. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { serveWitness } from "../../src/server/witness/witness_server.ts";
import { runWitnessRelease } from "../../src/cli/witness_release_run.ts";
import { readTextFile } from "../../src/config/text_file.ts";
import { parseWitnessNode, type WitnessNode } from "../../src/config/witness_node.ts";
import { systemClock, unixSeconds } from "../../src/base/clock.ts";
import { HttpWitnessClient } from "../../src/http/outgoing/witness_client.ts";
import { bls } from "../schemes.ts";
import { digestsOf } from "../witness/fixture.ts";
import { CapturedIo, inFolder } from "../server/captured_io.ts";

interface Running {
  readonly client: HttpWitnessClient;
  readonly io: CapturedIo;
  readonly url: string;
  stop(): Promise<void>;
}

interface Machine {
  readonly file: string;
  readonly node: WitnessNode;
  start(): Promise<Running>;
}

/** The machines of a new network's witnesses. */
async function machines(folder: string, witnesses: number): Promise<Machine[]> {
  const { network, witnessFiles } = await createNetwork({
    witnesses,
    threshold: Math.floor(witnesses / 2) + 1,
    scheme: "ed25519",
    kind: "remote",
    basePort: 8091,
    out: join(folder, "net"),
  }, bls);
  return await Promise.all(witnessFiles.map(async (file) => {
    const members = JSON.parse(await Deno.readTextFile(file));
    await Deno.writeTextFile(file, JSON.stringify({ ...members, port: 0 }));
    const node = parseWitnessNode(await readTextFile(file), file);
    const { pubkey } = network.witnesses.find(({ id }) => id === node.id)!;
    const start = async (): Promise<Running> => {
      const io = new CapturedIo({ folder });
      const controller = new AbortController();
      const over = serveWitness(node, io, controller.signal);
      const printed = await Promise.race([io.printed(/^Witness \S+ on (http:\/\/\S+)$/), over]);
      assert.ok(Array.isArray(printed));
      const client = new HttpWitnessClient({
        id: node.id,
        publicKey: Uint8Array.fromHex(pubkey),
        scheme: "ed25519",
        networkId: network.id,
        url: printed[1]!,
        token: node.token,
      });
      return { client, io, url: printed[1]!, stop: () => (controller.abort(), over) };
    };
    return { file, node, start };
  }));
}

/** One time, since a witness signs one text for a sequence. */
const timestamp = unixSeconds(systemClock);

/** How many of `running` sign `texts` for the sequences from `firstSequence` on. */
async function signers(
  running: readonly Running[],
  networkId: string,
  firstSequence: number,
  ...texts: string[]
): Promise<number> {
  const answers = await Promise.allSettled(running.map(({ client }) =>
    client.sign({
      networkId,
      timestamp,
      firstSequence,
      digests: digestsOf(...texts),
      beacon: null,
    }, AbortSignal.timeout(60_000))
  ));
  for (const answer of answers) {
    if (answer.status === "rejected") assert.equal(answer.reason.code, "sequence_conflict");
  }
  return answers.filter(({ status }) => status === "fulfilled").length;
}

Deno.test("a release lets the original continue after a fork that both sides half signed", () =>
  inFolder(async (folder) => {
    const nodes = await machines(folder, 4);
    const threshold = 3;
    const { networkId } = nodes[0]!.node;
    let running = await Promise.all(nodes.map((node) => node.start()));
    // The common past, then each copy's rounds at half of the witnesses.
    assert.equal(await signers(running, networkId, 0, "past"), 4);
    assert.equal(await signers(running.slice(0, 2), networkId, 1, "original 1", "original 2"), 2);
    assert.equal(await signers(running.slice(2), networkId, 1, "copy 1", "copy 2"), 2);
    const original = () => signers(running, networkId, 1, "original 1", "original 2");
    assert.ok(await original() < threshold);
    // Starting the witnesses again frees nothing.
    await Promise.all(running.map(({ stop }) => stop()));
    running = await Promise.all(nodes.map((node) => node.start()));
    assert.ok(await original() < threshold);
    await running[2]!.stop();
    const io = new CapturedIo({ folder });
    const options = { config: nodes[2]!.file, origin: networkId, from: 1, yes: true };
    assert.equal(await runWitnessRelease(options, io), 0);
    running[2] = await nodes[2]!.start();
    assert.equal(await original(), threshold);
    // The past is kept, and the released witness is bound by what it signed now.
    assert.equal(await signers([running[2]], networkId, 0, "another past"), 0);
    assert.equal(await signers([running[2]], networkId, 1, "copy 1"), 0);
    // The release shows where the witness is asked, and in its log.
    const info = await (await fetch(`${running[2].url}/v1/info`)).json();
    assert.deepEqual(
      info.releases.map(({ from_sequence, sequences }: Record<string, number>) => [
        from_sequence,
        sequences,
      ]),
      [[1, 2]],
    );
    assert.match(running[2].io.errLines.join("\n"), /released 2 signed sequences from 1 on/);
    await Promise.all(running.map(({ stop }) => stop()));
  }));

Deno.test("witness release explains the consequence, and releases nothing without confirmation", () =>
  inFolder(async (folder) => {
    const [node] = await machines(folder, 1);
    const { file, node: { networkId, id } } = node!;
    const before = await node!.start();
    assert.equal(await signers([before], networkId, 4, "past"), 1);
    assert.equal(await signers([before], networkId, 5, "a", "b"), 1);
    const release = (
      options: { from?: number; origin?: string; yes?: boolean },
      answers?: readonly string[],
    ) => {
      const io = new CapturedIo({ folder, ...(answers && { answers }) });
      const given = { config: file, origin: networkId, from: 6, yes: false, ...options };
      return { io, ended: runWitnessRelease(given, io) };
    };
    await assert.rejects(release({ yes: true }).ended, { code: "data_in_use" });
    await before.stop();
    await assert.rejects(release({ origin: "other", yes: true }).ended, {
      code: "network_refused",
    });
    await assert.rejects(release({}).ended, { code: "usage" });
    const refused = release({}, ["no"]);
    await assert.rejects(refused.ended, { code: "usage" });
    // The round of sequence 6 is released whole.
    assert.match(refused.io.errLines.join("\n"), /signed 2 sequences from 5 to 6 .*contradicted/s);
    const again = await node!.start();
    assert.equal(await signers([again], networkId, 6, "x"), 0);
    assert.equal(await signers([again], networkId, 5, "y"), 0);
    await again.stop();
    const nothing = release({ from: 7, yes: true });
    assert.equal(await nothing.ended, 0);
    assert.match(nothing.io.outLines.join("\n"), new RegExp(`^Nothing to release: ${id} `));
    assert.equal(await release({}, ["2"]).ended, 0);
    const after = await node!.start();
    assert.equal(await signers([after], networkId, 6, "x"), 1);
    assert.equal(await signers([after], networkId, 5, "y"), 1);
    assert.equal(await signers([after], networkId, 4, "x"), 0);
    await after.stop();
  }));
