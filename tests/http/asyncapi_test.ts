import assert from "node:assert/strict";
import { Parser } from "@asyncapi/parser";
import { EVENT_TYPES } from "../../src/gateway/events/event_ports.ts";
import type { JsonObject, JsonValue } from "../../src/proof/format/strict_json.ts";
import { asyncApiDocument } from "../../src/http/reference/asyncapi_route.ts";
import { FRAMES } from "../../src/http/schema/events.ts";
import { withEvents } from "./event_clients.ts";
import { faultOf } from "./json_schema.ts";

/** Severity of what makes a document invalid; below it are warnings, information and hints. */
const ERROR = 0;

/** What the official parser has against a document: its errors and warnings. */
async function faultsOf(document: unknown): Promise<string[]> {
  const { diagnostics } = await new Parser().parse(JSON.stringify(document));
  return diagnostics.filter(({ severity }) => severity <= ERROR + 1)
    .map(({ code, message, path }) => `${path.join(".")}: ${code} ${message}`);
}

async function servedDocument(): Promise<JsonObject> {
  let document: JsonObject | undefined;
  await withEvents(async (server) => {
    const response = await fetch(`${server.listener.url}/asyncapi.json`);
    assert.equal(response.headers.get("Content-Type"), "application/json");
    assert.ok(response.headers.has("ETag"));
    document = await response.json();
  });
  return document!;
}

function resolver(document: JsonObject): (ref: string) => JsonObject {
  return (ref) => {
    let value: JsonValue | undefined = document;
    for (const name of ref.slice(2).split("/")) value = (value as JsonObject)[name];
    assert.ok(value, `${ref} refers to nothing`);
    return value as JsonObject;
  };
}

Deno.test("the official parser accepts the AsyncAPI document and rejects damaged ones", async () => {
  const document = await servedDocument();
  assert.deepEqual(await faultsOf(document), []);
  const { channels, ...withoutChannels } = asyncApiDocument();
  const damaged: unknown[] = [
    { ...withoutChannels, channels: {} },
    { ...document, asyncapi: "3" },
    { ...document, info: {} },
    { ...document, channels: { ...channels, socket: { ...channels.socket, messages: [] } } },
  ];
  for (const other of damaged) assert.notDeepEqual(await faultsOf(other), []);
});

Deno.test("frames and examples match the schemas of the AsyncAPI document", async () => {
  const document = await servedDocument();
  const resolve = resolver(document);
  const { messages, schemas } = document["components"] as unknown as {
    messages: Record<string, { title: string; payload: JsonObject }>;
    schemas: Record<string, JsonObject>;
  };
  const titles = Object.values(messages).map(({ title }) => title);
  for (const type of EVENT_TYPES) assert.ok(titles.includes(type), type);
  let examples = 0;
  for (const [name, schema] of Object.entries(schemas)) {
    for (const example of (schema["examples"] ?? []) as JsonValue[]) {
      assert.equal(faultOf(example, schema, resolve), undefined, name);
      assert.ok(faultOf([example, null], schema, resolve), name);
      examples++;
    }
  }
  assert.ok(examples > Object.keys(FRAMES).length);
  await withEvents(async (server) => {
    const socket = await server.socket();
    await server.publish(1);
    await socket.seen(4);
    for (const frame of socket.frames) {
      const name = frame.type.replace(".", "_");
      const { payload } = messages[name]!;
      assert.equal(faultOf(frame as unknown as JsonValue, payload, resolve), undefined, name);
    }
    await socket.close();
  });
});
