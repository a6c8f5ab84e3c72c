/**
 * Admits readers of events on both listeners, within the limits of their clients.
 *
 * @module
 */

import { RateLimited } from "../limits/rate_limited.ts";
import type { EventFeed, EventSubscription } from "../../gateway/events/event_feed.ts";
import type { EventClient } from "../../gateway/events/event_reader.ts";
import type { EventsQuery } from "./events_request.ts";
import type { RateLimits } from "../rate_limits.ts";
import type { RequestContext } from "../request_context.ts";
import { EVENTS_PER_READ } from "../work_cost.ts";

/**
 * Subscribes the client of `context` and counts its connection until `close`. `rate_limited`,
 * `overloaded`, `shutting_down`.
 */
export async function subscribe(
  feed: EventFeed,
  context: RequestContext,
  limits: RateLimits | undefined,
  query: EventsQuery,
): Promise<EventSubscription> {
  const release = limits?.openStream(context);
  try {
    const subscription = await feed.subscribe({ ...query, client: clientOf(context) });
    let ignoreKey: (() => void) | undefined;
    return {
      read(sink) {
        const reader = subscription.read(sink);
        ignoreKey = context.apiKey?.whenRefused(() => reader.disconnect("unauthorized"));
        return reader;
      },
      close() {
        ignoreKey?.();
        subscription.close();
        release?.();
      },
    };
  } catch (error) {
    release?.();
    throw error;
  }
}

/** Charges replays as reads. `undefined` where clients are not limited. */
function clientOf(context: RequestContext): EventClient | undefined {
  const { client } = context;
  if (client === undefined) return undefined;
  return {
    owner: `${client.high}:${client.low}`,
    charge(weight) {
      try {
        context.charge(Math.ceil(weight / EVENTS_PER_READ));
        return 0;
      } catch (error) {
        if (error instanceof RateLimited) return error.state.retryAfterSeconds * 1000;
        throw error;
      }
    },
  };
}
