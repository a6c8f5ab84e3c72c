/**
 * Reads bodies of requests whole, within bounds of size, time, rate and pieces, and of what all
 * unfinished bodies announce. Refuses clients that send slowly, in tiny pieces or too many bodies;
 * others are not kept waiting.
 *
 * @module
 */

import type { ClientKey } from "../admission/token_buckets.ts";
import type { Bytes } from "../bytes.ts";
import { type Clock, systemClock } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import { type AnnouncedBounds, AnnouncedBytes } from "./announced_bytes.ts";
import { piecesOf } from "./body_pieces.ts";
import { BODY_BOUNDS } from "./limits.ts";

/** What bodies may cost. */
export interface BodyBounds extends AnnouncedBounds {
  /** Milliseconds from the head of a request to the end of its body. */
  readonly timeMs: number;
  /** Milliseconds before `slowestRate` applies. A body of at most `SMALL_BYTES` ends by then. */
  readonly graceMs: number;
  /** Bytes that must have arrived for each second after the grace. */
  readonly slowestRate: number;
  /** Pieces in which a body may come: each costs an object and a turn, were it one byte. */
  readonly pieces: number;
}

/**
 * A body that announces no more is read by one call, the fastest way there is. Such bodies are not
 * counted: requests in flight bound their number.
 */
const SMALL_BYTES = 4_096;
const FIRST_CAPACITY = 16_384;
const DIGITS = /^[0-9]+$/;

/** Milliseconds between two looks above which this process counts as stopped in between. */
const STOPPED_MS = 2_000;

/** A body that has begun and not ended. */
interface Reading {
  readonly startMs: number;
  received: number;
  readonly expire: () => void;
}

/** Reads bodies. One for a process, since they share its memory. */
export class BodyReader {
  readonly #clock: Clock;
  readonly #bounds: BodyBounds;
  readonly #readings = new Set<Reading>();
  readonly #announced: AnnouncedBytes;
  #lastLookMs: number;
  /** Time that does not count against clients: this process did not run. */
  #stoppedMs = 0;

  constructor(bounds: BodyBounds = BODY_BOUNDS, clock: Clock = systemClock) {
    this.#bounds = bounds;
    this.#clock = clock;
    this.#announced = new AnnouncedBytes(bounds);
    this.#lastLookMs = clock.nowMs();
  }

  /** Bytes that unfinished bodies announce. A body without a length counts as its limit. */
  get announcedBytes(): number {
    return this.#announced.all;
  }

  /**
   * The whole body. `body_too_large` above `limit` bytes, of which no more than `limit` and one
   * piece were read; `malformed_request` when the client broke off, was late or slow, or sent
   * crumbs. Before anything is read, `rate_limited` when `client` announces too much in all its
   * unfinished bodies, `overloaded` when all clients together do.
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
   * The text of a body that announces few bytes, as the Fetch standard decodes it: `malformed_request`
   * when the client broke off or was late.
   */
  readSmallText(request: Request): Promise<string> {
    return this.#readAtOnce(() => request.text());
  }

  /**
   * Refuses bodies that are late or slow. The owner of the process's listener calls it each second.
   */
  expire(): void {
    const now = this.#clock.nowMs();
    const sinceLookMs = now - this.#lastLookMs;
    this.#lastLookMs = now;
    // What arrived while the process was stopped is not read yet.
    if (sinceLookMs > STOPPED_MS) this.#stoppedMs += sinceLookMs;
    for (const reading of this.#readings) {
      if (!this.#isLate(reading, now - this.#stoppedMs - reading.startMs)) continue;
      this.#readings.delete(reading);
      reading.expire();
    }
  }

  #isLate({ received }: Reading, elapsedMs: number): boolean {
    const { timeMs, graceMs, slowestRate } = this.#bounds;
    return elapsedMs > timeMs || received < (elapsedMs - graceMs) * slowestRate / 1000;
  }

  #begin(expire: () => void): Reading {
    const startMs = this.#clock.nowMs() - this.#stoppedMs;
    const reading = { startMs, received: 0, expire };
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

  /** Reads at most `length` bytes. */
  async #readStream(request: Request, length: number, client?: ClientKey): Promise<Bytes> {
    const { body } = request;
    if (body === null) return new Uint8Array();
    const release = this.#announced.reserve(length, client);
    const pieces = piecesOf(body);
    let isLate = false;
    const reading = this.#begin(() => {
      isLate = true;
      // Resolves the read that is under way; the end that it finds is none.
      pieces.cancel();
    });
    const gathered = new GatheredBytes(length);
    try {
      for (let count = 1;; count++) {
        const piece = await pieces.next().catch((cause) => Promise.reject(brokenOff(cause)));
        if (isLate) throw this.#late();
        if (piece === undefined) return gathered.whole();
        if (gathered.length + piece.length > length) throw tooLarge(length);
        if (count > this.#bounds.pieces) throw inCrumbs(this.#bounds.pieces);
        gathered.add(piece);
        reading.received = gathered.length;
      }
    } catch (error) {
      pieces.cancel();
      throw error;
    } finally {
      this.#readings.delete(reading);
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

/** Bytes in the order in which they come, in one buffer, whatever pieces they come in. */
class GatheredBytes {
  readonly #limit: number;
  #buffer = new Uint8Array();
  #length = 0;

  /** `limit` bytes at most will come. */
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

function inCrumbs(pieces: number): CountersignError {
  return malformed(`it came in more than ${pieces} pieces`);
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
