/**
 * Properties of verification: exactly the matching pairs are accepted, for any key; arguments are
 * only read, and results belong to the caller.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { concat, utf8 } from "../../../src/base/bytes.ts";
import { type Bls, popProve } from "../../../src/proof/crypto/bls.ts";
import { popVerify } from "../../../src/proof/crypto/bls_verifier.ts";
import { BLS_POSSESSION_DST, BLS_SIGNATURE_DST } from "../../../src/proof/crypto/domains.ts";
import { type Claim, sampled } from "./bls_claim.ts";
import { encodingsOfG1, encodingsOfG2 } from "./bls_encodings.ts";
import { negated, R, signatureOf } from "./bls_oracle.ts";
import { BOUNDARY_SCALARS } from "./bls_scalars.ts";
import {
  publicKeysOf,
  signed,
  signedByAll,
  type Signer,
  signer,
  signerOf,
  together,
} from "./bls_signers.ts";
import { generateKey } from "../../../src/proof/crypto/bls_key_gen.ts";

const TEXT = "a message";
const MESSAGE = utf8(TEXT);

function verifies(bls: Bls, { publicKey }: Signer, signature: Uint8Array, text = TEXT): boolean {
  return bls.verify(publicKey, utf8(text), signature, BLS_SIGNATURE_DST);
}

/** An array of the same bytes at an odd offset of a larger buffer. */
function unaligned(bytes: Uint8Array): Uint8Array {
  return concat(Uint8Array.of(0xaa, 0xbb, 0xcc), bytes, Uint8Array.of(0xdd)).subarray(3, -1);
}

export const VERIFY_CLAIMS: readonly Claim[] = [
  {
    name: "verify accepts only the signature of the key's owner",
    check(bls) {
      for (const index of [1, 2, 3]) {
        const own = signer(index);
        assert.equal(verifies(bls, own, signed(own, TEXT)), true);
        assert.equal(verifies(bls, own, signed(signer(index + 1), TEXT)), false);
        assert.equal(verifies(bls, own, signed(own, "another message")), false);
        assert.equal(verifies(bls, own, negated(signed(own, TEXT))), false);
        assert.equal(verifies(bls, signerOf(-own.scalar), signed(own, TEXT)), false);
        assert.equal(verifies(bls, own, signed(signerOf(own.scalar + 1n), TEXT)), false);
        assert.equal(verifies(bls, own, signed(signerOf(2n * own.scalar), TEXT)), false);
      }
    },
  },
  {
    name: "verify accepts every boundary key and refuses its neighbour",
    check(bls, stride) {
      for (const scalar of sampled(BOUNDARY_SCALARS, Math.ceil(stride / 4))) {
        assert.equal(verifies(bls, signerOf(scalar), signed(signerOf(scalar), TEXT)), true);
        const other = signerOf(scalar === R - 1n ? 1n : scalar + 1n);
        assert.equal(verifies(bls, signerOf(scalar), signed(other, TEXT)), false);
      }
    },
  },
  {
    name: "verify agrees with the scalars on random keys and messages",
    check(bls, stride) {
      const scalars = fc.bigInt({ min: 1n, max: R - 1n });
      fc.assert(
        fc.property(scalars, fc.uint8Array(), fc.boolean(), (scalar, message, honest) => {
          const signing = honest ? scalar : R - scalar;
          const signature = signatureOf(signing, message, BLS_SIGNATURE_DST);
          const { publicKey } = signerOf(scalar);
          assert.equal(bls.verify(publicKey, message, signature, BLS_SIGNATURE_DST), honest);
        }),
        { numRuns: Math.ceil(100 / stride) },
      );
    },
  },
  {
    name: "verify refuses every bit of a signature, a key and a message changed",
    check(bls, stride) {
      const { publicKey } = signer(1);
      const whole = concat(signed(signer(1), TEXT), publicKey, MESSAGE);
      const holds = (bytes: Uint8Array) =>
        bls.verify(
          bytes.subarray(48, 144),
          bytes.subarray(144),
          bytes.subarray(0, 48),
          BLS_SIGNATURE_DST,
        );
      assert.equal(holds(whole), true);
      for (const bit of sampled([...Array(8 * whole.length).keys()], stride)) {
        const changed = whole.slice();
        changed[bit >> 3]! ^= 1 << (bit & 7);
        assert.equal(holds(changed), false, `bit ${bit}`);
      }
    },
  },
  {
    name: "verify separates domains",
    check(bls) {
      const dsts = ["DST", "DSU", "DST_", BLS_SIGNATURE_DST, BLS_POSSESSION_DST];
      for (const dst of dsts) {
        const signature = signed(signer(1), TEXT, dst);
        for (const other of dsts) {
          const verdict = bls.verify(signer(1).publicKey, MESSAGE, signature, other);
          assert.equal(verdict, dst === other, `${dst} as ${other}`);
        }
      }
    },
  },
  {
    name: "invalid encodings are refused by every verification, without an exception",
    check(bls, stride) {
      const [{ publicKey }, good] = [signer(1), signed(signer(1), TEXT)];
      for (const { bytes, valid } of sampled(encodingsOfG1(), Math.ceil(stride / 4))) {
        if (valid) continue;
        assert.equal(bls.verify(publicKey, MESSAGE, bytes, BLS_SIGNATURE_DST), false);
        assert.equal(popVerify(bls, publicKey, bytes), false);
        const check = { publicKeys: [publicKey], message: MESSAGE, signature: bytes };
        assert.deepEqual(bls.batchVerify([check], BLS_SIGNATURE_DST), [false]);
      }
      for (const { bytes, valid } of sampled(encodingsOfG2(), Math.ceil(stride / 4))) {
        if (valid) continue;
        assert.equal(bls.verify(bytes, MESSAGE, good, BLS_SIGNATURE_DST), false);
        const publicKeys = [publicKey, bytes];
        const check = { publicKeys, message: MESSAGE, signature: good };
        assert.equal(bls.fastAggregateVerify(publicKeys, MESSAGE, good, BLS_SIGNATURE_DST), false);
        assert.deepEqual(bls.batchVerify([check], BLS_SIGNATURE_DST), [false]);
      }
    },
  },
  {
    name: "fastAggregateVerify accepts the sum of exactly the listed signers",
    check(bls) {
      const accepts = (named: readonly Signer[], signing: readonly Signer[]) =>
        bls.fastAggregateVerify(
          publicKeysOf(named),
          MESSAGE,
          signedByAll(signing, TEXT),
          BLS_SIGNATURE_DST,
        );
      const all = [1, 2, 3, 4, 5].map(signer);
      assert.equal(accepts(all, all), true);
      assert.equal(accepts(all.toReversed(), all), true);
      assert.equal(accepts(all.slice(1), all), false);
      assert.equal(accepts(all, all.slice(1)), false);
      assert.equal(accepts([...all, signer(6)], all), false);
      assert.equal(accepts([signer(6), ...all.slice(1)], all), false);
      // With keys like k and 2k the formulas double instead of add.
      const related = [1n, 1n, 2n, 4n, -1n].map((times) => signerOf(times * all[0]!.scalar));
      assert.equal(accepts(related, related), true);
      assert.equal(accepts([], all), false);
    },
  },
  {
    name: "fastAggregateVerify accepts hundreds of keys",
    check(bls, stride) {
      const all = Array.from({ length: Math.ceil(700 / stride) }, (_, i) => signer(i % 40 + 1));
      const signature = signedByAll(all, TEXT);
      const keys = publicKeysOf(all);
      assert.equal(bls.fastAggregateVerify(keys, MESSAGE, signature, BLS_SIGNATURE_DST), true);
      keys[keys.length - 1] = signer(41).publicKey;
      assert.equal(bls.fastAggregateVerify(keys, MESSAGE, signature, BLS_SIGNATURE_DST), false);
    },
  },
  {
    name: "results of one operation are accepted by the others",
    check(bls) {
      const secretKeys = [1, 2, 3].map((byte) => generateKey(new Uint8Array(32).fill(byte)));
      const keys = secretKeys.map((secretKey) => bls.skToPk(secretKey));
      const shares = secretKeys.map((key) => bls.sign(key, MESSAGE, BLS_SIGNATURE_DST));
      const signature = bls.aggregate(shares);
      const key = bls.aggregateKeys(keys);
      assert.ok(signature !== undefined && key !== undefined);
      assert.equal(bls.verify(key, MESSAGE, signature, BLS_SIGNATURE_DST), true);
      assert.equal(bls.fastAggregateVerify(keys, MESSAGE, signature, BLS_SIGNATURE_DST), true);
      assert.ok(keys.every((own, i) => popVerify(bls, own, popProve(bls, secretKeys[i]!))));
    },
  },
  {
    name: "arguments at odd offsets are read and not changed",
    check(bls) {
      const [a, b] = [signer(1), signer(2)];
      const secret = unaligned(a.secretKey);
      const keys = publicKeysOf([a, b]).map(unaligned);
      const shares = [signed(a, TEXT), signed(b, TEXT)].map(unaligned);
      const message = unaligned(MESSAGE);
      const before = [secret, ...keys, ...shares, message].map((bytes) => bytes.toHex());
      assert.deepEqual(bls.skToPk(secret), a.publicKey);
      assert.deepEqual(bls.sign(secret, message, BLS_SIGNATURE_DST), signed(a, TEXT));
      const sum = signedByAll([a, b], TEXT);
      assert.deepEqual(bls.aggregate(shares), sum);
      assert.deepEqual(bls.aggregateKeys(keys), together([a, b]).publicKey);
      const signature = unaligned(sum);
      assert.equal(bls.fastAggregateVerify(keys, message, signature, BLS_SIGNATURE_DST), true);
      const check = { publicKeys: keys, message, signature };
      assert.deepEqual(bls.batchVerify([check, check], BLS_SIGNATURE_DST), [true, true]);
      const after = [secret, ...keys, ...shares, message].map((bytes) => bytes.toHex());
      assert.deepEqual(after, before);
      assert.deepEqual(signature, sum);
    },
  },
  {
    name: "results do not change after later calls",
    check(bls) {
      const [a, b] = [signer(1), signer(2)];
      const results: Uint8Array[] = [];
      const before: string[] = [];
      const keep = (bytes: Uint8Array | undefined) => {
        assert.ok(bytes !== undefined);
        results.push(bytes);
        before.push(bytes.toHex());
      };
      for (const { publicKey, secretKey } of [a, b]) {
        keep(bls.skToPk(secretKey));
        keep(bls.sign(secretKey, MESSAGE, BLS_SIGNATURE_DST));
        keep(bls.hashToG1(publicKey, BLS_SIGNATURE_DST));
        keep(bls.aggregate([signed(signerOf(5n), TEXT), signed(a, TEXT)]));
        keep(bls.aggregateKeys([publicKey]));
      }
      bls.batchVerify([], BLS_SIGNATURE_DST);
      assert.deepEqual(results.map((bytes) => bytes.toHex()), before);
      // Changing a result does not affect later results.
      results.forEach((bytes) => bytes.fill(0xff));
      assert.deepEqual(bls.skToPk(a.secretKey), a.publicKey);
      assert.equal(verifies(bls, a, signed(a, TEXT)), true);
    },
  },
];
