/**
 * Bitcoin block headers from files of the user, in either form:
 *
 *     text   lines "<height> <headers>": the height of the first header, then one or more successive
 *            headers of 160 hex digits each, as Bitcoin Core's `getblockheader <hash> false` and
 *            `/rest/headers/<count>/<hash>.hex` write them
 *     raw    all headers from the genesis block on, 80 bytes each, as light wallets store them
 *
 * A header: version 4 || previous hash 32 || Merkle root 32 || time 4 || target 4 || nonce 4, integers
 * little-endian. Its hash is double SHA-256, displayed in reverse byte order.
 *
 * Files can be forged, so a header must show work: its hash is at most its target, and its target at
 * most {@linkcode EASIEST_TARGET}. The same must hold for its neighbors in the files, from the header
 * before it to the 100th after it, and each must name the one before.
 *
 * @module
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { type Bytes, equalBytes, fromHex, hexOf, integerOf, textOf } from "../../../base/bytes.ts";
import { errorBuilder } from "../../../base/errors.ts";

const malformed = errorBuilder("malformed_text", "Cannot use Bitcoin block headers");

/** The fields of a header that verification uses. */
export interface BitcoinBlock {
  readonly height: number;
  /** Hex, in display order. */
  readonly hash: string;
  readonly merkleRoot: Bytes;
  /** Unix seconds, set by the miner. */
  readonly time: number;
}

/**
 * The easiest acceptable target: difficulty 2^40, or 2^72 hashes for a header. Bitcoin has been harder
 * since 2017, and 100 times harder since 2024. The chain's first difficulty, 1, takes a computer less
 * than a second.
 */
export const EASIEST_TARGET = 0xffffn << 168n;

const HEADER_LENGTH = 80;
const GENESIS_HASH = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f";
/** Headers to check after one. More would add no evidence. */
const MAX_BURYING = 100;
const LINE = /^([0-9]{1,9}) ((?:[0-9a-f]{160})+)$/;

/** The headers of one file, by height. */
type HeaderSource = (height: number) => Bytes | undefined;

/** The headers of several files. Methods throw `malformed_text` for an invalid header. */
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

  /** The block at `height`, with its work checked; `undefined` if no file has its header. */
  blockAt(height: number): BitcoinBlock | undefined {
    if (!this.#blocks.has(height)) {
      const header = this.#headerAt(height);
      this.#blocks.set(height, header && blockOf(height, header, this.#easiestTarget));
    }
    return this.#blocks.get(height);
  }

  /** Throws unless the neighbors of the header at `height` form one chain with it. */
  requireChained(height: number): void {
    if (this.#buried.has(height)) return;
    let before = this.blockAt(height - 1);
    for (let at = height; at <= height + MAX_BURYING; at++) {
      const block = this.blockAt(at);
      if (block === undefined) break;
      const previous = hexOf(this.#headerAt(at)!.slice(4, 36).reverse());
      if (before !== undefined && previous !== before.hash) {
        throw malformed(`block ${at} does not follow block ${at - 1}`);
      }
      before = block;
    }
    this.#buried.add(height);
  }

  #headerAt(height: number): Bytes | undefined {
    const [header, ...others] = this.#sources.flatMap((source) => source(height) ?? []);
    if (others.some((other) => !equalBytes(other, header!))) {
      throw malformed(`the files disagree on block ${height}`);
    }
    return header;
  }
}

/** Parses the headers of `file`; `malformed_text`. */
export function parseHeaderFile(file: Bytes): HeaderSource {
  if (file.length % HEADER_LENGTH === 0 && hashOf(file.slice(0, HEADER_LENGTH)) === GENESIS_HASH) {
    return (height) => headerIn(file, height);
  }
  const headers = new Map<number, Bytes>();
  for (const line of textOf(file).replace(/\n$/, "").split("\n")) {
    const [, first = "", hex = ""] = LINE.exec(line) ?? [];
    const height = integerOf(first);
    if (height === undefined) {
      throw malformed(`not a height and headers in hex: ${JSON.stringify(line.slice(0, 40))}`);
    }
    const bytes = fromHex(hex);
    for (let i = 0; i < bytes.length / HEADER_LENGTH; i++) {
      if (headers.has(height + i)) throw malformed(`block ${height + i} occurs twice`);
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
    const [found, limit] = [target, easiestTarget].map(hexOfTarget);
    throw malformed(`block ${height} has target ${found}, which is easier than ${limit}`);
  }
  if (BigInt(`0x${hash}`) > target) {
    throw malformed(`block ${height} has hash ${hash}, above its target ${hexOfTarget(target)}`);
  }
  return { height, hash, merkleRoot: header.slice(36, 68), time: view.getUint32(68, true) };
}

/** Decodes a compact target: three bytes of digits with a sign bit, and the number of bytes. */
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
