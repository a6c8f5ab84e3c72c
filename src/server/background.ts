/**
 * Work in the background, and time limits for its end.
 *
 * @module
 */

import { systemClock } from "../base/clock.ts";

/** Runs `work` until `opened` is disposed, which waits for its end, `ms` milliseconds at most. */
export function runInBackground(
  opened: AsyncDisposableStack,
  ms: number,
  work: (signal: AbortSignal) => Promise<void>,
): void {
  const stop = new AbortController();
  const running = work(stop.signal);
  opened.defer(() => {
    stop.abort();
    return within(ms, running);
  });
}

/** Settles as `work` does; resolves after `ms` milliseconds at the latest. */
export async function within(ms: number, work: Promise<void>): Promise<void> {
  const done = new AbortController();
  await Promise.race([
    work.finally(() => done.abort()),
    systemClock.sleep(ms, done.signal),
  ]);
}
