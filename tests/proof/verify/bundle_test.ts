import assert from "node:assert/strict";
import { parseBundle, type ProofBundle } from "../../../src/proof/format/bundle.ts";
import { verifyBundle } from "../../../src/proof/verify/bundle.ts";
import type { Trust } from "../../../src/proof/verify/cross_anchors.ts";
import { VERIFY_REASONS } from "../../../src/proof/verify/reasons.ts";
import type { SignatureScheme } from "../../../src/proof/format/signature_set.ts";
import { NOT_PROVEN } from "../../../src/proof/verify/verdict.ts";
import { portableCrypto } from "../../../src/proof/verify/verifier_crypto.ts";
import { eachScheme } from "../../schemes.ts";
import {
  batchedBundle,
  digestOf,
  makeLog,
  nativeCrypto,
  SEQUENCE,
  TestLog,
  TestNetwork,
} from "./fixture.ts";

/** A log, a network that is not pinned, and a verifier of the log's bundles. */
function makeBundling(scheme: SignatureScheme) {
  const network = new TestNetwork("net.example/bundles", { scheme });
  const stranger = new TestNetwork("net.example/zz-stranger", { scheme });
  const trust: Trust = { network: network.configuration, peers: [] };
  const log = makeLog(network);
  const verify = (bundle: ProofBundle, hash?: string) =>
    verifyBundle(nativeCrypto, trust, bundle, hash === undefined ? {} : { hash });
  return { network, stranger, trust, log, verify };
}

eachScheme.test("an attestation without a batch is basic", async (scheme) => {
  const { network, log, verify } = makeBundling(scheme);
  const verdict = await verify(log.bundle(SEQUENCE));
  assert.equal(verdict.valid, true);
  assert.equal(verdict.level, "basic");
  assert.equal(verdict.layers.batch.status, "absent");
  assert.deepEqual(verdict.signers, [`${network.id}/w1`, `${network.id}/w2`]);
  assert.deepEqual(verdict.unauthenticated, []);
  assert.deepEqual(verdict.notProven, NOT_PROVEN);
});

eachScheme.test("every leaf is batched under every head that contains it", async (scheme) => {
  const { log, verify } = makeBundling(scheme);
  for (const size of [1, 4, 9, 12, 16]) {
    const sth = log.sth(size, 1_766_275_300);
    for (let sequence = 0; sequence < size; sequence++) {
      const bundle = log.bundle(sequence, log.batchInclusion(sequence, sth));
      const verdict = await verify(parseBundle(JSON.stringify(bundle)));
      assert.equal(verdict.level, "batched", `${sequence} of ${size}`);
    }
  }
});

eachScheme.test("the portable crypto gives the same verdict, field by field", async (scheme) => {
  const { trust, log, verify } = makeBundling(scheme);
  const crypto = await portableCrypto();
  const bundle = batchedBundle(log);
  const verdict = await verifyBundle(crypto, trust, bundle, {});
  assert.deepEqual(verdict, await verify(bundle));
});

eachScheme.test("a bundle about another digest than expected is invalid", async (scheme) => {
  const { log, verify } = makeBundling(scheme);
  const bundle = batchedBundle(log);
  const { hash } = bundle.signed_attestation.attestation;
  assert.equal((await verify(bundle, hash)).level, "batched");
  const verdict = await verify(bundle, digestOf("something else"));
  assert.deepEqual([verdict.valid, verdict.level], [false, "invalid"]);
  assert.equal(verdict.layers.attestation.reason, "hash_mismatch");
  assert.equal(verdict.layers.batch.status, "not_checked");
  assert.deepEqual(verdict.signers, []);
});

eachScheme.test("layers above an invalid attestation are not checked", async (scheme) => {
  const { network, stranger, log, verify } = makeBundling(scheme);
  const bundle = {
    ...batchedBundle(log),
    external_anchors: [log.externalAnchor({ from: 12, size: 12, timestamp: 5 })],
    cross_anchors: [log.crossAnchor(stranger, { from: 12, size: 12, timestamp: 5 })],
  };
  const forged = { ...bundle.signed_attestation, ...network.sign("something else\n") };
  const verdict = await verify({ ...bundle, signed_attestation: forged });
  assert.equal(verdict.level, "invalid");
  assert.equal(verdict.layers.attestation.field, "signed_attestation");
  assert.equal(verdict.layers.batch.status, "not_checked");
  assert.equal(verdict.layers.cross_anchors[0]?.status, "not_checked");
  assert.deepEqual(verdict.layers.external_anchors.present, 0);
  assert.deepEqual(verdict.unauthenticated, [
    "signed_attestation",
    "batch_inclusion",
    "cross_anchors[0]",
    "external_anchors[0]",
  ]);
});

eachScheme.test("a bundle whose batch has too few signers is basic", async (scheme) => {
  const { log, verify } = makeBundling(scheme);
  const sth = log.sth(12, 1_766_275_300, [2]);
  const verdict = await verify(log.bundle(SEQUENCE, log.batchInclusion(SEQUENCE, sth)));
  assert.deepEqual([verdict.valid, verdict.level], [true, "basic"]);
  assert.equal(verdict.layers.batch.reason, "threshold_not_met");
  assert.equal(verdict.layers.batch.field, "batch_inclusion.sth");
  assert.equal(verdict.layers.batch.signatures?.verified, 1);
});

eachScheme.test("a layer names the witness that makes its signatures invalid", async (scheme) => {
  const { network, log, verify } = makeBundling(scheme);
  const bundle = log.bundle(SEQUENCE, log.batchInclusion(SEQUENCE, log.sth(12, 5, [2, 1])));
  const { attestation, batch } = (await verify(bundle)).layers;
  assert(!("witness" in attestation));
  assert.equal(batch.reason, "signers_unordered");
  assert.equal(batch.witness, `${network.id}/w2`);
});

eachScheme.test("a signed head that is too small does not contain the leaf", async (scheme) => {
  const { log, verify } = makeBundling(scheme);
  const sth = log.sth(4, 1_766_275_300);
  const inclusion = log.batchInclusion(3, sth);
  const merkle_proof = {
    ...inclusion.merkle_proof,
    hash: log.attestations[4]!.attestation.hash,
    leaf_hash: log.leafHash(4),
    leaf_index: 4,
  };
  const verdict = await verify(log.bundle(4, { ...inclusion, merkle_proof }));
  assert.equal(verdict.layers.batch.reason, "leaf_beyond_tree");
});

eachScheme.test("a batch that begins after the leaf contradicts itself", async (scheme) => {
  const { log, verify } = makeBundling(scheme);
  const inclusion = log.batchInclusion(3, log.sth(12, 200), log.sth(4, 100));
  const verdict = await verify(log.bundle(3, inclusion));
  assert.equal(verdict.layers.batch.reason, "batch_range_wrong");
  assert.equal(verdict.layers.batch.field, "batch_inclusion.batch.first_index");
});

eachScheme.test("another attestation of the same digest is not in the same leaf", async (scheme) => {
  const { network, verify } = makeBundling(scheme);
  const twice = new TestLog(network);
  twice.addRound([digestOf("same"), digestOf("same")], { timestamp: 5 });
  const sth = twice.sth(2, 6);
  const verdict = await verify(twice.bundle(0, twice.batchInclusion(1, sth)));
  assert.equal(verdict.level, "basic");
  assert.equal(verdict.layers.batch.field, "batch_inclusion.merkle_proof.leaf_hash");
});

Deno.test("signatures by unknown witnesses are ignored and reported as unauthenticated", async () => {
  const { log, verify } = makeBundling("ed25519");
  const bundle = batchedBundle(log);
  const stranger = new TestNetwork("net.example/zz-stranger");
  const { signatures } = stranger.signEach("anything\n", [0]);
  const own = JSON.parse(JSON.stringify(bundle));
  own.signed_attestation.signatures.push(...signatures);
  own.batch_inclusion.sth.signatures.push(...signatures);
  const verdict = await verify(parseBundle(JSON.stringify(own)));
  assert.equal(verdict.level, "batched");
  assert.deepEqual(verdict.layers.attestation.signatures?.unknown, [`${stranger.id}/w1`]);
  assert.deepEqual(verdict.unauthenticated.filter((path) => path.endsWith("]")), [
    "signed_attestation.signatures[2]",
    "batch_inclusion.sth.signatures[2]",
  ]);
});

Deno.test("every reason has one sentence", () => {
  for (const sentence of Object.values(VERIFY_REASONS)) {
    assert.match(sentence, /^[A-Z][^.]*\.$/);
  }
  assert.equal(NOT_PROVEN.length, 5);
});
