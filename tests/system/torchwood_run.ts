/**
 * `deno task torchwood`: proofs of our log are accepted by filippo.io/torchwood, which is not ours, and
 * ours accepts those that torchwood makes. Builds it from Debian's packages (23 s), or takes `--program`.
 *
 * @module
 */

import assert from "node:assert/strict";
import process from "node:process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Bytes, textOf, utf8 } from "../../src/base/bytes.ts";
import { parseTlogProof, tlogProofOf } from "../../src/proof/format/tlog_proof.ts";
import { policyText } from "../../src/http/gateway/c2sp_routes.ts";
import { withGateway } from "../http/gateway_server.ts";
import { TestLog } from "../proof/verify/test_log.ts";
import { digestOf, TestNetwork } from "../proof/verify/test_network.ts";
import { type ForeignProof, foreignProofs, reasonOf } from "../proof/verify/tlog_proofs.ts";
import { withLogSignature } from "../proof/verify/vectors/head_cases.ts";

const COUNT = 13;

/** A line of the program's standard input. */
function lineOf({ policy, entry, proof }: ForeignProof): string {
  const [Policy, Entry, Proof] = [policy, entry, proof].map((bytes) => bytes.toBase64());
  return JSON.stringify({ Policy, Entry, Proof });
}

/** The program's verdicts: `ok`, or an error. */
async function verdictsOf(program: string, proofs: readonly ForeignProof[]): Promise<string[]> {
  const child = new Deno.Command(program, { stdin: "piped", stdout: "piped" }).spawn();
  const [, { stdout, success }] = await Promise.all([
    new Blob(proofs.map((proof) => `${lineOf(proof)}\n`)).stream().pipeTo(child.stdin),
    child.output(),
  ]);
  assert.ok(success);
  const verdicts = textOf(stdout).trimEnd().split("\n");
  assert.equal(verdicts.length, proofs.length);
  return verdicts;
}

/** A proof with its own entry. */
function proofOf(policy: string, text: string): ForeignProof {
  return { policy: utf8(policy), entry: parseTlogProof(text).extra!, proof: utf8(text) };
}

/** Each leaf of each tree, of a network whose policy needs 2 of 3 witnesses. */
function ourProofs(): ForeignProof[] {
  const network = new TestNetwork("net.example/home");
  const log = new TestLog(network);
  const hashes = Array.from({ length: COUNT }, (_, i) => digestOf(`content ${i}`));
  log.addRound(hashes, { timestamp: 1_766_275_200 });
  const policy = policyText(network.configuration)!;
  return Array.from({ length: COUNT }, (_, i) => i + 1).flatMap((size) => {
    const sth = withLogSignature(log.sth(size, 1_766_275_300, [0, 1]), network.log);
    return Array.from({ length: size }, (_, sequence) => {
      const bundle = log.bundle(sequence, log.batchInclusion(sequence, sth));
      return proofOf(policy, tlogProofOf(network.configuration, bundle));
    });
  });
}

async function gatewayProofs(): Promise<ForeignProof[]> {
  const proofs: ForeignProof[] = [];
  await withGateway(async (server) => {
    const policy = await (await server.get("/policy")).text();
    for (const hash of await server.batch(5)) {
      const answer = await server.get(`/v1/bundle/${hash}`, { Accept: "text/plain" });
      proofs.push(proofOf(policy, await answer.text()));
    }
  });
  return proofs;
}

function withoutExtra(proof: Bytes): Bytes {
  return utf8(textOf(proof).replace(/^extra .*\n/m, ""));
}

/** `proof` after each flip of one bit that leaves it UTF-8. */
function flips({ policy, entry, proof }: ForeignProof): ForeignProof[] {
  const flipped = Array.from({ length: 8 * proof.length }, (_, i) => {
    const bytes = proof.slice();
    bytes[i >> 3]! ^= 1 << (i & 7);
    return bytes;
  });
  const isText = (bytes: Uint8Array) =>
    new TextDecoder().decode(bytes).includes("\ufffd") === false;
  return flipped.filter(isText).map((bytes) => ({ policy, entry, proof: bytes }));
}

async function check(program: string): Promise<void> {
  const ours = [...ourProofs(), ...await gatewayProofs()];
  assert.deepEqual(new Set(await verdictsOf(program, ours)), new Set(["ok"]));
  const others = ours.map((one, i) => ({ ...one, entry: ours[(i + 1) % ours.length]!.entry }))
    .filter((one, i) => textOf(one.entry) !== textOf(ours[i]!.entry));
  assert.ok(!(await verdictsOf(program, others)).includes("ok"));
  const strict = ours.map((one) => ({
    ...one,
    policy: utf8(
      textOf(one.policy).replace(/^group witnesses \d .*$/m, "group witnesses all w1 w2 w3"),
    ),
  }));
  const unmet = strict.filter(({ proof }) => textOf(proof).split("\n\u2014 ").length < 5);
  assert.ok(unmet.length > 90 && !(await verdictsOf(program, unmet)).includes("ok"));

  // Nobody signs extra data.
  const sample = { ...ours[40]!, proof: withoutExtra(ours[40]!.proof) };
  const flipped = flips(sample);
  const verdicts = await verdictsOf(program, flipped);
  const accepted = flipped.filter((_, i) => verdicts[i] === "ok");
  for (const one of accepted) {
    // Only spellings: torchwood ignores spare bits of base64.
    assert.equal(await reasonOf(one), "malformed_text", textOf(one.proof));
  }

  const { stdout } = await new Deno.Command(program, { args: ["make"] }).output();
  const foreign = foreignProofs(textOf(stdout));
  for (const [i, one] of foreign.entries()) {
    assert.equal(await reasonOf(one), undefined);
    const { entry }: ForeignProof = foreign[(i + 1) % foreign.length]!;
    assert.equal(await reasonOf({ ...one, entry }), "inclusion_invalid");
  }
  process.stdout.write(
    `torchwood accepts ${ours.length} proofs, and refuses ${others.length} of other entries, ` +
      `${unmet.length} below the quorum and ${
        flipped.length - accepted.length
      } of ${flipped.length} ` +
      `flips; the other ${accepted.length} are base64 that is not canonical. ` +
      `We accept ${foreign.length} proofs of torchwood.\n`,
  );
}

if (import.meta.main) {
  const given = Deno.args[0] === "--program" ? Deno.args[1] : undefined;
  const folder = await Deno.makeTempDir();
  try {
    if (given === undefined) {
      const script = fileURLToPath(new URL("torchwood/build.sh", import.meta.url));
      const { success } = await new Deno.Command(script, { args: [folder] }).spawn().status;
      assert.ok(success, "The program is not built");
    }
    await check(given ?? join(folder, "torchwood"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
