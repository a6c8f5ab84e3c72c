/**
 * Fills a log with real signed rounds, in this process.
 *
 * @module
 */

import process from "node:process";
import type { Bytes } from "../src/base/bytes.ts";
import { systemClock } from "../src/base/clock.ts";
import { hasCode } from "../src/base/errors.ts";
import type { Gateway } from "../src/gateway/gateway.ts";
import { randomDigests } from "./digests.ts";
import { startTrial } from "./trial_gateway.ts";

const CHUNK = 8_192;
/** Concurrent chunks on their way to disk; a gateway has 16. */
const CHUNKS_IN_FLIGHT = 4;
/** Maximum number of unsigned digests before more are added. */
const MAX_UNSIGNED = 65_536;
/** A round takes some milliseconds. */
const MAX_ROUND_SECONDS = 60;
/** The batch limits of a busy gateway. */
const POLICY = { maxAgeMs: 1_000, maxLeaves: 16_384 };

/** The target, the observer, and the signal to stop early. */
export interface FillOptions {
  /** Makes `count` packed digests from sequence `first` on; random ones without it. */
  readonly digests?: (count: number, first: number) => Bytes;
  readonly watch?: (leaves: number) => void;
  readonly signal?: AbortSignal;
  /** Puts each digest into its own round: submits it once the one before is confirmed. */
  readonly lone?: boolean;
}

/** The cost of filling. */
export interface Filling {
  readonly added: number;
  /** Leaves a second. */
  readonly rate: number;
  /** Microseconds of all threads for a leaf. */
  readonly cpuUs: number;
  readonly residentBytes: number;
}

/**
 * Adds digests to the log in `folder` until it has `size` leaves, all of them under a published
 * head. Calls `watch` with the number of leaves; rejects when `signal` aborts.
 */
export async function fill(
  folder: string,
  size: number,
  options: FillOptions = {},
): Promise<Filling> {
  const trial = await startTrial(folder, POLICY);
  try {
    const start = performance.now();
    const startCpu = process.cpuUsage();
    const added = await addLeaves(trial.gateway, size, options);
    const rate = added * 1000 / (performance.now() - start);
    const { user, system } = process.cpuUsage(startCpu);
    const cpuUs = (user + system) / added;
    return { added, rate, cpuUs, residentBytes: Deno.memoryUsage().rss };
  } finally {
    await trial.stop();
  }
}

/** Returns the number of added digests. */
async function addLeaves(
  gateway: Gateway,
  size: number,
  { digests = randomDigests, watch, signal, lone = false }: FillOptions,
): Promise<number> {
  if (await publishedLeaves(gateway) >= size) return 0;
  // Its sequence is the number of digests accepted before it, published or not.
  const [before] = await gateway.jobs.accept(randomDigests(1));
  let next = before! + 1;
  const chunk = lone ? 1 : CHUNK;
  const lane = async () => {
    while (next < size) {
      const first = next;
      next = Math.min(size, first + chunk);
      const sequences = await submit(gateway, digests(next - first, first));
      if (lone) await gateway.jobs.settled(sequences, MAX_ROUND_SECONDS);
      watch?.(next);
      signal?.throwIfAborted();
      while (gateway.status.resource().pending_count > MAX_UNSIGNED) await systemClock.sleep(1);
    }
  };
  await Promise.all(Array.from({ length: lone ? 1 : CHUNKS_IN_FLIGHT }, lane));
  while (await publishedLeaves(gateway) < size) await systemClock.sleep(1);
  return next - before!;
}

/** Retries while the backlog is full. */
async function submit(gateway: Gateway, digests: Bytes): Promise<readonly number[]> {
  for (;;) {
    try {
      return await gateway.jobs.accept(digests);
    } catch (error) {
      if (!hasCode(error, "overloaded")) throw error;
      await systemClock.sleep(5);
    }
  }
}

/** Leaves under the last published head of the log in `folder`. */
export async function leavesIn(folder: string): Promise<number> {
  const trial = await startTrial(folder, POLICY);
  try {
    return await publishedLeaves(trial.gateway);
  } finally {
    await trial.stop();
  }
}

function publishedLeaves(gateway: Gateway): number {
  return gateway.log.latest()?.sth.tree_head.tree_size ?? 0;
}
