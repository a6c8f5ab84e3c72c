import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { CountersignError } from "../../../src/base/errors.ts";
import type { Assigned, Follower } from "../../../src/gateway/fronts/ports.ts";
import { StoreOutage } from "../../../src/base/store_outage.ts";
import { isFault } from "../../../src/http/problem.ts";
import { RequestWriter } from "../../../src/base/threads/request_ring.ts";
import { encodeAssign } from "../../../src/gateway/link/link_frames.ts";
import { ThreadLink } from "../../../src/gateway/link/thread_link.ts";
import { newLinkEnds, newLinkMemory } from "../../../src/gateway/link/thread_link_ends.ts";
import { LinkedFronts } from "../../../src/gateway/link/thread_link_fronts.ts";
import { testLink } from "../link_conformance.ts";
import {
  numbersOf,
  type Received,
  requestOf,
  type ScriptedAssign,
  ScriptedSequencer,
} from "../scripted_sequencer.ts";
import { within } from "../../time_limits.ts";
import { ThreadedFronts } from "./threaded_fronts.ts";

testLink("ThreadLink", (service) => new ThreadedFronts(service));

/** Rings so small that fronts are lapped and wait for room. */
const SMALL = { updatesCapacity: 2 ** 12, requestsCapacity: 2 ** 9 };

function sequencesIn(assigned: Assigned | undefined): readonly number[] | undefined {
  return assigned?.sequences;
}

function sequencesOf({ request }: ScriptedAssign): number[] {
  return numbersOf(request).map((number) => number * 3);
}

function capacityOf({ updatesCapacity }: typeof SMALL): number {
  // An update takes at least 36 bytes.
  return Math.ceil(updatesCapacity / 36);
}

Deno.test("a lapped front joins again, and applies nothing of the lost updates", async () => {
  const sequencer = new ScriptedSequencer();
  await using fronts = new ThreadedFronts(sequencer, SMALL);
  const front = await fronts.addFront();
  await front.catchUp();
  const release = await front.block();
  const count = 2 * capacityOf(SMALL);
  for (let end = 1; end <= count; end++) sequencer.accept(end);
  await release();
  const received = await front.catchUp();
  const [[method, snapshot], ...rest] = received as [Received];
  assert.equal(method, "joined");
  assert.deepEqual(snapshot, sequencer.snapshot());
  assert.deepEqual(rest, []);
  sequencer.accept(count + 1);
  assert.deepEqual((await front.catchUp()).map(([method, end]) => [method, end]), [
    ["accepted", count + 1],
  ]);
});

Deno.test("a lapped front sends its unanswered requests again", async () => {
  const sequencer = new ScriptedSequencer();
  await using fronts = new ThreadedFronts(sequencer, SMALL);
  const [front, other] = [await fronts.addFront(), await fronts.addFront()];
  const requests = [1, 2, 3, 4].map(requestOf);
  const answers = requests.map((request) => front.assign(request));
  const assigns = await sequencer.take(4);
  const release = await front.block();
  // The outcomes of the first two are lost; the sequencer still works on the others.
  for (const assign of assigns.slice(0, 2)) assign.done(sequencesOf(assign));
  for (let end = 1; end <= 2 * capacityOf(SMALL); end++) sequencer.accept(end);
  await release();
  const again = await sequencer.take(4);
  assert.deepEqual(again.map(({ request }) => numbersOf(request)), [[1], [2], [3], [4]]);
  // Either outcome of a request that was sent twice will do.
  for (const assign of assigns.slice(2)) assign.done(sequencesOf(assign));
  for (const assign of again) assign.done(sequencesOf(assign), 100);
  const assigned = await Promise.all(answers);
  assert.deepEqual(assigned.map(sequencesIn), [[3], [6], [9], [12]]);
  // The first request may have had the sequence assigned, so it counts as new.
  assert.deepEqual(assigned.map((assigned) => assigned?.firstNew), [0, 0, 0, 0]);
  const answered = other.assign(requestOf(5));
  for (const assign of await sequencer.take(1)) assign.done(sequencesOf(assign), 100);
  assert.deepEqual(await answered, { sequences: [15], firstNew: 100 });
});

Deno.test("an index that changes while a front is lapped is in its next snapshot", async () => {
  const sequencer = new ScriptedSequencer();
  await using fronts = new ThreadedFronts(sequencer, SMALL);
  const front = await fronts.addFront();
  await front.catchUp();
  const release = await front.block();
  const { index } = sequencer.snapshot();
  sequencer.publish((follower) => follower.indexChanged("digests", index));
  for (let end = 1; end <= 2 * capacityOf(SMALL); end++) sequencer.accept(end);
  sequencer.publish((follower) => follower.indexChanged("digests", index));
  await release();
  assert.deepEqual((await front.catchUp()).map(([method]) => method), ["joined"]);
  sequencer.publish((follower) => follower.indexChanged("spent", index));
  assert.deepEqual((await front.catchUp()).map(([method, name]) => [method, name]), [
    ["indexChanged", "spent"],
  ]);
});

Deno.test("every request is answered over rings that are too small", async () => {
  const sequencer = new ScriptedSequencer();
  await using fronts = new ThreadedFronts(sequencer, SMALL);
  const linked = [await fronts.addFront(), await fronts.addFront()];
  const commits: ScriptedAssign[] = [];
  let end = 0;
  const commit = async () => {
    while (end >= 0) {
      for (const assign of commits.splice(0)) {
        sequencer.accept(++end);
        assign.done(sequencesOf(assign));
      }
      await setImmediate();
    }
  };
  sequencer.script = (assign) => commits.push(assign);
  const committing = commit();
  await Promise.all(linked.map(async (front, i) => {
    const numbers = Array.from({ length: 3_000 }, (_, j) => 3_000 * i + j);
    const answers = numbers.map((number) => front.assign(requestOf(number)));
    assert.deepEqual(
      (await Promise.all(answers)).map(sequencesIn),
      numbers.map((number) => [3 * number]),
    );
  }));
  end = -1;
  await committing;
});

Deno.test("requests that find no room are sent in order", async () => {
  const sequencer = new ScriptedSequencer();
  await using fronts = new ThreadedFronts(sequencer, { requestsCapacity: 2 ** 7 });
  const front = await fronts.addFront();
  const numbers = [...Array(500).keys()];
  const seen: number[] = [];
  sequencer.script = (assign) => {
    seen.push(...numbersOf(assign.request));
    assign.done(sequencesOf(assign));
  };
  await Promise.all(numbers.map((number) => front.assign(requestOf(number))));
  assert.deepEqual(seen, numbers);
});

Deno.test("a request that no ring can hold is rejected, and others are not", async () => {
  const sequencer = new ScriptedSequencer();
  await using fronts = new ThreadedFronts(sequencer, { requestsCapacity: 2 ** 7 });
  const front = await fronts.addFront();
  sequencer.script = (assign) => assign.done(sequencesOf(assign));
  const digests = new Uint8Array(32 * 4);
  const numbers = [...Array(20).keys()];
  // Some wait for room when the long request is made.
  const [answers] = await Promise.all([
    Promise.all(numbers.map((number) => front.assign(requestOf(number)))),
    assert.rejects(front.assign({ digests, sealedRuns: 0 }), /ring/),
  ]);
  assert.deepEqual(answers.map(sequencesIn), numbers.map((number) => [3 * number]));
  assert.deepEqual((await front.assign(requestOf(2)))?.sequences, [6]);
});

Deno.test("thousands of requests are refused at once", async () => {
  const sequencer = new ScriptedSequencer();
  await using fronts = new ThreadedFronts(sequencer, { updatesCapacity: 2 ** 16 });
  const front = await fronts.addFront();
  const refused = Array.from(
    { length: 3_000 },
    (_, number) => assert.rejects(front.assign(requestOf(number)), { code: "storage_failed" }),
  );
  const assigns = await sequencer.take(refused.length);
  const error = new CountersignError("storage_failed", "The store rejects commits: disk full");
  for (const { failed } of assigns) failed(error);
  // Refusals that were overwritten are given again.
  sequencer.script = ({ failed }) => failed(error);
  await Promise.all(refused);
});

Deno.test("fronts take turns, by bytes", async () => {
  const sequencer = new ScriptedSequencer();
  const memory = newLinkMemory(SMALL.updatesCapacity);
  const seen: number[] = [];
  const done = Promise.withResolvers<void>();
  sequencer.script = ({ request }) => {
    seen.push(request.digests.length / 32);
    if (seen.length === 32) done.resolve();
  };
  const fronts = new LinkedFronts(sequencer, memory);
  const ends = [1, 2].map((front) => newLinkEnds(memory, front));
  const [bulks, singles] = ends.map(({ frontEnd }) => new RequestWriter(frontEnd.requests));
  for (let id = 0; id < 2; id++) {
    for (let i = 0; i < 6; i++) {
      bulks!.tryWrite(encodeAssign(id, { digests: new Uint8Array(32_000), sealedRuns: 0 }));
    }
    for (let i = 0; i < 10; i++) singles!.tryWrite(encodeAssign(id, requestOf(id)));
  }
  for (const { sequencerEnd } of ends) fronts.add(sequencerEnd);
  // A sleeping thread is not kept alive by its bell.
  assert.ok(await within(60_000, done.promise));
  assert.deepEqual(seen.slice(0, 24), [1_000, 1_000, ...new Array(20).fill(1), 1_000, 1_000]);
  fronts.close();
  for (const { frontEnd } of ends) frontEnd.port.close();
});

Deno.test("requests without an outcome fail when the sequencer closes its fronts", async () => {
  const sequencer = new ScriptedSequencer();
  await using fronts = new ThreadedFronts(sequencer);
  const front = await fronts.addFront();
  const [answered, failed] = [front.assign(requestOf(3)), front.assign(requestOf(4))];
  const [first] = await sequencer.take(2);
  first!.done([9]);
  const { index } = sequencer.snapshot();
  sequencer.publish((follower) => follower.indexChanged("digests", index));
  fronts.linked.close();
  await Promise.all([
    assert.rejects(failed, { code: "shutting_down" }),
    answered.then((assigned) => assert.deepEqual(assigned?.sequences, [9])),
  ]);
  await assert.rejects(front.assign(requestOf(5)), { code: "shutting_down" });
  await front.catchUp();
});

Deno.test("requests without an outcome fail when their front closes its link", async () => {
  const sequencer = new ScriptedSequencer();
  await using fronts = new ThreadedFronts(sequencer);
  const front = await fronts.addFront();
  const failed = front.assign(requestOf(4));
  const [assign] = await sequencer.take(1);
  await Promise.all([front.close(), assert.rejects(failed, { code: "shutting_down" })]);
  assign!.done([12]);
  sequencer.accept(13);
});

for (const method of ["accepted", "joined"] as const) {
  Deno.test(`a front whose follower throws in ${method}() ends, though a caller catches the error`, async () => {
    const sequencer = new ScriptedSequencer();
    await using fronts = new ThreadedFronts(sequencer, SMALL);
    const front = await fronts.addFront();
    await front.failIn(method);
    const release = await front.block();
    const caughtUp = front.catchUp();
    caughtUp.catch(() => {});
    const count = method === "joined" ? 2 * capacityOf(SMALL) : 1;
    for (let end = 1; end <= count; end++) sequencer.accept(end);
    await release();
    assert.ok((await front.failed).includes(`${method} fails`));
  });
}

Deno.test("a front knows an outage of the store, which is reported once, from other faults", async () => {
  const sequencer = new ScriptedSequencer();
  sequencer.script = ({ failed }) => failed(new StoreOutage("Cannot store digests"));
  const memory = newLinkMemory();
  const linked = new LinkedFronts(sequencer, memory);
  const { sequencerEnd, frontEnd } = newLinkEnds(memory, 0);
  linked.add(sequencerEnd);
  const link = new ThreadLink(frontEnd, new Proxy({}, { get: () => () => {} }) as Follower);
  // A wait for shared memory does not keep the event loop of the main thread running.
  const running = setInterval(() => {}, 1_000);
  await link.joined;
  await assert.rejects(link.assign(requestOf(1)), (error) => {
    assert.ok(error instanceof StoreOutage);
    assert.equal(error.message, "Cannot store digests");
    assert.ok(!isFault(error));
    return true;
  });
  link.close();
  linked.close();
  clearInterval(running);
});
