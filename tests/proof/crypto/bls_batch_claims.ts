/**
 * Properties of batch verification: the results are those of single verifications, even for checks
 * made to cancel each other.
 *
 * @module
 */

import assert from "node:assert/strict";
import { utf8 } from "../../../src/base/bytes.ts";
import type { Bls, BlsCheck } from "../../../src/proof/crypto/bls.ts";
import { BLS_SIGNATURE_DST } from "../../../src/proof/crypto/domains.ts";
import { type Claim, sampled } from "./bls_claim.ts";
import { encodingsOfG1, encodingsOfG2 } from "./bls_encodings.ts";
import {
  COMPRESSED,
  encodeG1,
  encodeG2,
  encodingOfG1,
  G1,
  G2,
  hashedToG1,
  INFINITY,
  multiple,
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
import { smallOrderG1, smallOrderG2 } from "./bls_torsion.ts";

/** A check of text number `text` with the signers `named`, signed by `signing`. */
function checkOf(text: number, named: readonly Signer[], signing = named): BlsCheck {
  return {
    publicKeys: publicKeysOf(named),
    message: utf8(`message ${text}`),
    signature: signedByAll(signing, `message ${text}`),
  };
}

/** Asserts the verdicts, and the same verdict for each check alone. */
function assertVerdicts(bls: Bls, checks: readonly BlsCheck[], verdicts: readonly boolean[]): void {
  assert.deepEqual(bls.batchVerify(checks, BLS_SIGNATURE_DST), verdicts);
  checks.forEach(({ publicKeys, message, signature }, index) => {
    const alone = bls.fastAggregateVerify(publicKeys, message, signature, BLS_SIGNATURE_DST);
    assert.equal(alone, verdicts[index], `check ${index}`);
  });
}

/** The signature of text number `text` by `own`, plus [times] of a fixed point. */
function shifted(text: number, own: Signer, times: bigint): Uint8Array {
  const hashed = hashedToG1(utf8(`message ${text}`), BLS_SIGNATURE_DST);
  const delta = multiple(G1.BASE, times < 0n ? -times : times, G1.ZERO);
  const point = multiple(hashed, own.scalar, G1.ZERO);
  return encodeG1(point.add(times < 0n ? delta.negate() : delta));
}

/** Signer sets that share members, and one set twice. */
const SETS = [[1], [2], [1, 2], [2, 3], [1, 2, 3], [1, 2], [4], [3, 2, 1]] as const;

const PAIR = [signer(1), signer(2)] as const;

export const BATCH_CLAIMS: readonly Claim[] = [
  {
    name: "batchVerify of no checks returns no results",
    check: (bls) => assert.deepEqual(bls.batchVerify([], BLS_SIGNATURE_DST), []),
  },
  {
    name: "batchVerify accepts up to 17 valid checks and identifies one invalid at every position",
    check(bls, stride) {
      // Around the sizes at which halves are even.
      for (const size of [1, 2, 3, 4, 5, 7, 9, 16, 17]) {
        const good = Array.from({ length: size }, (_, text) => checkOf(text, [signer(1)]));
        const all = good.map(() => true);
        if (size % 4 === 1) assert.deepEqual(bls.batchVerify(good, BLS_SIGNATURE_DST), all);
        const positions = [...good.keys()].filter((at) => (at * 5 + size) % stride === 0);
        for (const bad of positions) {
          const checks = good.with(bad, checkOf(bad, [signer(1)], [signer(2)]));
          const verdicts = bls.batchVerify(checks, BLS_SIGNATURE_DST);
          assert.deepEqual(verdicts, all.with(bad, false), `${bad} of ${size}`);
        }
      }
    },
  },
  {
    name: "batchVerify identifies every subset of invalid checks among six",
    check(bls, stride) {
      for (const subset of sampled([...Array(64).keys()], stride)) {
        const isGood = (index: number) => (subset >> index & 1) === 0;
        const checks = Array.from(
          { length: 6 },
          (_, index) => checkOf(index, [signer(1)], [signer(isGood(index) ? 1 : 2)]),
        );
        const verdicts = bls.batchVerify(checks, BLS_SIGNATURE_DST);
        assert.deepEqual(verdicts, checks.map((_, index) => isGood(index)), `${subset}`);
      }
    },
  },
  {
    name: "batchVerify refuses all if all are invalid",
    check(bls) {
      const checks = [0, 1, 2, 3, 4].map((text) => checkOf(text, [signer(1)], [signer(2)]));
      assertVerdicts(bls, checks, checks.map(() => false));
    },
  },
  {
    name: "batchVerify identifies two invalid checks that cancel under equal or small coefficients",
    check(bls) {
      const own = [signer(1), signer(2)] as const;
      for (const keys of [[own[0], own[0]], [own[0], own[1]]] as const) {
        for (const [a, b] of [[1n, -1n], [1n, -2n], [2n, -1n], [3n, -2n]] as const) {
          const checks = keys.map((key, text) => ({
            ...checkOf(text, [key]),
            signature: shifted(text, key, text === 0 ? a : b),
          }));
          assertVerdicts(bls, [checkOf(8, [own[0]]), ...checks], [true, false, false]);
        }
      }
    },
  },
  {
    name: "batchVerify identifies three invalid checks that cancel together",
    check(bls) {
      const shifts = [1n, 1n, -2n];
      const checks = shifts.map((times, text) => ({
        ...checkOf(text, [signer(1)]),
        signature: shifted(text, signer(1), times),
      }));
      assertVerdicts(bls, checks, [false, false, false]);
    },
  },
  {
    name: "batchVerify identifies keys that cancel over one message",
    check(bls) {
      // For one message, swapped signatures have the right sum.
      const [a, b] = PAIR;
      const swapped = [checkOf(0, [a], [b]), checkOf(0, [b], [a])];
      assertVerdicts(bls, swapped, [false, false]);
      const rogue = signerOf(5n - a.scalar);
      const forged = [checkOf(0, [a], [signerOf(3n)]), checkOf(0, [rogue], [signerOf(2n)])];
      assertVerdicts(bls, forged, [false, false]);
    },
  },
  {
    name: "batchVerify identifies swapped signatures",
    check(bls) {
      const [a, b, c] = [0, 1, 2].map((text) => checkOf(text, [signer(1)]));
      const swapped = [{ ...a!, signature: b!.signature }, { ...b!, signature: a!.signature }, c!];
      assertVerdicts(bls, swapped, [false, false, true]);
    },
  },
  {
    name: "batchVerify accepts the same message, and the same check, twice",
    check(bls) {
      const [a, b] = PAIR;
      const checks = [checkOf(0, [a]), checkOf(0, [b]), checkOf(0, [a]), checkOf(0, [...PAIR])];
      assertVerdicts(bls, checks, [true, true, true, true]);
      const withBad = [...checks, checkOf(0, [a], [b]), checkOf(0, [a])];
      assertVerdicts(bls, withBad, [true, true, true, true, false, true]);
    },
  },
  {
    name: "batchVerify accepts distinct signer sets that share keys",
    check(bls) {
      const good = SETS.map((set, text) => checkOf(text, set.map(signer)));
      assertVerdicts(bls, good, good.map(() => true));
      // A set with an extra signer, and one with a share of an unlisted key.
      const checks = [
        ...good,
        checkOf(20, [1, 2, 3].map(signer), PAIR),
        checkOf(21, PAIR, [signer(1), signer(9)]),
        checkOf(22, [together([...PAIR])], PAIR),
      ];
      assertVerdicts(bls, checks, [...good.map(() => true), false, false, true]);
    },
  },
  {
    name: "batchVerify refuses a key set whose sum is the identity, among valid ones",
    check(bls) {
      const cancelling = [signer(1), signerOf(-signer(1).scalar)];
      const identity = encodingOfG1(0n, COMPRESSED | INFINITY);
      const publicKeys = publicKeysOf(cancelling);
      const bad = [
        { publicKeys, message: utf8("m"), signature: identity },
        { publicKeys, message: utf8("m"), signature: signed(signer(1), "m") },
        { publicKeys: [], message: utf8("m"), signature: signed(signer(1), "m") },
        { publicKeys: [], message: utf8("m"), signature: identity },
      ];
      const checks = [checkOf(0, [signer(1)]), ...bad, checkOf(1, [signer(2)])];
      assertVerdicts(bls, checks, [true, false, false, false, false, true]);
    },
  },
  {
    name: "batchVerify refuses encodings that do not decode, among valid ones",
    check(bls, stride) {
      const good = [checkOf(0, [signer(1)]), checkOf(1, [...PAIR])];
      const around = (bad: BlsCheck) => [
        bls.batchVerify([good[0]!, bad, good[1]!], BLS_SIGNATURE_DST),
        bls.batchVerify([bad, good[0]!, good[1]!], BLS_SIGNATURE_DST),
      ];
      const expected = [[true, false, true], [false, true, true]];
      // Decoding alone has every encoding in bls_point_claims.ts.
      const step = 8 * stride;
      for (const { bytes, valid } of sampled(encodingsOfG1(), step)) {
        if (!valid) assert.deepEqual(around({ ...good[0]!, signature: bytes }), expected);
      }
      for (const { bytes, valid } of sampled(encodingsOfG2(), 2 * step)) {
        const publicKeys = [bytes, signer(1).publicKey];
        if (!valid) assert.deepEqual(around({ ...good[0]!, publicKeys }), expected);
      }
    },
  },
  {
    name: "batchVerify refuses points of small order, even two that cancel",
    check(bls) {
      const own = signer(1);
      const [torsion] = smallOrderG1(3n, 1);
      const [twist] = smallOrderG2(13n, 1);
      const withTorsion = (text: number, point: typeof torsion) => {
        const hashed = hashedToG1(utf8(`message ${text}`), BLS_SIGNATURE_DST);
        const signature = encodeG1(multiple(hashed, own.scalar, G1.ZERO).add(point!));
        return { ...checkOf(text, [own]), signature };
      };
      const key = encodeG2(multiple(G2.BASE, own.scalar, G2.ZERO).add(twist!));
      const checks = [
        checkOf(0, [own]),
        withTorsion(1, torsion),
        withTorsion(2, torsion!.negate()),
        { ...checkOf(3, [own]), publicKeys: [key] },
      ];
      assertVerdicts(bls, checks, [true, false, false, false]);
    },
  },
  {
    name: "batchVerify hashes with the given tag",
    check(bls) {
      const checks = [0, 1, 2].map((text) => checkOf(text, [signer(1)]));
      assert.deepEqual(bls.batchVerify(checks, "another tag"), [false, false, false]);
    },
  },
  {
    name: "batchVerify accepts hundreds of messages, with one and with many signer sets",
    check(bls, stride) {
      const size = Math.ceil(640 / stride);
      for (const setOf of [() => [1, 2, 3], (text: number) => [text % 7 + 1, text % 5 + 10]]) {
        const checks = Array.from({ length: size }, (_, text) => {
          const signers = setOf(text).map(signer);
          // Messages from zero to several kilobytes.
          const message = new Uint8Array(text * 17).fill(text);
          const { secretKey } = together(signers);
          const signature = bls.sign(secretKey, message, BLS_SIGNATURE_DST);
          return { publicKeys: publicKeysOf(signers), message, signature };
        });
        const all = checks.map(() => true);
        assert.deepEqual(bls.batchVerify(checks, BLS_SIGNATURE_DST), all);
        const bad = [0, size >> 1, size - 1];
        const { signature } = checks[1]!;
        const spoiled = bad.reduce(
          (list, at) => list.with(at, { ...list[at]!, signature }),
          checks,
        );
        const verdicts = all.map((_, index) => !bad.includes(index));
        assert.deepEqual(bls.batchVerify(spoiled, BLS_SIGNATURE_DST), verdicts);
      }
    },
  },
];
