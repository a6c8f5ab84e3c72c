/**
 * Admits one more reader of events, on either listener.
 *
 * @module
 */

import { RateLimited } from "../admission/rate_limited.ts";
import type { EventClient } from "../gateway/event_client.ts";
import type { EventFeed, EventSeat, EventStart } from "../gateway/event_feed.ts";
import type { EventPlace } from "../gateway/event_place.ts";
import type { RateLimits } from "./rate_limits.ts";
import type { RequestContext } from "./request_context.ts";
import { EVENTS_PER_READ } from "./work_cost.ts";

/** What admits a reader. */
export interface AdmittedReader {
  readonly seat: EventSeat;
  readonly start: EventStart;
  /** Who reads; absent where clients are not told apart. */
  readonly client: EventClient | undefined;
}

/**
 * A seat, which counts among those of the client of `context`, and where its reader begins: at `after`,
 * or at the present. `rate_limited`, `overloaded`, `shutting_down`, `storage_failed`.
 */
export async function startEvents(
  feed: EventFeed,
  context: RequestContext,
  limits: RateLimits | undefined,
  after: EventPlace | undefined,
): Promise<AdmittedReader> {
  const seat = takeSeat(feed, context, limits);
  try {
    return { seat, start: await feed.start(after), client: clientOf(context) };
  } catch (error) {
    seat.leave();
    throw error;
  }
}

function takeSeat(
  feed: EventFeed,
  context: RequestContext,
  limits: RateLimits | undefined,
): EventSeat {
  const close = limits?.openStream(context);
  try {
    const seat = feed.takeSeat();
    return {
      leave() {
        seat.leave();
        close?.();
      },
    };
  } catch (error) {
    close?.();
    throw error;
  }
}

/** Who reads: replays are charged as reads. `undefined` where clients are not told apart. */
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
