/**
 * A synthetic front: clients that submit one request after another through the link.
 *
 * @module
 */

import type { Follower } from "../src/gateway/fronts/ports.ts";
import { HASH_LENGTH } from "../src/base/bytes.ts";
import { DIGEST_WORDS } from "../src/gateway/index/keyed_hash.ts";
import { ThreadLink } from "../src/gateway/link/thread_link.ts";
import type { FrontEnd } from "../src/gateway/link/thread_link_ends.ts";

/** The work of a front. */
export interface LinkLoad {
  readonly end: FrontEnd;
  readonly clients: number;
  /** Digests of a request. */
  readonly digests: number;
  readonly milliseconds: number;
}

/** What a front did. */
export interface LinkResult {
  readonly requests: number;
  /** Median time of a request in milliseconds. */
  readonly medianMs: number;
}

async function joinedLink(end: FrontEnd): Promise<ThreadLink> {
  const follower = new Proxy({}, { get: () => () => {} }) as Follower;
  const link = new ThreadLink(end, follower);
  await link.joined;
  return link;
}

async function submit(link: ThreadLink, load: LinkLoad, times: number[]): Promise<void> {
  const end = performance.now() + load.milliseconds;
  const digests = crypto.getRandomValues(new Uint8Array(HASH_LENGTH * load.digests));
  const words = new Uint32Array(digests.buffer);
  for (let start = performance.now(); start < end;) {
    // Digests that were not submitted before.
    for (let i = 0; i < words.length; i += DIGEST_WORDS) words[i]!++;
    await link.assign({ digests, sealedRuns: 0 });
    const now = performance.now();
    times.push(now - start);
    start = now;
  }
}

self.onmessage = async ({ data: load }: MessageEvent<LinkLoad>) => {
  const link = await joinedLink(load.end);
  const times: number[] = [];
  await Promise.all(Array.from({ length: load.clients }, () => submit(link, load, times)));
  link.close();
  times.sort((a, b) => a - b);
  self.postMessage(
    { requests: times.length, medianMs: times[times.length >> 1]! } satisfies LinkResult,
  );
};
