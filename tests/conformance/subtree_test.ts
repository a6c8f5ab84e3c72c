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

/** A defect, and the clauses that it breaks. */
const DEFECTS: readonly [string, ...string[]][] = [
  ["answers GET", "subtree-post"],
  ["422 for malformed requests", "subtree-invalid-status"],
  ["carriage returns", "subtree-line-ends"],
  ["ranges with zeros", "subtree-range-line"],
  ["long proofs", "subtree-proof-length"],
  ["any start", "subtree-valid"],
  ["403 for an unknown origin", "subtree-origin"],
  ["unverified signatures", "subtree-verify"],
  ["401 for a signature", "subtree-forbidden"],
  ["no proof checked", "subtree-proof"],
  ["400 for a proof", "subtree-proof-status"],
  ["Ed25519 of a subtree", "subtree-format"],
  ["a timestamp", "subtree-timestamp"],
  ["no newline", "subtree-lines"],
];

for (const [defect, clause] of DEFECTS) {
  Deno.test(`conformance sign-subtree: ${defect}`, async () => {
    const broken = brokenMusts(await judged(defect)).map(({ id }) => id);
    const expected = [`tlog-witness/${clause}`];
    // A signature that is not there cannot be verified.
    if (clause === "subtree-format") {
      expected.push("tlog-cosignature/ml-dsa-times", "tlog-cosignature/ml-dsa-timestamp");
    }
    assert.deepEqual(broken.toSorted(), expected.toSorted());
  });
}

Deno.test("conformance sign-subtree: a witness without defects fails no clause", async () => {
  const report = await judged("");
  assert.deepEqual(brokenMusts(report), []);
  const ofSubtrees = report.clauses.filter(({ section }) => section === "sign-subtree");
  assert.deepEqual(
    ofSubtrees.filter(({ verdict }) => verdict !== "pass").map(({ id, verdict }) => [id, verdict]),
    [["tlog-witness/subtree-signatures", "not_testable"]],
  );
});

Deno.test("conformance sign-subtree: a line for another name or another origin fails", async () => {
  const named = await judged("another name");
  const keys = named.clauses.find(({ id }) => id === "tlog-witness/subtree-keys")!;
  assert.equal(keys.verdict, "fail");
  const other = brokenMusts(await judged("another origin")).map(({ id }) => id);
  assert.deepEqual(other, ["tlog-cosignature/ml-dsa-times", "tlog-cosignature/ml-dsa-timestamp"]);
});
