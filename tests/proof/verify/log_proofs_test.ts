import assert from "node:assert/strict";
import type { InclusionProof, SignedAttestation } from "../../../src/proof/format/bundle.ts";
import type { SignatureScheme } from "../../../src/proof/format/signature_set.ts";
import {
  type ExpectedInclusion,
  verifyConsistencyProof,
  verifyInclusionProof,
  verifyMerkleProof,
} from "../../../src/proof/verify/log_proofs.ts";
import { eachScheme } from "../../schemes.ts";
import { makeLog, nativeCrypto, SEQUENCE, TestLog, TestNetwork } from "./fixture.ts";

/** A log, a proof of one of its leaves, and a verifier of changed proofs. */
function makeProving(scheme: SignatureScheme) {
  const network = new TestNetwork("net.example/proofs", { scheme });
  const log = makeLog(network);
  const sth = log.sth(12, 1_766_275_300);
  const proof = log.inclusionProof(SEQUENCE, sth);
  const signedAttestation = log.attestations[SEQUENCE]!;
  const { hash } = signedAttestation.attestation;
  const judge = async (
    changed: Partial<InclusionProof>,
    expected?: Partial<ExpectedInclusion>,
  ) => {
    const { valid, reason, field } = await verifyInclusionProof(
      nativeCrypto,
      network.configuration,
      { ...proof, ...changed },
      { hash, signedAttestation, ...expected },
    );
    return valid ? "valid" : `${reason} at ${field}`;
  };
  return { network, log, sth, proof, signedAttestation, hash, judge };
}

eachScheme.test("the inclusion of every leaf in every published tree verifies", async (scheme) => {
  const { network, log } = makeProving(scheme);
  for (const size of [4, 9, 12, 16]) {
    const head = log.sth(size, 1_766_275_300);
    for (let sequence = 0; sequence < size; sequence++) {
      const signed = log.attestations[sequence]!;
      const result = await verifyInclusionProof(
        nativeCrypto,
        network.configuration,
        log.inclusionProof(sequence, head),
        { hash: signed.attestation.hash, treeSize: size, signedAttestation: signed },
      );
      assert.deepEqual([result.valid, result.unauthenticated], [true, []]);
    }
  }
});

eachScheme.test("without an attestation the hash is unauthenticated", async (scheme) => {
  const { network, proof, hash, judge } = makeProving(scheme);
  const result = await verifyInclusionProof(nativeCrypto, network.configuration, proof, { hash });
  assert.deepEqual([result.valid, result.unauthenticated], [true, ["hash"]]);
  // Another hash with the same proof is equally valid for a client that expects it.
  const other = "00".repeat(32);
  const lie = await verifyInclusionProof(
    nativeCrypto,
    network.configuration,
    { ...proof, hash: other },
    { hash: other },
  );
  assert.deepEqual([lie.valid, lie.unauthenticated], [true, ["hash"]]);
  assert.equal(await judge({ hash: other }, { hash: other }), "field_mismatch at hash");
});

eachScheme.test("every field of an inclusion proof is checked", async (scheme) => {
  const { network, log, sth, proof, judge } = makeProving(scheme);
  const flipped = proof.inclusion_path.with(1, "00".repeat(32));
  assert.equal(await judge({}), "valid");
  assert.equal(await judge({}, { treeSize: 12 }), "valid");
  assert.equal(await judge({}, { treeSize: 16 }), "tree_size_mismatch at tree_size");
  assert.equal(await judge({ hash: "00".repeat(32) }), "hash_mismatch at hash");
  assert.equal(await judge({ tree_size: 13 }), "field_mismatch at tree_size");
  assert.equal(await judge({ leaf_index: 6 }), "inclusion_invalid at inclusion_path");
  assert.equal(await judge({ leaf_index: 12 }), "leaf_beyond_tree at leaf_index");
  assert.equal(
    await judge({ leaf_hash: log.leafHash(6) }),
    "inclusion_invalid at inclusion_path",
  );
  assert.equal(await judge({ inclusion_path: flipped }), "inclusion_invalid at inclusion_path");
  assert.equal(await judge({ inclusion_path: [] }), "inclusion_invalid at inclusion_path");
  const unsigned = network.signHead(sth.tree_head, [0]);
  assert.equal(await judge({ sth: unsigned }), "threshold_not_met at sth");
});

eachScheme.test("the proof of another leaf is not that of the attestation", async (scheme) => {
  const { network, log, sth, signedAttestation, hash, judge } = makeProving(scheme);
  // It is valid and signed, but it is about leaf 6.
  const neighbour = log.inclusionProof(6, sth);
  assert.equal(await judge({ ...neighbour, hash }), "field_mismatch at leaf_index");
  const unsigned: SignedAttestation = { ...signedAttestation, ...network.sign("else\n") };
  assert.equal(
    await judge({}, { signedAttestation: unsigned }),
    "signature_invalid at signed_attestation",
  );
});

eachScheme.test("two attestations of one digest have separate leaves and proofs", async (scheme) => {
  const { network, hash } = makeProving(scheme);
  const twice = new TestLog(network);
  twice.addRound([hash, hash], { timestamp: 9 });
  const head = twice.sth(2, 10);
  const crossed = { ...twice.inclusionProof(0, head), leaf_index: 1 };
  const result = await verifyInclusionProof(nativeCrypto, network.configuration, crossed, {
    hash,
    signedAttestation: twice.attestations[1]!,
  });
  assert.equal(result.reason, "inclusion_invalid");
});

eachScheme.test("a Merkle proof must contain the root and id of its batch", async (scheme) => {
  const { network, log, sth, signedAttestation, hash } = makeProving(scheme);
  const merkle = log.merkleProof(SEQUENCE, sth);
  const judgeMerkle = async (changed: Partial<typeof merkle>) => {
    const given = { proof: { ...merkle, ...changed }, sth };
    const expected = { hash, signedAttestation };
    return await verifyMerkleProof(nativeCrypto, network.configuration, given, expected);
  };
  assert.equal((await judgeMerkle({})).valid, true);
  assert.equal((await judgeMerkle({ batch_id: 13 })).field, "batch_id");
  assert.equal((await judgeMerkle({ root_hash: "00".repeat(32) })).field, "root_hash");
  assert.equal((await judgeMerkle({ tree_size: 4 })).field, "tree_size");
  // The first difference is reported.
  assert.equal((await judgeMerkle({ tree_size: 4, batch_id: 13 })).field, "tree_size");
});

eachScheme.test("consistency between every pair of published heads verifies", async (scheme) => {
  const { network, log } = makeProving(scheme);
  for (const first of [1, 4, 9, 12, 16]) {
    for (const second of [1, 4, 9, 12, 16].filter((size) => size >= first)) {
      const growth = log.consistencyProof(log.sth(first, 100), log.sth(second, 200));
      const result = await verifyConsistencyProof(nativeCrypto, network.configuration, growth, {
        first,
        second,
      });
      assert.equal(result.valid, true, `${first} to ${second}`);
    }
  }
});

eachScheme.test("every field of a consistency proof is checked", async (scheme) => {
  const { network, log } = makeProving(scheme);
  const growth = log.consistencyProof(log.sth(4, 100), log.sth(12, 200));
  const judgeGrowth = async (changed: Partial<typeof growth>, first = 4, second = 12) => {
    const { valid, reason, field } = await verifyConsistencyProof(
      nativeCrypto,
      network.configuration,
      { ...growth, ...changed },
      { first, second },
    );
    return valid ? "valid" : `${reason} at ${field}`;
  };
  const forged = network.signHead({ ...log.head(4, 100), root_hash: "00".repeat(32) });
  assert.equal(await judgeGrowth({}), "valid");
  assert.equal(await judgeGrowth({}, 5), "tree_size_mismatch at first");
  assert.equal(await judgeGrowth({}, 4, 16), "tree_size_mismatch at second");
  assert.equal(await judgeGrowth({ first: 5 }, 5), "field_mismatch at first");
  assert.equal(await judgeGrowth({ second: 16 }, 4, 16), "field_mismatch at second");
  assert.equal(
    await judgeGrowth({ first_sth: log.sth(4, 100, [0]) }),
    "threshold_not_met at first_sth",
  );
  assert.equal(
    await judgeGrowth({ second_sth: log.sth(12, 200, [1]) }),
    "threshold_not_met at second_sth",
  );
  assert.equal(
    await judgeGrowth({ consistency_path: [] }),
    "consistency_invalid at consistency_path",
  );
  // Signed by the threshold, but not a prefix of the second: a fork.
  assert.equal(
    await judgeGrowth({ first_sth: forged }),
    "consistency_invalid at consistency_path",
  );
});
