/**
 * Attacks that try to get a signature accepted without all of its signers.
 *
 * @module
 */

import assert from "node:assert/strict";
import { utf8 } from "../../../src/base/bytes.ts";
import { type Bls, popProve } from "../../../src/proof/crypto/bls.ts";
import { popVerify } from "../../../src/proof/crypto/bls_verifier.ts";
import { BLS_POSSESSION_DST, BLS_SIGNATURE_DST } from "../../../src/proof/crypto/domains.ts";
import type { Claim } from "./bls_claim.ts";
import {
  COMPRESSED,
  encodeG1,
  encodeG2,
  encodingOfG1,
  encodingOfG2,
  G1,
  G2,
  hashedToG1,
  INFINITY,
  multiple,
  negated,
  signatureOf,
} from "./bls_oracle.ts";
import {
  publicKeysOf,
  signed,
  signedByAll,
  type Signer,
  signer,
  signerOf,
  together,
} from "./bls_signers.ts";
import { G1_PRIMES, G2_PRIMES, smallOrderG1, smallOrderG2 } from "./bls_torsion.ts";

const TEXT = "round";
const IDENTITY_G1 = encodingOfG1(0n, COMPRESSED | INFINITY);
const IDENTITY_G2 = encodingOfG2(0n, 0n, COMPRESSED | INFINITY);

function accepts(
  bls: Bls,
  publicKeys: readonly Uint8Array[],
  signature: Uint8Array,
  text = TEXT,
): boolean {
  const message = utf8(text);
  const verdict = bls.fastAggregateVerify(publicKeys, message, signature, BLS_SIGNATURE_DST);
  const check = { publicKeys, message, signature };
  assert.deepEqual(bls.batchVerify([check], BLS_SIGNATURE_DST), [verdict]);
  if (publicKeys.length === 1) {
    const alone = bls.verify(publicKeys[0]!, message, signature, BLS_SIGNATURE_DST);
    assert.equal(alone, verdict);
  }
  return verdict;
}

/** A proof of possession of the key of `secret`, made for `publicKey`. */
function proofBy(secret: bigint, publicKey: Uint8Array): Uint8Array {
  return signatureOf(secret, publicKey, BLS_POSSESSION_DST);
}

function sum(bls: Bls, signatures: readonly Uint8Array[]): Uint8Array {
  const total = bls.aggregate(signatures);
  assert.ok(total !== undefined);
  return total;
}

export const ADVERSARY_CLAIMS: readonly Claim[] = [
  {
    name: "the identity is refused as key, even though zero signs with the identity",
    check(bls) {
      assert.equal(bls.keyValidate(IDENTITY_G2), false);
      assert.equal(accepts(bls, [IDENTITY_G2], IDENTITY_G1), false);
      assert.equal(accepts(bls, [IDENTITY_G2], signed(signer(1), TEXT)), false);
      const withIdentity = [signer(1).publicKey, IDENTITY_G2];
      assert.equal(accepts(bls, withIdentity, signed(signer(1), TEXT)), false);
      assert.equal(popVerify(bls, IDENTITY_G2, IDENTITY_G1), false);
      assert.equal(bls.aggregateKeys([IDENTITY_G2]), undefined);
      assert.equal(bls.aggregateKeys(withIdentity), undefined);
    },
  },
  {
    name: "the identity is refused as signature and as share",
    check(bls) {
      assert.equal(bls.signatureValidate(IDENTITY_G1), false);
      assert.equal(accepts(bls, [signer(1).publicKey], IDENTITY_G1), false);
      assert.equal(accepts(bls, publicKeysOf([signer(1), signer(2)]), IDENTITY_G1), false);
      assert.equal(bls.aggregate([IDENTITY_G1]), undefined);
      assert.equal(bls.aggregate([signed(signer(1), TEXT), IDENTITY_G1]), undefined);
    },
  },
  {
    name: "keys of sk and -sk together are refused as aggregate key",
    check(bls) {
      const pair = [signer(1), signerOf(-signer(1).scalar)];
      assert.equal(bls.aggregateKeys(publicKeysOf(pair)), undefined);
      const shares = pair.map((one) => signed(one, TEXT));
      assert.equal(bls.aggregate(shares), undefined);
      // The identity is the sum of their signatures, and of no signatures.
      assert.equal(accepts(bls, publicKeysOf(pair), IDENTITY_G1), false);
      assert.equal(accepts(bls, publicKeysOf(pair), shares[0]!), false);
      // With another signer they cancel in both sums, so that set verifies.
      const three = [...pair, signer(2)];
      assert.equal(accepts(bls, publicKeysOf(three), signed(signer(2), TEXT)), true);
    },
  },
  {
    name: "a rogue key verifies, but has no proof of possession",
    check(bls) {
      const honest = signer(1);
      const x = 0x1234567890abcdefn;
      // The attacker computes this from x and the honest key, without the scalar.
      const rogueKey = bls.aggregateKeys([signerOf(x).publicKey, negated(honest.publicKey)]);
      assert.ok(rogueKey !== undefined);
      assert.deepEqual(rogueKey, signerOf(x - honest.scalar).publicKey);
      assert.equal(bls.keyValidate(rogueKey), true);
      const forged = signed(signerOf(x), TEXT);
      assert.equal(accepts(bls, [honest.publicKey, rogueKey], forged), true);

      const honestProof = proofBy(honest.scalar, honest.publicKey);
      assert.equal(popVerify(bls, honest.publicKey, honestProof), true);
      const byX = proofBy(x, rogueKey);
      const made = [
        honestProof,
        negated(honestProof),
        byX,
        negated(byX),
        proofBy(x, honest.publicKey),
        sum(bls, [byX, honestProof]),
        sum(bls, [byX, negated(honestProof)]),
        sum(bls, [proofBy(x, honest.publicKey), negated(honestProof)]),
        forged,
        signed(honest, TEXT),
        IDENTITY_G1,
      ];
      for (const proof of made) assert.equal(popVerify(bls, rogueKey, proof), false);
      // Only the scalar gives a proof, and its owner would know the honest scalar too.
      const rogue = proofBy(signerOf(x - honest.scalar).scalar, rogueKey);
      assert.equal(popVerify(bls, rogueKey, rogue), true);
    },
  },
  {
    name: "a proof of possession of another key is refused",
    check(bls) {
      const [own, other] = [signer(1), signer(2)];
      assert.equal(popVerify(bls, own.publicKey, popProve(bls, own.secretKey)), true);
      assert.equal(popVerify(bls, own.publicKey, popProve(bls, other.secretKey)), false);
      assert.equal(popVerify(bls, own.publicKey, proofBy(own.scalar, other.publicKey)), false);
      assert.equal(popVerify(bls, own.publicKey, proofBy(other.scalar, own.publicKey)), false);
      assert.equal(popVerify(bls, negated(own.publicKey), popProve(bls, own.secretKey)), false);
    },
  },
  {
    name: "proofs of possession and signatures are not interchangeable",
    check(bls) {
      const { publicKey, secretKey } = signer(1);
      const proof = popProve(bls, secretKey);
      const signature = bls.sign(secretKey, publicKey, BLS_SIGNATURE_DST);
      assert.equal(bls.verify(publicKey, publicKey, signature, BLS_SIGNATURE_DST), true);
      assert.equal(bls.verify(publicKey, publicKey, proof, BLS_SIGNATURE_DST), false);
      assert.equal(popVerify(bls, publicKey, signature), false);
      assert.equal(popVerify(bls, publicKey, proof), true);
    },
  },
  {
    name: "a signer listed twice requires twice the signature",
    check(bls) {
      const own = signer(1);
      const twice = [own.publicKey, own.publicKey];
      assert.equal(accepts(bls, twice, signed(own, TEXT)), false);
      assert.equal(accepts(bls, twice, sum(bls, [signed(own, TEXT), signed(own, TEXT)])), true);
      assert.equal(accepts(bls, [own.publicKey], signedByAll([own, own], TEXT)), false);
    },
  },
  {
    name: "a share for another message makes the aggregate invalid",
    check(bls) {
      const signers = [1, 2, 3].map(signer);
      const shares = signers.map((one, i) => signed(one, i === 1 ? "another round" : TEXT));
      assert.equal(accepts(bls, publicKeysOf(signers), sum(bls, shares)), false);
      const verdicts = signers.map((one, i) => accepts(bls, [one.publicKey], shares[i]!));
      assert.deepEqual(verdicts, [true, false, true]);
      assert.equal(accepts(bls, [signers[1]!.publicKey], shares[1]!, "another round"), true);
    },
  },
  {
    name: "an aggregate with an invalid share is refused, and the share is identified",
    check(bls) {
      const signers = [1, 2, 3, 4].map(signer);
      for (const bad of signers.keys()) {
        const shares = signers.map((one, i) => signed(i === bad ? signer(9) : one, TEXT));
        assert.equal(accepts(bls, publicKeysOf(signers), sum(bls, shares)), false);
        const checks = signers.map((one, i) => ({
          publicKeys: [one.publicKey],
          message: utf8(TEXT),
          signature: shares[i]!,
        }));
        const verdicts = bls.batchVerify(checks, BLS_SIGNATURE_DST);
        assert.deepEqual(verdicts, signers.map((_, i) => i !== bad));
      }
    },
  },
  {
    name: "two invalid shares that cancel give a valid aggregate, and are refused one by one",
    check(bls) {
      const signers = [1, 2, 3].map(signer);
      const delta = signed(signer(7), TEXT);
      const shares = [
        sum(bls, [signed(signers[0]!, TEXT), delta]),
        sum(bls, [signed(signers[1]!, TEXT), negated(delta)]),
        signed(signers[2]!, TEXT),
      ];
      const total = sum(bls, shares);
      assert.deepEqual(total, signedByAll(signers, TEXT));
      // All three signed, because the sum requires it, but two shares are swapped.
      assert.equal(accepts(bls, publicKeysOf(signers), total), true);
      const verdicts = signers.map((one, i) => accepts(bls, [one.publicKey], shares[i]!));
      assert.deepEqual(verdicts, [false, false, true]);
    },
  },
  {
    name: "a signature with a point of small order added is refused",
    check(bls) {
      const own = signer(1);
      const point = multiple(hashedToG1(utf8(TEXT), BLS_SIGNATURE_DST), own.scalar, G1.ZERO);
      for (const torsion of G1_PRIMES.flatMap((prime) => smallOrderG1(prime, 1))) {
        // The pairing of the torsion part is one, so without a subgroup check this verifies.
        const signature = encodeG1(point.add(torsion));
        assert.equal(bls.signatureValidate(signature), false);
        assert.equal(accepts(bls, [own.publicKey], signature), false);
        assert.equal(bls.aggregate([signature, signed(signer(2), TEXT)]), undefined);
      }
    },
  },
  {
    name: "a key with a point of small order added is refused",
    check(bls) {
      const own = signer(1);
      const point = multiple(G2.BASE, own.scalar, G2.ZERO);
      for (const torsion of G2_PRIMES.flatMap((prime) => smallOrderG2(prime, 1))) {
        const key = encodeG2(point.add(torsion));
        assert.equal(bls.keyValidate(key), false);
        assert.equal(accepts(bls, [key], signed(own, TEXT)), false);
        assert.equal(popVerify(bls, key, proofBy(own.scalar, key)), false);
        assert.equal(bls.aggregateKeys([key, signer(2).publicKey]), undefined);
      }
    },
  },
  {
    name: "two keys whose small orders cancel are refused",
    check(bls) {
      const [a, b]: Signer[] = [signer(1), signer(2)];
      const [torsion] = smallOrderG2(13n, 1);
      const keys = [
        encodeG2(multiple(G2.BASE, a!.scalar, G2.ZERO).add(torsion!)),
        encodeG2(multiple(G2.BASE, b!.scalar, G2.ZERO).add(torsion!.negate())),
      ];
      assert.equal(bls.aggregateKeys(keys), undefined);
      assert.equal(accepts(bls, keys, signedByAll([a!, b!], TEXT)), false);
      assert.equal(
        accepts(bls, publicKeysOf([together([a!, b!])]), signedByAll([a!, b!], TEXT)),
        true,
      );
    },
  },
  {
    name: "verification without keys is refused",
    check(bls) {
      assert.equal(accepts(bls, [], IDENTITY_G1), false);
      assert.equal(accepts(bls, [], signed(signer(1), TEXT)), false);
      assert.equal(bls.aggregate([]), undefined);
      assert.equal(bls.aggregateKeys([]), undefined);
    },
  },
];
