/**
 * Schedules requests: in a closed loop after the last answer, in an open loop at due times.
 *
 * @module
 */

import type { LoadConnection } from "./load_connection.ts";
import type { Turns } from "./turns.ts";

/** Successive rates of an open loop in requests per second; the last one stays. */
export type Rates = readonly { readonly rate: number; readonly ms: number }[];

/** Milliseconds that a connection pauses after a refusal without a time. */
const DEFAULT_PAUSE_MS = 1_000;

/** Schedules the requests of a run's connections. Times are those of `performance.now()`. */
export interface Pacing {
  /** Requests that are due and unsent. */
  readonly waiting: number;
  /** Requests dropped because too many were waiting. */
  readonly dropped: number;
  /**
   * True if all requests that will ever be due were scheduled, even after a stall beyond the end.
   */
  readonly isOver: boolean;
  /** Begins; nothing is due at `endMs` or after it. */
  start(connections: readonly LoadConnection[], turns: Turns, endMs: number): void;
  /** `connection` has its answer; a refusal may have the milliseconds to pause. */
  answered(
    connection: LoadConnection,
    nowMs: number,
    refusal?: { readonly pauseMs?: number },
  ): void;
}

/** Each connection has one request in flight, and pauses as the pacing requires. */
export class ClosedLoop implements Pacing {
  readonly waiting = 0;
  readonly dropped = 0;
  readonly isOver = true;
  #turns: Turns | undefined;
  #endMs = 0;

  start(connections: readonly LoadConnection[], turns: Turns, endMs: number): void {
    this.#turns = turns;
    this.#endMs = endMs;
    for (const connection of connections) this.#send(connection, performance.now());
  }

  answered(
    connection: LoadConnection,
    nowMs: number,
    refusal?: { readonly pauseMs?: number },
  ): void {
    if (refusal === undefined) return this.#send(connection, nowMs);
    const againMs = nowMs + (refusal.pauseMs ?? DEFAULT_PAUSE_MS);
    this.#turns?.at(againMs, () => this.#send(connection, performance.now()));
  }

  #send(connection: LoadConnection, nowMs: number): void {
    if (nowMs < this.#endMs) connection.send(nowMs, nowMs);
  }
}

/**
 * Requests are due at fixed times. A request without a free connection waits, and the wait counts.
 */
export class OpenLoop implements Pacing {
  readonly #rates: Rates;
  readonly #isPoisson: boolean;
  /** When each waiting request was due, in a ring. */
  readonly #backlog: Float64Array;
  #first = 0;
  #waiting = 0;
  #dropped = 0;
  #isOver = false;
  readonly #free: LoadConnection[] = [];
  #turns: Turns | undefined;
  #startMs = 0;
  #endMs = 0;

  /** `backlog` is the maximum number of waiting requests. */
  constructor(
    options: {
      readonly rates: Rates;
      readonly backlog: number;
      readonly arrivals: "poisson" | "fixed";
    },
  ) {
    this.#rates = options.rates;
    this.#isPoisson = options.arrivals === "poisson";
    this.#backlog = new Float64Array(options.backlog);
  }

  get waiting(): number {
    return this.#waiting;
  }

  get dropped(): number {
    return this.#dropped;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  start(connections: readonly LoadConnection[], turns: Turns, endMs: number): void {
    this.#turns = turns;
    this.#endMs = endMs;
    this.#free.push(...connections);
    this.#startMs = performance.now();
    this.#arrive(this.#startMs + this.#gap(this.#startMs));
  }

  answered(connection: LoadConnection, nowMs: number): void {
    if (this.#waiting === 0) {
      this.#free.push(connection);
      return;
    }
    const dueMs = this.#backlog[this.#first]!;
    this.#first = (this.#first + 1) % this.#backlog.length;
    this.#waiting--;
    connection.send(dueMs, nowMs);
  }

  /** Schedules all due requests, the first at `dueMs`, and the next call. */
  #arrive(dueMs: number): void {
    const nowMs = performance.now();
    let nextMs = dueMs;
    for (; nextMs <= nowMs && nextMs < this.#endMs; nextMs += this.#gap(nextMs)) {
      this.#due(nextMs, nowMs);
    }
    this.#isOver = nextMs >= this.#endMs;
    if (!this.#isOver) this.#turns!.at(nextMs, () => this.#arrive(nextMs));
  }

  #due(dueMs: number, nowMs: number): void {
    const connection = this.#free.pop();
    if (connection !== undefined) connection.send(dueMs, nowMs);
    else if (this.#waiting === this.#backlog.length) this.#dropped++;
    else this.#backlog[(this.#first + this.#waiting++) % this.#backlog.length] = dueMs;
  }

  /** Exponential gaps make a Poisson process with independent arrivals. */
  #gap(fromMs: number): number {
    const gapMs = 1000 / this.#rateAt(fromMs - this.#startMs);
    return this.#isPoisson ? -Math.log(1 - Math.random()) * gapMs : gapMs;
  }

  #rateAt(sinceMs: number): number {
    let untilMs = 0;
    for (const { rate, ms } of this.#rates) {
      untilMs += ms;
      if (sinceMs < untilMs) return rate;
    }
    return this.#rates.at(-1)!.rate;
  }
}
