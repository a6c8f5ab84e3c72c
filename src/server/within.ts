/**
 * Work that may take so long and no longer.
 *
 * @module
 */

import { systemClock } from "../clock.ts";

/** Resolves when `work` has ended, or after `ms` milliseconds. Rejects as `work` does. */
export async function within(ms: number, work: Promise<void>): Promise<void> {
  const done = new AbortController();
  await Promise.race([
    work.finally(() => done.abort()),
    systemClock.sleep(ms, done.signal),
  ]);
}
