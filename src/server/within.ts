/**
 * Time limits.
 *
 * @module
 */

import { systemClock } from "../clock.ts";

/** Settles as `work` does; resolves after `ms` milliseconds at the latest. */
export async function within(ms: number, work: Promise<void>): Promise<void> {
  const done = new AbortController();
  await Promise.race([
    work.finally(() => done.abort()),
    systemClock.sleep(ms, done.signal),
  ]);
}
