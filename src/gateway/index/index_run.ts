/**
 * A sealed run of the hash index: 2^20 leaves sorted into 2^14 buckets of about 64 entries, and a blocked
 * Bloom filter. Both depend only on the 64-bit keyed hashes (high, low):
 *
 *     bucket   high[31..18]
 *     entry    8 bytes, big-endian: high[17..0] low[31..6] || offset in the run, 20 bits
 *     filter   one 512-bit block by low[31..6], eight bits in it by high
 *
 * The filter is rebuilt from the stored entries.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { DIGEST_WORDS, type KeyedHash } from "./keyed_hash.ts";
import { RUN_LEAVES } from "./recent_digests.ts";

/** Buckets of a run. */
export const RUN_BUCKETS = 2 ** 14;

/** Bytes of an entry. */
export const ENTRY_LENGTH = 8;
/** A new digest is sought in the filters of all runs, so each spends 2.5 MiB to have few false positives. */
const BITS_PER_KEY = 20;
const BLOCK_WORDS = 16;
const BLOCKS = Math.ceil(RUN_LEAVES * BITS_PER_KEY / (BLOCK_WORDS * 32));
const PROBES = 8;

export function bucketOf(hash: KeyedHash): number {
  return hash.high >>> 18;
}

/** Offsets in the run of the entries of `bucket` that match the hash. */
export function offsetsOf(hash: KeyedHash, bucket: Uint8Array): number[] {
  const upper = upperOf(hash.high, hash.low);
  const lower = lowerOf(hash.low);
  const view = new DataView(bucket.buffer, bucket.byteOffset, bucket.length);
  const offsets: number[] = [];
  for (let at = 0; at < bucket.length; at += ENTRY_LENGTH) {
    const rest = view.getUint32(at + 4);
    if (view.getUint32(at) === upper && rest >>> 20 === lower) offsets.push(rest & 0xfffff);
  }
  return offsets;
}

/** Whether a run may have a hash. False positives are about 1 in 3,500; there are no false negatives. */
export class RunFilter {
  readonly memory: SharedArrayBuffer;
  readonly #bits: Uint32Array;

  /** The filter of `memory`, or an empty one. */
  constructor(memory = new SharedArrayBuffer(BLOCKS * BLOCK_WORDS * 4)) {
    this.memory = memory;
    this.#bits = new Uint32Array(memory);
  }

  add(high: number, low: number): void {
    const block = blockOf(low);
    for (let i = 0, bit = high & 511; i < PROBES; i++, bit = nextBit(bit, high, i)) {
      const word = block + (bit >>> 5);
      this.#bits[word] = this.#bits[word]! | (1 << (bit & 31));
    }
  }

  mayHold(hash: KeyedHash): boolean {
    const { high, low } = hash;
    const block = blockOf(low);
    for (let i = 0, bit = high & 511; i < PROBES; i++, bit = nextBit(bit, high, i)) {
      if ((this.#bits[block + (bit >>> 5)]! & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }

  /** Adds every entry of a stored bucket. */
  addBucket(bucket: number, entries: Uint8Array): void {
    const view = new DataView(entries.buffer, entries.byteOffset, entries.length);
    for (let at = 0; at < entries.length; at += ENTRY_LENGTH) {
      const upper = view.getUint32(at);
      const low = ((upper & 0x3fff) << 18) | ((view.getUint32(at + 4) >>> 20) << 6);
      this.add(((bucket << 18) | (upper >>> 14)) >>> 0, low >>> 0);
    }
  }
}

/** Sorts a full run into buckets, in slices: awaits `pause` between two slices. */
export async function sortRun(
  hash: KeyedHash,
  words: Uint32Array,
  pause: () => Promise<void>,
): Promise<{ buckets: Bytes[]; filter: RunFilter }> {
  const filter = new RunFilter();
  const hashes = new Uint32Array(2 * RUN_LEAVES);
  const starts = new Uint32Array(RUN_BUCKETS + 1);
  await inSlices(pause, (offset) => {
    hash.hash(words, offset * DIGEST_WORDS);
    hashes[2 * offset] = hash.high;
    hashes[2 * offset + 1] = hash.low;
    filter.add(hash.high, hash.low);
    const next = bucketOf(hash) + 1;
    starts[next] = starts[next]! + 1;
  });
  for (let bucket = 0; bucket < RUN_BUCKETS; bucket++) {
    starts[bucket + 1] = starts[bucket + 1]! + starts[bucket]!;
  }
  const sorted = new Uint8Array(RUN_LEAVES * ENTRY_LENGTH);
  const view = new DataView(sorted.buffer);
  const next = starts.slice();
  // Within a bucket, entries keep the order of the log: the same digests always give the same run.
  await inSlices(pause, (offset) => {
    const high = hashes[2 * offset]!;
    const low = hashes[2 * offset + 1]!;
    const bucket = high >>> 18;
    const at = next[bucket]! * ENTRY_LENGTH;
    next[bucket] = next[bucket]! + 1;
    view.setUint32(at, upperOf(high, low));
    view.setUint32(at + 4, ((lowerOf(low) << 20) | offset) >>> 0);
  });
  const buckets = Array.from(
    { length: RUN_BUCKETS },
    (_, bucket) =>
      sorted.slice(starts[bucket]! * ENTRY_LENGTH, starts[bucket + 1]! * ENTRY_LENGTH) as Bytes,
  );
  return { buckets, filter };
}

const SLICE = 2 ** 14;

async function inSlices(pause: () => Promise<void>, each: (offset: number) => void): Promise<void> {
  for (let start = 0; start < RUN_LEAVES; start += SLICE) {
    for (let offset = start; offset < start + SLICE; offset++) each(offset);
    await pause();
  }
}

function upperOf(high: number, low: number): number {
  return (((high & 0x3ffff) << 14) | (low >>> 18)) >>> 0;
}

function lowerOf(low: number): number {
  return (low >>> 6) & 0xfff;
}

/** Index of the first word of the hash's block: low[31..6] scaled to the number of blocks. */
function blockOf(low: number): number {
  return Math.floor((low >>> 6) * BLOCKS / 2 ** 26) * BLOCK_WORDS;
}

/** Enhanced double hashing: the step grows, so that few keys share a sequence of bits. */
function nextBit(bit: number, high: number, i: number): number {
  return (bit + ((high >>> 9) & 511 | 1) + i * (high >>> 18)) & 511;
}
