/**
 * Runs one scenario against a server, in a closed or an open loop.
 *
 * In a *closed* loop each connection sends its next request after the last answer: it measures the
 * maximum rate, and its latencies are service times, which omit the effect of a stall on requests
 * that were not sent meanwhile. In an *open* loop requests are due at fixed times, and a latency
 * counts from the due time. So a stall counts in every request that it delays: latencies are
 * corrected for coordinated omission.
 *
 * @module
 */

import type { Answer } from "./answer_reader.ts";
import { LoadConnection, type RequestOwner } from "./load_connection.ts";
import { ClosedLoop, OpenLoop, type Pacing, type Rates } from "./pacing.ts";
import { cpuMsOf, differenceOf } from "./process_usage.ts";
import type { Scenario } from "./scenario.ts";
import type { Endpoint } from "./sockets.ts";
import { type Fate, Tally } from "./tally.ts";
import { Turns } from "./turns.ts";

/**
 * Milliseconds for requests in flight at the end, in addition to the time that an answer may be
 * held.
 */
const LAST_ANSWERS_MS = 15_000;

/** The amount and duration of load. */
export interface Load {
  readonly connections: number;
  /** Warm-up of engines and caches on both sides, before the measurement. */
  readonly warmUpMs: number;
  readonly measuredMs: number;
  /** Rates of an open loop; absent for a closed one. */
  readonly rates?: Rates;
  readonly arrivals: "poisson" | "fixed";
  /** Maximum number of due and unsent requests in an open loop; more are dropped and counted. */
  readonly backlog: number;
  /** Number of answers kept for verification. */
  readonly checks: number;
  /** Ends the run early; results until then count. */
  readonly signal?: AbortSignal;
  readonly observer?: RunObserver;
}

/** Observes a run. Times are those of `performance.now()`. */
export interface RunObserver {
  /** Milliseconds between two observations. */
  readonly everyMs: number;
  started?(nowMs: number): void;
  /** `waiting` requests are due and unsent, `dropped` were so far. */
  look(tally: Tally, nowMs: number, waiting: number, dropped: number): void;
  answered?(fate: Fate, dueMs: number, nowMs: number): void;
}

/** The results of one run. */
export interface LoadResult {
  readonly tally: Tally;
  /** Seconds of the window, as long as the run lasted. */
  readonly seconds: number;
  /** Requests that were due and found the backlog full. */
  readonly dropped: number;
  /** Requests without an answer at the regular end of the run. */
  readonly unanswered: number;
  /** Usage of this process over the whole run; `undefined` if unknown. */
  readonly generatorCpuMs: number | undefined;
}

/** Runs `load` of `scenario` on the server at `endpoint`. */
export async function runLoad(
  endpoint: Endpoint,
  scenario: Scenario,
  load: Load,
): Promise<LoadResult> {
  const run = new Run(load);
  try {
    await run.open(endpoint, scenario);
    return await run.run();
  } finally {
    run.close();
  }
}

class Run implements RequestOwner {
  readonly #turns = new Turns();
  readonly #connections: LoadConnection[] = [];
  readonly #load: Load;
  readonly #pacing: Pacing;
  #tally = new Tally(0, 0, 0);
  #inFlight = 0;
  #broken = 0;

  constructor(load: Load) {
    this.#load = load;
    const { rates } = load;
    this.#pacing = rates === undefined ? new ClosedLoop() : new OpenLoop({ ...load, rates });
  }

  async open(endpoint: Endpoint, scenario: Scenario): Promise<void> {
    for (let i = 0; i < this.#load.connections; i++) {
      const client = scenario.client();
      this.#connections.push(await LoadConnection.open(endpoint, client, this));
    }
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  async run(): Promise<LoadResult> {
    const cpuBefore = cpuMsOf(Deno.pid);
    const startMs = performance.now() + this.#load.warmUpMs;
    const tally = new Tally(startMs, startMs + this.#load.measuredMs, this.#load.checks);
    this.#tally = tally;
    this.#load.observer?.started?.(performance.now());
    this.#pacing.start(this.#connections, this.#turns, tally.endMs);
    this.#watch();
    await this.#turns.run(() => this.#isDone());
    const endMs = Math.min(performance.now(), tally.endMs);
    const cpuAfter = cpuMsOf(Deno.pid);
    return {
      tally,
      seconds: Math.max(0, endMs - tally.startMs) / 1000,
      dropped: this.#pacing.dropped,
      unanswered: this.#load.signal?.aborted ? 0 : this.#inFlight + this.#pacing.waiting,
      generatorCpuMs: differenceOf(cpuBefore, cpuAfter),
    };
  }

  sent(): void {
    this.#inFlight++;
  }

  answered(connection: LoadConnection, answer: Answer): void {
    const nowMs = performance.now();
    this.#inFlight--;
    const { dueMs, sentMs, client } = connection;
    // In a closed loop the answers in the window count; in an open loop all requests due in the
    // window count, even with late answers.
    const countedMs = this.#load.rates === undefined ? nowMs : dueMs;
    const fate = this.#tally.answered(client, answer, { dueMs, sentMs, nowMs, countedMs });
    this.#load.observer?.answered?.(fate, dueMs, nowMs);
    if (fate !== "refused") return this.#pacing.answered(connection, nowMs);
    const { retryAfter } = answer;
    const refusal = retryAfter === undefined ? {} : { pauseMs: 1000 * retryAfter };
    this.#pacing.answered(connection, nowMs, refusal);
  }

  broken(connection: LoadConnection, what: string): void {
    this.#broken++;
    if (connection.isBusy) this.#inFlight--;
    if (this.#load.signal?.aborted !== true) this.#tally.failed(what);
  }

  #isDone(): boolean {
    if (this.#load.signal?.aborted || this.#broken === this.#connections.length) return true;
    const nowMs = performance.now();
    if (nowMs < this.#tally.endMs) return false;
    const { waiting, isOver } = this.#pacing;
    const isIdle = this.#inFlight === 0 && waiting === 0 && isOver;
    return isIdle || nowMs > this.#tally.endMs + LAST_ANSWERS_MS;
  }

  #watch(): void {
    const { observer } = this.#load;
    if (observer === undefined) return;
    const look = () => {
      const nowMs = performance.now();
      observer.look(this.#tally, nowMs, this.#pacing.waiting, this.#pacing.dropped);
      this.#turns.at(nowMs + observer.everyMs, look);
    };
    this.#turns.at(performance.now() + observer.everyMs, look);
  }
}
