import assert from "node:assert/strict";
import { CountersignError, hasCode } from "../../src/errors.ts";
import { type FeedEvent, mergeEvents, parseFeedEvent } from "../../src/explorer/feed_event.ts";
import { addLines, drawLines, newLines, NO_LINES } from "../../src/explorer/feed_lines.ts";
import { type EventLine, type FeedLine, followEvents } from "../../src/explorer/live_feed.ts";
import { EVENT_SCHEMAS } from "../../src/http/schema/events.ts";
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

function textOf(type: string, data: unknown): string {
  return JSON.stringify({ id: ID, type, at: 1_766_275_200, data });
}

Deno.test("every event of the schema is told in words, with its place in the page", () => {
  const told: Record<string, unknown> = {};
  for (const [type, data] of Object.entries(EXAMPLES)) {
    const text = textOf(type, data);
    const schema = EVENT_SCHEMAS[type as keyof typeof EVENT_SCHEMAS];
    schema.parse(JSON.parse(text));
    const event = parseFeedEvent(text);
    assert.deepEqual([event.id, event.type, event.at], [ID, type, 1_766_275_200]);
    told[type] = [event.text, event.route];
  }
  assert.deepEqual(Object.keys(told), Object.keys(EVENT_SCHEMAS));
  const attestation = { page: "attestation", hash: HASH };
  const batch = { page: "batch", id: 2 };
  assert.deepEqual(told, {
    "attestation.accepted": [`${HASH.slice(0, 16)}... accepted`, attestation],
    "attestation.confirmed": [`${HASH.slice(0, 16)}... signed`, attestation],
    "batch.closed": ["Batch 2 closed with 2 attestations", batch],
    "sth.published": ["Tree head of size 2 published", batch],
    "cross_anchor.added": ["Tree head of size 2 cosigned by peer.example/log", batch],
    "external_anchor.added": ["Tree head of size 2 anchored by rfc3161", batch],
  });
});

Deno.test("an event that is none is refused, and one of another kind leads nowhere", () => {
  for (const text of ["", "{}", "[]", textOf("sth.published", null), textOf("", 3)]) {
    assert.throws(() => parseFeedEvent(text), (error) => hasCode(error, "malformed_bundle"));
  }
  for (const type of ["attestation.accepted", "batch.closed", "sth.published", "else"]) {
    assert.equal(parseFeedEvent(textOf(type, { hash: "x", id: "y" })).route, undefined);
  }
});

function event(id: string, text = id): FeedEvent {
  return { id, type: "sth.published", at: 5, text };
}

Deno.test("events are listed once, latest first, up to the limit", () => {
  const shown = mergeEvents([], [event("a"), event("b"), event("a")], 10);
  assert.deepEqual(shown.map(({ id }) => id), ["b", "a"]);
  const more = mergeEvents(shown, [event("b"), event("other id of a", "a"), event("c")], 2);
  assert.deepEqual(more.map(({ id }) => id), ["c", "b"]);
});

Deno.test("lines on show stay while they are held, and new ones are counted", () => {
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

/** A line whose end the test holds. */
class HeldLine implements EventLine {
  readyState = 0;
  isClosed = false;
  readonly types: readonly string[];
  readonly #listeners = new Map<string, (event: MessageEvent) => void>();

  constructor(types: readonly string[]) {
    this.types = types;
  }

  addEventListener(type: string, listener: (event: MessageEvent) => void): void {
    this.#listeners.set(type, listener);
  }

  close(): void {
    this.isClosed = true;
  }

  tell(type: string, data = ""): void {
    this.#listeners.get(type)?.(new MessageEvent(type, { data }));
  }

  fail(readyState: number): void {
    this.readyState = readyState;
    this.tell("error");
  }
}

function followed(poll: () => Promise<readonly FeedEvent[]>) {
  const lines: HeldLine[] = [];
  const told: string[] = [];
  const words: FeedLine[] = [];
  let wake = () => {};
  const end = followEvents(
    {
      open: (types) => {
        const line = new HeldLine(types);
        lines.push(line);
        return line;
      },
      poll,
      everyMs: 1000,
      sleep: (_, signal) =>
        new Promise((resolve) => {
          wake = resolve;
          signal.addEventListener("abort", () => resolve(), { once: true });
        }),
    },
    ["sth.published", "batch.closed"],
    {
      events: (events) => told.push(...events.map(({ text }) => text)),
      line: (line) => words.push(line),
      gap: () => told.push("gap"),
      fault: (error) => told.push(error.code),
    },
  );
  return { lines, told, words, end, wake: () => wake() };
}

const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

Deno.test("a live line tells its events, what it missed and what cannot be read", () => {
  const { lines, told, words, end } = followed(() => Promise.resolve([]));
  const [line] = lines;
  assert.deepEqual(line!.types, ["sth.published", "batch.closed"]);
  line!.tell("open");
  line!.tell("sth.published", textOf("sth.published", FIRST_STH));
  line!.tell("attestation.accepted", textOf("attestation.accepted", {}));
  line!.tell("gap", '{"type":"gap"}');
  line!.tell("batch.closed", "{");
  line!.fail(0);
  line!.tell("open");
  assert.deepEqual(told, ["Tree head of size 2 published", "gap", "malformed_bundle"]);
  assert.deepEqual(words, ["connecting", "live", "connecting", "live"]);
  end();
  assert.equal(line!.isClosed, true);
  line!.tell("sth.published", textOf("sth.published", FIRST_STH));
  assert.equal(told.length, 3);
});

Deno.test("without a line the head is looked at, and the line is tried again", async () => {
  let looks = 0;
  const { lines, told, words, end, wake } = followed(() => {
    looks++;
    return looks === 2
      ? Promise.reject(new CountersignError("gateway_unreachable", "Cannot"))
      : Promise.resolve([event(`look ${looks}`)]);
  });
  lines[0]!.fail(2);
  for (let i = 0; i < 7; i++) {
    await settle();
    wake();
  }
  await settle();
  assert.equal(lines.length, 2, "the line is opened again after some looks");
  assert.deepEqual(words.slice(0, 4), ["connecting", "polling", "silent", "polling"]);
  assert.equal(words.at(-1), "connecting");
  assert.deepEqual(told.slice(0, 2), ["look 1", "look 3"]);
  lines[1]!.tell("open");
  assert.equal(words.at(-1), "live");
  const before = looks;
  end();
  await settle();
  assert.deepEqual([looks, lines.length, lines[1]!.isClosed], [before, 2, true]);
});
