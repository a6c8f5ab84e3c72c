/**
 * Block headers that a test mines by itself, at the difficulty of a chain for tests.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { type Bytes, concat, hexOf } from "../../../../src/base/bytes.ts";

/** Half of all hashes are below it: what Bitcoin's `regtest` demands, as compact form and number. */
const REGTEST_BITS = 0x207fffff;
export const REGTEST_TARGET = 0x7fffffn << 232n;

export function doubleSha256(bytes: Uint8Array): Bytes {
  const once = createHash("sha256").update(bytes).digest();
  return new Uint8Array(createHash("sha256").update(once).digest());
}

/** The hash of `header` as it is shown. */
export function shownHash(header: Uint8Array): string {
  return hexOf(doubleSha256(header).reverse());
}

/** A header that has done its work, unless `isIdle`: then one that has not. */
export function mine(
  { previous = new Uint8Array(32), merkleRoot, time, bits = REGTEST_BITS, isIdle = false }: {
    /** Hash of the header before, as it is stored. */
    readonly previous?: Uint8Array;
    readonly merkleRoot: Uint8Array;
    readonly time: number;
    readonly bits?: number;
    readonly isIdle?: boolean;
  },
): Bytes {
  const header = concat(new Uint8Array([0, 0, 0, 0x20]), previous, merkleRoot, new Uint8Array(12));
  const view = new DataView(header.buffer);
  view.setUint32(68, time, true);
  view.setUint32(72, bits, true);
  for (let nonce = 0;; nonce++) {
    view.setUint32(76, nonce, true);
    if ((BigInt(`0x${shownHash(header)}`) <= REGTEST_TARGET) !== isIdle) return header;
  }
}

/** `merkleRoots` in headers that follow one another, ten minutes apart. */
export function mineChain(merkleRoots: readonly Uint8Array[], time: number): Bytes[] {
  const headers: Bytes[] = [];
  for (const [i, merkleRoot] of merkleRoots.entries()) {
    const last = headers.at(-1);
    const previous = last && { previous: doubleSha256(last) };
    headers.push(mine({ ...previous, merkleRoot, time: time + 600 * i }));
  }
  return headers;
}
