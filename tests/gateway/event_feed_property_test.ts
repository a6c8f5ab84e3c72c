/**
 * Random histories of a log, its readers and its processes: whoever reads, live or later, from
 * whichever cursor, is told the same events in the same order under the same ids, each once.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { EventFilter } from "../../src/gateway/event_filter.ts";
import { encodeCursor, FIRST_PLACE, parseCursor } from "../../src/gateway/event_place.ts";
import { EVENT_TYPES } from "../../src/gateway/event_ports.ts";
import type { LogEvent } from "../../src/gateway/event_text.ts";
import { EventSite, passing, settle, type Transcript } from "./event_site.ts";
import { hashAt } from "./growing_log.ts";

type Step =
  | { readonly do: "accept" | "confirm"; readonly count: number }
  | { readonly do: "publish" | "cross" | "external" | "wait" }
  | { readonly do: "connect"; readonly filter: EventFilter; readonly resume: number }
  | { readonly do: "leave"; readonly who: number }
  | { readonly do: "restart"; readonly during: "stored_unknown" | "not_stored" | undefined };

const filters: fc.Arbitrary<EventFilter> = fc.record({
  types: fc.subarray([...EVENT_TYPES], { minLength: 1 }).map((types) => new Set(types)),
  hash: fc.option(fc.nat(60).map(hashAt), { nil: undefined, freq: 3 }),
}, { noNullPrototype: true }).map(({ types, hash }) => ({ types, ...(hash && { hash }) }));

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("accept"), count: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("confirm"), count: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("publish") }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("cross", "external") }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("wait") }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("connect"), filter: filters, resume: fc.nat(20) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("leave"), who: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("restart"),
      during: fc.constantFrom("stored_unknown", "not_stored", undefined),
    }),
  },
) as fc.Arbitrary<Step>;

/** Everybody who ever read, those who are there, and what all of them should have been told. */
interface Readers {
  readonly all: Transcript[];
  here: Transcript[];
  /** Ids that somebody was told, to come back with. */
  readonly seen: string[];
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
    case "connect": {
      for (const { events } of readers.all) readers.seen.push(...events.map(({ id }) => id));
      const id = readers.seen[step.resume * 7 % (2 * readers.seen.length + 1)];
      const reader = await site.connect(
        step.filter,
        id === undefined ? undefined : parseCursor(id),
      );
      assert.equal(reader.start, id ?? reader.start);
      readers.all.push(reader);
      readers.here.push(reader);
      return;
    }
    case "leave":
      readers.here.splice(step.who % (readers.here.length + 1), 1).forEach((one) => one.leave());
      return;
    case "restart":
      for (const reader of readers.here) reader.leave();
      readers.here = [];
      return await site.restart(step.during);
  }
}

/** Each thing that happened is told once, and nothing before what it follows from. */
function checkWhole({ log, anchors }: EventSite, whole: readonly LogEvent[]): void {
  const told = (type: string) =>
    whole.filter((event) => event.type === type).map(({ json }) => JSON.parse(json));
  const sequences = (count: number) => Array.from({ length: count }, (_, i) => i);
  for (const [type, count] of [["accepted", log.accepted], ["confirmed", log.confirmed]] as const) {
    const found = told(`attestation.${type}`);
    assert.deepEqual(found.map(({ data }) => data.sequence), sequences(count));
    assert.deepEqual(found.map(({ data }) => data.hash), sequences(count).map(hashAt));
  }
  assert.deepEqual(told("batch.closed").map(({ data }) => data.id), log.sizes);
  assert.deepEqual(told("sth.published").map(({ data }) => data.tree_head.tree_size), log.sizes);
  assert.deepEqual(
    whole.filter(({ type }) => type.includes("anchor")).map(({ json }) => JSON.parse(json).data),
    anchors.added.map(({ data }) => JSON.parse(data)),
  );
  assert.equal(new Set(whole.map(({ id }) => id)).size, whole.length);
  for (const { id } of whole) {
    assert.equal(encodeCursor(parseCursor(id)), id);
    const { accepted, confirmed, batches, heads } = parseCursor(id);
    assert.ok(accepted >= confirmed && confirmed >= batches && batches >= heads);
  }
}

async function checkHistory(history: readonly Step[]): Promise<void> {
  const site = new EventSite();
  const readers: Readers = { all: [], here: [], seen: [encodeCursor(FIRST_PLACE)] };
  for (const step of history) await take(site, readers, step);
  await settle();
  const whole = await site.whole();
  checkWhole(site, whole);
  for (const reader of readers.all) {
    const due = passing(whole, reader.filter, reader.start!);
    const isHere = readers.here.includes(reader);
    assert.deepEqual(reader.events, isHere ? due : due.slice(0, reader.events.length));
    assert.equal(reader.hasGap, false);
  }
  // The next process tells it all in the same words, from any place on.
  for (const reader of readers.here) reader.leave();
  await site.restart();
  assert.deepEqual(await site.whole(), whole);
  for (const [i, { id }] of whole.entries()) {
    if (i % 5 === 0) {
      assert.deepEqual(await site.replay(undefined, parseCursor(id)), whole.slice(i + 1));
    }
  }
  await site.feed.stop();
  assert.deepEqual(site.reports, []);
}

Deno.test("live and replayed events are the same, in one order, over restarts", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 60 }), checkHistory),
    { numRuns: 30 },
  );
});
