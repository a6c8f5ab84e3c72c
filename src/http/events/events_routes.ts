/**
 * The event stream (protocol.md "Events"), as a WebSocket and as Server-Sent Events. Reading needs no
 * credentials but the API key of a private gateway, so pages of any origin may open either.
 *
 * @module
 */

import { CountersignError, hasCode } from "../../base/errors.ts";
import { TEXT } from "../../proof/format/schema.ts";
import type { EventFeed } from "../../gateway/events/event_feed.ts";
import { isLoopbackName, urlOf } from "../../proof/format/service_url.ts";
import { FORWARDED_FOR } from "../client_address.ts";
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
import { RUNTIME_BOUNDS_MESSAGES, upgradeToEvents } from "./events_socket.ts";
import { EVENT_STREAM_HEADERS, EVENT_STREAM_MEDIA_TYPE, eventStream } from "./events_stream.ts";
import type { RateLimits } from "../rate_limits.ts";
import type { RequestContext } from "../request_context.ts";
import type { Routes } from "../routes.ts";

const STREAM_EXAMPLE = "retry: 2000\n\n: heartbeat\n\n";

const PROBLEMS = ["malformed_parameter", "malformed_hash", "storage_failed"] as const;

export interface EventRoutesOptions {
  readonly feed: EventFeed;
  /** Budgets of clients. When present, strangers need the listener for event sockets. */
  readonly limits?: RateLimits | undefined;
  /** `ws://host:port` of the listener for event sockets, if there is one. */
  readonly socketsUrl?: string | undefined;
  /** {@linkcode RUNTIME_BOUNDS_MESSAGES} when absent. */
  readonly boundsMessages?: boolean;
}

/** Registers both routes. */
export function addEventRoutes(routes: Routes, options: EventRoutesOptions): void {
  const { feed, limits, socketsUrl, boundsMessages = RUNTIME_BOUNDS_MESSAGES } = options;
  routes.add({
    id: "openEventSocket",
    method: "get",
    path: SOCKET_PATH,
    tag: "events",
    summary: "Follow the log over a WebSocket",
    description:
      "`/asyncapi.json` describes frames, close codes and how to resume. The server answers a " +
      "handshake with 101, and closes the connection of a client that sends a message with 1008. " +
      "A gateway with rate limits upgrades the connections of clients that its operator trusts: " +
      "this machine, holders of API keys and `trusted_networks`. Others get `misdirected_request` " +
      "with `event_socket_url`, the URL of the listener for their sockets, if they can reach it, " +
      "and `event_stream_url`, that of the same events at `/v1/events`, relative to the request's.",
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
      if (!boundsMessages && limits !== undefined && !limits.trusts(context)) {
        return refuseStranger(context, socketsUrl);
      }
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

/** The 421 for a stranger: where WebSockets are, and where the same events are. */
function refuseStranger(context: RequestContext, socketsUrl: string | undefined): Response {
  const url = socketsUrl === undefined ? undefined : socketUrl(context.request, socketsUrl);
  const where = url ??
    (socketsUrl === undefined
      ? "this gateway has none (member event_sockets of its configuration)"
      : `the proxy of this gateway has to forward ${SOCKET_PATH} to it`);
  const error = new CountersignError(
    "misdirected_request",
    `Open WebSockets on the listener for event sockets: ${where}; ` +
      `or read the same events from GET ${STREAM_PATH}`,
  );
  return problemResponse(error, context, {
    members: {
      ...(url !== undefined && { event_socket_url: url }),
      event_stream_url: `..${STREAM_PATH}`,
    },
  });
}

/** URL of the listener as the client reaches it; `undefined` for one that comes through a proxy. */
function socketUrl({ url, headers }: Request, socketsUrl: string): string | undefined {
  const hostname = urlOf(url)?.hostname;
  const reached = new URL(SOCKET_PATH, socketsUrl);
  if (hostname === undefined || headers.has(FORWARDED_FOR)) return undefined;
  if (isLoopbackName(reached.hostname) && !isLoopbackName(hostname)) return undefined;
  reached.hostname = hostname;
  return reached.href;
}
