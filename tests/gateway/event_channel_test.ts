import assert from "node:assert/strict";
import {
  type ChannelReader,
  EventAudience,
  EventChannel,
} from "../../src/gateway/events/event_channel.ts";
import { eventOf, type LogEvent } from "../../src/gateway/events/event_page.ts";
import {
  ALL_EVENTS,
  type EventFilter,
  type EventType,
  START_POSITION,
} from "../../src/gateway/events/event_ports.ts";
import { hashAt } from "./growing_log.ts";

const READERS = 1_000;

function events(start: number, count: number, data = "0"): LogEvent[] {
  return Array.from(
    { length: count },
    (_, i) =>
      eventOf(
        "attestation.accepted",
        { ...START_POSITION, accepted: start + i + 1 },
        0,
        data,
        hashAt(i),
      ),
  );
}

/** A reader that reads pages under control of the test. */
class HandReader implements ChannelReader {
  readonly filter: EventFilter;
  readonly seen: LogEvent[] = [];
  position = 0;
  behind = 0;
  channel: EventChannel | undefined;

  constructor(filter: EventFilter = ALL_EVENTS) {
    this.filter = filter;
  }

  join(audience: EventAudience): this {
    audience.expect(this);
    this.channel = audience.add(this);
    this.position = this.channel.end;
    return this;
  }

  notify(count: number): void {
    this.behind = this.channel!.end - count - this.position;
  }

  take(): Uint8Array | undefined {
    const page = this.channel!.pageAt(this.position);
    if (page === undefined) return undefined;
    this.position += page.frames.length;
    this.seen.push(...page.frames as LogEvent[]);
    return page.sseBytes;
  }
}

Deno.test("EventChannel encodes a page once for a thousand readers", () => {
  const audience = new EventAudience();
  const readers = Array.from({ length: READERS }, () => new HandReader().join(audience));
  const encoded = new Set<Uint8Array>();
  const all: LogEvent[] = [];
  for (let step = 0; step < 5; step++) {
    const added = events(all.length, 10);
    audience.emit(added);
    all.push(...added);
    for (const reader of readers) encoded.add(reader.take()!);
  }
  assert.equal(encoded.size, 5);
  for (const { seen } of readers) assert.deepEqual(seen, all);
});

Deno.test("late readers get larger pages and share these as well", () => {
  const audience = new EventAudience();
  const readers = Array.from({ length: READERS }, () => new HandReader().join(audience));
  const encoded = new Set<Uint8Array>();
  const all = events(0, 600);
  // A step comes after every hundred readers that were served.
  for (let step = 0; step < 600; step++) {
    audience.emit(all.slice(step, step + 1));
    for (let i = 0; i < 100; i++) {
      const bytes = readers[(step * 100 + i) % READERS]!.take();
      if (bytes !== undefined) encoded.add(bytes);
    }
  }
  for (const reader of readers) {
    for (let bytes = reader.take(); bytes !== undefined; bytes = reader.take()) encoded.add(bytes);
    assert.deepEqual(reader.seen, all);
  }
  assert.ok(encoded.size <= 62, `${encoded.size} pages were encoded`);
});

Deno.test("a page holds at most 256 events, and fewer that are long", () => {
  const audience = new EventAudience();
  const reader = new HandReader().join(audience);
  audience.emit(events(0, 600));
  const sizes = [0, 1, 2].map(() => {
    const before = reader.position;
    reader.take();
    return reader.position - before;
  });
  assert.deepEqual(sizes, [256, 256, 88]);
  audience.emit(events(600, 4, JSON.stringify("x".repeat(30_000))));
  reader.take();
  assert.equal(reader.position, 602);
});

Deno.test("EventChannel drops events that all readers have been sent", () => {
  const channel = new EventChannel(ALL_EVENTS);
  const [prompt, slow] = [new HandReader(), new HandReader()];
  for (const reader of [prompt, slow]) {
    reader.channel = channel;
    channel.add(reader);
  }
  channel.append(events(0, 3));
  const page = channel.pageAt(0);
  prompt.take();
  channel.append(events(3, 1));
  assert.equal(slow.behind, 3);
  assert.equal(channel.pageAt(0), page);
  slow.take();
  slow.take();
  prompt.take();
  channel.append(events(4, 1));
  assert.equal(channel.end, 5);
  assert.equal(channel.pageAt(4)!.frames.length, 1);
  // Dropped.
  assert.throws(() => channel.pageAt(0));
});

Deno.test("readers with the same filter share a channel in any order of types", () => {
  const audience = new EventAudience();
  const filter = (types: EventType[], hash?: string): EventFilter => ({
    types: new Set(types),
    ...(hash !== undefined && { hash }),
  });
  const both: EventType[] = ["batch.closed", "attestation.accepted"];
  const readers = [filter(both), filter(both.toReversed()), filter(both, hashAt(1))]
    .map((filter) => new HandReader(filter).join(audience));
  assert.equal(readers[0]!.channel, readers[1]!.channel);
  assert.notEqual(readers[0]!.channel, readers[2]!.channel);
  audience.emit(events(0, 3));
  for (const reader of readers) reader.take();
  assert.deepEqual(readers.map(({ seen }) => seen.length), [3, 3, 1]);
  for (const reader of readers) audience.remove(reader);
  assert.equal(audience.types.size, 0);
});
