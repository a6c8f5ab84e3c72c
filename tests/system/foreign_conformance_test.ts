/**
 * `countersign conformance` finds what witnesses that are not ours break (`foreign_witnesses.ts`), and
 * nothing at our own programs.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { encodeVkey, type NoteKey } from "../../src/proof/format/note_key.ts";
import { newLogKey } from "../../src/server/gateway/new_keys.ts";
import { type Client, withClient } from "../cli/client_run.ts";
import { freePorts } from "../free_ports.ts";
import { until } from "../gateway/fixture.ts";
import { Server } from "../scenarios/program.ts";
import { debianVersion, ForeignWitness, sigsumOrigin } from "./foreign_witnesses.ts";

type Clause = { readonly id: string; readonly level: string; readonly verdict: string };

/** The key of the suite's log, in the file `suite.key`. */
async function suiteKey(client: Client, nameOf: (publicKey: NoteKey["publicKey"]) => string) {
  const { key, secretLine } = newLogKey(nameOf);
  await Deno.writeTextFile(join(client.folder, "suite.key"), secretLine, { mode: 0o600 });
  return key;
}

/** The exit code, and the clauses that fail. */
async function conformance(client: Client, ...args: readonly string[]) {
  const { code, json, stderr } = await client.run(["conformance", ...args, "--output", "json"]);
  assert.notEqual(json, undefined, stderr);
  const clauses: Clause[] = json.clauses;
  const failed = (isShould: boolean) =>
    clauses.filter(({ level, verdict }) => verdict === "fail" && isShould === (level === "SHOULD"))
      .map(({ id }) => id);
  return { code, must: failed(false), should: failed(true), pass: json.summary.MUST.pass };
}

async function judged(client: Client, url: string, ...vkeys: readonly string[]) {
  const keys = vkeys.flatMap((vkey) => ["--vkey", vkey]);
  return await conformance(client, "witness", url, "--log-key", "suite.key", ...keys);
}

const NAME = "suite.example/2026";

/** What a release in Debian breaks. A later one may break less, and nothing else. */
const FOREIGN = [{
  program: "litewitness",
  name: "torchwood",
  release: "0.9.",
  start: ForeignWitness.litewitness,
  nameOf: () => NAME,
  broken: [
    "signed-note/sixteen-signatures",
    "tlog-witness/forbidden",
    // A checkpoint of size 0 with another root.
    "tlog-witness/empty-root-status",
    // `old 0` with a proof.
    "tlog-witness/proof-status",
    "tlog-witness/no-cosignature",
  ],
}, {
  program: "sigsum-witness",
  name: "sigsum-go",
  release: "0.14.",
  start: ForeignWitness.sigsum,
  nameOf: sigsumOrigin,
  broken: [
    // It takes a second line with the log's name for a duplicate.
    "signed-note/unknown-keys",
    // It answers 400 to what it cannot use.
    "tlog-witness/unknown-origin",
    "tlog-witness/forbidden",
    "tlog-witness/proof-status",
    // It refuses extension lines.
    "tlog-witness/success",
  ],
}];

for (const { program, name, release, start, nameOf, broken } of FOREIGN) {
  Deno.test(`conformance witness finds the MUSTs that ${program} ${release}x breaks, and no other`, () =>
    withClient(async (client) => {
      const log = await suiteKey(client, nameOf);
      await using witness = await start(client.folder, log);
      const { must, should, pass } = await judged(client, witness.url, encodeVkey(witness.key));
      const version = await debianVersion(program, name);
      const isKnown = version.startsWith(release);
      const expected = isKnown ? broken : broken.filter((id) => must.includes(id));
      assert.deepEqual(must, expected, `${name} ${version}`);
      // It has no monitoring either, which looks like a delay.
      if (isKnown) assert.deepEqual(should, ["tlog-witness/ml-dsa"]);
      assert.ok(pass >= 20, String(pass));
    }));
}

Deno.test("our witness and our log, as programs, break no MUST", () =>
  withClient(async (client) => {
    const suiteLog = await suiteKey(client, () => NAME);
    const port = String(freePorts(1));
    const made = await client.runJson([
      "init",
      "--ml-dsa",
      "--witnesses",
      "1",
      "--base-port",
      port,
      "--out",
      "net",
    ]);
    const [witnessFile] = made.json.witness_files;
    const members = JSON.parse(await Deno.readTextFile(witnessFile));
    await client.write("net/witness-1/witness.json", { ...members, logs_file: "logs.json" });
    const where = { cwd: client.folder };
    const followed = await client.run([
      "witness",
      "follow",
      witnessFile,
      "--origin",
      NAME,
      "--vkey",
      encodeVkey(suiteLog),
    ]);
    assert.equal(followed.code, 0, followed.stderr);
    const witness = await Server.start(["witness", witnessFile], /^Witness \S+ on (\S+)$/m, where);
    await using _witness = witness.server;
    const network = JSON.parse(await client.read("net/network.public.json"));
    const { vkey, ml_dsa_vkey } = network.witnesses[0];
    const witnessed = await judged(client, witness.match[1]!, vkey, ml_dsa_vkey);
    assert.deepEqual([witnessed.code, witnessed.must, witnessed.should], [0, [], []]);
    assert.equal(witnessed.pass, 44);

    const serve = ["serve", "--config", "net/network.json", "--data", "data", "--port", "0"];
    const gateway = await Server.start(serve, /^Countersign gateway of \S+ on (\S+)$/m, where);
    await using _gateway = gateway.server;
    const url = gateway.match[1]!;
    const hashes = Array.from({ length: 300 }, (_, i) => i.toString(16).padStart(64, "0"));
    const answer = await fetch(`${url}/v1/attestations/batch`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ hashes }),
    });
    assert.ok(answer.ok, await answer.text());
    await until(async () => {
      const checkpoint = await fetch(`${url}/checkpoint`);
      return (await checkpoint.text()).split("\n")[1] === "300";
    });
    const keys = ["--vkey", network.log_vkey, "--vkey", network.log_ml_dsa_vkey];
    const log = await conformance(client, "log", url, ...keys);
    assert.deepEqual([log.code, log.must], [0, []]);
    assert.deepEqual(log.should, []);
    assert.equal(log.pass, 13);
  }));
