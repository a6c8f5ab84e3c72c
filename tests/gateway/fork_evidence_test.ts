import assert from "node:assert/strict";
import { ForkEvidence } from "../../src/gateway/sequencing/rollback_evidence.ts";

/**
 * Evidence about a tree of `treeSize` leaves in a network of three witnesses with threshold two.
 */
function evidence(treeSize: number) {
  const site = { treeSize, reports: 0, withdrawals: 0 };
  const found = new ForkEvidence({
    ids: ["w1", "w2", "w3"],
    threshold: 2,
    treeSize: () => site.treeSize,
    reported: () => site.reports++,
    withdrawn: () => site.withdrawals++,
  });
  return { site, found };
}

Deno.test("ForkEvidence requires more witnesses than may be missing", () => {
  const { site, found } = evidence(10);
  found.sizeReported(0, 11);
  found.sizeReported(0, 12);
  assert.equal(found.verdict(), undefined);
  found.roundRefused(0, 10, 0);
  assert.equal(found.verdict(), undefined);
  found.roundRefused(2, 10, 0);
  assert.equal(found.verdict()?.code, "store_rolled_back");
  assert.equal(found.isBehind, false);
  assert.equal(site.reports, 4);
});

Deno.test("ForkEvidence counts larger trees from heads and rounds, and drops sizes below our tree", () => {
  const { site, found } = evidence(10);
  found.roundRefused(0, 10, 14);
  found.sizeReported(1, 12);
  assert.equal(found.isBehind, true);
  site.treeSize = 12;
  assert.equal(found.verdict(), undefined);
  found.growthRefused(2);
  assert.equal(found.isBehind, true);
  found.headCosigned(2);
  assert.equal(found.verdict(), undefined);
});

Deno.test("ForkEvidence ignores sizes up to our tree's, and refusals beyond the witnesses' memory", () => {
  const { site, found } = evidence(10);
  for (const witnessIndex of [0, 1, 2]) {
    found.sizeReported(witnessIndex, 10);
    found.roundRefused(witnessIndex, 10 + 2 ** 20, 10);
  }
  assert.equal(found.verdict(), undefined);
  assert.equal(site.reports, 0);
  for (const witnessIndex of [0, 1]) found.roundRefused(witnessIndex, 9 + 2 ** 20, 10);
  assert.notEqual(found.verdict(), undefined);
});

Deno.test("ForkEvidence drops refusals of a round that is signed", () => {
  const { found } = evidence(10);
  for (const witnessIndex of [0, 1]) found.roundRefused(witnessIndex, 10, 4);
  found.roundRefused(1, 20);
  assert.equal(found.isRefused(10), true);
  found.roundAccepted(0, 10);
  assert.equal(found.verdict(), undefined);
  found.roundRefused(0, 10);
  found.roundEnded(10);
  assert.equal(found.isRefused(10), false);
  assert.equal(found.verdict(), undefined);
});
