/**
 * Parses requests for events (protocol.md "Events").
 *
 * @module
 */

import { errorBuilder, hasCode } from "../../base/errors.ts";
import { HASH, object, type Of, TEXT } from "../../proof/format/schema.ts";
import {
  ALL_EVENTS,
  EVENT_TYPES,
  type EventFilter,
  type EventPosition,
  type EventType,
  parseCursor,
} from "../../gateway/events/event_ports.ts";
import { CURSOR_PATTERN } from "../schema/events.ts";

const malformed = errorBuilder("malformed_request", "Cannot open event stream");

export const SOCKET_PATH = "/ws/events";
export const STREAM_PATH = "/v1/events";

/** The subprotocol; naming it is optional. */
export const EVENTS_SUBPROTOCOL = "countersign.events.v1";

/** The only version of the WebSocket protocol (RFC 6455 section 4.1). */
const WEBSOCKET_VERSION = "13";

/** Pattern of a list of types, which does not express that they are distinct. */
const TYPE_LIST = `^(${EVENT_TYPES.join("|")})(,(${EVENT_TYPES.join("|")}))*$`.replaceAll(
  ".",
  "\\.",
);

/** The query of both event routes. */
export const EVENT_PARAMETERS = object({
  types: TEXT.map(readEventTypes, "distinct types of events").with({
    pattern: TYPE_LIST,
    description: `Only events of these types, separated by commas: ${EVENT_TYPES.join(", ")}`,
    example: "batch.closed,sth.published",
  }).optional(),
  hash: HASH.with({
    description: "Only attestation.accepted and attestation.confirmed of this hash",
  }).optional(),
  after: TEXT.map(cursorOf, "the id of an event").with({
    pattern: CURSOR_PATTERN.source,
    description:
      "The id of the last event received, or the cursor of a hello: the stream starts with " +
      "the events after it",
    example: "v1.12.12.12.1.0",
  }).optional(),
});

export interface EventsQuery {
  readonly filter: EventFilter;
  readonly after: EventPosition | undefined;
}

/**
 * A browser repeats its first query when it reconnects, so the `Last-Event-ID` (HTML section 9.2.4) of
 * `headers` takes precedence over `after`. `malformed_parameter`.
 */
export function eventsQuery(
  { types, hash, after }: Of<typeof EVENT_PARAMETERS>,
  headers?: Headers,
): EventsQuery {
  const lastEventId = headers?.get("Last-Event-ID");
  return {
    filter: { types: types ?? ALL_EVENTS.types, ...(hash !== undefined && { hash }) },
    after: lastEventId ? parseCursor(lastEventId) : after,
  };
}

/** Parses distinct types separated by commas; `undefined` for any other text. */
export function readEventTypes(text: string): ReadonlySet<EventType> | undefined {
  const names = text.split(",", EVENT_TYPES.length + 1);
  const types = new Set(EVENT_TYPES.filter((type) => names.includes(type)));
  return types.size === names.length ? types : undefined;
}

function cursorOf(text: string): EventPosition | undefined {
  try {
    return parseCursor(text);
  } catch (error) {
    if (hasCode(error, "malformed_parameter")) return undefined;
    throw error;
  }
}

/**
 * Checks an opening handshake by RFC 6455 section 4.2.1, more strictly than the runtime; `named` when it
 * names our subprotocol. `malformed_request`.
 */
export function checkHandshake({ method, headers }: Request): { readonly named: boolean } {
  if (
    method !== "GET" || !tokens(headers, "Upgrade").includes("websocket") ||
    !tokens(headers, "Connection").includes("upgrade") ||
    headers.get("Sec-WebSocket-Version") !== WEBSOCKET_VERSION
  ) {
    throw malformed(`send a WebSocket handshake of version ${WEBSOCKET_VERSION}`);
  }
  // 16 bytes in base64: 22 digits, the last of four significant bits, and padding.
  if (!/^[A-Za-z0-9+/]{21}[AQgw]==$/.test(headers.get("Sec-WebSocket-Key") ?? "")) {
    throw malformed("Sec-WebSocket-Key must be 16 bytes in base64");
  }
  if (!headers.has("Sec-WebSocket-Protocol")) return { named: false };
  if (!tokens(headers, "Sec-WebSocket-Protocol").includes(EVENTS_SUBPROTOCOL)) {
    throw malformed(`name subprotocol ${EVENTS_SUBPROTOCOL} or none`);
  }
  return { named: true };
}

/**
 * Headers of a refused handshake (RFC 6455 section 4.2.2). Its status is 400, since protocol.md
 * "Errors" has no 426.
 */
export const UPGRADE_HEADERS = {
  "Upgrade": "websocket",
  "Connection": "Upgrade",
  "Sec-WebSocket-Version": WEBSOCKET_VERSION,
} as const;

function tokens(headers: Headers, name: string): string[] {
  return (headers.get(name) ?? "").split(",").map((token) => token.trim().toLowerCase());
}
