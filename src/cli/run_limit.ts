/**
 * The bound of a run that waits for a gateway: `--timeout`, and SIGINT or SIGTERM.
 *
 * @module
 */

import { systemClock } from "../base/clock.ts";
import { GatewayRefusal } from "../proof/format/gateway_refusal.ts";
import { stopOnSignals } from "../server/stop_signal.ts";
import type { CommandContext } from "./command_context.ts";
import { count, optional } from "./options.ts";
import { RunEnded } from "./output.ts";

/** The exit code after SIGINT, as shells have it. */
const EXIT_INTERRUPTED = 130;

const DEFAULT_SECONDS = 120;
const LONGEST_SECONDS = 86_400;

export const timeoutOption = optional(
  "--timeout",
  count("SECONDS", 1, LONGEST_SECONDS),
  `Limit for the whole run (default: ${DEFAULT_SECONDS} for waiting, once files are hashed).`,
);

/** Runs `act` within `seconds` if given. Returns its exit code, or 130 after SIGINT or SIGTERM. */
export async function withRunLimit(
  context: CommandContext,
  seconds: number | undefined,
  act: (limit: RunLimit) => Promise<number>,
): Promise<number> {
  using limit = new RunLimit(context, seconds);
  try {
    const code = await act(limit);
    return limit.interrupted ? EXIT_INTERRUPTED : code;
  } catch (error) {
    if (!limit.interrupted || !(error instanceof RunEnded)) throw error;
    context.output.failure(error);
    return EXIT_INTERRUPTED;
  }
}

export class RunLimit implements Disposable {
  readonly #context: CommandContext;
  readonly #stop = stopOnSignals();
  readonly #controller = new AbortController();
  readonly #disposed = new AbortController();
  /** Rejects with the signal's reason: one promise for all waits, since each listener would stay. */
  readonly #over: Promise<never>;
  readonly #seconds: number | undefined;
  readonly #startMs: number;
  #interrupted = false;

  /** `seconds` limits the run from now on; `undefined` only from {@linkcode startWaiting} on. */
  constructor(context: CommandContext, seconds: number | undefined) {
    this.#context = context;
    this.#seconds = seconds;
    this.#startMs = context.process.clock.nowMs();
    // Node 20 has no `Promise.withResolvers`.
    this.#over = new Promise((_, reject) => {
      this.signal.addEventListener("abort", () => reject(this.signal.reason));
    });
    this.#over.catch(() => {});
    context.endRequestsWith(this.signal);
    this.#stop.signal.addEventListener("abort", () => {
      this.#interrupted = true;
      this.#end("it was interrupted");
    });
    if (seconds !== undefined) this.#endAfter(seconds);
  }

  /** Aborts with a {@linkcode RunEnded}. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True after SIGINT or SIGTERM. */
  get interrupted(): boolean {
    return this.#interrupted;
  }

  /** Starts the default limit. Returns the seconds left. */
  startWaiting(): number {
    if (this.#seconds === undefined) {
      this.#endAfter(DEFAULT_SECONDS);
      return DEFAULT_SECONDS;
    }
    const passed = (this.#context.process.clock.nowMs() - this.#startMs) / 1000;
    return Math.max(0, this.#seconds - passed);
  }

  /** `work`, or the signal's reason once it aborts: reading a pipe may never end. */
  async during<T>(work: Promise<T>): Promise<T> {
    return await Promise.race([work, this.#over]);
  }

  [Symbol.dispose](): void {
    this.#disposed.abort();
    this.#stop[Symbol.dispose]();
  }

  #endAfter(seconds: number): void {
    void systemClock.sleep(seconds * 1000, this.#disposed.signal).then(() => {
      if (!this.#disposed.signal.aborted) this.#end(`${seconds} s have passed (--timeout)`);
    });
  }

  #end(reason: string): void {
    const { lastRefusal } = this.#context;
    const cause = lastRefusal instanceof GatewayRefusal ? `${lastRefusal.message}. ` : "";
    const ended = new RunEnded(
      "interrupted",
      `${cause}Cannot finish: ${reason}; run the same command again to continue`,
    );
    this.#controller.abort(ended);
  }
}
