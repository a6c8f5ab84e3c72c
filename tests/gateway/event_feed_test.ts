import assert from "node:assert/strict";
import { ALL_EVENTS, type EventFilter } from "../../src/gateway/event_filter.ts";
import {
  encodeCursor,
  type EventPlace,
  FIRST_PLACE,
  parseCursor,
} from "../../src/gateway/event_place.ts";
import type { EventType } from "../../src/gateway/event_ports.ts";
import { EventSite, passing, settle } from "./event_site.ts";
import { until } from "./fixture.ts";
import { hashAt } from "./growing_log.ts";

const only = (...types: EventType[]): EventFilter => ({ types: new Set(types) });

/** Far enough for a few kinds of everything. */
async function grown(site: EventSite): Promise<void> {
  site.log.accept(4);
  site.log.confirm(3);
  site.log.publish();
  site.anchors.add("cross_anchor.added");
  await settle();
}

Deno.test("parseCursor() takes the ids of events alone", () => {
  const id = "v1.9.8.7.6.5";
  assert.equal(encodeCursor(parseCursor(id)), id);
  assert.deepEqual(parseCursor(encodeCursor(FIRST_PLACE)), FIRST_PLACE);
  const wrong = ["", "v1", "v1.0.0.0.0", "v1.0.0.0.0.0.0", "v2.0.0.0.0.0", "v1.00.0.0.0.0"];
  wrong.push("v1.1.2.0.0.0", "v1.2.1.2.0.0", "v1.2.2.1.2.0", "v1.0.0.0.0.-1", "v1.0.0.0.0.0 ");
  wrong.push("v1.9007199254740992.0.0.0.0", "v1.1e3.0.0.0.0", "v1.0x1.0.0.0.0", ".0.0.0.0.0");
  for (const text of wrong) {
    assert.throws(() => parseCursor(text), { code: "malformed_parameter" }, text);
  }
});

Deno.test("who connects without a cursor is told what happens from there on", async () => {
  const site = new EventSite();
  await grown(site);
  const reader = await site.connect();
  assert.equal(reader.start, "v1.4.3.3.3.1");
  assert.equal(reader.events.length, 0);
  site.log.accept(1);
  await until(() => reader.events.length === 1);
  assert.equal(reader.events[0]!.id, "v1.5.3.3.3.1");
  assert.deepEqual(JSON.parse(reader.events[0]!.json), {
    id: "v1.5.3.3.3.1",
    type: "attestation.accepted",
    at: 1_004,
    data: { hash: hashAt(4), sequence: 4 },
  });
  await site.feed.stop();
});

Deno.test("what happens between a connection and its first frame is told", async () => {
  const site = new EventSite();
  await grown(site);
  const seat = site.feed.takeSeat();
  const start = await site.feed.start(undefined);
  site.log.accept(2);
  site.log.confirm(9);
  await settle();
  const reader = await site.connect(ALL_EVENTS, start.place);
  await settle();
  assert.equal(reader.events.length, 5);
  seat.leave();
  await site.feed.stop();
});

Deno.test("nothing is read, cut or listened to while nobody is there", async () => {
  const site = new EventSite();
  await grown(site);
  assert.deepEqual([site.cuts.length, site.log.read, site.log.listeners.count], [0, 0, 0]);
  const reader = await site.connect();
  assert.deepEqual([site.cuts.length, site.log.listeners.count], [1, 1]);
  reader.leave();
  await grown(site);
  assert.deepEqual([site.cuts.length, site.log.read, site.log.listeners.count], [1, 0, 0]);
  assert.equal(site.feed.connections, 0);
});

Deno.test("filters by type and by hash let by what they name, live and replayed", async () => {
  const site = new EventSite();
  const filters: EventFilter[] = [
    only("sth.published"),
    only("cross_anchor.added"),
    only("attestation.confirmed", "batch.closed"),
    { types: ALL_EVENTS.types, hash: hashAt(5) },
    { types: new Set(["attestation.confirmed"]), hash: hashAt(2) },
    { types: new Set(["sth.published"]), hash: hashAt(2) },
    { types: ALL_EVENTS.types, hash: hashAt(99) },
  ];
  const live = await Promise.all(filters.map((filter) => site.connect(filter)));
  for (let i = 0; i < 3; i++) await grown(site);
  const whole = await site.whole();
  const counts: number[] = [];
  for (const reader of live) {
    const due = passing(whole, reader.filter, "");
    assert.deepEqual(reader.events, due);
    assert.deepEqual(await site.replay(reader.filter), due);
    counts.push(due.length);
  }
  assert.deepEqual(counts, [3, 3, 12, 2, 1, 0, 0]);
  await site.feed.stop();
});

Deno.test("types that nobody asks for are not read", async () => {
  const site = new EventSite();
  const reader = await site.connect(only("sth.published"));
  for (let i = 0; i < 4; i++) await grown(site);
  assert.equal(reader.events.length, 4);
  assert.equal(site.log.read, 0);
  await site.replay(only("cross_anchor.added"));
  assert.equal(site.log.read, 0);
  // And of a hash, nothing else, however long the log is.
  site.log.accept(10_000);
  site.log.confirm(10_000);
  await settle();
  assert.equal((await site.replay({ types: ALL_EVENTS.types, hash: hashAt(9_000) })).length, 2);
  assert.equal(site.log.read, 2);
  await site.feed.stop();
});

Deno.test("a hash that is accepted while its reader comes is not missed", async () => {
  for (let turns = 0; turns < 30; turns++) {
    const site = new EventSite();
    await grown(site);
    const connecting = site.connect({ types: ALL_EVENTS.types, hash: hashAt(4) }, FIRST_PLACE);
    for (let i = 0; i < turns; i++) await Promise.resolve();
    site.log.accept(1);
    const reader = await connecting;
    await until(() => reader.events.length > 0);
    site.log.confirm(9);
    await until(() => reader.events.length > 1);
    await settle();
    assert.deepEqual(reader.events.map(({ type }) => type), [
      "attestation.accepted",
      "attestation.confirmed",
    ]);
    await site.feed.stop();
  }
});

Deno.test("a place that the log has not reached is a gap, and the present comes after it", async () => {
  const site = new EventSite();
  await grown(site);
  const beyond: EventPlace = { ...FIRST_PLACE, accepted: 5 };
  const reader = await site.connect(ALL_EVENTS, beyond);
  assert.ok(reader.hasGap);
  assert.equal(reader.start, "v1.4.3.3.3.1");
  const known = await site.connect(ALL_EVENTS, { ...FIRST_PLACE, accepted: 4 });
  assert.ok(!known.hasGap);
  site.log.accept(3);
  await until(() => reader.events.length === 3);
  await site.feed.stop();
});

Deno.test("cuts of a log that an old copy has replaced are forgotten", async () => {
  const site = new EventSite();
  const reader = await site.connect();
  for (let i = 0; i < 3; i++) await grown(site);
  reader.leave();
  site.log.accepted = 5;
  site.log.confirmed = 3;
  site.log.sizes.length = 1;
  site.anchors.added.length = 1;
  await site.restart();
  const ahead = await site.connect(ALL_EVENTS, reader.cursor);
  assert.ok(ahead.hasGap);
  ahead.leave();
  assert.equal((await site.whole()).length, 5 + 3 + 2 + 1);
  assert.deepEqual(site.reports, []);
  await site.feed.stop();
});

Deno.test("without its cuts a log is told in another order, and resuming is exact all the same", async () => {
  const site = new EventSite();
  const reader = await site.connect();
  for (let i = 0; i < 4; i++) {
    site.log.accept(2);
    await settle();
    site.log.confirm(1);
    await settle();
  }
  const told = reader.events;
  reader.leave();
  await site.restart();
  assert.deepEqual(await site.whole(), told);
  site.cuts.cuts.length = 0;
  await site.restart();
  // The control of the property: what keeps the order is the cuts alone.
  assert.notDeepEqual(await site.whole(), told);
  const nameOf = ({ json }: { readonly json: string }) => {
    const { type, data } = JSON.parse(json);
    return `${type} ${data.sequence}`;
  };
  for (const [i, { id }] of told.entries()) {
    const rest = await site.replay(ALL_EVENTS, parseCursor(id));
    assert.deepEqual(rest.map(nameOf).toSorted(), told.slice(i + 1).map(nameOf).toSorted());
  }
  await site.feed.stop();
});

Deno.test("who does not take what it is told is sent away, with the place to come back to", async () => {
  const site = new EventSite({ buffered: 10, queue: 5, stalledTicks: 3 });
  const slow = await site.connect();
  const prompt = await site.connect();
  slow.weight = 4;
  site.log.accept(3);
  await until(() => slow.events.length === 3);
  // Full: what comes waits, and is sent as soon as something is taken.
  site.log.accept(5);
  await until(() => prompt.events.length === 8);
  assert.equal(slow.events.length, 3);
  slow.buffered = 0;
  await until(() => slow.events.length > 3);
  assert.equal(slow.reason, undefined);
  site.log.accept(20);
  await until(() => slow.reason !== undefined);
  assert.equal(slow.reason, "lagged");
  assert.equal(slow.endCursor, slow.events.at(-1)!.id);
  await until(() => prompt.events.length === 28);
  // Its seat is taken until its connection is closed.
  assert.equal(site.feed.connections, 2);
  slow.leave();
  const again = await site.connect(ALL_EVENTS, parseCursor(slow.endCursor!));
  await until(() => slow.events.length + again.events.length === 28);
  assert.deepEqual([...slow.events, ...again.events], prompt.events);
  await site.feed.stop();
});

Deno.test("who takes nothing for long is sent away though it is told nothing more", async () => {
  const site = new EventSite({ buffered: 10, queue: 5, stalledTicks: 3 });
  await grown(site);
  for (const after of [undefined, FIRST_PLACE]) {
    const deaf = await site.connect(ALL_EVENTS, after);
    deaf.weight = 100;
    for (let i = 0; after === undefined && i < 2; i++) {
      site.log.accept(1);
      await settle();
    }
    await until(() => deaf.reason !== undefined);
    assert.equal(deaf.reason, "lagged");
    deaf.leave();
  }
  await site.feed.stop();
});

Deno.test("a replay reads no further than its reader takes", async () => {
  const site = new EventSite({ buffered: 10 });
  site.log.accept(100_000);
  const reader = await site.connect(ALL_EVENTS, FIRST_PLACE);
  reader.weight = 100;
  await settle();
  const { read } = site.log;
  assert.ok(read > 0 && read <= 512, `${read} digests were read`);
  for (let i = 0; i < 5; i++) {
    const before = site.log.read;
    reader.buffered = 0;
    await until(() => site.log.read > before);
    assert.ok(site.log.read - before <= 256);
  }
  reader.leave();
  await site.feed.stop();
});

Deno.test("connections are bounded, and those of a feed that stops are sent away", async () => {
  const site = new EventSite({ connections: 2 });
  const readers = [await site.connect(), await site.connect()];
  await assert.rejects(site.connect(), { code: "overloaded" });
  readers[0]!.leave();
  readers[0]!.leave();
  readers.push(await site.connect());
  await assert.rejects(site.connect(), { code: "overloaded" });
  let isClosed = false;
  const closing = site.feed.close().then(() => isClosed = true);
  await settle();
  assert.deepEqual(readers.slice(1).map(({ reason }) => reason), ["stopping", "stopping"]);
  assert.equal(readers[0]!.reason, undefined);
  assert.ok(!isClosed, "it waits for connections that are being closed");
  for (const reader of readers) reader.leave();
  await closing;
  await assert.rejects(site.connect(), { code: "shutting_down" });
});

Deno.test("a log that cannot be read ends connections, and the next ones try again", async () => {
  const site = new EventSite();
  const reader = await site.connect();
  site.log.fault = new Error("the disk is gone");
  site.log.accept(1);
  await until(() => reader.reason !== undefined);
  assert.equal(reader.reason, "failed");
  reader.leave();
  site.log.fault = undefined;
  const again = await site.connect(ALL_EVENTS, reader.cursor);
  await until(() => again.events.length === 1);
  assert.deepEqual(site.reports.map(String), ["Error: the disk is gone"]);
  site.log.fault = new Error("the disk is gone again");
  const third = await site.connect(ALL_EVENTS, FIRST_PLACE);
  await until(() => third.reason !== undefined);
  assert.equal(third.reason, "failed");
  assert.equal(again.reason, undefined);
  await site.feed.stop();
});
