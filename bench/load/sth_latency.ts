/**
 * Time from a POST until a signed tree head covers its attestation.
 *
 * @module
 */

import { systemClock } from "../../src/base/clock.ts";
import { randomDigests } from "../digests.ts";
import type { Asker } from "./asker.ts";
import { Histogram } from "./histogram.ts";
import { WAIT_SECONDS } from "./request_bytes.ts";
import { type Quantiles, quantilesOf } from "./row.ts";

/** Milliseconds between two requests for the latest head. */
const POLL_MS = 5;
/** POSTs per second: many in each batch, spread over its time. */
const RATE = 40;
/** Maximum milliseconds until a head covers the last POST. */
const LAST_MS = 30_000;

/** The results. */
export interface SthLatency {
  readonly posts: number;
  /** From sending a POST until `/v1/log/sth` covers its sequence. */
  readonly coveredMs: Quantiles;
  /** From sending a POST until it is answered with its signatures. */
  readonly confirmedMs: Quantiles;
}

interface Post {
  readonly sentMs: number;
  readonly sequence: number;
}

/** Posts for `seconds`, and polls the head over other connections. */
export async function measureSthLatency(
  asker: Asker,
  seconds: number,
  signal: AbortSignal,
): Promise<SthLatency> {
  const covered = new Histogram();
  const confirmed = new Histogram();
  const uncovered = new Set<Post>();
  const post = async () => {
    const sentMs = performance.now();
    const sequence = await asker.submit(randomDigests(1).toHex(), WAIT_SECONDS);
    confirmed.record(performance.now() - sentMs);
    uncovered.add({ sentMs, sequence });
  };
  const posts: Promise<void>[] = [];
  const endMs = performance.now() + seconds * 1000;
  const posting = (async () => {
    while (performance.now() < endMs && !signal.aborted) {
      posts.push(post());
      await systemClock.sleep(2 * Math.random() * 1000 / RATE);
    }
    await Promise.all(posts);
  })();
  let isPosting = true;
  void posting.finally(() => isPosting = false).catch(() => {});
  while ((isPosting || uncovered.size > 0) && performance.now() < endMs + LAST_MS) {
    const size = await asker.treeSize();
    const nowMs = performance.now();
    for (const each of uncovered) {
      if (each.sequence >= size) continue;
      covered.record(nowMs - each.sentMs);
      uncovered.delete(each);
    }
    await systemClock.sleep(POLL_MS);
  }
  await posting;
  return {
    posts: posts.length,
    coveredMs: quantilesOf(covered),
    confirmedMs: quantilesOf(confirmed),
  };
}
