/** `verify-proof --witness-policy`, and tlog-proofs of bundles that foreign witnesses cosigned. */

import assert from "node:assert/strict";
import type { ProofBundle } from "../../src/proof/format/bundle.ts";
import { encodeVkey, NOTE_TYPE } from "../../src/proof/format/note_key.ts";
import { TestLog } from "../proof/verify/test_log.ts";
import { digestOf, signerOf, TestNetwork } from "../proof/verify/test_network.ts";
import { withLogSignature } from "../proof/verify/vectors/head_cases.ts";
import { foreignLine } from "../proof/verify/vectors/witnessed_cases.ts";
import { HEAD_TIME } from "../proof/verify/vectors/world.ts";
import { assertFailed, withClient } from "./client_run.ts";

const network = new TestNetwork("net.example/home");
const log = new TestLog(network);
log.addRound(Array.from({ length: 9 }, (_, i) => digestOf(`content ${i}`)), { timestamp: 5 });
const sth = withLogSignature(log.sth(6, HEAD_TIME - 20), network.log);
const own = network.checkpoint(log.head(9, HEAD_TIME), { 0: HEAD_TIME, 1: HEAD_TIME });
const bundle: ProofBundle = {
  ...log.bundle(4, log.batchInclusion(4, sth)),
  witnessed: {
    checkpoint: own + foreignLine({ log }, 9),
    inclusion_path: log.inclusionPath(4, 9),
  },
};

function policy(name: string): string {
  const publicKey = signerOf(name).publicKey;
  const vkey = encodeVkey({ name, type: NOTE_TYPE.cosignature, publicKey });
  return `log ${network.configuration.log_vkey}\nwitness north ${vkey}\nquorum north\n`;
}

const LINE = ["verify-proof", "content.txt", "--network-config", "network.json"];
const WITNESSED = [...LINE, "--witness-policy", "policy"];

Deno.test("verify-proof --witness-policy exits 1 unless the foreign witnesses meet the policy", () =>
  withClient(async (client) => {
    await client.write("content.txt", "content 4");
    await client.write("network.json", network.configuration);
    await client.write("policy", policy("witness.example"));
    await client.write("content.txt.countersign.json", bundle);
    const { code, stdout } = await client.run(WITNESSED);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /\ncheckpoint for foreign witnesses: size 9, verified\n/);
    assert.match(stdout, /\nforeign witnesses: north; the policy is met\n/);
    const { json } = await client.runJson(WITNESSED);
    assert.deepEqual(json.witness_policy, { met: true, cosigners: ["north"] });
    assert.deepEqual([json.level, json.layers.witnessed.status], ["batched", "verified"]);

    const proof = ["bundle", "--as", "tlog-proof", "content.txt", "--network-config"];
    const converted = await client.run([...proof, "network.json"]);
    await client.write("p.tlog-proof", `${converted.stdout}\n`);
    const line = ["verify-proof", "--policy", "policy", "p.tlog-proof"];
    assert.equal((await client.run(line)).code, 0);

    await client.write("policy", policy("other.example"));
    const unmet = await client.runJson(WITNESSED);
    assert.deepEqual([unmet.code, unmet.json.level, unmet.json.witness_policy.met], [
      1,
      "batched",
      false,
    ]);
    assert.equal((await client.run(LINE)).code, 0, "the network's own witnesses are enough");

    await client.write("policy", policy("witness.example"));
    const { witnessed, ...plain } = bundle;
    await client.write("content.txt.countersign.json", plain);
    assert.equal((await client.run(WITNESSED)).code, 1);
    const forged = { ...witnessed!, inclusion_path: log.inclusionPath(5, 9) };
    await client.write("content.txt.countersign.json", { ...plain, witnessed: forged });
    const failed = await client.runJson(WITNESSED);
    assert.deepEqual([failed.code, failed.json.layers.witnessed.reason], [1, "inclusion_invalid"]);
    assert.ok(failed.json.unauthenticated.includes("witnessed"));
    // Nothing that does not verify goes into a tlog-proof.
    const without = await client.run([...proof, "network.json"]);
    assert.match(without.stdout, /\n6\n/);
    assertFailed(await client.runJson([...line, "--witness-policy", "policy"]), "usage", 2);
  }));
