/**
 * Random histories of a log, its readers and its processes: every reader receives every event that its
 * filter passes exactly once, whenever it disconnects and from whichever cursor it resumes.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import {
  encodeCursor,
  EVENT_TYPES,
  type EventFilter,
  parseCursor,
  START_POSITION,
} from "../../src/gateway/events/event_ports.ts";
import { EventSite, settle, type Transcript } from "./event_site.ts";
import { hashAt } from "./growing_log.ts";

type Step =
  | { readonly do: "accept" | "confirm"; readonly count: number }
  | { readonly do: "publish" | "cross" | "external" | "wait" | "restart" }
  | { readonly do: "turn"; readonly count: number }
  | { readonly do: "connect"; readonly filter: EventFilter; readonly resume: number }
  | { readonly do: "reconnect" | "leave"; readonly who: number };

const filters: fc.Arbitrary<EventFilter> = fc.record({
  types: fc.subarray([...EVENT_TYPES], { minLength: 1 }).map((types) => new Set(types)),
  hash: fc.option(fc.nat(60).map(hashAt), { nil: undefined, freq: 3 }),
}, { noNullPrototype: true }).map(({ types, hash }) => ({ types, ...(hash && { hash }) }));

const step = (weight: number, record: Record<string, fc.Arbitrary<unknown>>) => ({
  weight,
  arbitrary: fc.record(record),
});
const name = (...names: string[]) => fc.constantFrom(...names);
const steps = fc.oneof(
  step(6, { do: name("accept", "confirm"), count: fc.integer({ min: 1, max: 9 }) }),
  step(1, { do: name("accept", "confirm"), count: fc.integer({ min: 200, max: 600 }) }),
  step(3, { do: name("publish") }),
  step(1, { do: name("cross", "external") }),
  step(2, { do: name("wait") }),
  // Disconnects and restarts come between any two steps of a page.
  step(6, { do: name("turn"), count: fc.integer({ min: 1, max: 40 }) }),
  step(3, { do: name("connect"), filter: filters, resume: fc.nat(1_000) }),
  step(4, { do: name("reconnect", "leave"), who: fc.nat(20) }),
  step(1, { do: name("restart") }),
) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>;

interface Readers {
  /** Every reader that ever connected. */
  readonly all: Transcript[];
  live: Transcript[];
}

async function connect(
  site: EventSite,
  readers: Readers,
  filter: EventFilter,
  cursor: string | undefined,
): Promise<void> {
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  const reader = await site.connect(filter, after);
  assert.equal(reader.start, cursor ?? reader.start);
  assert.equal(reader.hasGap, false);
  readers.all.push(reader);
  readers.live.push(reader);
}

async function take(site: EventSite, readers: Readers, step: Step): Promise<void> {
  const { log, anchors } = site;
  switch (step.do) {
    case "accept":
      return log.accept(step.count);
    case "confirm":
      return log.confirm(step.count);
    case "publish":
      return log.publish();
    case "cross":
      return anchors.add("cross_anchor.added");
    case "external":
      return anchors.add("external_anchor.added");
    case "wait":
      return await settle();
    case "turn":
      for (let i = 0; i < step.count; i++) await Promise.resolve();
      return;
    case "connect": {
      const seen = readers.all.flatMap(({ start, events }) => [start!, ...events.map((e) => e.id)]);
      seen.push(encodeCursor(START_POSITION));
      // Half of the readers start at the present.
      return await connect(site, readers, step.filter, seen[step.resume % (2 * seen.length)]);
    }
    case "reconnect":
    case "leave":
      for (const reader of readers.live.splice(step.who % (readers.live.length + 1), 1)) {
        reader.leave();
        if (step.do === "leave") continue;
        await connect(site, readers, reader.filter, encodeCursor(reader.cursor));
      }
      return;
    case "restart":
      for (const reader of readers.live) reader.leave();
      readers.live = [];
      site.restart();
  }
}

async function checkHistory(history: readonly Step[]): Promise<void> {
  const site = new EventSite();
  const readers: Readers = { all: [], live: [] };
  for (const step of history) await take(site, readers, step);
  const isDone = ({ filter, cursor }: Transcript) =>
    site.due(filter, cursor, site.now).length === 0;
  for (let i = 0; i < 100 && !readers.live.every(isDone); i++) await settle();
  await settle();
  for (const reader of readers.all) site.check(reader);
  for (const reader of readers.live) site.checkWhole(reader);
  for (const { events } of readers.all) {
    for (const { id } of events) {
      const { accepted, confirmed, batches, heads } = parseCursor(id);
      assert.ok(accepted >= confirmed && confirmed >= batches && batches >= heads);
    }
  }
  for (const reader of readers.live) reader.leave();
  await site.feed.stop();
  assert.deepEqual(site.reports, []);
}

Deno.test("every reader receives every event once, over disconnects and restarts", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 60 }), checkHistory),
    { numRuns: 60 },
  );
});
