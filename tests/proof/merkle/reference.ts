/**
 * RFC 9162 section 2.1 with `node:crypto`, as in the RFC: recursive definitions of hashes and
 * proofs, and its verification algorithms step by step. Shares no code with `src/proof/merkle`.
 *
 * @module
 */

import { createHash } from "node:crypto";

type Hash = Uint8Array;

function sha256(...parts: (string | Uint8Array)[]): Hash {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}

/** Section 2.1.1: HASH(0x00 || entry). */
export function leafHash(entry: Uint8Array): Hash {
  return sha256(Uint8Array.of(0), entry);
}

/** Section 2.1.1: HASH(0x01 || left || right). */
export function nodeHash(left: Hash, right: Hash): Hash {
  return sha256(Uint8Array.of(1), left, right);
}

function equal(a: Hash, b: Hash): boolean {
  return Buffer.compare(a, b) === 0;
}

/** The largest power of two below `n`. */
function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** The definitions over the leaf hashes D, for every prefix of them. */
export class ReferenceTree {
  readonly leaves: readonly Hash[];
  readonly #hashes = new Map<number, Hash>();

  constructor(leaves: readonly Hash[]) {
    this.leaves = leaves;
  }

  /** A tree whose leaf i is the leaf hash of the text `<prefix> i`. */
  static ofTexts(size: number, prefix = "leaf"): ReferenceTree {
    const leaves = Array.from({ length: size }, (_, i) => sha256("\0", `${prefix} ${i}`));
    return new ReferenceTree(leaves);
  }

  /** The first `size` leaf hashes, back to back. */
  packed(size = this.leaves.length, start = 0): Uint8Array<ArrayBuffer> {
    return new Uint8Array(Buffer.concat(this.leaves.slice(start, size)));
  }

  /** Section 2.1.1: MTH(D[start:end]). */
  hash(start: number, end: number): Hash {
    const n = end - start;
    if (n === 0) return sha256();
    if (n === 1) return this.leaves[start]!;
    const key = start * 2 ** 24 + end;
    const known = this.#hashes.get(key);
    if (known !== undefined) return known;
    const k = split(n);
    const hash = nodeHash(this.hash(start, start + k), this.hash(start + k, end));
    this.#hashes.set(key, hash);
    return hash;
  }

  root(size: number): Hash {
    return this.hash(0, size);
  }

  /** Section 2.1.3.1: PATH(index, D_size). */
  inclusion(index: number, size: number): Hash[] {
    return this.#path(index, 0, size);
  }

  #path(m: number, start: number, end: number): Hash[] {
    const n = end - start;
    if (n === 1) return [];
    const k = split(n);
    return m < k
      ? [...this.#path(m, start, start + k), this.hash(start + k, end)]
      : [...this.#path(m - k, start + k, end), this.hash(start, start + k)];
  }

  /** Section 2.1.4.1: PROOF(first, D_second). */
  consistency(first: number, second: number): Hash[] {
    return this.#subproof(first, 0, second, true);
  }

  #subproof(m: number, start: number, end: number, b: boolean): Hash[] {
    const n = end - start;
    if (m === n) return b ? [] : [this.hash(start, end)];
    const k = split(n);
    return m <= k
      ? [...this.#subproof(m, start, start + k, b), this.hash(start + k, end)]
      : [...this.#subproof(m - k, start + k, end, false), this.hash(start, start + k)];
  }
}

/** Section 2.1.3.2, steps 1 to 5 without the comparison: the root, or `undefined` on failure. */
export function rootFromInclusion(
  leaf: Hash,
  index: number,
  size: number,
  path: readonly Hash[],
): Hash | undefined {
  if (index >= size) return undefined;
  let fn = BigInt(index);
  let sn = BigInt(size) - 1n;
  let r = leaf;
  for (const p of path) {
    if (sn === 0n) return undefined;
    if ((fn & 1n) === 1n || fn === sn) {
      r = nodeHash(p, r);
      if ((fn & 1n) === 0n) {
        do {
          fn >>= 1n;
          sn >>= 1n;
        } while ((fn & 1n) === 0n && fn !== 0n);
      }
    } else {
      r = nodeHash(r, p);
    }
    fn >>= 1n;
    sn >>= 1n;
  }
  return sn === 0n ? r : undefined;
}

/** Section 2.1.4.2, for 0 < first < second: both roots, or `undefined` on failure. */
export function rootsFromConsistency(
  first: number,
  second: number,
  firstRoot: Hash,
  consistencyPath: readonly Hash[],
): { first: Hash; second: Hash } | undefined {
  if (consistencyPath.length === 0) return undefined;
  const perfect = (BigInt(first) & (BigInt(first) - 1n)) === 0n;
  const path = perfect ? [firstRoot, ...consistencyPath] : consistencyPath;
  let fn = BigInt(first) - 1n;
  let sn = BigInt(second) - 1n;
  while ((fn & 1n) === 1n) {
    fn >>= 1n;
    sn >>= 1n;
  }
  let fr = path[0]!;
  let sr = path[0]!;
  for (const c of path.slice(1)) {
    if (sn === 0n) return undefined;
    if ((fn & 1n) === 1n || fn === sn) {
      fr = nodeHash(c, fr);
      sr = nodeHash(c, sr);
      while ((fn & 1n) === 0n && fn !== 0n) {
        fn >>= 1n;
        sn >>= 1n;
      }
    } else {
      sr = nodeHash(sr, c);
    }
    fn >>= 1n;
    sn >>= 1n;
  }
  return sn === 0n ? { first: fr, second: sr } : undefined;
}

/** Section 2.1.4.2, for 0 < first < second. */
export function verifyConsistency(
  first: number,
  second: number,
  firstRoot: Hash,
  secondRoot: Hash,
  path: readonly Hash[],
): boolean {
  const roots = rootsFromConsistency(first, second, firstRoot, path);
  return roots !== undefined && equal(roots.first, firstRoot) && equal(roots.second, secondRoot);
}
