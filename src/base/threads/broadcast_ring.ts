/**
 * Frames from one thread to any number of others. The writer never waits: it overwrites the oldest frames,
 * and a reader that has not read them is lapped.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { CopiedFrames, FrameMemory, NO_FRAMES } from "./frame_memory.ts";

/**
 * The one writer of a ring made by `newRingMemory`. The second count is the end of the frame that is being
 * written: all frames that begin more than the capacity before it may be overwritten.
 */
export class BroadcastWriter {
  readonly #memory: FrameMemory;
  #position: number;

  constructor(memory: SharedArrayBuffer) {
    this.#memory = new FrameMemory(memory);
    this.#position = this.#memory.written;
  }

  get capacity(): number {
    return this.#memory.capacity;
  }

  /** The position of the next frame. */
  get position(): number {
    return this.#position;
  }

  /** Throws `RangeError` if the frame is longer than the ring. */
  write(frame: Uint8Array): void {
    const end = this.#position + this.#memory.sizeOf(frame);
    this.#memory.second = end;
    fence();
    this.#memory.writeFrame(this.#position, frame);
    this.#position = end;
    this.#memory.written = end;
  }
}

/** One reader of a ring. Readers do not share a position. */
export class BroadcastReader {
  readonly #memory: FrameMemory;
  #position: number;
  #frames: CopiedFrames = NO_FRAMES;

  /** @param position of the first frame to read: {@linkcode BroadcastWriter.position} at some time */
  constructor(memory: SharedArrayBuffer, position: number) {
    this.#memory = new FrameMemory(memory);
    this.#position = position;
  }

  /** Whether {@linkcode read} would return anything. One atomic load after all frames are read. */
  get hasMore(): boolean {
    return this.#frames.hasMore || this.#memory.written !== this.#position;
  }

  /**
   * The next frame; it begins at a whole word of its buffer. `"lapped"`, now and for ever, if frames were
   * overwritten before they were read.
   */
  read(): Bytes | "lapped" | undefined {
    const frame = this.#frames.next();
    if (frame !== undefined) return frame;
    const written = this.#memory.written;
    if (written === this.#position) return undefined;
    const { capacity } = this.#memory;
    if (written - this.#position > capacity) return "lapped";
    const frames = this.#memory.copyFrames(this.#position, written);
    // The writer may have overwritten the frames while they were copied.
    fence();
    if (this.#memory.second - this.#position > capacity) return "lapped";
    this.#frames = frames;
    this.#position += frames.length;
    return frames.next();
  }
}

const fenced = new Int32Array(1);

/**
 * Orders all accesses before it before all accesses after it, also ordinary ones. An atomic store alone
 * does not order the accesses after it, nor a load those before it; on ARM the pair does, and on x86 the
 * store.
 */
function fence(): void {
  Atomics.store(fenced, 0, 0);
  Atomics.load(fenced, 0);
}
