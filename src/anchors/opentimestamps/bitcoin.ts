/**
 * Bitcoin block headers that a user supplies, in files of either form:
 *
 *     text   lines "<height> <headers>": the height of the first header, and one header or several
 *            that follow one another, 160 hex digits each, as Bitcoin Core's `getblockheader <hash>
 *            false` and `/rest/headers/<count>/<hash>.hex` write them
 *     raw    all headers from the genesis block on, 80 bytes each, as light wallets keep them
 *
 * A header: version 4 || hash of the previous 32 || Merkle root 32 || time 4 || target 4 || nonce 4,
 * integers little-endian; its hash is SHA-256 twice, and is shown byte by byte reversed.
 *
 * Files can be forged, so a header has to have cost something: its hash is below its own target, and
 * that is no easier than a floor. The same holds of the headers beside it in the files, from the one
 * before it to so many that bury it, and each has to name the one before.
 *
 * @module
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { type Bytes, equalBytes, hexOf, integerOf, textOf } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";

/** What is used of a header. */
export interface BitcoinBlock {
  readonly height: number;
  /** As it is shown, in hex. */
  readonly hash: string;
  readonly merkleRoot: Bytes;
  /** Unix seconds, as the miner says. */
  readonly time: number;
}

/**
 * The easiest target that counts: difficulty 2^40, 2^72 hashes for a header. Bitcoin has been harder
 * since 2017, a hundred times so since 2024, and no digest of ours is older. Difficulty 1, at which
 * the chain began, takes a computer less than a second.
 */
export const EASIEST_TARGET = 0xffffn << 168n;

const HEADER_LENGTH = 80;
const GENESIS_HASH = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f";
/** Headers that bury one and are looked at; those of a day would say nothing more. */
const MAX_BURYING = 100;
const LINE = /^([0-9]{1,9}) ((?:[0-9a-f]{160})+)$/;

/** The headers of one file, by height. */
type HeaderSource = (height: number) => Bytes | undefined;

/** Headers of several files. Methods refuse with `malformed_text` what a block of Bitcoin is not. */
export class BitcoinHeaders {
  readonly #sources: readonly HeaderSource[];
  readonly #easiestTarget: bigint;
  readonly #blocks = new Map<number, BitcoinBlock | undefined>();
  readonly #buried = new Set<number>();

  /** `malformed_text` for a file of another form. */
  constructor(files: readonly Bytes[], easiestTarget = EASIEST_TARGET) {
    this.#sources = files.map(parseHeaderFile);
    this.#easiestTarget = easiestTarget;
  }

  /** The block at `height`, by its own work; `undefined` where no file has its header. */
  blockAt(height: number): BitcoinBlock | undefined {
    if (!this.#blocks.has(height)) {
      const header = this.#headerAt(height);
      this.#blocks.set(height, header && blockOf(height, header, this.#easiestTarget));
    }
    return this.#blocks.get(height);
  }

  /** Requires of the headers beside the one at `height` that they are of one chain with it. */
  requireChained(height: number): void {
    if (this.#buried.has(height)) return;
    let before = this.blockAt(height - 1);
    for (let at = height; at <= height + MAX_BURYING; at++) {
      const block = this.blockAt(at);
      if (block === undefined) break;
      const previous = hexOf(this.#headerAt(at)!.slice(4, 36).reverse());
      if (before !== undefined && previous !== before.hash) {
        throw malformed(`the hash of block ${at - 1} in the header of block ${at}`, "another");
      }
      before = block;
    }
    this.#buried.add(height);
  }

  #headerAt(height: number): Bytes | undefined {
    const [header, ...others] = this.#sources.flatMap((source) => source(height) ?? []);
    if (others.some((other) => !equalBytes(other, header!))) {
      throw malformed(`one header of block ${height}`, "several");
    }
    return header;
  }
}

/** The headers of `file` by height; `malformed_text`. */
export function parseHeaderFile(file: Bytes): HeaderSource {
  if (file.length % HEADER_LENGTH === 0 && hashOf(file.slice(0, HEADER_LENGTH)) === GENESIS_HASH) {
    return (height) => headerIn(file, height);
  }
  const headers = new Map<number, Bytes>();
  for (const line of textOf(file).replace(/\n$/, "").split("\n")) {
    const [, first = "", hex = ""] = LINE.exec(line) ?? [];
    const height = integerOf(first);
    if (height === undefined) {
      throw malformed("lines of a height and headers in hex", JSON.stringify(line.slice(0, 40)));
    }
    const bytes = Uint8Array.fromHex(hex);
    for (let i = 0; i < bytes.length / HEADER_LENGTH; i++) {
      if (headers.has(height + i)) throw malformed(`block ${height + i} once`, "twice");
      headers.set(height + i, headerIn(bytes, i)!);
    }
  }
  return (height) => headers.get(height);
}

function headerIn(headers: Bytes, index: number): Bytes | undefined {
  const start = index * HEADER_LENGTH;
  if (index < 0 || start >= headers.length) return undefined;
  return headers.subarray(start, start + HEADER_LENGTH);
}

function blockOf(height: number, header: Bytes, easiestTarget: bigint): BitcoinBlock {
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  const target = targetOf(view.getUint32(72, true));
  const hash = hashOf(header);
  if (target > easiestTarget) {
    throw malformed(
      `a target of at most ${hexOfTarget(easiestTarget)}`,
      hexOfTarget(target),
      height,
    );
  }
  if (BigInt(`0x${hash}`) > target) {
    throw malformed(`a hash of at most ${hexOfTarget(target)}`, hash, height);
  }
  return { height, hash, merkleRoot: header.slice(36, 68), time: view.getUint32(68, true) };
}

/** The target of its compact form: three bytes of digits, their sign, and how many bytes it has. */
function targetOf(compact: number): bigint {
  const digits = BigInt(compact & 0x7fffff);
  const shift = BigInt(8 * ((compact >>> 24) - 3));
  // A negative target is zero: no hash is below it.
  if ((compact & 0x800000) !== 0) return 0n;
  return shift < 0n ? digits >> -shift : digits << shift;
}

function hashOf(header: Bytes): string {
  return hexOf(sha256(sha256(header)).reverse());
}

function hexOfTarget(target: bigint): string {
  return target.toString(16).padStart(64, "0");
}

function malformed(required: string, found: string, height?: number): CountersignError {
  const what = height === undefined ? "Bitcoin block headers" : `header of Bitcoin block ${height}`;
  return new CountersignError(
    "malformed_text",
    `Cannot use ${what}: ${required} required, found ${found}`,
  );
}
