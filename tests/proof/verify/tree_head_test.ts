import assert from "node:assert/strict";
import { hexOf } from "../../../src/base/bytes.ts";
import { portableKernels as kernels } from "../../../src/proof/crypto/portable_kernels.ts";
import type { SignedTreeHead, TreeHead } from "../../../src/proof/format/tree_head.ts";
import type { SignatureScheme } from "../../../src/proof/format/signature_set.ts";
import { emptyRoot } from "../../../src/proof/merkle/tree.ts";
import { verifySignedTreeHead } from "../../../src/proof/verify/tree_head.ts";
import { eachScheme } from "../../schemes.ts";
import { makeLog, nativeCrypto, TestNetwork } from "./fixture.ts";

/** A log, and a verifier of heads of its network. */
function makeHeads(scheme: SignatureScheme) {
  const network = new TestNetwork("net.example/heads", { scheme });
  const log = makeLog(network);
  const verify = (sth: SignedTreeHead) =>
    verifySignedTreeHead(nativeCrypto, network.configuration, sth);
  return { network, log, verify };
}

function changed(sth: SignedTreeHead, change: Partial<TreeHead>): SignedTreeHead {
  return { ...sth, tree_head: { ...sth.tree_head, ...change } };
}

eachScheme.test("a head that the threshold cosigned is valid, at any integer time", async (scheme) => {
  const { log, verify } = makeHeads(scheme);
  for (const timestamp of [0, 1_766_275_200, 2 ** 53 - 1]) {
    assert.equal((await verify(log.sth(12, timestamp))).valid, true);
  }
});

eachScheme.test("every member of a head is signed", async (scheme) => {
  const { log, verify } = makeHeads(scheme);
  const sth = log.sth(12, 1_766_275_200);
  const { root_hash } = log.head(11, 0);
  assert.equal((await verify(changed(sth, { tree_size: 13 }))).reason, "signature_invalid");
  assert.equal((await verify(changed(sth, { timestamp: 5 }))).reason, "signature_invalid");
  assert.equal((await verify(changed(sth, { root_hash }))).reason, "signature_invalid");
  const other = await verify(changed(sth, { network_id: "net.example/other" }));
  assert.deepEqual([other.reason, other.field], ["network_mismatch", "tree_head.network_id"]);
});

eachScheme.test("an empty tree must have the root of the empty tree", async (scheme) => {
  const { network, verify } = makeHeads(scheme);
  const head = { network_id: network.id, tree_size: 0, timestamp: 7 };
  const empty = { ...head, root_hash: hexOf(emptyRoot(kernels)) };
  assert.equal((await verify(network.signHead(empty))).valid, true);
  const wrong = { ...head, root_hash: "00".repeat(32) };
  assert.equal((await verify(network.signHead(wrong))).reason, "empty_root_wrong");
});

eachScheme.test("the signature of a round is not valid for a head", async (scheme) => {
  const { log, verify } = makeHeads(scheme);
  const sth = log.sth(4, 1_766_275_200);
  const set = log.attestations[0]!;
  assert.equal((await verify({ ...set, tree_head: sth.tree_head })).reason, "signature_invalid");
});
