/**
 * Reads whole request bodies, with bounds on size, time, rate and pieces, and on the announced bytes
 * of all unfinished bodies. Counting announced bytes bounds memory before the first byte is read.
 *
 * @module
 */

import { HeldQuota } from "./limits/held_quota.ts";
import { type ClientHoldings, LocalHoldings } from "./limits/holdings.ts";
import type { ClientKey } from "./limits/client_key.ts";
import type { Bytes } from "../base/bytes.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { CountersignError, errorBuilder } from "../base/errors.ts";
import { BODY_BOUNDS } from "./limits.ts";

export interface BodyBounds {
  /** Milliseconds from the head of a request to the end of its body. */
  readonly timeMs: number;
  /** Milliseconds before `slowestRate` applies. A body of at most `SMALL_BYTES` ends by then. */
  readonly graceMs: number;
  /** Bytes that must have arrived for each second after the grace. */
  readonly slowestRate: number;
  /** Pieces of one body: each costs an object and a turn of the event loop, even for one byte. */
  readonly pieces: number;
  /** Bytes that all unfinished bodies may announce together. */
  readonly bytesOfAll: number;
  /** Bytes that unfinished bodies of one client may announce. */
  readonly bytesOfOne: number;
}

/**
 * Bodies of at most this length are read by one call, the fastest way, and are not counted: requests
 * in flight bound their number.
 */
const SMALL_BYTES = 4_096;
const FIRST_CAPACITY = 16_384;
const DIGITS = /^[0-9]+$/;

const malformed = errorBuilder("malformed_request", "Cannot read body");

/** Milliseconds between two calls of `expire()` from which the process counts as stopped. */
const STOPPED_MS = 2_000;

/** An unfinished body. */
interface Reading {
  readonly startMs: number;
  received: number;
  readonly expire: () => void;
  /** Its index among all readings. */
  at: number;
}

/** The unfinished bodies of one listener. */
export class BodyReader {
  readonly #clock: Clock;
  readonly #bounds: BodyBounds;
  /** In no order. An array, since each submission enters and leaves it: a set would be rehashed. */
  readonly #readings: Reading[] = [];
  /** Announced bytes of all readers with the same holdings. A body without a length counts as its limit. */
  readonly #announced: HeldQuota;
  #announcedBytes = 0;
  #lastExpireMs: number;
  /** Time in which this process did not run, which does not count against clients. */
  #stoppedMs = 0;

  /** Counts the announced bytes of clients in `holdings`. */
  constructor(
    holdings: ClientHoldings = new LocalHoldings(),
    bounds: BodyBounds = BODY_BOUNDS,
    clock: Clock = systemClock,
  ) {
    this.#bounds = bounds;
    this.#clock = clock;
    this.#announced = new HeldQuota({
      budget: "body_bytes",
      perClient: bounds.bytesOfOne,
      total: bounds.bytesOfAll,
      failure: "Cannot read body",
      unit: "bytes of unfinished bodies",
      retryAfterSeconds: 1,
    }, holdings);
    this.#lastExpireMs = clock.nowMs();
  }

  /** Bytes that unfinished bodies of this reader announce. */
  get announcedBytes(): number {
    return this.#announcedBytes;
  }

  /**
   * The whole body. `body_too_large` above `limit` bytes, after reading at most `limit` and one piece;
   * `malformed_request` if the connection broke, or the body came too slowly or in too many pieces.
   * Before reading, `rate_limited` if the unfinished bodies of `client` announce too much,
   * `overloaded` if those of all clients do.
   */
  read(request: Request, limit: number, client?: ClientKey): Promise<Bytes> {
    const announced = request.headers.get("content-length");
    let length = limit;
    if (announced !== null && DIGITS.test(announced)) {
      length = Number(announced);
      if (length > limit) return Promise.reject(tooLarge(limit));
      if (length <= SMALL_BYTES) return this.#readAtOnce(() => request.bytes());
    }
    return this.#readStream(request, length, client);
  }

  /**
   * The text of a body that announces few bytes, as the Fetch standard decodes it; `malformed_request`
   * if the connection broke or the body came too slowly.
   */
  readSmallText(request: Request): Promise<string> {
    return this.#readAtOnce(() => request.text());
  }

  /**
   * Refuses bodies that are late or slow. A listener calls it every second.
   */
  expire(): void {
    const now = this.#clock.nowMs();
    const elapsedMs = now - this.#lastExpireMs;
    this.#lastExpireMs = now;
    // Bytes that arrived while the process was stopped are not read yet.
    if (elapsedMs > STOPPED_MS) this.#stoppedMs += elapsedMs;
    for (const reading of [...this.#readings]) {
      if (!this.#isLate(reading, now - this.#stoppedMs - reading.startMs)) continue;
      this.#end(reading);
      reading.expire();
    }
  }

  #isLate({ received }: Reading, elapsedMs: number): boolean {
    const { timeMs, graceMs, slowestRate } = this.#bounds;
    return elapsedMs > timeMs || received < (elapsedMs - graceMs) * slowestRate / 1000;
  }

  #begin(expire: () => void): Reading {
    const startMs = this.#clock.nowMs() - this.#stoppedMs;
    const reading = { startMs, received: 0, expire, at: this.#readings.length };
    this.#readings.push(reading);
    return reading;
  }

  /** Does nothing if `reading` has ended before. */
  #end(reading: Reading): void {
    if (this.#readings[reading.at] !== reading) return;
    const last = this.#readings.pop()!;
    if (last === reading) return;
    this.#readings[reading.at] = last;
    last.at = reading.at;
  }

  #readAtOnce<T>(read: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const reading = this.#begin(() => reject(this.#late()));
      read().then((body) => {
        this.#end(reading);
        resolve(body);
      }, (cause) => {
        this.#end(reading);
        reject(brokenOff(cause));
      });
    });
  }

  /** Reads at most `length` bytes. */
  async #readStream(request: Request, length: number, client?: ClientKey): Promise<Bytes> {
    const { body } = request;
    if (body === null) return new Uint8Array();
    const release = this.#announced.hold(client, length);
    this.#announcedBytes += length;
    const pieces = piecesOf(body);
    let isLate = false;
    const reading = this.#begin(() => {
      isLate = true;
      // Resolves the pending read as if the body had ended.
      pieces.cancel();
    });
    const gathered = new GatheredBytes(length);
    try {
      for (let count = 1;; count++) {
        const piece = await pieces.next().catch((cause) => Promise.reject(brokenOff(cause)));
        if (isLate) throw this.#late();
        if (piece === undefined) return gathered.whole();
        if (gathered.length + piece.length > length) throw tooLarge(length);
        if (count > this.#bounds.pieces) {
          throw malformed(`it came in more than ${this.#bounds.pieces} pieces`);
        }
        gathered.add(piece);
        reading.received = gathered.length;
      }
    } catch (error) {
      pieces.cancel();
      throw error;
    } finally {
      this.#end(reading);
      this.#announcedBytes -= length;
      release();
    }
  }

  #late(): CountersignError {
    const { timeMs, graceMs, slowestRate } = this.#bounds;
    return malformed(
      `it came too slowly; send it within ${timeMs / 1000} s, and after ${graceMs / 1000} s ` +
        `at ${slowestRate} bytes/s or more`,
    );
  }
}

/** Joins the pieces of a body in one buffer. */
class GatheredBytes {
  readonly #limit: number;
  #buffer = new Uint8Array();
  #length = 0;

  /** At most `limit` bytes are added. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#buffer.length) {
      const capacity = Math.max(length, 2 * this.#buffer.length, FIRST_CAPACITY);
      const buffer = new Uint8Array(Math.min(capacity, this.#limit));
      buffer.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = buffer;
    }
    this.#buffer.set(piece, this.#length);
    this.#length = length;
  }

  whole(): Bytes {
    return this.#buffer.slice(0, this.#length);
  }
}

function brokenOff(cause: unknown): CountersignError {
  return malformed("the connection closed before the body ended", { cause });
}

function tooLarge(limit: number): CountersignError {
  return new CountersignError(
    "body_too_large",
    `Cannot read body: it is longer than ${limit} bytes`,
  );
}

/**
 * Bytes of the buffer. The runtime's default reader allocates 64 KiB even for one byte and keeps it
 * until the connection ends.
 */
const BUFFER_BYTES = 8_192;

interface BodyPieces {
  /** The next piece, valid until the next call; `undefined` at the end and after `cancel`. */
  next(): Promise<Uint8Array | undefined>;
  /** Stops reading and ends a pending `next`. */
  cancel(): void;
}

/** Reads `stream` to its end. */
function piecesOf(stream: ReadableStream<Uint8Array>): BodyPieces {
  const reader = byteReader(stream);
  // A body that the runtime has read already is not a byte stream and allocates nothing.
  return reader === undefined ? wholePieces(stream) : bufferedPieces(reader);
}

function byteReader(
  stream: ReadableStream<Uint8Array>,
): ReadableStreamBYOBReader | undefined {
  try {
    return stream.getReader({ mode: "byob" });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function bufferedPieces(reader: ReadableStreamBYOBReader): BodyPieces {
  let buffer: Bytes = new Uint8Array(BUFFER_BYTES);
  return {
    async next() {
      const { done, value } = await reader.read(buffer);
      if (done || value === undefined) return undefined;
      buffer = new Uint8Array(value.buffer);
      return value;
    },
    cancel: () => void reader.cancel().catch(ignore),
  };
}

function wholePieces(stream: ReadableStream<Uint8Array>): BodyPieces {
  const reader = stream.getReader();
  return {
    next: async () => (await reader.read()).value,
    cancel: () => void reader.cancel().catch(ignore),
  };
}

/** A stream that cannot be cancelled has ended or failed. */
function ignore(): void {}
