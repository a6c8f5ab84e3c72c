/**
 * A closed loop: so many connections, each with one request in flight for so many seconds.
 *
 * @module
 */

import { systemClock } from "../src/clock.ts";
import { textOf } from "../src/bytes.ts";
import { HttpConnection } from "./http_connection.ts";

/** Seconds before times are taken: engines and caches on both sides warm up. */
const WARM_UP_SECONDS = 0.5;
/** Every so many answers one is kept, up to a number of them. */
const SAMPLE_EVERY = 101;
const MAX_SAMPLES = 20;

/** What one run showed. */
export interface LoadResult {
  /** Answers with status 200 or 202 in a second. */
  readonly rate: number;
  /** How many of those there were, the time of warming up included. */
  readonly answers: number;
  /** Milliseconds from request to answer, of each after warming up. */
  readonly times: readonly number[];
  /** Answers with status 429 or 503, after which the connection paused as it was told. */
  readonly refused: number;
  /** Mean length of a body in bytes. */
  readonly bodyLength: number;
  /** Some of the bodies. */
  readonly samples: readonly string[];
}

/** Counts what happens from `startMs` to `endMs`. */
class Tally {
  readonly times: number[] = [];
  readonly samples: string[] = [];
  answers = 0;
  refused = 0;
  bytes = 0;
  readonly #startMs: number;
  readonly #endMs: number;

  constructor(startMs: number, endMs: number) {
    this.#startMs = startMs;
    this.#endMs = endMs;
  }

  answered(sentMs: number, nowMs: number, body: Uint8Array): void {
    this.answers++;
    if (nowMs < this.#startMs || nowMs > this.#endMs) return;
    this.times.push(nowMs - sentMs);
    this.bytes += body.length;
    if (this.times.length % SAMPLE_EVERY === 1 && this.samples.length < MAX_SAMPLES) {
      this.samples.push(textOf(body));
    }
  }
}

/** Puts `next()` to the server at `address`, again and again. Any other status ends the run. */
export async function runLoad(
  address: Deno.NetAddr,
  load: { readonly connections: number; readonly seconds: number },
  next: () => Uint8Array,
): Promise<LoadResult> {
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () => HttpConnection.open(address)),
  );
  const startMs = performance.now() + WARM_UP_SECONDS * 1000;
  const endMs = startMs + load.seconds * 1000;
  const tally = new Tally(startMs, endMs);
  try {
    await Promise.all(connections.map((connection) => loop(connection, endMs, next, tally)));
  } finally {
    for (const connection of connections) connection.close();
  }
  const { answers, times, refused, bytes, samples } = tally;
  return {
    rate: times.length / load.seconds,
    answers,
    times,
    refused,
    bodyLength: Math.round(bytes / times.length) || 0,
    samples,
  };
}

async function loop(
  connection: HttpConnection,
  endMs: number,
  next: () => Uint8Array,
  tally: Tally,
): Promise<void> {
  for (let sentMs = performance.now(); sentMs < endMs; sentMs = performance.now()) {
    const { status, body, retryAfter } = await connection.exchange(next());
    if (status === 200 || status === 202) {
      tally.answered(sentMs, performance.now(), body);
    } else if (status === 429 || status === 503) {
      tally.refused++;
      const leftMs = Math.max(0, endMs - performance.now());
      await systemClock.sleep(Math.min(1000 * (retryAfter ?? 1), leftMs));
    } else throw new Error(`Cannot go on: status 200 required, found ${status}, ${textOf(body)}`);
  }
}
