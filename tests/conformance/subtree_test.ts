/**
 * The suite's findings about sign-subtree, with one defect each.
 *
 * @module
 */

import assert from "node:assert/strict";
import { brokenMusts, type Report } from "../../src/conformance/report.ts";
import { SuiteLog } from "../../src/conformance/suite_log.ts";
import { testWitness } from "../../src/conformance/suite.ts";
import { portableKernels as kernels } from "../../src/crypto/portable_kernels.ts";
import { StandingClock } from "../witness/fixture.ts";
import { FakeSubtreeWitness } from "./fake_subtrees.ts";
import { suiteCrypto, suiteSigner } from "./fixture.ts";

const log = new SuiteLog(suiteSigner, kernels);

async function judged(defect: string): Promise<Report> {
  const witness = await FakeSubtreeWitness.of(log.key, defect);
  const url = new URL("http://witness.example/");
  return await testWitness(
    { url, monitoring: url, keys: witness.keys, signer: suiteSigner },
    { crypto: suiteCrypto, clock: new StandingClock(), fetch: witness.fetch as typeof fetch },
  );
}

const INVALID = "tlog-witness/subtree-invalid-status";
const UNPROVEN = "tlog-witness/subtree-proof-status";
const FORBIDDEN = "tlog-witness/subtree-forbidden";
const TIMES = ["tlog-cosignature/ml-dsa-times", "tlog-cosignature/ml-dsa-timestamp"];

/** A defect, and the clauses that it breaks. */
const DEFECTS: readonly [string, ...string[]][] = [
  ["422 for malformed requests", INVALID],
  ["carriage returns", "tlog-witness/subtree-line-ends", INVALID],
  ["ranges with zeros", "tlog-witness/subtree-range-line", INVALID],
  ["long proofs", "tlog-witness/subtree-proof-length", INVALID],
  ["any start", "tlog-witness/subtree-valid", INVALID],
  ["403 for an unknown origin", "tlog-witness/subtree-origin"],
  ["unverified signatures", "tlog-witness/subtree-verify", FORBIDDEN],
  ["401 for a signature", FORBIDDEN],
  ["no proof checked", "tlog-witness/subtree-proof", UNPROVEN],
  ["400 for a proof", UNPROVEN],
  ["Ed25519 of a subtree", "tlog-witness/subtree-format"],
  ["a timestamp", "tlog-witness/subtree-timestamp", ...TIMES],
  ["no newline", "tlog-witness/subtree-lines"],
];

for (const [defect, ...clauses] of DEFECTS) {
  Deno.test(`conformance sign-subtree: ${defect}`, async () => {
    const broken = brokenMusts(await judged(defect)).map(({ id }) => id);
    assert.deepEqual(broken.toSorted(), clauses.toSorted());
  });
}

Deno.test("conformance sign-subtree: a witness without defects fails no clause", async () => {
  const report = await judged("");
  assert.deepEqual(brokenMusts(report), []);
  const ofSubtrees = report.clauses.filter(({ section }) => section === "sign-subtree");
  assert.deepEqual(
    ofSubtrees.filter(({ verdict }) => verdict !== "pass").map(({ id, verdict }) => [id, verdict]),
    [
      ["tlog-witness/subtree-post", "not_testable"],
      ["tlog-witness/subtree-signatures", "not_testable"],
    ],
  );
});

Deno.test("conformance sign-subtree: a line for another name or another origin fails", async () => {
  const named = await judged("another name");
  const keys = named.clauses.find(({ id }) => id === "tlog-witness/subtree-keys")!;
  assert.equal(keys.verdict, "fail");
  const report = await judged("another origin");
  // One wrong cosignature is one fault; what it would say about times stays open.
  assert.deepEqual(brokenMusts(report).map(({ id }) => id), ["tlog-cosignature/ml-dsa-message"]);
  const open = report.clauses.filter(({ id }) => TIMES.includes(id)).map(({ verdict }) => verdict);
  assert.deepEqual(open, ["unclear", "unclear"]);
});
