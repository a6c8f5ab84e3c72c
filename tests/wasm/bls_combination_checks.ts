/**
 * Checks that a BLS module combines a batch with exactly the given coefficients. `batchVerify` cannot
 * show it: it draws them, and valid signatures pass with any. Here the coefficients are known, and
 * invalid signatures cancel one another under these coefficients only.
 *
 * @module
 */

import { type Bytes, utf8 } from "../../src/base/bytes.ts";
import { BLS_SIGNATURE_DST } from "../../src/proof/crypto/domains.ts";
import type { BlsExports } from "../../src/proof/crypto/wasm_bls_exports.ts";
import { encodeG1, G1, hashedToG1, multiple } from "../proof/crypto/bls_oracle.ts";
import { signer } from "../proof/crypto/bls_signers.ts";

const TOP = 2n ** 128n - 1n;

/** 128 bits each, with and without carries of signed digits of every width. */
const COEFFICIENTS = [
  1n,
  2n,
  TOP,
  TOP - 1n,
  2n ** 127n,
  2n ** 127n - 1n,
  2n ** 64n,
  2n ** 64n - 1n,
  ...["88", "77", "44", "0f", "f0", "aa", "55", "c3"].map((byte) => BigInt(`0x${byte.repeat(16)}`)),
  0x0123456789abcdef_fedcba9876543210n,
  0xe3b0c44298fc1c14_9afbf4c8996fb924n,
];

/** Sizes for which the module uses windows of different widths. */
const SIZES = [2, 4, 18, 60] as const;

const KEY = signer(1);

interface Combination {
  readonly coefficients: readonly bigint[];
  readonly messages: readonly Bytes[];
  readonly signatures: readonly Bytes[];
}

/** Pairs of checks, each shifted by the other's coefficient, with opposite signs. */
function cancelling(size: number): Combination {
  const coefficients = Array.from(
    { length: size },
    (_, i) => COEFFICIENTS[(i + (i / COEFFICIENTS.length | 0)) % COEFFICIENTS.length]!,
  );
  const messages = coefficients.map((_, i) => utf8(`check ${i}`));
  const signatures = messages.map((message, i) => {
    const point = multiple(hashedToG1(message, BLS_SIGNATURE_DST), KEY.scalar, G1.ZERO);
    const shift = multiple(G1.BASE, coefficients[i ^ 1]!, G1.ZERO);
    return encodeG1(point.add(i % 2 === 0 ? shift : shift.negate()));
  });
  return { coefficients, messages, signatures };
}

let made: readonly Combination[] | undefined;

function combinations(): readonly Combination[] {
  return made ??= SIZES.map(cancelling);
}

/** Puts a combination's points into slots. */
function keep(wasm: BlsExports, { messages, signatures }: Combination): void {
  const bytes = new Uint8Array(wasm.memory.buffer);
  const tag = utf8(BLS_SIGNATURE_DST);
  for (const [slot, message] of messages.entries()) {
    bytes.set(signatures[slot]!, wasm.signatureRegion());
    wasm.keepSignatures(slot, 1);
    bytes.set(tag, wasm.tagRegion());
    wasm.startMessage(tag.length);
    bytes.set(message, wasm.messageRegion());
    wasm.appendMessage(message.length);
    wasm.keepHash(slot);
  }
  wasm.finishSlots(messages.length);
}

function holds(wasm: BlsExports, coefficients: readonly bigint[]): boolean {
  const bytes = new Uint8Array(wasm.memory.buffer);
  bytes.set(KEY.publicKey, wasm.keyRegion());
  wasm.decodeKey();
  wasm.startCombination();
  const at = wasm.coefficientsRegion();
  for (const [i, coefficient] of coefficients.entries()) {
    const words = BigUint64Array.of(coefficient & 2n ** 64n - 1n, coefficient >> 64n);
    bytes.set(new Uint8Array(words.buffer), at + 16 * i);
    new Uint32Array(wasm.memory.buffer, wasm.slotsRegion(), coefficients.length)[i] = i;
  }
  wasm.addGroup(coefficients.length);
  return wasm.combinationHolds() !== 0;
}

/** The first failure; `undefined` if the module uses each coefficient unchanged. */
export function firstCombinationFailure(wasm: BlsExports): string | undefined {
  for (const combination of combinations()) {
    const { coefficients } = combination;
    keep(wasm, combination);
    if (!holds(wasm, coefficients)) return `${coefficients.length} that cancel do not`;
    const other = coefficients.with(-1, coefficients.at(-1)! ^ 1n);
    if (holds(wasm, other)) return `${coefficients.length} cancel under other coefficients`;
  }
  return undefined;
}
