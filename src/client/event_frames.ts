/**
 * The frames of one connection to a gateway's event stream (protocol.md "Events"), as Server-Sent
 * Events. The `data` of an event is not checked.
 *
 * @module
 */

import { CountersignError } from "../base/errors.ts";
import { readRefusal } from "../proof/format/gateway_refusal.ts";
import { ANY_JSON, COUNT, object, type Of, TEXT } from "../proof/format/schema.ts";
import { type JsonValue, parseStrictJson } from "../proof/format/strict_json.ts";
import { type ApiKeySource, authorizationOf, mediaTypeOf, readBody } from "./http_client.ts";
import { connectionProblem } from "./connection_problem.ts";
import { partsOf } from "./stream_parts.ts";

const CODE = "gateway_refused";

/** Commands print cursors as arguments to copy, so a cursor must be one plain word. */
const CURSOR = TEXT.map(
  (text) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(text) ? text : undefined,
  "a cursor (1 to 200 of A-Za-z0-9._-)",
);

const TYPED = object({ type: TEXT }, "allowed");

const HELLO = object({ network_id: TEXT, cursor: CURSOR, heartbeat_seconds: COUNT }, "allowed");

const LAGGED = object({ cursor: CURSOR }, "allowed");

const EVENT = object({
  /** The cursor after this event. */
  id: CURSOR,
  type: TEXT,
  /** Unix seconds. */
  at: COUNT,
  data: ANY_JSON.withDefault(null),
}, "allowed");

export interface EventFrame extends Of<typeof EVENT> {
  readonly kind: "event";
  /** JSON of the whole frame. */
  readonly text: string;
}

export type StreamFrame =
  | EventFrame
  | { readonly kind: "hello" } & Of<typeof HELLO>
  | { readonly kind: "gap" }
  | { readonly kind: "lagged" } & Of<typeof LAGGED>;

/** Parses a frame from JSON; `gateway_refused`. */
export function parseEventFrame(text: string): StreamFrame {
  const context = { where: "event", code: CODE } as const;
  const value = parseStrictJson(text, CODE);
  const { type } = TYPED.parse(value, context);
  switch (type) {
    case "hello":
      return { kind: "hello", ...HELLO.parse(value, context) };
    case "gap":
      return { kind: "gap" };
    case "lagged":
      return { kind: "lagged", ...LAGGED.parse(value, context) };
    default:
      return { kind: "event", ...EVENT.parse(value, context), text };
  }
}

/** Member `name` of an event's data; `undefined` if there is none. */
export function eventMember(data: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return undefined;
  return Object.hasOwn(data, name) ? (data as Record<string, JsonValue>)[name] : undefined;
}

/** Texts of frames; an empty one is a heartbeat. Ends when the connection is lost. */
export type FrameTexts = AsyncIterable<string>;

/** Limit in characters, far above the longest frame. */
const MAX_LINE_LENGTH = 1024 * 1024;
const MAX_PROBLEM_BYTES = 65_536;
const WHAT = "event stream";

/** Reads the stream at `url`. Rejects with `gateway_unreachable`, or the gateway's refusal. */
export async function openEventStream(
  url: URL,
  signal: AbortSignal,
  { fetch: send = fetch, apiKey }: {
    readonly fetch?: typeof fetch;
    readonly apiKey?: ApiKeySource | undefined;
  } = {},
): Promise<FrameTexts> {
  const headers = { "Accept": "text/event-stream", ...await authorizationOf(apiKey) };
  let response: Response;
  let body: Uint8Array | undefined;
  try {
    response = await send(url, { headers, credentials: "omit", redirect: "manual", signal });
    const isStream = mediaTypeOf(response.headers) === "text/event-stream";
    if (response.status === 200 && isStream) return textsOf(response);
    body = await readBody(response, MAX_PROBLEM_BYTES);
  } catch (cause) {
    throw new CountersignError(
      "gateway_unreachable",
      `Cannot get ${WHAT}: ${connectionProblem(cause, url) ?? `no answer from ${url.origin}`}`,
      { cause },
    );
  }
  throw readRefusal(WHAT, response, body ?? new Uint8Array());
}

/** `data` of each block of a stream (HTML section 9.2.6). Our gateways write it on one line. */
async function* textsOf(response: Response): AsyncGenerator<string> {
  let line = "";
  let data = "";
  try {
    for await (const piece of partsOf(response.body!.pipeThrough(new TextDecoderStream()))) {
      const [first = "", ...others] = piece.split("\n");
      line += first;
      for (const next of others) {
        const text = line.endsWith("\r") ? line.slice(0, -1) : line;
        line = next;
        if (text === "") {
          yield data;
          data = "";
        } else if (text.startsWith("data:")) {
          data = text.slice("data:".length).trimStart();
        }
      }
      if (line.length > MAX_LINE_LENGTH) throw tooLong();
    }
  } catch (error) {
    // Any other error means that the connection is lost.
    if (error instanceof CountersignError) throw error;
  }
}

function tooLong(): CountersignError {
  return new CountersignError(
    "gateway_refused",
    `Cannot read ${WHAT}: a frame exceeds ${MAX_LINE_LENGTH} characters`,
  );
}
