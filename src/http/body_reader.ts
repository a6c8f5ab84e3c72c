/**
 * Reads bodies of requests whole, within bounds of size, time and pieces, and of what all that are
 * being read hold together. Whoever sends slowly, in crumbs or in great numbers is refused; others
 * are not kept waiting.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { type Clock, systemClock } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import { BODY_BOUNDS } from "./limits.ts";

/** What bodies may cost. */
export interface BodyBounds {
  /** Milliseconds from the head of a request to the end of its body. */
  readonly timeMs: number;
  /** Pieces in which a body may come: each costs an object and a turn, were it one byte. */
  readonly pieces: number;
  /** Bytes that unfinished bodies may hold together. Those of at most `SMALL_BYTES` do not count. */
  readonly heldBytes: number;
}

/** A body that announces no more is read by one call, which nothing faster can be put before. */
const SMALL_BYTES = 4_096;
const FIRST_CAPACITY = 16_384;
const DIGITS = /^[0-9]+$/;

/** A body that has begun and not ended. */
interface Reading {
  readonly deadlineMs: number;
  readonly expire: () => void;
}

/** Reads bodies. One for a process, since they share its memory. */
export class BodyReader {
  readonly #clock: Clock;
  readonly #bounds: BodyBounds;
  /** In the order of their deadlines. */
  readonly #readings = new Set<Reading>();
  #heldBytes = 0;

  constructor(bounds: BodyBounds = BODY_BOUNDS, clock: Clock = systemClock) {
    this.#bounds = bounds;
    this.#clock = clock;
  }

  /** Bytes that unfinished bodies hold. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * The whole body. `body_too_large` above `limit` bytes, of which no more than `limit` and one
   * piece were read; `malformed_request` when the client broke off, was late or sent crumbs;
   * `overloaded` when all bodies together hold too much.
   */
  read(request: Request, limit: number): Promise<Bytes> {
    const announced = request.headers.get("content-length");
    if (announced !== null && DIGITS.test(announced)) {
      const length = Number(announced);
      if (length > limit) return Promise.reject(tooLarge(limit));
      if (length <= SMALL_BYTES) return this.#readAtOnce(() => request.bytes());
    }
    return this.#readStream(request.body, limit);
  }

  /**
   * The text of a body that announces few bytes, as the Fetch standard decodes it: `malformed_request`
   * when the client broke off or was late.
   */
  readSmallText(request: Request): Promise<string> {
    return this.#readAtOnce(() => request.text());
  }

  /** Refuses what was not read by its deadline. The owner of the process's listener calls it. */
  expire(): void {
    if (this.#readings.size === 0) return;
    const now = this.#clock.nowMs();
    for (const reading of this.#readings) {
      if (reading.deadlineMs > now) return;
      this.#readings.delete(reading);
      reading.expire();
    }
  }

  #begin(expire: () => void): Reading {
    const reading = { deadlineMs: this.#clock.nowMs() + this.#bounds.timeMs, expire };
    this.#readings.add(reading);
    return reading;
  }

  #readAtOnce<T>(read: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const reading = this.#begin(() => reject(this.#late()));
      read().then((body) => {
        this.#readings.delete(reading);
        resolve(body);
      }, (cause) => {
        this.#readings.delete(reading);
        reject(brokenOff(cause));
      });
    });
  }

  async #readStream(stream: ReadableStream<Uint8Array> | null, limit: number): Promise<Bytes> {
    if (stream === null) return new Uint8Array();
    const reader = stream.getReader();
    let isLate = false;
    const reading = this.#begin(() => {
      isLate = true;
      // Resolves the read that is under way; the end that it finds is none.
      reader.cancel().catch(ignore);
    });
    const gathered = new GatheredBytes((change) => this.#heldBytes += change);
    try {
      for (let pieces = 1;; pieces++) {
        const { done, value } = await reader.read().catch((cause) =>
          Promise.reject(brokenOff(cause))
        );
        if (isLate) throw this.#late();
        if (done) return gathered.whole();
        if (gathered.length + value.length > limit) throw tooLarge(limit);
        if (pieces > this.#bounds.pieces) throw inCrumbs(this.#bounds.pieces);
        gathered.add(value, limit);
        if (this.#heldBytes > this.#bounds.heldBytes) throw tooManyBodies();
      }
    } catch (error) {
      // What is left of the body is not read; that it cannot be cancelled changes no answer.
      reader.cancel().catch(ignore);
      throw error;
    } finally {
      this.#readings.delete(reading);
      gathered.release();
    }
  }

  #late(): CountersignError {
    const seconds = this.#bounds.timeMs / 1000;
    return malformed(`a whole one within ${seconds} seconds required, found less`);
  }
}

/** Bytes in the order in which they come, in one buffer, whatever pieces they come in. */
class GatheredBytes {
  readonly #onChange: (bytes: number) => void;
  #buffer = new Uint8Array();
  #length = 0;

  /** `onChange` is told of every change of the bytes that are held. */
  constructor(onChange: (bytes: number) => void) {
    this.#onChange = onChange;
  }

  get length(): number {
    return this.#length;
  }

  /** The buffer grows to at most `limit` bytes, which the caller has seen to be enough. */
  add(piece: Uint8Array, limit: number): void {
    const length = this.#length + piece.length;
    if (length > this.#buffer.length) {
      const capacity = Math.max(length, Math.min(limit, 2 * this.#buffer.length, 2 * length));
      this.#replace(new Uint8Array(Math.max(capacity, Math.min(limit, FIRST_CAPACITY))));
    }
    this.#buffer.set(piece, this.#length);
    this.#length = length;
  }

  whole(): Bytes {
    return this.#buffer.slice(0, this.#length);
  }

  release(): void {
    this.#onChange(-this.#buffer.length);
    this.#buffer = new Uint8Array();
  }

  #replace(buffer: Bytes): void {
    buffer.set(this.#buffer.subarray(0, this.#length));
    this.#onChange(buffer.length - this.#buffer.length);
    this.#buffer = buffer;
  }
}

function ignore(): void {}

function brokenOff(cause: unknown): CountersignError {
  return malformed("a whole one required", { cause });
}

function inCrumbs(pieces: number): CountersignError {
  return malformed(`at most ${pieces} pieces required, found more`);
}

function malformed(what: string, options?: ErrorOptions): CountersignError {
  return new CountersignError("malformed_request", `Cannot read body: ${what}`, options);
}

function tooLarge(limit: number): CountersignError {
  return new CountersignError(
    "body_too_large",
    `Cannot read body: at most ${limit} bytes required, found more`,
  );
}

function tooManyBodies(): CountersignError {
  return new CountersignError(
    "overloaded",
    "Cannot read body: room beside the bodies of others required, found none",
  );
}
