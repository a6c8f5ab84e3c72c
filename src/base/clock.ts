/**
 * Time as an injected value: no code outside this file reads the machine's clock or sets a timer.
 *
 * @module
 */

/** Wall-clock time, elapsed time and waiting. Tests supply their own. */
export interface Clock {
  /** Milliseconds since the Unix epoch. Steps when the clock is set, so no duration is measured by it. */
  nowMs(): number;
  /** Milliseconds since some moment, whatever is done to the clock: the difference of two is a duration. */
  elapsedMs(): number;
  /** Resolves after `ms` milliseconds, or at once when `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Whole Unix seconds of `clock`, the unit of every time in a signed text or JSON. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.nowMs() / 1000);
}

/** Aborts a sleep that need not go on. An `abort()` without a reason records a stack trace each time. */
export const SLEEP_OVER = "the sleep is over";

/** The clock of the machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const finish = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", finish);
        resolve();
      };
      const timer = setTimeout(finish, ms);
      signal?.addEventListener("abort", finish, { once: true });
    });
  },
};

/** Resolves when `signal` aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Calls `run` with a signal that aborts after `ms` milliseconds, when `signal` aborts or `run` has ended. */
export async function withTimeLimit<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  run: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const limit = new AbortController();
  const abort = () => limit.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort);
  void clock.sleep(ms, ended.signal).then(() => limit.abort());
  try {
    return await run(limit.signal);
  } finally {
    signal.removeEventListener("abort", abort);
    ended.abort(SLEEP_OVER);
  }
}

/** A signal that aborts with the first of `signals`. Firefox before 124 has no `AbortSignal.any`. */
export function anySignal(...signals: readonly AbortSignal[]): AbortSignal {
  const first = new AbortController();
  for (const signal of signals) {
    const abort = () => first.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true, signal: first.signal });
  }
  return first.signal;
}
