import assert from "node:assert/strict";
import { ALL_EVENTS, START_POSITION } from "../../src/gateway/events/event_ports.ts";
import type { EventClient } from "../../src/gateway/events/event_reader.ts";
import { FakeClock } from "../fake_clock.ts";
import { EventSite, type Transcript } from "./event_site.ts";

const free = (owner: string): EventClient => ({ owner, charge: () => 0 });

/** Connects while time passes. */
async function connect(
  site: EventSite,
  clock: FakeClock,
  ...args: Parameters<EventSite["connect"]>
): Promise<Transcript> {
  const connecting = site.connect(...args);
  let reader: Transcript | undefined;
  connecting.then((connected) => reader = connected);
  await clock.until(() => reader !== undefined);
  return reader!;
}

Deno.test("EventSender leaves most of the thread's time to other work", async () => {
  const clock = new FakeClock();
  const site = new EventSite({}, clock);
  const readers: Transcript[] = [];
  let pages = 0;
  const onPage = () => {
    // Each page takes a millisecond.
    clock.jump(1);
    pages++;
  };
  for (let i = 0; i < 100; i++) {
    readers.push(await connect(site, clock, ALL_EVENTS, undefined, { onPage }));
  }
  site.log.accept(5);
  // Turns of the event loop in which a submission could be answered, while the clock does not move.
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(pages, 1, "one slice, and then a rest");
  const startMs = clock.nowMs();
  await clock.until(() => pages === 100);
  const share = 99 / (clock.nowMs() - startMs);
  assert.ok(share <= 0.26, `sending took ${share} of the time`);
  for (const reader of readers) assert.deepEqual(reader.events, readers[0]!.events);
  await site.feed.stop();
});

Deno.test("a client with a hundred live readers does not delay another client", async () => {
  const clock = new FakeClock();
  const site = new EventSite({}, clock);
  const trace: string[] = [];
  for (let i = 0; i < 101; i++) {
    const owner = i < 100 ? "many" : "one";
    const onPage = () => {
      clock.jump(1);
      trace.push(owner);
    };
    await connect(site, clock, ALL_EVENTS, undefined, { client: free(owner), onPage });
  }
  site.log.accept(1);
  await clock.until(() => trace.length === 101);
  assert.ok(trace.indexOf("one") <= 2, `after ${trace.indexOf("one")} others`);
  await site.feed.stop();
});

Deno.test("the replays of one client delay the replay of another by a slice at a time", async () => {
  const clock = new FakeClock();
  const site = new EventSite({}, clock);
  site.log.accept(5 * 256);
  const trace: string[] = [];
  const open = (owner: string) => {
    const onPage = () => {
      // A page takes longer than a slice.
      clock.jump(2);
      trace.push(owner);
    };
    return connect(site, clock, ALL_EVENTS, START_POSITION, { client: free(owner), onPage });
  };
  for (let i = 0; i < 30; i++) await open("many");
  const before = trace.length;
  assert.ok(before < 75, "most of these replays are not done");
  await open("one");
  await clock.until(() => trace.filter((owner) => owner === "one").length === 5);
  const others = trace.slice(before).filter((owner) => owner === "many").length;
  assert.ok(others <= 12, `${others} pages of another client came in between`);
  await site.feed.stop();
});

Deno.test("replay() charges each page before reading it and waits for the budget", async () => {
  const clock = new FakeClock();
  const site = new EventSite({}, clock);
  const count = 1_000;
  site.log.accept(count);
  const charged: number[] = [];
  let hasRoom = true;
  const client: EventClient = {
    owner: "a",
    charge(weight) {
      if (!hasRoom) return 3_000;
      const paid = charged.reduce((sum, part) => sum + part, 0);
      assert.ok(site.log.read <= paid, "what is read was charged");
      charged.push(weight);
      hasRoom = charged.length !== 2;
      return 0;
    },
  };
  const reader = await connect(site, clock, ALL_EVENTS, START_POSITION, { client });
  await clock.until(() => charged.length === 2);
  await clock.advance(2_900);
  assert.equal(charged.length, 2);
  assert.equal(site.log.read, reader.events.length);
  assert.ok(reader.events.length > 0 && reader.events.length <= 512);
  assert.equal(reader.reason, undefined);
  hasRoom = true;
  await clock.until(() => reader.events.length === count);
  assert.ok(charged.reduce((sum, part) => sum + part, 0) >= count);
  // Live events are free.
  const parts = charged.length;
  site.log.accept(9);
  await clock.until(() => reader.events.length === count + 9);
  assert.equal(charged.length, parts);
  await site.feed.stop();
});

Deno.test("a reader that leaves while its replay waits for the budget is dropped at once", async () => {
  const clock = new FakeClock();
  const site = new EventSite({}, clock);
  site.log.accept(10);
  const client: EventClient = { owner: "a", charge: () => 1_000_000 };
  const reader = await connect(site, clock, ALL_EVENTS, START_POSITION, { client });
  await clock.advance(0);
  const waiting = clock.sleeping;
  reader.leave();
  await clock.advance(0);
  assert.ok(clock.sleeping < waiting);
  assert.equal(site.log.read, 0);
  await clock.advance(100);
  assert.equal(site.log.listeners.count, 0, "without readers the log is not followed");
  await site.feed.stop();
});
