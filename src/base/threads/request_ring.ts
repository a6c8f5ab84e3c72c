/**
 * A bounded queue of frames from one thread to another.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { CopiedFrames, FrameMemory, NO_FRAMES } from "./frame_memory.ts";

/** The one writer of a ring made by `newRingMemory`. The second count is the reader's position. */
export class RequestWriter {
  readonly #memory: FrameMemory;
  #written: number;
  /** The reader's position when it was last loaded. */
  #read: number;

  constructor(memory: SharedArrayBuffer) {
    this.#memory = new FrameMemory(memory);
    this.#written = this.#memory.written;
    this.#read = this.#memory.second;
  }

  /** Throws `RangeError` if the ring will never have room for `frame`. */
  checkLength(frame: Uint8Array): void {
    this.#memory.sizeOf(frame);
  }

  /** False if the ring has no room for `frame` now; throws like {@linkcode checkLength}. */
  tryWrite(frame: Uint8Array): boolean {
    const end = this.#written + this.#memory.sizeOf(frame);
    if (end - this.#read > this.#memory.capacity) {
      this.#read = this.#memory.second;
      if (end - this.#read > this.#memory.capacity) return false;
    }
    this.#memory.writeFrame(this.#written, frame);
    this.#written = end;
    this.#memory.written = end;
    return true;
  }
}

/** The one reader of a ring. */
export class RequestReader {
  readonly #memory: FrameMemory;
  #position: number;
  #frames: CopiedFrames = NO_FRAMES;

  constructor(memory: SharedArrayBuffer) {
    this.#memory = new FrameMemory(memory);
    this.#position = this.#memory.second;
  }

  /** Whether {@linkcode read} would return a frame. */
  get hasMore(): boolean {
    return this.#frames.hasMore || this.#memory.written !== this.#position;
  }

  /** The next frame; it begins at a whole word of its buffer. */
  read(): Bytes | undefined {
    const frame = this.#frames.next();
    if (frame !== undefined) return frame;
    const written = this.#memory.written;
    if (written === this.#position) return undefined;
    this.#frames = this.#memory.copyFrames(this.#position, written);
    this.#position += this.#frames.length;
    this.#memory.second = this.#position;
    return this.#frames.next();
  }
}
