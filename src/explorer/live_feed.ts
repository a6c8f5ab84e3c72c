/**
 * Follows a gateway's events, and polls its latest head while the gateway refuses to send events.
 *
 * @module
 */

import { followEvents, type FollowOptions } from "../client/event_stream.ts";
import { CountersignError, hasCode } from "../base/errors.ts";
import { GatewayRefusal } from "../proof/format/gateway_refusal.ts";
import type { ReceivedEvent } from "./feed_event.ts";

/** `polling`: events are refused, and the head is polled; `silent`: polls fail too. */
export type FeedState = "connecting" | "live" | "polling" | "silent";

export interface FeedOptions extends Pick<FollowOptions, "url" | "clock" | "random" | "fetch"> {
  /** Returns an event for the latest head, if there is one. */
  readonly poll: (signal: AbortSignal) => Promise<ReceivedEvent | undefined>;
  readonly pollMs: number;
}

export interface FeedListener {
  readonly event: (event: ReceivedEvent) => void;
  readonly state: (state: FeedState) => void;
  /** Events were missed and cannot be replayed. */
  readonly gap: () => void;
  /** The gateway sent an event that cannot be read. */
  readonly fault: (error: CountersignError) => void;
}

/** Polls before the next attempt to follow events. */
const POLLS = 6;

/** Follows events of `types` until the returned function is called. */
export function followFeed(
  options: FeedOptions,
  types: readonly string[],
  listener: FeedListener,
): () => void {
  const stop = new AbortController();
  void follow(options, types, listener, stop.signal);
  return () => stop.abort();
}

async function follow(
  options: FeedOptions,
  types: readonly string[],
  listener: FeedListener,
  signal: AbortSignal,
): Promise<void> {
  let cursor: string | undefined;
  while (!signal.aborted) {
    listener.state("connecting");
    const events = followEvents({
      ...options,
      types,
      ...(cursor !== undefined && { after: cursor }),
      reached: (reached) => cursor = reached,
      changed(change) {
        if (change === "gap") return listener.gap();
        listener.state(change === "connected" ? "live" : "connecting");
      },
    }, signal);
    try {
      for await (const event of events) if (!signal.aborted) listener.event(event);
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error;
      const isRefused = error instanceof GatewayRefusal || hasCode(error, "gateway_unreachable");
      if (!isRefused) listener.fault(error);
    }
    for (let polls = 0; polls < POLLS && !signal.aborted; polls++) {
      await pollOnce(options, listener, signal);
      await options.clock.sleep(options.pollMs, signal);
    }
  }
}

async function pollOnce(
  { poll }: FeedOptions,
  listener: FeedListener,
  signal: AbortSignal,
): Promise<void> {
  try {
    const event = await poll(signal);
    if (signal.aborted) return;
    listener.state("polling");
    if (event !== undefined) listener.event(event);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof CountersignError)) throw error;
    listener.state("silent");
  }
}
