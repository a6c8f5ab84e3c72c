/**
 * Frames of a gateway's event stream (protocol.md "Events"), read strictly as far as a follower
 * needs them: of
 * an event its type and time; its data is the text's own.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { Fields } from "../format/fields.ts";
import { type JsonValue, parseStrictJson } from "../format/strict_json.ts";

const CODE = "gateway_refused";

/** A cursor is shown to the user as a part of a command line, so it must be one plain word. */
const CURSOR = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** An event as it came. */
export interface EventFrame {
  readonly kind: "event";
  /** The cursor after it. */
  readonly id: string;
  readonly type: string;
  /** Unix seconds. */
  readonly at: number;
  readonly data: JsonValue;
  /** JSON of the whole frame. */
  readonly text: string;
}

/** One frame. */
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

/** The frame of JSON `text`; `gateway_refused`. */
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
        heartbeatSeconds: fields.count("heartbeat_seconds"),
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
        at: fields.count("at"),
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
    `Cannot read ${fields.where}: up to 200 of A-Za-z0-9._- in ${name} required, found another text`,
  );
}
