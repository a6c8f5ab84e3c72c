/**
 * What a request for events asks for (protocol.md "Events"), read strictly.
 *
 * @module
 */

import { z } from "@hono/zod-openapi";
import { CountersignError, hasCode } from "../errors.ts";
import { ALL_EVENTS, type EventFilter } from "../gateway/event_filter.ts";
import { type EventPlace, parseCursor } from "../gateway/event_place.ts";
import { EVENT_TYPES, type EventType } from "../gateway/event_ports.ts";
import { CURSOR_PATTERN } from "./schema/events.ts";
import { Hash } from "./schema/primitives.ts";

export const SOCKET_PATH = "/ws/events";
export const STREAM_PATH = "/v1/events";

/** The subprotocol that a client may name. */
export const EVENTS_SUBPROTOCOL = "countersign.events.v1";

/** The only version of the WebSocket protocol (RFC 6455 section 4.1). */
const WEBSOCKET_VERSION = "13";

/** A list of distinct types, but that they are distinct. */
const TYPE_LIST = `^(${EVENT_TYPES.join("|")})(,(${EVENT_TYPES.join("|")}))*$`.replaceAll(
  ".",
  "\\.",
);

/** The query of both event routes. */
export const EVENT_PARAMETERS = z.object({
  types: z.string().transform((text, context) => {
    const types = readEventTypes(text);
    if (types !== undefined) return types;
    context.addIssue({ code: "custom", message: "types of events" });
    return z.NEVER;
  }).optional().openapi({
    type: "string",
    pattern: TYPE_LIST,
    description: `Only these types, with commas between: ${EVENT_TYPES.join(", ")}`,
    example: "batch.closed,sth.published",
  }),
  hash: Hash.optional().openapi({
    description: "Only events about this hash: that it is accepted, and confirmed",
  }),
  after: z.string().transform((text, context) => {
    try {
      return parseCursor(text);
    } catch (error) {
      if (!hasCode(error, "malformed_parameter")) throw error;
      context.addIssue({ code: "custom", message: "the id of an event" });
      return z.NEVER;
    }
  }).optional().openapi({
    type: "string",
    pattern: CURSOR_PATTERN.source,
    description:
      "The id of the last event that was seen, or the cursor of a hello: all that came " +
      "after it comes first",
    example: "v1.12.12.12.1.0",
  }),
});

/** What is asked for. */
export interface EventsQuery {
  readonly filter: EventFilter;
  readonly after: EventPlace | undefined;
}

/** The query of its parameters. */
export function eventsQuery(
  { types, hash, after }: z.output<typeof EVENT_PARAMETERS>,
): EventsQuery {
  return {
    filter: { types: types ?? ALL_EVENTS.types, ...(hash !== undefined && { hash }) },
    after,
  };
}

/** The distinct types of a list with commas; `undefined` for any other text. */
export function readEventTypes(text: string): ReadonlySet<EventType> | undefined {
  const names = text.split(",", EVENT_TYPES.length + 1);
  const types = new Set(EVENT_TYPES.filter((type) => names.includes(type)));
  return types.size === names.length ? types : undefined;
}

/**
 * The place of a `Last-Event-ID` (HTML section 9.2.4), which a browser that comes back adds to the
 * address that it was given at first: it is the later one. `malformed_parameter`.
 */
export function lastEventId(headers: Headers): EventPlace | undefined {
  const id = headers.get("Last-Event-ID");
  return id === null || id === "" ? undefined : parseCursor(id);
}

/**
 * Checks an opening handshake (RFC 6455 section 4.2.1), which the runtime takes more loosely; answers
 * whether it names our subprotocol. `malformed_request` when it is no handshake, or of another version,
 * when its key is wrong, or when all the subprotocols that it names are others.
 */
export function checkHandshake({ method, headers }: Request): { readonly named: boolean } {
  if (
    method !== "GET" || !tokens(headers, "Upgrade").includes("websocket") ||
    !tokens(headers, "Connection").includes("upgrade") ||
    headers.get("Sec-WebSocket-Version") !== WEBSOCKET_VERSION
  ) {
    throw malformed(`a WebSocket handshake of version ${WEBSOCKET_VERSION}`);
  }
  // 16 bytes: 22 digits, of which the last has four bits, and the padding.
  if (!/^[A-Za-z0-9+/]{21}[AQgw]==$/.test(headers.get("Sec-WebSocket-Key") ?? "")) {
    throw malformed("a key of 16 bytes in base64");
  }
  if (!headers.has("Sec-WebSocket-Protocol")) return { named: false };
  if (!tokens(headers, "Sec-WebSocket-Protocol").includes(EVENTS_SUBPROTOCOL)) {
    throw malformed(`subprotocol ${EVENTS_SUBPROTOCOL} or none`);
  }
  return { named: true };
}

/**
 * What a refused client is told that a handshake is (RFC 6455 section 4.2.2). The status is 400, as of
 * all that is malformed: protocol.md "Errors" has no 426.
 */
export const UPGRADE_HEADERS = {
  "Upgrade": "websocket",
  "Connection": "Upgrade",
  "Sec-WebSocket-Version": WEBSOCKET_VERSION,
} as const;

function tokens(headers: Headers, name: string): string[] {
  return (headers.get(name) ?? "").split(",").map((token) => token.trim().toLowerCase());
}

function malformed(required: string): CountersignError {
  return new CountersignError(
    "malformed_request",
    `Cannot open event stream: ${required} required, found another`,
  );
}
