/**
 * The suite's findings about mirrors with one defect each.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Report } from "../../src/conformance/report.ts";
import { SuiteLog } from "../../src/conformance/suite_log.ts";
import { testMirror } from "../../src/conformance/suite.ts";
import { portableKernels as kernels } from "../../src/crypto/portable_kernels.ts";
import { StandingClock } from "../witness/fixture.ts";
import { FakeMirror } from "./fake_mirror.ts";
import { suiteCrypto, suiteSigner } from "./fixture.ts";

const log = new SuiteLog(suiteSigner, kernels);

async function judged(defect: string): Promise<Report> {
  const mirror = new FakeMirror(log.key, defect);
  const url = new URL("http://mirror.example/");
  return await testMirror(
    { url, monitoring: url, keys: [mirror.key], signer: suiteSigner },
    { crypto: suiteCrypto, clock: new StandingClock(), fetch: mirror.fetch as typeof fetch },
  );
}

const withVerdict = ({ clauses }: Report, wanted: string) =>
  clauses.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);

/** A defect, and the clauses that it breaks, those of level SHOULD included. */
const DEFECTS: readonly [string, ...string[]][] = [
  ["403 for an unknown origin", "tlog-mirror/unknown-origin"],
  ["409 without a checkpoint", "tlog-mirror/no-pending"],
  ["400 for an unknown end", "tlog-mirror/unknown-end"],
  ["422 for a late start", "tlog-mirror/late-start"],
  ["old ends", "tlog-mirror/small-end"],
  ["one checkpoint", "tlog-mirror/several-pending"],
  ["400 for a proof", "tlog-mirror/authenticate-status"],
  ["no proof checked", "tlog-mirror/authenticate"],
  // The limit binds clients.
  ["any number of hashes"],
  ["422 for nothing", "tlog-mirror/nothing"],
  ["200 for a part", "tlog-mirror/partial", "tlog-mirror/interrupted"],
  ["text for information", "tlog-mirror/info"],
  ["tickets in hex", "tlog-mirror/info"],
  ["another end", "tlog-mirror/info-end", "tlog-mirror/info-pending"],
  ["no gzip", "tlog-mirror/gzip"],
  ["no Accept-Encoding", "tlog-mirror/accept-encoding"],
  ["a signature for a checkpoint", "tlog-mirror/not-signed", "tlog-mirror/distinct-cosigner"],
  ["a signature without a time", "tlog-cosignature/message", "tlog-mirror/cosigned"],
  ["no log signature", "tlog-mirror/retain-signature"],
  ["no cosignature", "tlog-mirror/cosigned"],
  ["a pruned mirror", "tlog-mirror/not-pruned", "tlog-mirror/minimum-zero"],
];

for (const [defect, ...clauses] of DEFECTS) {
  Deno.test(`conformance mirror: ${defect}`, async () => {
    const failed = withVerdict(await judged(defect), "fail");
    assert.deepEqual(failed.toSorted(), clauses.toSorted());
  });
}

Deno.test("conformance mirror: a mirror without defects fails no clause", async () => {
  const report = await judged("");
  assert.deepEqual(withVerdict(report, "fail"), []);
  // It has no sign-subtree.
  const unclear = report.clauses.filter(({ verdict, checks }) =>
    verdict === "unclear" && !checks[0]?.reason?.startsWith("not supported")
  ).map(({ id }) => id);
  assert.deepEqual(unclear, [
    "tlog-cosignature/ml-dsa-key-id",
    "tlog-cosignature/ml-dsa-message",
    "tlog-cosignature/ml-dsa-start",
    "tlog-witness/body",
    "tlog-witness/line-ends",
    "tlog-witness/old-size-line",
    "tlog-witness/proof-lines",
    "tlog-witness/proof-length",
    "tlog-mirror/body",
    "tlog-mirror/upload-start",
    "tlog-mirror/prefix",
    "tlog-mirror/num-hashes",
  ]);
});
