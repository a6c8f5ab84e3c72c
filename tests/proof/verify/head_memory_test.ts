import assert from "node:assert/strict";
import { hexOf } from "../../../src/base/bytes.ts";
import { portableKernels as kernels } from "../../../src/proof/crypto/portable_kernels.ts";
import type { CheckpointBody, SignedTreeHead } from "../../../src/proof/format/tree_head.ts";
import { emptyRoot } from "../../../src/proof/merkle/tree.ts";
import { checkGrowth, compareHeads } from "../../../src/proof/verify/head_memory.ts";
import { makeLog, nativeCrypto, TestNetwork } from "./fixture.ts";

const network = new TestNetwork("net.example/memory");
const log = makeLog(network);
const OTHER_ROOT = "00".repeat(32);

async function judge(known: CheckpointBody, seen: SignedTreeHead, path: readonly string[]) {
  const heads = { known, seen };
  const result = await checkGrowth(nativeCrypto, network.configuration, heads, path);
  return [result.valid, result.relation, result.reason];
}

Deno.test("heads are compared by size and root, not by time", () => {
  const known = log.head(9, 100);
  assert.equal(compareHeads(known, log.head(9, 50)), "same");
  assert.equal(compareHeads(known, { ...known, root_hash: OTHER_ROOT }), "fork");
  assert.equal(compareHeads(known, log.head(12, 50)), "larger");
  assert.equal(compareHeads(known, log.head(4, 500)), "older");
  assert.equal(compareHeads(known, { ...known, network_id: "other" }), "other_network");
});

Deno.test("growth requires a path, from either side", async () => {
  const path = log.consistencyPath(4, 12);
  assert.deepEqual(await judge(log.head(4, 1), log.sth(12, 2), path), [true, "larger", undefined]);
  assert.deepEqual(await judge(log.head(12, 1), log.sth(4, 2), path), [true, "older", undefined]);
  const refused = "consistency_invalid";
  assert.deepEqual(await judge(log.head(4, 1), log.sth(12, 2), []), [false, "larger", refused]);
  assert.deepEqual(await judge(log.head(12, 1), log.sth(4, 2), []), [false, "older", refused]);
  assert.deepEqual(await judge(log.head(9, 1), log.sth(12, 2), path), [false, "larger", refused]);
});

Deno.test("the same head requires an empty path", async () => {
  assert.deepEqual(await judge(log.head(9, 1), log.sth(9, 2), []), [true, "same", undefined]);
  const path = [OTHER_ROOT];
  const refused = [false, "same", "consistency_invalid"];
  assert.deepEqual(await judge(log.head(9, 1), log.sth(9, 2), path), refused);
});

Deno.test("two signed roots of one size are a fork", async () => {
  const seen = network.signHead({ ...log.head(9, 2), root_hash: OTHER_ROOT });
  assert.deepEqual(await judge(log.head(9, 1), seen, []), [false, "fork", "head_forked"]);
});

Deno.test("an unsigned head is not evidence", async () => {
  const head = { ...log.head(9, 2), root_hash: OTHER_ROOT };
  const seen = network.signHead(head, [0]);
  assert.deepEqual(await judge(log.head(9, 1), seen, []), [false, undefined, "threshold_not_met"]);
});

Deno.test("heads of different networks are not compared", async () => {
  const known = { ...log.head(9, 1), network_id: "net.example/other" };
  const refused = [false, "other_network", "network_mismatch"];
  assert.deepEqual(await judge(known, log.sth(9, 2), []), refused);
});

Deno.test("growth from the empty tree needs no path", async () => {
  const empty = { ...log.head(4, 1), tree_size: 0, root_hash: hexOf(emptyRoot(kernels)) };
  assert.deepEqual(await judge(empty, log.sth(4, 2), []), [true, "larger", undefined]);
  const refused = [false, "larger", "consistency_invalid"];
  assert.deepEqual(await judge(empty, log.sth(4, 2), [OTHER_ROOT]), refused);
});
