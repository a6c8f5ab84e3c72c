/**
 * The AsyncAPI document: the authority for the frames of the event stream, made from the schemas that
 * the OpenAPI document is made from. It refers to nothing outside itself.
 *
 * @module
 */

import { OpenAPIHono, z } from "@hono/zod-openapi";
import { EVENT_TYPES } from "../gateway/event_ports.ts";
import { type Answer, constantAnswer, jsonAnswer } from "./answer.ts";
import { json } from "./endpoint.ts";
import { CLOSE_CODE } from "./events_frames.ts";
import { EVENTS_SUBPROTOCOL, SOCKET_PATH, STREAM_PATH } from "./events_request.ts";
import { API_VERSION } from "./openapi_route.ts";
import { NO_PARAMETERS } from "./parameters.ts";
import type { Routes } from "./routes.ts";
import {
  EVENT_COMPONENTS,
  EVENT_SCHEMAS,
  EventTypeName,
  Gap,
  Hello,
  Lagged,
} from "./schema/events.ts";
import { JsonValue as JsonValueSchema } from "./schema/proofs.ts";
import type { JsonObject, JsonValue } from "../format/strict_json.ts";

const DESCRIPTION = `What happens to the log, as it happens, and from any place on.

The first frame is \`hello\`. The frames after it are events, each with an \`id\`, the cursor after it. \
A cursor is opaque, says how far every list of the log was told, and holds for ever: \`after=\` with the \
\`id\` of the last event, or with the cursor of a \`hello\`, goes on behind it, and no event is lost or \
told twice, whichever filters were or are in use. Events of one log have one order, live and replayed. \
An attestation is accepted once it is on disk, confirmed once its signatures are, and in order of its \
sequence; a batch closes, and its head is published, once the threshold has cosigned it. A cursor that \
this log cannot have given is answered with \`gap\`, and the present.

What a client missed comes as fast as its budget of reads allows, and is free where clients are not \
limited.

With \`types\` only these are told. With \`hash\` only events about that hash are: that it is accepted, \
and confirmed.

A reader that is too slow is told \`lagged\` and closed with ${CLOSE_CODE.lagged}; ${CLOSE_CODE.stopping} \
is a gateway that stops, ${CLOSE_CODE.failed} one that cannot read its log. The stream takes no messages: \
a client that sends one is closed with ${CLOSE_CODE.spoke}, and one whose frames break RFC 6455 with \
${CLOSE_CODE.malformed}. \`${STREAM_PATH}\` is served by every gateway. A gateway that limits its clients \
accepts WebSockets on a listener of its own, to which its proxy sends \`${SOCKET_PATH}\`: a handshake \
elsewhere is answered 421 \`misdirected_request\`. No credential plays a part, and pages of any \
origin may read.`;

/** Every frame: its name in the document, without dots, and the component of its schema. */
const FRAMES = [
  { name: "hello", component: "EventsHello", schema: Hello, title: "First frame" },
  { name: "gap", component: "EventsGap", schema: Gap, title: "What cannot be replayed" },
  { name: "lagged", component: "EventsLagged", schema: Lagged, title: "Last frame of the slow" },
  ...EVENT_TYPES.map((type) => ({
    name: type.replace(".", "_"),
    component: EVENT_COMPONENTS[type],
    schema: EVENT_SCHEMAS[type],
    title: type,
  })),
] as const;

const Document = z.object({
  asyncapi: z.literal("3.0.0"),
  info: z.object({ title: z.string(), version: z.string() }),
  channels: z.record(z.string(), JsonValueSchema),
  operations: z.record(z.string(), JsonValueSchema),
  components: z.record(z.string(), JsonValueSchema),
}).openapi({ description: "An AsyncAPI document" });

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
    answers: { 200: json("The document", Document) },
    problems: [],
  }, () => made ??= constantAnswer(jsonAnswer(asyncApiDocument())));
}

/** The document. */
export function asyncApiDocument() {
  const names = FRAMES.map(({ name }) => name);
  const messages = Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/messages/${name}` }]),
  );
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Countersign events",
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: "Apache-2.0" },
    },
    defaultContentType: "application/json",
    channels: {
      socket: {
        address: SOCKET_PATH,
        title: "Events over a WebSocket",
        description:
          `Subprotocol \`${EVENTS_SUBPROTOCOL}\`, which need not be named. One frame is ` +
          "one message.",
        messages,
        bindings: { ws: { method: "GET", query: QUERY, bindingVersion: "0.1.0" } },
      },
      stream: {
        address: STREAM_PATH,
        title: "Events as Server-Sent Events",
        description:
          "`data` is one message, `event` its type, `id` its cursor. `Last-Event-ID` is " +
          "another `after`, and the later one. The query is that of the WebSocket.",
        messages,
        bindings: { http: { bindingVersion: "0.3.0" } },
      },
    },
    operations: {
      tellOverSocket: operation("socket", names, "Tell over a WebSocket"),
      tellOverStream: operation("stream", names, "Tell by Server-Sent Events"),
    },
    components: { messages: documentMessages(), schemas: documentSchemas() },
  };
}

const QUERY = {
  type: "object",
  properties: {
    types: {
      type: "string",
      description: `Only these, with commas between: ${EVENT_TYPES.join(", ")}`,
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

function documentMessages() {
  return Object.fromEntries(
    FRAMES.map(({ name, component, title }) => [
      name,
      { name, title, payload: { $ref: `#/components/schemas/${component}` } },
    ]),
  );
}

/** What frames are made of, by the generator of the other document. */
function documentSchemas(): JsonObject {
  const app = new OpenAPIHono();
  for (const { component, schema } of FRAMES) app.openAPIRegistry.register(component, schema);
  app.openAPIRegistry.register("EventType", EventTypeName);
  const { components } = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "", version: "" },
  });
  return withExamples(JSON.parse(JSON.stringify(components?.schemas)));
}

/** OpenAPI's `example` as the `examples` of JSON Schema, which alone AsyncAPI has. */
function withExamples(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === "example") return ["examples", [value]];
      if (Array.isArray(value)) return [keyword, value.map(itemWithExamples)];
      return [keyword, itemWithExamples(value)];
    }),
  );
}

function itemWithExamples(value: JsonValue): JsonValue {
  return isObject(value) ? withExamples(value) : value;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
