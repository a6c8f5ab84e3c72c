/** `countersign witness follow` and `logs`, with a witness that runs. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { concat, hexOf, utf8 } from "../../src/base/bytes.ts";
import { parseWitnessNode } from "../../src/config/witness_node.ts";
import { readTextFile } from "../../src/config/text_file.ts";
import { sha256 } from "../../src/proof/crypto/hashing.ts";
import { encodeAddCheckpoint } from "../../src/proof/format/add_checkpoint.ts";
import { encodeLogCheckpoint } from "../../src/proof/format/log_checkpoint.ts";
import { encodeVkey, NOTE_TYPE, type NoteKey } from "../../src/proof/format/note_key.ts";
import { noteSignature } from "../../src/proof/format/note_writer.ts";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { serveWitness } from "../../src/server/witness/witness_server.ts";
import { bls } from "../schemes.ts";
import { CapturedIo, inFolder } from "../server/captured_io.ts";
import { forkedTree, pathOf, signerOf } from "../witness/fixture.ts";
import { documentedNames } from "../deploy/metric_rules.ts";
import { metricsOf } from "../http/metrics/page_samples.ts";
import { Client } from "./client_run.ts";

const ORIGIN = "go.sum database tree";
const tree = forkedTree("tree", 4, 40);
const keys = ["sum.example", "sum.example:8443/second"].map((name) => {
  const signer = signerOf(name);
  const key: NoteKey = { name, type: NOTE_TYPE.ed25519, publicKey: signer.publicKey };
  return { vkey: encodeVkey(key), key, signer };
});

function bodyOf(origin: string, from: number, to: number, key = keys[0]!): string {
  const text = encodeLogCheckpoint({
    origin,
    size: to,
    root: concat(tree.root(to)),
    extensions: [],
  });
  const signatures = [noteSignature(key.key, key.signer.sign(utf8(text)))];
  const consistencyPath = pathOf(tree, from, to);
  return encodeAddCheckpoint({ oldSize: from, consistencyPath, checkpoint: { text, signatures } });
}

Deno.test("witness follow adds logs and keys to a running witness, and says where it starts", () =>
  inFolder(async (folder) => {
    const { witnessFiles: [file] } = await createNetwork({
      witnesses: 1,
      threshold: 1,
      scheme: "ed25519",
      kind: "remote",
      basePort: 8091,
      out: join(folder, "net"),
    }, bls);
    const client = new Client(folder);
    const follow = (...options: string[]) =>
      client.runJson(["witness", "follow", file!, ...options]);
    const first = ["--origin", ORIGIN, "--vkey", keys[0]!.vkey];
    const members = JSON.parse(await Deno.readTextFile(file!));
    const { code, stderr } = await client.run(["witness", "follow", file!, ...first]);
    assert.equal(code, 1);
    assert.match(stderr, /add the member logs_file to /);
    await Deno.writeTextFile(
      file!,
      JSON.stringify({ ...members, port: 0, logs_file: "logs.json" }),
    );

    const io = new CapturedIo({ folder });
    const stop = new AbortController();
    const node = parseWitnessNode(await readTextFile(file!), file!);
    const over = serveWitness(node, io, stop.signal);
    try {
      const [, url] = await io.printed(/^Witness \S+ on (http:\/\/\S+)$/);
      const post = async (body: string) => {
        const answer = await fetch(`${url}/add-checkpoint`, { method: "POST", body });
        return [answer.status, await answer.text()] as const;
      };
      const served = async (origin: string) => {
        const answer = await fetch(`${url}/${hexOf(sha256(utf8(origin)))}/checkpoint`);
        await answer.body?.cancel();
        return answer.status;
      };
      assert.equal((await post(bodyOf(ORIGIN, 0, 5)))[0], 404);

      assert.equal((await follow(...first)).code, 0);
      assert.equal((await post(bodyOf(ORIGIN, 0, 5)))[0], 200);
      assert.equal(await served(ORIGIN), 200);

      // A further key, of another name; the witness goes on from the stored head.
      assert.equal((await post(bodyOf(ORIGIN, 5, 7, keys[1])))[0], 403);
      assert.equal((await follow("--origin", ORIGIN, "--vkey", keys[1]!.vkey)).code, 0);
      assert.deepEqual(await post(bodyOf(ORIGIN, 0, 7, keys[1])), [409, "5\n"]);
      assert.equal((await post(bodyOf(ORIGIN, 5, 7, keys[1])))[0], 200);

      // A log that is trusted from size 11 on: no other history gets a signature.
      const started = ["--origin", "started", "--vkey", keys[0]!.vkey, "--size", "11"];
      assert.equal((await follow(...started)).code, 2);
      const root = hexOf(tree.root(11));
      assert.equal((await follow(...started, "--root", root.toUpperCase())).json.size, 11);
      assert.equal(await served("started"), 404);
      assert.deepEqual(await post(bodyOf("started", 0, 5)), [409, "11\n"]);
      assert.equal((await post(bodyOf("started", 11, 11)))[0], 200);
      assert.equal((await post(bodyOf("started", 11, 12)))[0], 200);

      for (
        const refused of [
          first,
          ["--origin", node.networkId, "--vkey", keys[0]!.vkey],
          ["--origin", "a", "--vkey", "nonsense"],
        ]
      ) assert.equal((await follow(...refused)).code, 1, refused.join(" "));
      const { json } = await client.runJson(["witness", "logs", file!]);
      assert.deepEqual(json.logs.slice(1), [
        { origin: ORIGIN, vkeys: keys.map(({ vkey }) => vkey) },
        { origin: "started", vkeys: [keys[0]!.vkey], size: 11 },
      ]);
      // An unusable file leaves the logs as they were, and is reported once.
      await Deno.writeTextFile(node.logsFile!, "{");
      assert.equal((await post(bodyOf("started", 12, 13)))[0], 200);
      assert.equal((await post(bodyOf("started", 13, 14)))[0], 200);
      assert.equal(io.errLines.filter((line) => line.includes("logs.json")).length, 1);
    } finally {
      stop.abort();
      await over;
    }
  }));

Deno.test("witness import adds the logs of a list with their quotas, and changes no key", () =>
  inFolder(async (folder) => {
    const { witnessFiles: [file] } = await createNetwork({
      witnesses: 1,
      threshold: 1,
      scheme: "ed25519",
      kind: "remote",
      basePort: 8091,
      out: join(folder, "net"),
    }, bls);
    const client = new Client(folder);
    const members = JSON.parse(await Deno.readTextFile(file!));
    const limits = { per_log: { bytes_per_day: 3_000 } };
    const metrics = { host: "127.0.0.1", port: 0 };
    const changed = { ...members, port: 0, logs_file: "logs.json", limits, metrics };
    await Deno.writeTextFile(file!, JSON.stringify(changed));
    const [one, two] = keys.map(({ vkey }) => vkey);
    const list = (...entries: readonly string[]) => `logs/v0\n\n${entries.join("\n")}\n`;
    const entry = (vkey: string, origin: string, qpd: number) =>
      `vkey ${vkey}\norigin ${origin}\nqpd ${qpd}\ncontact us`;
    const importText = async (text: string) => {
      await client.write("list", text);
      const { code, json } = await client.runJson(["witness", "import", file!, "list"]);
      const { added, updated, refused, kept } = json;
      return { code, added, updated, refused, kept };
    };
    const rest = { added: [], updated: [], refused: [], kept: [] };

    const first = await importText(list(entry(one!, "a", 2), entry(one!, "b", 1_000)));
    assert.deepEqual(first, { ...rest, code: 0, added: ["a", "b"] });
    const io = new CapturedIo({ folder });
    const stop = new AbortController();
    const node = parseWitnessNode(await readTextFile(file!), file!);
    const over = serveWitness(node, io, stop.signal);
    try {
      const [, url] = await io.printed(/^Witness \S+ on (http:\/\/\S+)$/);
      const post = (body: string) => fetch(`${url}/add-checkpoint`, { method: "POST", body });
      const statusOf = async (body: string) => {
        const answer = await post(body);
        await answer.body?.cancel();
        return answer.status;
      };
      assert.equal(await statusOf(bodyOf("a", 0, 5)), 200);
      assert.equal(await statusOf(bodyOf("a", 5, 6)), 200);
      // Whoever repeats a checkpoint, or lies, does not use the log's quota up; a growing log does.
      for (let i = 0; i < 3; i++) assert.equal(await statusOf(bodyOf("b", 5, 5)), 409);
      const refused = await post(bodyOf("a", 6, 7));
      assert.equal(refused.status, 429);
      assert.ok(Number(refused.headers.get("Retry-After")) > 0);
      const problem = await refused.json();
      assert.equal(problem.code, "rate_limited");
      assert.match(problem.detail, /2 of its 2 requests/);
      assert.equal(await statusOf(bodyOf("a", 6, 6)), 200, "its last head is cosigned again");
      assert.equal(await statusOf(bodyOf("b", 0, 5)), 200, "other logs are not affected");
      let size = 5;
      while (await statusOf(bodyOf("b", size, size + 1)) === 200) size++;
      const full = await (await post(bodyOf("b", size, size + 1))).json();
      assert.match(full.detail, /of its 3000 bytes/);

      // Without "a", which stays; "b" with another key, and a list's larger quota for "a" later.
      const second = await importText(list(entry(two!, "b", 1_000), entry(one!, "c", 5)));
      assert.deepEqual(second, { ...rest, code: 1, added: ["c"], refused: ["b"], kept: ["a"] });
      assert.equal(await statusOf(bodyOf("b", size, size, keys[1])), 403);
      assert.equal(await statusOf(bodyOf("a", 6, 6)), 200);
      await using server = Deno.serve(
        { port: 0, onListen() {} },
        ({ url }) =>
          url.endsWith("/lists/all")
            ? new Response(list(entry(one!, "a", 3), entry(one!, node.networkId, 1)))
            : new Response(new Uint8Array(5 << 20), { status: 200 }),
      );
      const { port } = server.addr as Deno.NetAddr;
      const fromUrl = (path: string) =>
        client.runJson(["witness", "import", file!, `http://127.0.0.1:${port}/${path}`]);
      const third = await fromUrl("lists/all");
      assert.deepEqual([third.code, third.json.updated], [1, ["a"]]);
      assert.deepEqual(third.json.refused, [node.networkId], "the configured log keeps its key");
      assert.equal(await statusOf(bodyOf("a", 6, 7)), 200);
      const large = await fromUrl("large");
      assert.deepEqual([large.code, large.json.error.code], [1, "malformed_text"]);

      const [, page] = /Metrics on (\S+)/.exec(io.errLines.join("\n"))!;
      const told = metricsOf(await (await fetch(page!)).text());
      const samples = (name: string) => told.get(`countersign_witness_${name}`)!.samples;
      assert.deepEqual(samples("log_queries").map(({ labels, value }) => [labels["log"], value]), [
        ["a", 3],
        ["b", size - 4],
      ]);
      assert.ok(samples("log_refusals_total").every(({ value }) => value > 0));
      const document = await Deno.readTextFile(new URL("../../docs/limits.md", import.meta.url));
      assert.deepEqual(
        [...documentedNames(document)],
        [...told.keys()].map((name) => name.replace("countersign_", ""))
          .filter((name) => name.startsWith("witness_")),
      );
    } finally {
      stop.abort();
      await over;
    }
    // The counts outlive a restart; a file that cannot be read is reported.
    const again = async (check: (status: number, io: CapturedIo) => void) => {
      const io = new CapturedIo({ folder });
      const stop = new AbortController();
      const over = serveWitness(node, io, stop.signal);
      const [, url] = await io.printed(/^Witness \S+ on (http:\/\/\S+)$/);
      const answer = await fetch(`${url}/add-checkpoint`, {
        method: "POST",
        body: bodyOf("a", 7, 8),
      });
      await answer.body?.cancel();
      stop.abort();
      await over;
      check(answer.status, io);
    };
    await again((status) => assert.equal(status, 429));
    await Deno.writeTextFile(`${node.stateFile}.quotas`, "{");
    await again((status, { errLines }) => {
      assert.equal(status, 200);
      assert.match(errLines.join("\n"), /start again at 0/);
    });
  }));
