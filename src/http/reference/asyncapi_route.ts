/**
 * The AsyncAPI document, the authority for the frames of the event stream. It is made from the schemas
 * of the OpenAPI document and is self-contained.
 *
 * @module
 */

import { type Components, object, oneOf, TEXT } from "../../proof/format/schema.ts";
import { EVENT_TYPES } from "../../gateway/events/event_ports.ts";
import { type Answer, constantAnswer, jsonAnswer } from "../answer.ts";
import { json } from "../endpoint.ts";
import { EVENTS_SUBPROTOCOL, SOCKET_PATH, STREAM_PATH } from "../events/events_request.ts";
import { VERSION } from "../../base/version.ts";
import { NO_PARAMETERS } from "../parameters.ts";
import type { Routes } from "../routes.ts";
import { CLOSE_CODE } from "../events/websocket_frames.ts";
import { withExamples } from "../schema/component_examples.ts";
import { EVENT_TYPE, type Frame, FRAMES } from "../schema/events.ts";
import type { JsonObject, JsonValue } from "../../proof/format/strict_json.ts";

const DESCRIPTION = `Events of the log, live and from any earlier position.

The first frame is \`hello\`. The frames after it are events. The \`id\` of an event is a cursor: it \
counts the events that the reader has received of each list of the log. Cursors are opaque and never \
expire. A reader that connects with \`after=\` and the \`id\` of the last event, or the cursor of a \
\`hello\`, receives every later event exactly once, whichever filters it used and uses. A cursor that the \
log has not reached is answered with \`gap\`, and the stream starts at the present.

The lists are accepted attestations, confirmed attestations, closed batches, published heads and \
anchors. Events of one list arrive in its order: attestations by sequence, batches and heads by tree \
size, anchors as they were added. An attestation is accepted before it is confirmed, and confirmed before \
its batch closes; a batch closes before its head is published. Otherwise the order of events of different \
lists is not defined, and can differ between two readers. The same event can then have different ids: \
identify it by its type and data.

Replays are charged as reads and wait for the client's budget. Live events are free.

\`types\` selects types. \`hash\` selects the acceptance and the confirmation of one hash.

Close codes: ${CLOSE_CODE.lagged} after \`lagged\`, for a reader that is too slow; ${CLOSE_CODE.stopping} when \
the gateway stops; ${CLOSE_CODE.failed} when it cannot read its log; ${CLOSE_CODE.message} for a client that \
sends a message; ${CLOSE_CODE.malformed} for frames that break RFC 6455; ${CLOSE_CODE.unauthorized} once \
the API key is revoked or has expired. Every gateway serves \
\`${STREAM_PATH}\`. A gateway that limits its clients upgrades connections at \`${SOCKET_PATH}\` for \
clients that its operator trusts: this machine, holders of API keys and \`trusted_networks\`. Others who come \
without its proxy get 421 \`misdirected_request\` with the URLs of the listener for their sockets and of the \
same events at \`${STREAM_PATH}\`. Reading needs no credentials but the API key of a private gateway, and pages of any origin may read.`;

const DOCUMENT = object({
  asyncapi: oneOf(["3.0.0"]),
  info: object({ title: TEXT, version: TEXT }, "allowed"),
  channels: object({}, "allowed"),
  operations: object({}, "allowed"),
  components: object({}, "allowed"),
}, "allowed").with({ description: "An AsyncAPI document" });

/** Registers the document. */
export function addAsyncApiRoute(routes: Routes): void {
  let made: Answer | undefined;
  routes.add({
    id: "getAsyncApi",
    method: "get",
    path: "/asyncapi.json",
    tag: "events",
    summary: "Read the AsyncAPI document of the event stream",
    parameters: NO_PARAMETERS,
    caching: "revalidate",
    answers: { 200: json("The document", DOCUMENT) },
    problems: [],
  }, () => made ??= constantAnswer(jsonAnswer(asyncApiDocument())));
}

export function asyncApiDocument() {
  const components: Components = {};
  EVENT_TYPE.describe(components);
  const frames = Object.values<Frame>(FRAMES);
  const names = frames.map(({ name }) => name);
  const messages = Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/messages/${name}` }]),
  );
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Countersign events",
      version: VERSION,
      description: DESCRIPTION,
      license: { name: "Apache-2.0" },
    },
    defaultContentType: "application/json",
    channels: {
      socket: {
        address: SOCKET_PATH,
        title: "Events over a WebSocket",
        description: `Subprotocol \`${EVENTS_SUBPROTOCOL}\`; naming it is optional. One frame is ` +
          "one message.",
        messages,
        bindings: { ws: { method: "GET", query: QUERY, bindingVersion: "0.1.0" } },
      },
      stream: {
        address: STREAM_PATH,
        title: "Events as Server-Sent Events",
        description: "`data` is one message, `event` its type, `id` its cursor. `Last-Event-ID` " +
          "takes precedence over `after`. The query parameters are those of the WebSocket.",
        messages,
        bindings: { http: { bindingVersion: "0.3.0" } },
      },
    },
    operations: {
      sendOverWebSocket: operation("socket", names, "Send events over a WebSocket"),
      sendOverEventStream: operation("stream", names, "Send events as Server-Sent Events"),
    },
    components: {
      messages: Object.fromEntries(
        frames.map(({ name, title, schema }) => [
          name,
          { name, title, payload: schema.describe(components) },
        ]),
      ),
      schemas: renameExamples(withExamples(components)),
    },
  };
}

const QUERY = {
  type: "object",
  properties: {
    types: {
      type: "string",
      description: `Only events of these types, separated by commas: ${EVENT_TYPES.join(", ")}`,
    },
    hash: { $ref: "#/components/schemas/Hash" },
    after: { $ref: "#/components/schemas/EventCursor" },
  },
};

function operation(channel: string, names: readonly string[], title: string) {
  return {
    action: "send",
    title,
    channel: { $ref: `#/channels/${channel}` },
    messages: names.map((name) => ({ $ref: `#/channels/${channel}/messages/${name}` })),
  };
}

/** Replaces OpenAPI's `example` by the `examples` of JSON Schema, as AsyncAPI requires. */
function renameExamples(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === "example") return ["examples", [value]];
      if (Array.isArray(value)) return [keyword, value.map(renameIn)];
      return [keyword, renameIn(value)];
    }),
  );
}

function renameIn(value: JsonValue): JsonValue {
  return isObject(value) ? renameExamples(value) : value;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
