import assert from "node:assert/strict";
import {
  ALL_EVENTS,
  encodeCursor,
  type EventFilter,
  type EventType,
  parseCursor,
  START_POSITION,
} from "../../src/gateway/events/event_ports.ts";
import { atMost, EventSite, nameOf, settle, Transcript } from "./event_site.ts";
import { until } from "./fixture.ts";
import { hashAt } from "./growing_log.ts";

const only = (...types: EventType[]): EventFilter => ({ types: new Set(types) });

/** Grows every list. */
async function grown(site: EventSite): Promise<void> {
  site.log.accept(4);
  site.log.confirm(3);
  site.log.publish();
  site.anchors.add("cross_anchor.added");
  await settle();
}

Deno.test("parseCursor() rejects every text that is not a cursor", () => {
  const id = "v1.9.8.7.6.5";
  assert.equal(encodeCursor(parseCursor(id)), id);
  assert.deepEqual(parseCursor(encodeCursor(START_POSITION)), START_POSITION);
  const wrong = ["", "v1", "v1.0.0.0.0", "v1.0.0.0.0.0.0", "v2.0.0.0.0.0", "v1.00.0.0.0.0"];
  wrong.push("v1.1.2.0.0.0", "v1.2.1.2.0.0", "v1.2.2.1.2.0", "v1.0.0.0.0.-1", "v1.0.0.0.0.0 ");
  wrong.push("v1.9007199254740992.0.0.0.0", "v1.1e3.0.0.0.0", "v1.0x1.0.0.0.0", ".0.0.0.0.0");
  for (const text of wrong) {
    assert.throws(() => parseCursor(text), { code: "malformed_parameter" }, text);
  }
});

Deno.test("a reader without a cursor receives later events only", async () => {
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

Deno.test("a reader receives events between its subscription and its hello", async () => {
  const site = new EventSite();
  await grown(site);
  const subscription = await site.feed.subscribe({ filter: ALL_EVENTS });
  site.log.accept(2);
  site.log.confirm(9);
  await settle();
  const reader = new Transcript(ALL_EVENTS, () => {});
  subscription.read(reader);
  await settle();
  assert.equal(reader.start, "v1.4.3.3.3.1");
  assert.equal(reader.events.length, 5);
  site.checkWhole(reader);
  subscription.close();
  await site.feed.stop();
});

Deno.test("the feed does not read the log while no connection is open", async () => {
  const site = new EventSite();
  await grown(site);
  assert.deepEqual([site.log.read, site.log.listeners.count], [0, 0]);
  const reader = await site.connect();
  await settle();
  assert.deepEqual([site.log.read, site.log.listeners.count], [0, 1]);
  reader.leave();
  await grown(site);
  assert.deepEqual([site.log.read, site.log.listeners.count], [0, 0]);
  assert.equal(site.feed.connections, 0);
});

Deno.test("filters by type and by hash pass the same events live and replayed", async () => {
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
  const counts: number[] = [];
  for (const reader of live) {
    site.checkWhole(reader);
    const replayed = await site.replay(reader.filter);
    assert.deepEqual(replayed.map(nameOf).toSorted(), reader.events.map(nameOf).toSorted());
    counts.push(replayed.length);
  }
  assert.deepEqual(counts, [3, 3, 12, 2, 1, 0, 0]);
  await site.feed.stop();
});

Deno.test("types and hashes that no reader wants are not read", async () => {
  const site = new EventSite();
  const reader = await site.connect(only("sth.published"));
  for (let i = 0; i < 4; i++) await grown(site);
  assert.equal(reader.events.length, 4);
  assert.equal(site.log.read, 0);
  await site.replay(only("cross_anchor.added"));
  assert.equal(site.log.read, 0);
  // A filter by hash reads one digest of each list, whatever the length of the log.
  site.log.accept(10_000);
  site.log.confirm(10_000);
  await settle();
  assert.equal((await site.replay({ types: ALL_EVENTS.types, hash: hashAt(9_000) })).length, 2);
  assert.equal(site.log.read, 2);
  await site.feed.stop();
});

Deno.test("a hash that is accepted while its reader connects is not missed", async () => {
  for (let turns = 0; turns < 30; turns++) {
    const site = new EventSite();
    await grown(site);
    const connecting = site.connect({ types: ALL_EVENTS.types, hash: hashAt(4) }, START_POSITION);
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

Deno.test("a head that is published while the broadcast reads the end of the log is not missed", async () => {
  const site = new EventSite();
  await grown(site);
  site.log.confirm(1);
  const reader = await site.connect();
  await settle();
  // In a front, reading the length of a list may apply an update to another list.
  let isDue = true;
  const { accepted } = site.log;
  Object.defineProperty(site.log, "accepted", {
    get() {
      if (isDue) {
        isDue = false;
        site.log.publish();
      }
      return accepted;
    },
  });
  site.log.listeners.notify();
  await until(() => reader.events.length === 2);
  assert.deepEqual(reader.events.map(({ id }) => id), ["v1.4.4.4.3.1", "v1.4.4.4.4.1"]);
  await site.feed.stop();
});

Deno.test("a cursor that the log has not reached is answered with gap and the present", async () => {
  const site = new EventSite();
  await grown(site);
  const beyond = { ...START_POSITION, accepted: 5 };
  const reader = await site.connect(ALL_EVENTS, beyond);
  assert.ok(reader.hasGap);
  assert.equal(reader.start, "v1.4.3.3.3.1");
  const known = await site.connect(ALL_EVENTS, { ...START_POSITION, accepted: 4 });
  assert.ok(!known.hasGap);
  site.log.accept(3);
  await until(() => reader.events.length === 3);
  await site.feed.stop();
});

Deno.test("a cursor from before the log was restored from a copy is answered with gap", async () => {
  const site = new EventSite();
  const reader = await site.connect();
  for (let i = 0; i < 3; i++) await grown(site);
  reader.leave();
  site.log.accepted = 5;
  site.log.confirmed = 3;
  site.log.sizes.length = 1;
  site.anchors.added.length = 1;
  site.restart();
  const ahead = await site.connect(ALL_EVENTS, reader.cursor);
  assert.ok(ahead.hasGap);
  assert.equal(ahead.start, "v1.5.3.3.3.1");
  ahead.leave();
  assert.equal((await site.replay()).length, 5 + 3 + 2 + 1);
  assert.deepEqual(site.reports, []);
  await site.feed.stop();
});

Deno.test("cursors of gateways that ordered events of all lists resume exactly", async () => {
  const site = new EventSite();
  for (let i = 0; i < 3; i++) await grown(site);
  // Between two lists, between a batch and its head, and far back.
  for (
    const id of ["v1.5.3.3.0.0", "v1.12.9.3.3.0", "v1.9.9.9.6.2", "v1.4.0.0.0.3", "v1.1.1.0.0.0"]
  ) {
    const reader = await site.connect(ALL_EVENTS, parseCursor(id));
    await settle();
    assert.equal(reader.start, id);
    site.checkWhole(reader);
    reader.leave();
  }
  await site.feed.stop();
});

Deno.test("an event follows the events that it depends on, from any cursor", async () => {
  const site = new EventSite();
  const live = await site.connect();
  for (let i = 0; i < 5; i++) {
    site.log.accept(3);
    site.log.confirm(2);
    site.log.publish();
  }
  await settle();
  for (const events of [live.events, await site.replay()]) {
    const names = events.map(nameOf);
    const isBefore = (first: string, second: string) =>
      assert.ok(names.indexOf(first) < names.indexOf(second), `${first}, ${second}`);
    for (let i = 0; i < 10; i++) {
      isBefore(`attestation.accepted ${i}`, `attestation.confirmed ${i}`);
    }
    for (const size of site.log.sizes) {
      isBefore(`attestation.confirmed ${size - 1}`, `batch.closed ${size}`);
      isBefore(`batch.closed ${size}`, `sth.published ${size}`);
    }
  }
  await site.feed.stop();
});

Deno.test("a replay of 10,000 events is exact when it resumes after every page", async () => {
  const site = new EventSite();
  site.log.accept(4_900);
  for (let i = 0; i < 49; i++) {
    site.log.confirm(100);
    site.log.publish();
    site.anchors.add(i % 2 === 0 ? "cross_anchor.added" : "external_anchor.added");
  }
  const received: string[] = [];
  let after = START_POSITION;
  for (let pages = 0; received.length < 9_947; pages++) {
    const reader: Transcript = await site.connect(ALL_EVENTS, after, {
      onPage: () => reader.leave(),
    });
    await until(() => reader.reader!.hasLeft);
    site.check(reader);
    received.push(...reader.events.map(nameOf));
    after = reader.cursor;
    if (pages % 10 === 0) site.restart();
  }
  assert.deepEqual(received.toSorted(), site.due(ALL_EVENTS, START_POSITION, site.now).toSorted());
  await site.feed.stop();
});

Deno.test("a reader of a new type that becomes live during a read misses nothing", async () => {
  const site = new EventSite();
  const first = await site.connect(only("attestation.accepted"));
  const filter = only("external_anchor.added");
  const subscription = await site.feed.subscribe({ filter });
  const gate = Promise.withResolvers<void>();
  site.log.gate = gate.promise;
  site.log.accept(3);
  site.anchors.add("external_anchor.added");
  await settle();
  assert.equal(first.events.length, 0, "the broadcast reads");
  const second = new Transcript(filter, () => {});
  subscription.read(second);
  await settle();
  gate.resolve();
  await settle();
  for (const reader of [first, second]) site.checkWhole(reader);
  subscription.close();
  await site.feed.stop();
});

Deno.test("a slow reader gets lagged with its cursor and resumes exactly", async () => {
  const site = new EventSite({ buffered: 10, queue: 5, stalledTicks: 3 });
  const slow = await site.connect();
  const prompt = await site.connect();
  slow.weight = 4;
  site.log.accept(3);
  await until(() => slow.events.length === 3);
  // Full: new events wait until the client reads.
  site.log.accept(5);
  await until(() => prompt.events.length === 8);
  assert.equal(slow.events.length, 3);
  slow.buffered = 0;
  await until(() => slow.events.length > 3);
  assert.equal(slow.reason, undefined);
  site.log.accept(20);
  await until(() => slow.reason !== undefined);
  assert.equal(slow.reason, "lagged");
  assert.equal(slow.lagged, slow.events.at(-1)!.id);
  await until(() => prompt.events.length === 28);
  // Its connection counts until it is closed.
  assert.equal(site.feed.connections, 2);
  slow.leave();
  const again = await site.connect(ALL_EVENTS, parseCursor(slow.lagged!));
  await until(() => slow.events.length + again.events.length === 28);
  assert.deepEqual([...slow.events, ...again.events], prompt.events);
  await site.feed.stop();
});

Deno.test("a reader that reads nothing for long is disconnected without new events", async () => {
  const site = new EventSite({ buffered: 10, queue: 5, stalledTicks: 3 });
  await grown(site);
  for (const after of [undefined, START_POSITION]) {
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

Deno.test("a replay reads no faster than its reader", async () => {
  const site = new EventSite({ buffered: 10 });
  site.log.accept(100_000);
  const reader = await site.connect(ALL_EVENTS, START_POSITION);
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

Deno.test("connections are bounded, and a feed that stops disconnects them", async () => {
  const site = new EventSite({}, undefined, atMost(2));
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
  assert.ok(!isClosed, "it waits for closing connections");
  for (const reader of readers) reader.leave();
  await closing;
  await assert.rejects(site.connect(), { code: "shutting_down" });
});

Deno.test("connections are bounded over all feeds, until they are closed", async () => {
  const countConnection = atMost(2);
  const sites = Array.from({ length: 3 }, () => new EventSite({}, undefined, countConnection));
  const readers = [await sites[0]!.connect(), await sites[1]!.connect()];
  await assert.rejects(sites[2]!.connect(), { code: "overloaded" });
  assert.equal(sites[2]!.feed.connections, 0);
  readers[0]!.leave();
  readers[0]!.leave();
  readers.push(await sites[2]!.connect());
  await assert.rejects(sites[0]!.connect(), { code: "overloaded" });
  for (const reader of readers) reader.leave();
  for (let i = 0; i < 2; i++) countConnection();
  for (const site of sites) await site.feed.close();
});

Deno.test("a fault of the log ends connections, and later ones read again", async () => {
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
  const third = await site.connect(ALL_EVENTS, START_POSITION);
  await until(() => third.reason !== undefined);
  assert.equal(third.reason, "failed");
  assert.equal(again.reason, undefined);
  await site.feed.stop();
});
