/**
 * A synthetic front: clients that submit one request after another through the link.
 *
 * @module
 */

import { systemClock } from "../src/clock.ts";
import type { Follower, SequencerLink } from "../src/gateway/fronts/ports.ts";
import { HASH_LENGTH } from "../src/bytes.ts";
import { DIGEST_WORDS } from "../src/gateway/index/keyed_hash.ts";
import { connectFront } from "../src/transport/front_connection.ts";
import { SocketLink } from "../src/transport/socket_link.ts";
import { ThreadLink } from "../src/transport/thread_link.ts";
import type { FrontEnd } from "../src/transport/thread_link_ends.ts";

/** The work of a front. */
export interface LinkLoad {
  /** Of a link between threads, or the URL of a sequencer. */
  readonly end: FrontEnd | string;
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

type ClosableLink = Pick<SequencerLink, "assign"> & { close(): void };

async function joinedLink(end: LinkLoad["end"]): Promise<ClosableLink> {
  const joined = Promise.withResolvers<void>();
  const follower = new Proxy({}, {
    get: (_, method) => method === "joined" ? () => joined.resolve() : () => {},
  }) as Follower;
  if (typeof end !== "string") {
    const link = new ThreadLink(end, follower);
    await link.joined;
    return link;
  }
  const link = new SocketLink({
    follower,
    clock: systemClock,
    elapsedMs: () => performance.now(),
    indexes: () => ({ index: { key: new Uint8Array(8), filters: [], runs: [] } }),
    beat: () => ({ inFlight: 0, waiters: 0, durable: 0 }),
  });
  const access = { url: new URL(end), token: "", name: crypto.randomUUID() };
  const { signal } = new AbortController();
  void link.use(await connectFront(access, systemClock, signal), signal);
  await joined.promise;
  return link;
}

async function submit(link: ClosableLink, load: LinkLoad, times: number[]): Promise<void> {
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
