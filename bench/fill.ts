/**
 * Fills a log with real signed rounds, in this process.
 *
 * @module
 */

import { systemClock } from "../src/clock.ts";
import { numberedDigests } from "./digests.ts";
import { startTrial } from "./trial_gateway.ts";

const CHUNK = 4_096;
/** Chunks on their way at once: the committer and the signer are both kept busy. */
const CHUNKS_IN_FLIGHT = 8;
const WAIT_SECONDS = 30;

/** What filling took. */
export interface Filling {
  readonly added: number;
  /** Leaves a second. */
  readonly rate: number;
  readonly residentBytes: number;
}

/**
 * Adds digests to the log in `folder` until it has `size` leaves, all of them under a published
 * head. `watch` is told how many there are.
 */
export async function fill(
  folder: string,
  size: number,
  watch: (leaves: number) => void = () => {},
): Promise<Filling> {
  const trial = await startTrial(folder, { maxAgeMs: 1_000, maxLeaves: 16_384 });
  const { gateway } = trial;
  const before = (await gateway.latestSth())?.tree_head.tree_size ?? 0;
  let next = before;
  const start = performance.now();
  const lane = async () => {
    while (next < size) {
      const first = next;
      next = Math.min(size, first + CHUNK);
      const sequences = await gateway.submit(numberedDigests(first, next));
      await gateway.settled(sequences, WAIT_SECONDS);
      watch(next);
    }
  };
  await Promise.all(Array.from({ length: CHUNKS_IN_FLIGHT }, lane));
  while (size > before && await gateway.sthAt(size) === undefined) await systemClock.sleep(1);
  const added = Math.max(0, size - before);
  const rate = added * 1000 / (performance.now() - start);
  const { rss } = Deno.memoryUsage();
  await trial.stop();
  return { added, rate, residentBytes: rss };
}
