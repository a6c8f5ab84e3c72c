/**
 * The memory of a ring: two counts of bytes, then frames. A frame is its length as a word, its bytes, and
 * padding to a whole word. Frames continue at the beginning of the memory when they reach its end.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";

const HEADER_LENGTH = 128;
/** Indexes of the counts: far apart, because two threads write them. */
const COUNTS = { written: 0, second: 8 } as const;
const LENGTH_PREFIX = 4;
/** Frames are copied together up to this many bytes; a longer frame is copied alone. */
const CHUNK_LENGTH = 2 ** 16;

/** Memory for a ring of `capacity` bytes, a power of two. Its first frame has position `start`. */
export function newRingMemory(capacity: number, start = 0): SharedArrayBuffer {
  const isValid = Number.isInteger(Math.log2(capacity)) && capacity >= 64 && start % 4 === 0;
  if (!isValid) throw new RangeError(`Invalid ring: ${capacity} bytes from ${start}`);
  const memory = new SharedArrayBuffer(HEADER_LENGTH + capacity);
  new BigInt64Array(memory, 0, HEADER_LENGTH / 8).fill(BigInt(start));
  return memory;
}

/** Frames at positions: counts of bytes since the ring was made, which never wrap around. */
export class FrameMemory {
  readonly capacity: number;
  readonly #counts: BigInt64Array<SharedArrayBuffer>;
  readonly #bytes: Uint8Array<SharedArrayBuffer>;
  readonly #words: Uint32Array<SharedArrayBuffer>;

  constructor(memory: SharedArrayBuffer) {
    this.#counts = new BigInt64Array(memory, 0, HEADER_LENGTH / 8);
    this.#bytes = new Uint8Array(memory, HEADER_LENGTH);
    this.#words = new Uint32Array(memory, HEADER_LENGTH);
    this.capacity = this.#bytes.length;
  }

  /** Frames below it are written. */
  get written(): number {
    return Number(Atomics.load(this.#counts, COUNTS.written));
  }

  set written(position: number) {
    Atomics.store(this.#counts, COUNTS.written, BigInt(position));
  }

  /** The count that the kind of ring defines. */
  get second(): number {
    return Number(Atomics.load(this.#counts, COUNTS.second));
  }

  set second(position: number) {
    Atomics.store(this.#counts, COUNTS.second, BigInt(position));
  }

  /** Bytes that `frame` takes. Throws if no ring of this capacity can hold it. */
  sizeOf(frame: Uint8Array): number {
    const size = LENGTH_PREFIX + paddedLength(frame.length);
    if (size > this.capacity) {
      throw new RangeError(`Frame of ${frame.length} bytes in a ring of ${this.capacity}`);
    }
    return size;
  }

  writeFrame(position: number, frame: Uint8Array): void {
    const at = position % this.capacity;
    this.#words[at / 4] = frame.length;
    const start = (at + LENGTH_PREFIX) % this.capacity;
    const first = Math.min(frame.length, this.capacity - start);
    this.#bytes.set(first === frame.length ? frame : frame.subarray(0, first), start);
    if (first < frame.length) this.#bytes.set(frame.subarray(first), 0);
  }

  /** Copies the frame at `position` and others below `end`. `end` is at most `capacity` beyond it. */
  copyFrames(position: number, end: number): CopiedFrames {
    let stop = position;
    while (stop < end) {
      const next = stop + LENGTH_PREFIX +
        paddedLength(this.#words[(stop % this.capacity) / 4]!);
      // Beyond the end only if the frame was overwritten: the caller checks that after the copy.
      if (next > end || (stop > position && next - position > CHUNK_LENGTH)) break;
      stop = next;
    }
    const copy = new Uint8Array(stop - position);
    const start = position % this.capacity;
    const first = Math.min(copy.length, this.capacity - start);
    copy.set(this.#bytes.subarray(start, start + first));
    if (first < copy.length) copy.set(this.#bytes.subarray(0, copy.length - first), first);
    return new CopiedFrames(copy);
  }
}

/** Whole frames, copied from a ring. */
export class CopiedFrames {
  readonly #copy: Bytes;
  readonly #words: Uint32Array;
  #at = 0;

  constructor(copy: Bytes) {
    this.#copy = copy;
    this.#words = new Uint32Array(copy.buffer);
  }

  get length(): number {
    return this.#copy.length;
  }

  get hasMore(): boolean {
    return this.#at < this.#copy.length;
  }

  /** The next frame: a view of the copy that begins at a whole word. */
  next(): Bytes | undefined {
    if (!this.hasMore) return undefined;
    const start = this.#at + LENGTH_PREFIX;
    const length = this.#words[this.#at / 4]!;
    this.#at = start + paddedLength(length);
    return this.#copy.subarray(start, start + length);
  }
}

export const NO_FRAMES = new CopiedFrames(new Uint8Array(0));

function paddedLength(length: number): number {
  return Math.ceil(length / 4) * 4;
}
