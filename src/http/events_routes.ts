/**
 * The event stream (contract B7), as a WebSocket and as Server-Sent Events. Reading is public, and no
 * credential plays a part in it: pages of any origin may open either, as they may call every route.
 *
 * @module
 */

import { z } from "@hono/zod-openapi";
import { hasCode } from "../errors.ts";
import { RateLimited } from "../admission/rate_limited.ts";
import type { EventClient } from "../gateway/event_client.ts";
import type { EventFeed, EventSeat, EventStart } from "../gateway/event_feed.ts";
import type { EventPlace } from "../gateway/event_place.ts";
import { problemResponse } from "./problem.ts";
import { UNBUFFERED } from "./documented_headers.ts";
import {
  checkHandshake,
  EVENT_PARAMETERS,
  eventsQuery,
  lastEventId,
  UPGRADE_HEADERS,
} from "./events_request.ts";
import { upgradeToEvents } from "./events_socket.ts";
import { EVENT_STREAM_HEADERS, EVENT_STREAM_MEDIA_TYPE, eventStream } from "./events_stream.ts";
import type { RateLimits } from "./rate_limits.ts";
import type { Routes } from "./routes.ts";
import type { Visit } from "./visit.ts";
import { EVENTS_PER_READ } from "./work_cost.ts";

export const SOCKET_PATH = "/ws/events";
export const STREAM_PATH = "/v1/events";

const STREAM_EXAMPLE = "retry: 2000\n\n: heartbeat\n\n";

const PROBLEMS = ["malformed_parameter", "malformed_hash", "storage_failed"] as const;

/** Registers both routes. */
export function addEventRoutes(routes: Routes, feed: EventFeed, limits?: RateLimits): void {
  routes.add({
    id: "openEventSocket",
    method: "get",
    path: SOCKET_PATH,
    tag: "events",
    summary: "Follow the log over a WebSocket",
    description:
      "Frames, close codes and resuming are in `/asyncapi.json`. A handshake is answered " +
      "with 101. The stream takes no messages: a client that sends one is closed with 1008.",
    parameters: EVENT_PARAMETERS,
    caching: "never",
    upgrades: true,
    answers: {},
    problems: [...PROBLEMS, "malformed_request"],
  }, async (parameters, request, visit) => {
    const query = eventsQuery(parameters);
    try {
      const { named } = checkHandshake(request);
      const place = await takePlace(feed, seatOf(feed, visit, limits), query.after);
      const client = clientOf(visit);
      return upgradeToEvents(request, { feed, ...place, filter: query.filter, client, named });
    } catch (error) {
      if (!hasCode(error, "malformed_request")) throw error;
      return problemResponse(error, visit, { headers: UPGRADE_HEADERS });
    }
  });

  routes.add({
    id: "readEventStream",
    method: "get",
    path: STREAM_PATH,
    tag: "events",
    summary: "Follow the log by Server-Sent Events",
    description: "The frames of `/ws/events` as `data`, with their type as `event`, their cursor " +
      "as `id`, and comments as heartbeat. `Last-Event-ID` is another `after`, and the later one.",
    parameters: EVENT_PARAMETERS,
    caching: "never",
    answers: {
      200: {
        description: "The events, without end",
        mediaType: EVENT_STREAM_MEDIA_TYPE,
        schema: z.string().openapi({ example: STREAM_EXAMPLE }),
        headers: { "X-Accel-Buffering": UNBUFFERED },
      },
    },
    problems: PROBLEMS,
  }, async (parameters, request, visit) => {
    const { filter, after } = eventsQuery(parameters);
    const last = lastEventId(request.headers) ?? after;
    if (request.method === "HEAD") return new Response(null, { headers: EVENT_STREAM_HEADERS });
    const place = await takePlace(feed, seatOf(feed, visit, limits), last);
    const stream = eventStream({ feed, ...place, filter, client: clientOf(visit) });
    return new Response(stream, { headers: EVENT_STREAM_HEADERS });
  });
}

/** A seat, which counts among those of its client. */
function seatOf(feed: EventFeed, visit: Visit, limits: RateLimits | undefined): EventSeat {
  const close = limits?.openStream(visit);
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
function clientOf(visit: Visit): EventClient | undefined {
  const { client } = visit;
  if (client === undefined) return undefined;
  return {
    owner: `${client.high}:${client.low}`,
    charge(weight) {
      try {
        visit.charge(Math.ceil(weight / EVENTS_PER_READ));
        return 0;
      } catch (error) {
        if (error instanceof RateLimited) return error.state.retryAfterSeconds * 1000;
        throw error;
      }
    },
  };
}

/** Where the reader begins that has `seat`, which is left where there is no such place. */
async function takePlace(
  feed: EventFeed,
  seat: EventSeat,
  after: EventPlace | undefined,
): Promise<{ readonly seat: EventSeat; readonly start: EventStart }> {
  try {
    return { seat, start: await feed.start(after) };
  } catch (error) {
    seat.leave();
    throw error;
  }
}
