import assert from "node:assert/strict";
import { systemClock } from "../../src/base/clock.ts";
import type { SequencerService } from "../../src/gateway/fronts/gateway_sequencer.ts";
import type { Assigned, AssignRequest, Follower } from "../../src/gateway/fronts/ports.ts";
import { FakeClock } from "../fake_clock.ts";
import { type LinkHarness, type RecordingFront, testLink } from "./link_conformance.ts";
import { type LinkSchedule, LocalLink } from "./local_link.ts";
import { type Received, requestOf, ScriptedSequencer } from "./scripted_sequencer.ts";

class LocalFront implements RecordingFront {
  readonly link: LocalLink;
  #received: Received[] = [];

  constructor(service: SequencerService, schedule?: LinkSchedule) {
    this.link = new LocalLink(service, schedule);
    const record = (method: keyof Follower) => (...args: unknown[]) =>
      this.#received.push([method, ...args]);
    this.link.follow(
      new Proxy({}, { get: (_, method: keyof Follower) => record(method) }) as Follower,
    );
  }

  assign(request: AssignRequest): Promise<Assigned | undefined> {
    return this.link.assign(request);
  }

  /** What the follower has received since the last call, without a `catchUp`. */
  take(): readonly Received[] {
    const received = this.#received;
    this.#received = [];
    return received;
  }

  catchUp(): Promise<readonly Received[]> {
    this.link.catchUp();
    return Promise.resolve(this.take());
  }

  end(): Promise<void> {
    this.link.end();
    return Promise.resolve();
  }
}

function harnessOf(service: SequencerService, schedule?: LinkSchedule): LinkHarness {
  const fronts: LocalFront[] = [];
  return {
    addFront() {
      const front = new LocalFront(service, schedule);
      fronts.push(front);
      return Promise.resolve(front);
    },
    async close() {
      for (const front of fronts) await front.end();
    },
  };
}

testLink("LocalLink", (service) => harnessOf(service));

testLink("LocalLink with delays", (service) => {
  let calls = 0;
  const delay = () => ++calls % 3 === 0 ? 1 : 0;
  return harnessOf(service, { clock: systemClock, requestMs: delay, updateMs: delay });
});

Deno.test("LocalLink delivers late, in order, and at once when the front catches up", async () => {
  const clock = new FakeClock();
  const sequencer = new ScriptedSequencer();
  const delays = [30, 10, 20];
  const front = new LocalFront(sequencer, {
    clock,
    requestMs: () => 5,
    updateMs: () => delays.shift() ?? 0,
  });
  front.take();
  delays.splice(0, 3, 30, 10, 20);
  sequencer.accept(1);
  sequencer.accept(2);
  sequencer.accept(3);
  const ends = () => front.take().map(([, end]) => end);
  await clock.advance(9);
  assert.deepEqual(ends(), []);
  // The second update cannot overtake the first.
  await clock.advance(1);
  assert.deepEqual(ends(), [1, 2]);
  front.link.catchUp();
  assert.deepEqual(ends(), [3]);
  const answered = front.assign(requestOf(1));
  await clock.advance(4);
  assert.equal(sequencer.assigns.length, 0);
  await clock.advance(1);
  sequencer.assigns[0]!.done([7]);
  assert.deepEqual((await answered)?.sequences, [7]);
  await front.end();
});

Deno.test("LocalLink joins again after lost updates, and its requests have one answer", async () => {
  const clock = new FakeClock();
  const sequencer = new ScriptedSequencer();
  const front = new LocalFront(sequencer, { clock, requestMs: () => 0, updateMs: () => 50 });
  front.take();
  const answered = front.assign(requestOf(1));
  const [first] = await sequencer.take(1);
  sequencer.accept(8);
  first!.done([7]);
  front.link.lap();
  assert.deepEqual((await front.catchUp()).map(([method]) => method), ["joined"]);
  const [second] = await sequencer.take(1);
  second!.done([7]);
  first!.done([9]);
  front.link.catchUp();
  assert.deepEqual((await answered)?.sequences, [7]);
  await front.end();
  assert.equal(sequencer.following, 0);
  await clock.advance(0);
  assert.equal(clock.sleeping, 0);
});
