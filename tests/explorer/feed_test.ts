import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { utf8 } from "../../src/base/bytes.ts";
import type { JsonValue } from "../../src/proof/format/strict_json.ts";
import { CountersignError } from "../../src/base/errors.ts";
import {
  describeEvent,
  type FeedEvent,
  type ReceivedEvent,
} from "../../src/explorer/feed_event.ts";
import {
  addLines,
  drawLines,
  mergeEvents,
  newLines,
  NO_LINES,
} from "../../src/explorer/feed_lines.ts";
import { type FeedState, followFeed } from "../../src/explorer/live_feed.ts";
import { FakeClock } from "../fake_clock.ts";
import { EVENT_TYPES } from "../../src/gateway/events/event_ports.ts";
import { FRAMES } from "../../src/http/schema/events.ts";
import { BATCH, CROSS_ANCHOR, FIRST_STH, HASH } from "../../src/http/schema/examples.ts";

const ID = "v1.3.2.2.2.0";
const HEAD = { tree_size: 2, root_hash: FIRST_STH.tree_head.root_hash };
const EXAMPLES = {
  "attestation.accepted": { hash: HASH, sequence: 0 },
  "attestation.confirmed": { hash: HASH, sequence: 0 },
  "batch.closed": BATCH,
  "sth.published": FIRST_STH,
  "cross_anchor.added": { witnessing_network: CROSS_ANCHOR.witnessing_network, ...HEAD },
  "external_anchor.added": { provider: "rfc3161", status: "confirmed", ...HEAD },
} as const;

const FRAME = { id: ID, type: "sth.published", at: 1_766_275_200 };

function textOf(type: string, data: unknown): string {
  return JSON.stringify({ id: ID, type, at: 1_766_275_200, data });
}

Deno.test("describeEvent() describes every event of the schema, with its page", () => {
  const described: Record<string, unknown> = {};
  for (const [type, data] of Object.entries(EXAMPLES)) {
    const text = textOf(type, data);
    FRAMES[type as keyof typeof EXAMPLES].schema.parse(JSON.parse(text), {
      where: "answer",
      code: "malformed_json",
    });
    const event = describeEvent(JSON.parse(text));
    assert.deepEqual([event.id, event.type, event.at], [ID, type, 1_766_275_200]);
    described[type] = [event.text, event.route];
  }
  assert.deepEqual(Object.keys(described), [...EVENT_TYPES]);
  const attestation = { page: "proof", hash: HASH };
  const batch = { page: "batch", id: 2 };
  assert.deepEqual(described, {
    "attestation.accepted": [`${HASH.slice(0, 16)}... accepted`, attestation],
    "attestation.confirmed": [`${HASH.slice(0, 16)}... signed`, attestation],
    "batch.closed": ["Batch 2 closed with 2 attestations", batch],
    "sth.published": ["Tree head of size 2 published", batch],
    "cross_anchor.added": ["Tree head of size 2 cosigned by peer.example/log", batch],
    "external_anchor.added": ["Tree head of size 2 anchored by rfc3161", batch],
  });
});

Deno.test("describeEvent() describes data that it does not know", () => {
  const types = ["attestation.accepted", "batch.closed", "sth.published", "else"];
  const values: JsonValue[] = [null, [], "text", { hash: "x", id: "y", tree_head: 3 }];
  for (const type of types) {
    for (const data of values) {
      const { text, route } = describeEvent({ ...FRAME, type, data });
      assert.ok(text.length > 0);
      assert.equal(route, undefined);
    }
  }
});

function event(id: string, text = id): FeedEvent {
  return { id, type: "sth.published", at: 5, text };
}

Deno.test("mergeEvents() lists each event once, latest first, up to the limit", () => {
  const shown = mergeEvents([], [event("a"), event("b"), event("a")], 10);
  assert.deepEqual(shown.map(({ id }) => id), ["b", "a"]);
  const more = mergeEvents(shown, [event("b"), event("other id of a", "a"), event("c")], 2);
  assert.deepEqual(more.map(({ id }) => id), ["c", "b"]);
});

Deno.test("drawLines() keeps shown lines while held, and newLines() counts the others", () => {
  const ids = (events: readonly FeedEvent[]) => events.map(({ id }) => id).join("");
  let lines = addLines(NO_LINES, [event("a")], 3);
  // An empty list holds nothing.
  lines = drawLines(lines, true);
  assert.equal(ids(lines.shown), "a");
  lines = drawLines(addLines(lines, [event("b"), event("c")], 3), true);
  assert.deepEqual([ids(lines.shown), ids(lines.latest), newLines(lines)], ["a", "cba", 2]);
  lines = drawLines(addLines(lines, [event("d"), event("b")], 3), true);
  assert.deepEqual([ids(lines.shown), ids(lines.latest), newLines(lines)], ["a", "dcb", 3]);
  lines = drawLines(lines, false);
  assert.deepEqual([ids(lines.shown), newLines(lines)], ["dcb", 0]);
  assert.equal(drawLines(lines, false), lines, "nothing to draw");
});

/** A gateway whose event streams the test writes and ends. */
class StreamingGateway {
  readonly urls: URL[] = [];
  /** Answers the next request with an error. */
  isRefusing = false;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;

  readonly fetch: typeof fetch = (url, init) => {
    this.urls.push(new URL(String(url)));
    if (this.isRefusing) return Promise.resolve(new Response("", { status: 404 }));
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#stream = controller;
        init!.signal!.addEventListener("abort", () => controller.error(init!.signal!.reason));
      },
    });
    const headers = { "Content-Type": "text/event-stream" };
    return Promise.resolve(new Response(body, { headers }));
  };

  async send(...frames: readonly string[]): Promise<void> {
    for (const frame of frames) this.#stream!.enqueue(utf8(`data: ${frame}\n\n`));
    await settle();
  }

  async cut(): Promise<void> {
    this.#stream!.close();
    await settle();
  }
}

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await setImmediate();
}

const HELLO = JSON.stringify({
  type: "hello",
  network_id: "net.example",
  cursor: "v1.1",
  heartbeat_seconds: 30,
});
const PUBLISHED = textOf("sth.published", FIRST_STH);

function followed(
  poll: () => Promise<ReceivedEvent | undefined>,
  gateway = new StreamingGateway(),
) {
  const clock = new FakeClock();
  const texts: string[] = [];
  const states: FeedState[] = [];
  const url = new URL("http://gateway.test/");
  const end = followFeed(
    { url, clock, random: () => 0, fetch: gateway.fetch, poll, pollMs: 1000 },
    ["sth.published", "batch.closed"],
    {
      event: (event) => texts.push(describeEvent(event).text),
      state: (state) => states.push(state),
      gap: () => texts.push("gap"),
      fault: (error) => texts.push(error.code),
    },
  );
  return { gateway, clock, texts, states, end };
}

Deno.test("followFeed() passes on events and gaps, and resumes when the connection is lost", async () => {
  const { gateway, clock, texts, states, end } = followed(() => Promise.resolve(undefined));
  await settle();
  await gateway.send(HELLO, PUBLISHED, '{"type":"gap"}');
  assert.deepEqual(texts, ["Tree head of size 2 published", "gap"]);
  await gateway.cut();
  assert.deepEqual(states, ["connecting", "live", "connecting"]);
  await clock.advance(500);
  await settle();
  assert.deepEqual(gateway.urls.map(({ searchParams }) => Object.fromEntries(searchParams)), [
    { types: "sth.published,batch.closed" },
    { types: "sth.published,batch.closed", after: ID },
  ]);
  await gateway.send(HELLO);
  assert.equal(states.at(-1), "live");
  end();
  await settle();
  assert.deepEqual([texts.length, gateway.urls.length, clock.sleeping], [2, 2, 0]);
});

Deno.test("followFeed() reports an event that it cannot read, and polls", async () => {
  const { gateway, texts, states, end } = followed(() => Promise.resolve(undefined));
  await settle();
  await gateway.send(HELLO, "{");
  assert.deepEqual(texts, ["gateway_refused"]);
  assert.equal(states.at(-1), "polling");
  end();
});

Deno.test("followFeed() polls while the gateway refuses, and then tries again", async () => {
  const refusing = new StreamingGateway();
  refusing.isRefusing = true;
  let polls = 0;
  const { gateway, clock, texts, states, end } = followed(() => {
    polls++;
    return polls === 2
      ? Promise.reject(new CountersignError("gateway_unreachable", "Cannot"))
      : Promise.resolve({ ...FRAME, id: `poll ${polls}`, data: { tree_size: polls } });
  }, refusing);
  await settle();
  refusing.isRefusing = false;
  await clock.advance(6_000);
  await settle();
  assert.equal(gateway.urls.length, 2);
  assert.deepEqual(states.slice(0, 4), ["connecting", "polling", "silent", "polling"]);
  assert.equal(states.at(-1), "connecting");
  assert.deepEqual(texts.slice(0, 2), [
    "Tree head of size 1 published",
    "Tree head of size 3 published",
  ]);
  await gateway.send(HELLO);
  assert.equal(states.at(-1), "live");
  end();
  await settle();
  assert.deepEqual([polls, gateway.urls.length], [6, 2]);
});
