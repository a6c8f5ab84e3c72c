/**
 * Fills a log with real signed rounds, in this process.
 *
 * @module
 */

import { systemClock } from "../src/clock.ts";
import { randomDigests } from "./digests.ts";
import { startTrial } from "./trial_gateway.ts";

const CHUNK = 8_192;
/** Chunks on their way to disk at once; a gateway holds 16. */
const CHUNKS_IN_FLIGHT = 4;
/** Digests that may wait for their signatures before more are added. */
const MAX_UNSIGNED = 65_536;
/** Heads as a busy gateway has them. */
const POLICY = { maxAgeMs: 1_000, maxLeaves: 16_384 };

/** What filling took. */
export interface Filling {
  readonly added: number;
  /** Leaves a second. */
  readonly rate: number;
  readonly residentBytes: number;
}

/**
 * Adds random digests to the log in `folder` until it has `size` leaves, all of them under a
 * published head. `watch` is told how many there are.
 */
export async function fill(
  folder: string,
  size: number,
  watch: (leaves: number) => void = () => {},
): Promise<Filling> {
  const trial = await startTrial(folder, POLICY);
  const { gateway } = trial;
  const before = (await gateway.latestSth())?.tree_head.tree_size ?? 0;
  let next = before;
  const start = performance.now();
  const lane = async () => {
    while (next < size) {
      const first = next;
      next = Math.min(size, first + CHUNK);
      await gateway.submit(randomDigests(next - first));
      watch(next);
      while (gateway.status().pending_count > MAX_UNSIGNED) await systemClock.sleep(1);
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

/** Leaves under the last published head of the log in `folder`. */
export async function leavesIn(folder: string): Promise<number> {
  const trial = await startTrial(folder, POLICY);
  const sth = await trial.gateway.latestSth();
  await trial.stop();
  return sth?.tree_head.tree_size ?? 0;
}
