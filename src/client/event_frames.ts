/**
 * Frames of a gateway's event stream (protocol.md "Events"). Of an event, only the members that a
 * follower needs are checked; its data is passed on as it is.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { Fields } from "../format/fields.ts";
import { type JsonValue, parseStrictJson } from "../format/strict_json.ts";

const CODE = "gateway_refused";

/** Commands print cursors as arguments to copy, so a cursor must be one plain word. */
const CURSOR = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

export interface EventFrame {
  readonly kind: "event";
  /** The cursor after this event. */
  readonly id: string;
  readonly type: string;
  /** Unix seconds. */
  readonly at: number;
  readonly data: JsonValue;
  /** JSON of the whole frame. */
  readonly text: string;
}

export type StreamFrame =
  | EventFrame
  | {
    readonly kind: "hello";
    readonly networkId: string;
    readonly cursor: string;
    readonly heartbeatSeconds: number;
  }
  | { readonly kind: "gap" }
  | { readonly kind: "lagged"; readonly cursor: string };

/** Parses a frame from JSON; `gateway_refused`. */
export function parseEventFrame(text: string): StreamFrame {
  const rules = { ignoreUnknown: true };
  const value = parseStrictJson(text, CODE);
  const fields = new Fields(value, { where: "event", code: CODE }, ["type"], rules);
  const type = fields.text("type");
  switch (type) {
    case "hello":
      return {
        kind: "hello",
        networkId: fields.text("network_id"),
        cursor: cursorIn(fields, "cursor"),
        heartbeatSeconds: fields.integer("heartbeat_seconds"),
      };
    case "gap":
      return { kind: "gap" };
    case "lagged":
      return { kind: "lagged", cursor: cursorIn(fields, "cursor") };
    default:
      return {
        kind: "event",
        id: cursorIn(fields, "id"),
        type,
        at: fields.integer("at"),
        data: fields.value("data") ?? null,
        text,
      };
  }
}

function cursorIn(fields: Fields, name: string): string {
  const cursor = fields.text(name);
  if (CURSOR.test(cursor)) return cursor;
  throw new CountersignError(
    CODE,
    `Cannot read ${fields.where}: ${name} is not a cursor (1 to 200 of A-Za-z0-9._-)`,
  );
}
