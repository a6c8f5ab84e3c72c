/**
 * The suite's findings about witnesses with one defect each.
 *
 * @module
 */

import assert from "node:assert/strict";
import { utf8 } from "../../src/bytes.ts";
import { brokenMusts, type Report } from "../../src/conformance/report.ts";
import { SuiteLog } from "../../src/conformance/suite_log.ts";
import { testWitness } from "../../src/conformance/suite.ts";
import { portableKernels as kernels } from "../../src/crypto/portable_kernels.ts";
import { NOTE_TYPE } from "../../src/format/note_key.ts";
import { signerOf, StandingClock } from "../witness/fixture.ts";
import { suiteCrypto, suiteSigner } from "./fixture.ts";
import { FakeWitness } from "./fake_witness.ts";

const log = new SuiteLog(suiteSigner, kernels);

async function judged(defect: string, keys = true): Promise<Report> {
  const witness = new FakeWitness(log.key, defect);
  const url = new URL("http://witness.example/");
  return await testWitness(
    { url, monitoring: url, keys: keys ? [witness.key] : [], signer: suiteSigner },
    { crypto: suiteCrypto, clock: new StandingClock(), fetch: witness.fetch as typeof fetch },
  );
}

const broken = (report: Report) => brokenMusts(report).map(({ id }) => id);
const should = ({ clauses }: Report) =>
  clauses.filter(({ level, verdict }) => level === "SHOULD" && verdict === "fail").map(({ id }) =>
    id
  );

/** No fake has a key of type 0x06. */
const WITHOUT_ML_DSA = ["tlog-witness/ml-dsa"];
const COSIGNED = "tlog-witness/no-cosignature";

/** What a lenient witness accepts, and the clause, which binds whoever wrote it. */
const LENIENT: readonly [string, string][] = [
  ["old with a leading zero", "tlog-witness/old-size-line"],
  ["old with a sign", "tlog-witness/old-size-line"],
  ["old in capitals", "tlog-witness/old-size-line"],
  ["carriage returns", "tlog-witness/line-ends"],
  ["no newline at the end", "tlog-witness/line-ends"],
  ["hashes in hex", "tlog-witness/proof-lines"],
  ["no empty line", "tlog-witness/body"],
  ["size with a leading zero", "tlog-checkpoint/size"],
  ["short root hashes", "tlog-checkpoint/root"],
  ["empty extension lines", "tlog-checkpoint/extension-lines"],
  ["control characters", "signed-note/characters"],
  ["texts that are not UTF-8", "signed-note/characters"],
];

for (const [defect, clause] of LENIENT) {
  Deno.test(`conformance witness: ${defect}, accepted, break no rule for a witness`, async () => {
    const report = await judged(defect);
    assert.deepEqual(broken(report), []);
    const { verdict, checks } = report.clauses.find(({ id }) => id === clause)!;
    assert.equal(verdict, "unclear");
    assert.ok(checks.some(({ reason }) => /it was accepted/.test(reason!)));
  });
}

Deno.test("conformance witness: no cosignature of extension lines leaves their clause open", async () => {
  const { clauses } = await judged("refuses extension lines");
  assert.equal(clauses.find(({ id }) => id === "tlog-cosignature/extensions")!.verdict, "unclear");
});

/** A defect, and the clauses that it breaks. */
const DEFECTS: readonly [string, ...string[]][] = [
  ["small bodies only", "signed-note/sixteen-signatures"],
  ["eight signatures at most", "signed-note/sixteen-signatures"],
  ["403 for an unknown origin", "tlog-witness/unknown-origin"],
  ["keys by name alone", "signed-note/unknown-keys"],
  ["one valid signature suffices", "tlog-witness/forbidden"],
  ["unsigned checkpoints", "tlog-witness/verify-signature", "tlog-witness/forbidden"],
  ["no verification", "signed-note/known-keys", "tlog-witness/forbidden"],
  ["401 for a signature", "tlog-witness/forbidden"],
  ["409 above the checkpoint", "tlog-witness/old-size-status"],
  ["any old size", "tlog-witness/old-size-matches", "tlog-witness/conflict", COSIGNED],
  ["400 for a conflict", "tlog-witness/conflict"],
  ["conflicts as text", "tlog-witness/conflict-type"],
  ["conflicts without a size", "tlog-witness/conflict-body"],
  ["any root of size 0", "tlog-witness/empty-root", "tlog-witness/empty-root-status", COSIGNED],
  ["400 for the root of size 0", "tlog-witness/empty-root-status"],
  ["a proof from 0", "tlog-witness/empty-proof", "tlog-witness/proof-status", COSIGNED],
  ["409 for a proof", "tlog-witness/proof-status"],
  ["no proof checked", "tlog-witness/proof", "tlog-witness/proof-status", COSIGNED],
  [
    "any root of the same size",
    "tlog-witness/same-size",
    "tlog-witness/same-size-status",
    COSIGNED,
  ],
  ["409 for the same size", "tlog-witness/same-size-status"],
  ["cosigns what it refuses", COSIGNED],
  ["a race", "tlog-witness/old-size-matches"],
  ["a record that stays", "tlog-witness/success"],
  ["no lines", "tlog-witness/lines"],
  ["lines as a list", "tlog-witness/lines"],
  ["no time", "tlog-witness/timestamp"],
  ["no timestamp", "tlog-cosignature/structure"],
  ["times above 2^63", "tlog-cosignature/timestamp-limit", "tlog-cosignature/message"],
  ["no header", "tlog-cosignature/message"],
  ["another key", "tlog-cosignature/message"],
  ["another name", "tlog-witness/cosignatures"],
  ["extensions left out", "tlog-cosignature/extensions"],
  ["refuses extension lines", "tlog-witness/success"],
  ["monitors by POST", "tlog-witness/monitoring-get"],
  ["an empty checkpoint for monitors", "tlog-witness/monitoring-never"],
  ["no log signature for monitors", "tlog-witness/monitoring-body"],
];

for (const [defect, ...clauses] of DEFECTS) {
  Deno.test(`conformance witness: ${defect}`, async () => {
    const report = await judged(defect);
    assert.deepEqual(broken(report).toSorted(), clauses.toSorted());
  });
}

Deno.test("conformance witness: a witness without defects fails no clause", async () => {
  const report = await judged("");
  assert.deepEqual(broken(report), []);
  assert.deepEqual(should(report), WITHOUT_ML_DSA.toSorted());
  // It has no sign-subtree.
  const unclear = report.clauses.filter(({ verdict, checks }) =>
    verdict === "unclear" && !checks[0]?.reason?.startsWith("not supported")
  ).map(({ id }) => id);
  assert.deepEqual(unclear, [
    "signed-note/characters",
    "tlog-checkpoint/lines",
    "tlog-checkpoint/size",
    "tlog-checkpoint/root",
    "tlog-checkpoint/extension-lines",
    "tlog-cosignature/ml-dsa-key-id",
    "tlog-cosignature/ml-dsa-message",
    "tlog-cosignature/ml-dsa-start",
    "tlog-witness/body",
    "tlog-witness/line-ends",
    "tlog-witness/old-size-line",
    "tlog-witness/proof-lines",
    "tlog-witness/proof-length",
    "tlog-witness/whole-tree",
  ]);
});

Deno.test("conformance witness: a failed SHOULD is not a failed MUST", async () => {
  const closing = await judged("closes connections");
  assert.deepEqual([broken(closing), should(closing)], [
    [],
    [...WITHOUT_ML_DSA, "tlog-witness/keep-alive"].toSorted(),
  ]);
  const silent = await judged("no monitoring");
  assert.deepEqual([broken(silent), should(silent)], [
    [],
    [...WITHOUT_ML_DSA, "tlog-witness/monitoring"].toSorted(),
  ]);
});

Deno.test("conformance witness: without its key, cosignatures are unclear", async () => {
  const report = await judged("another key", false);
  assert.deepEqual(broken(report), []);
  const { verdict } = report.clauses.find(({ id }) => id === "tlog-cosignature/message")!;
  assert.equal(verdict, "unclear");
});

Deno.test("conformance witness: says how to add the log to a witness that does not follow it", async () => {
  const other = {
    name: "other.example",
    type: NOTE_TYPE.ed25519,
    publicKey: signerOf("x").publicKey,
  };
  const url = new URL("http://witness.example/");
  const { fetch: send } = new FakeWitness(other, "");
  await assert.rejects(
    testWitness(
      { url, monitoring: url, keys: [], signer: suiteSigner },
      { crypto: suiteCrypto, clock: new StandingClock(), fetch: send as typeof fetch },
    ),
    { code: "gateway_refused", message: new RegExp(log.vkey.replaceAll("+", "\\+")) },
  );
});

Deno.test("conformance witness: a second run continues from the witness's size", async () => {
  const witness = new FakeWitness(log.key, "");
  const url = new URL("http://witness.example/");
  const run = () =>
    testWitness(
      { url, monitoring: url, keys: [witness.key], signer: suiteSigner },
      { crypto: suiteCrypto, clock: new StandingClock(), fetch: witness.fetch as typeof fetch },
    );
  await run();
  const again = await run();
  assert.deepEqual(broken(again), []);
  const empty = again.clauses.find(({ id }) => id === "tlog-witness/empty-root")!;
  assert.equal(empty.verdict, "unclear");
  assert.ok(utf8(JSON.stringify(again)).length > 10_000);
});
