/**
 * The event stream (protocol.md "Events"), as a WebSocket and as Server-Sent Events. Reading needs no
 * credentials but the API key of a private gateway, so pages of any origin may open either.
 *
 * @module
 */

import { CountersignError, hasCode } from "../../errors.ts";
import { TEXT } from "../../format/schema.ts";
import type { EventFeed } from "../../gateway/events/event_feed.ts";
import { problemResponse } from "../problem.ts";
import { UNBUFFERED } from "../documented_headers.ts";
import { subscribe } from "./event_subscription.ts";
import {
  checkHandshake,
  EVENT_PARAMETERS,
  eventsQuery,
  SOCKET_PATH,
  STREAM_PATH,
  UPGRADE_HEADERS,
} from "./events_request.ts";
import { upgradeToEvents } from "./events_socket.ts";
import { EVENT_STREAM_HEADERS, EVENT_STREAM_MEDIA_TYPE, eventStream } from "./events_stream.ts";
import type { RateLimits } from "../rate_limits.ts";
import type { Routes } from "../routes.ts";

const STREAM_EXAMPLE = "retry: 2000\n\n: heartbeat\n\n";

const PROBLEMS = ["malformed_parameter", "malformed_hash", "storage_failed"] as const;

export interface EventRoutesOptions {
  readonly feed: EventFeed;
  /** Budgets of clients. When present, WebSockets need the listener for event sockets. */
  readonly limits?: RateLimits;
  /** Port of the listener for event sockets, if there is one. */
  readonly socketsPort?: number;
}

/** Registers both routes. */
export function addEventRoutes(routes: Routes, options: EventRoutesOptions): void {
  const { feed, limits, socketsPort } = options;
  routes.add({
    id: "openEventSocket",
    method: "get",
    path: SOCKET_PATH,
    tag: "events",
    summary: "Follow the log over a WebSocket",
    description:
      "`/asyncapi.json` describes frames, close codes and how to resume. The server answers a " +
      "handshake with 101, and closes the connection of a client that sends a message with 1008. " +
      "A gateway with rate limits accepts WebSockets only on a separate listener, to which its " +
      "proxy must route this path; the client listener answers `misdirected_request`. " +
      "`/v1/events` serves the same events on every gateway.",
    parameters: EVENT_PARAMETERS,
    caching: "never",
    upgrades: true,
    answers: {},
    problems: [...PROBLEMS, "malformed_request", "misdirected_request"],
  }, async (parameters, request, context) => {
    const query = eventsQuery(parameters);
    try {
      const { named } = checkHandshake(request);
      // The runtime's sockets do not bound what a client sends: docs/limits.md.
      if (limits !== undefined) throw misdirected(socketsPort);
      const subscription = await subscribe(feed, context, limits, query);
      return upgradeToEvents(request, subscription, { named });
    } catch (error) {
      if (!hasCode(error, "malformed_request")) throw error;
      return problemResponse(error, context, { headers: UPGRADE_HEADERS });
    }
  });

  routes.add({
    id: "readEventStream",
    method: "get",
    path: STREAM_PATH,
    tag: "events",
    summary: "Follow the log by Server-Sent Events",
    description:
      "The frames of `/ws/events`: `data` is the frame, `event` its type, `id` its cursor. " +
      "Comments are heartbeats. `Last-Event-ID` takes precedence over `after`.",
    parameters: EVENT_PARAMETERS,
    caching: "never",
    answers: {
      200: {
        description: "An endless stream of events",
        mediaType: EVENT_STREAM_MEDIA_TYPE,
        schema: TEXT.with({ example: STREAM_EXAMPLE }),
        headers: { "X-Accel-Buffering": UNBUFFERED },
      },
    },
    problems: PROBLEMS,
  }, async (parameters, request, context) => {
    const query = eventsQuery(parameters, request.headers);
    // With an endless body, the runtime sends no Content-Length.
    if (request.method === "HEAD") {
      return new Response(new ReadableStream(), { headers: EVENT_STREAM_HEADERS });
    }
    const stream = eventStream(await subscribe(feed, context, limits, query));
    return new Response(stream, { headers: EVENT_STREAM_HEADERS });
  });
}

function misdirected(socketsPort: number | undefined): CountersignError {
  const where = socketsPort === undefined
    ? "this gateway has none (member event_sockets of its configuration)"
    : `port ${socketsPort} of this gateway`;
  return new CountersignError(
    "misdirected_request",
    `Open WebSockets on the listener for event sockets: ${where}; ` +
      `or read the same events from GET ${STREAM_PATH}`,
  );
}
