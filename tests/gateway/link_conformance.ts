/**
 * The conformance suite for every `SequencerLink`, over a scripted sequencer.
 *
 * @module
 */

import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { CountersignError } from "../../src/base/errors.ts";
import type { SequencerService } from "../../src/gateway/fronts/gateway_sequencer.ts";
import type { Assigned, AssignRequest } from "../../src/gateway/fronts/ports.ts";
import { Random } from "../random.ts";
import { SEED } from "../seed.ts";
import { sampleUpdates } from "./link/link_samples.ts";
import {
  digestOf,
  numbersOf,
  type Received,
  requestOf,
  type ScriptedAssign,
  ScriptedSequencer,
} from "./scripted_sequencer.ts";

/** A front with a follower that records. It may be in another thread. */
export interface RecordingFront {
  assign(request: AssignRequest): Promise<Assigned | undefined>;
  /** Calls `catchUp`, then returns what the follower has received since the last call. */
  catchUp(): Promise<readonly Received[]>;
  /** Ends the front in the middle of its work, and removes it from the sequencer. */
  end(): Promise<void>;
}

/** Links to one sequencer. */
export interface LinkHarness {
  /** A front that has joined. */
  addFront(): Promise<RecordingFront>;
  close(): Promise<void>;
}

/** The sequence of a digest, and the error or staleness of some. */
function answer({ request, done, failed }: ScriptedAssign): void {
  const numbers = numbersOf(request);
  if (numbers[0]! % 7 === 1) failed(new CountersignError("overloaded", `Not ${numbers[0]}`));
  else if (numbers[0]! % 7 === 2) done(undefined);
  else done(numbers.map((number) => number * 3));
}

async function expectAnswer(front: RecordingFront, request: AssignRequest): Promise<void> {
  const numbers = numbersOf(request);
  const answered = front.assign(request);
  if (numbers[0]! % 7 === 1) {
    await assert.rejects(answered, { code: "overloaded", message: `Not ${numbers[0]}` });
  } else if (numbers[0]! % 7 === 2) assert.equal(await answered, undefined);
  else assert.deepEqual((await answered)?.sequences, numbers.map((number) => number * 3));
}

const random = new Random(SEED);

/** Registers the tests of a link. */
export function testLink(name: string, open: (service: SequencerService) => LinkHarness): void {
  const test = (
    what: string,
    run: (sequencer: ScriptedSequencer, harness: LinkHarness) => Promise<void>,
  ) =>
    Deno.test(`${name}: ${what}`, async () => {
      const sequencer = new ScriptedSequencer();
      const harness = open(sequencer);
      try {
        await run(sequencer, harness);
      } finally {
        await harness.close();
      }
    });

  test("fronts join, then receive every update in one order", async (sequencer, harness) => {
    const first = await harness.addFront();
    const [[method, snapshot], ...rest] = await first.catchUp() as [Received];
    assert.equal(method, "joined");
    assert.deepEqual(snapshot, sequencer.snapshot());
    assert.deepEqual(rest, []);

    const expected: Received[] = [];
    const publish = () => {
      const recorder = new Proxy({}, {
        get: (_, method: Received[0]) => (...args: unknown[]) => {
          expected.push([method, ...args]);
          sequencer.publish((follower) => Reflect.apply(follower[method], follower, args));
        },
      }) as Parameters<typeof sampleUpdates>[0];
      sampleUpdates(recorder);
    };
    publish();
    assert.deepEqual(await first.catchUp(), expected);
    const second = await harness.addFront();
    assert.deepEqual((await second.catchUp()).map(([method]) => method), ["joined"]);
    expected.length = 0;
    publish();
    assert.deepEqual(await first.catchUp(), expected);
    assert.deepEqual(await second.catchUp(), expected);
    assert.deepEqual(await first.catchUp(), []);
  });

  test("an index that changes keeps its place among the updates", async (sequencer, harness) => {
    const front = await harness.addFront();
    const indexOf = (byte: number) => ({
      key: new Uint8Array(8).fill(byte),
      filters: [new SharedArrayBuffer(8)],
      runs: [{ base: byte, memory: new SharedArrayBuffer(8) }],
    });
    await front.catchUp();
    sequencer.accept(1);
    sequencer.publish((follower) => follower.indexChanged("digests", indexOf(1)));
    sequencer.accept(2);
    sequencer.publish((follower) => follower.indexChanged("spent", indexOf(2)));
    sequencer.publish((follower) => follower.indexChanged("digests", indexOf(3)));
    sequencer.accept(3);
    const received = await front.catchUp();
    assert.deepEqual(received.map(([method, argument]) => [method, argument]), [
      ["accepted", 1],
      ["indexChanged", "digests"],
      ["accepted", 2],
      ["indexChanged", "spent"],
      ["indexChanged", "digests"],
      ["accepted", 3],
    ]);
    assert.deepEqual(
      received.filter(([method]) => method === "indexChanged").map(([, , index]) => index),
      [1, 2, 3].map(indexOf),
    );
  });

  test("the memory of an index is shared", async (sequencer, harness) => {
    const front = await harness.addFront();
    await front.catchUp();
    const memory = new SharedArrayBuffer(8);
    const index = { key: new Uint8Array(8), filters: [], runs: [{ base: 0, memory }] };
    sequencer.publish((follower) => follower.indexChanged("digests", index));
    const [[, , received]] = await front.catchUp() as [Received];
    new Uint8Array(memory)[3] = 77;
    const { memory: other } = (received as typeof index).runs[0]!;
    assert.equal(new Uint8Array(other)[3], 77);
  });

  test("requests arrive as they were made", async (sequencer, harness) => {
    const front = await harness.addFront();
    const bulk = new Uint8Array(32 * 1_000).map((_, i) => i % 251);
    const ids = new Uint8Array(32 * 1_000).map((_, i) => i % 241);
    const requests: AssignRequest[] = [
      { digests: digestOf(5), sealedRuns: 0 },
      { digests: bulk, sealedRuns: 2 ** 31 },
      { digests: bulk, spends: { positions: [...Array(1_000).keys()], ids }, sealedRuns: 1 },
      {
        digests: bulk.subarray(32, 96),
        spends: { positions: [1], ids: ids.subarray(32, 64) },
        sealedRuns: 2,
        trace: { traceId: "0f".repeat(16), spanId: "e1".repeat(8), traceFlags: 1 },
      },
    ];
    const answers = Promise.all(requests.map((request) => front.assign(request)));
    const assigns = await sequencer.take(requests.length);
    assert.deepEqual(
      assigns.map(({ request: { digests, sealedRuns, spends, trace } }) => ({
        digests: digests.slice(),
        ...(spends && { spends: { positions: spends.positions, ids: spends.ids.slice() } }),
        sealedRuns,
        ...(trace && { trace }),
      })),
      requests.map((request) => structuredClone(request)).map((request) => ({
        ...request,
        digests: request.digests.slice(),
        ...(request.spends && {
          spends: { positions: request.spends.positions, ids: request.spends.ids.slice() },
        }),
      })),
    );
    const sequences = [...Array(1_000).keys()];
    const firstNew = (i: number) => 2 ** 40 + i;
    assigns.forEach(({ done }, i) =>
      done(i === 0 ? [2 ** 53 - 1] : sequences.slice(i), firstNew(i))
    );
    assert.deepEqual(await answers, [
      { sequences: [2 ** 53 - 1], firstNew: firstNew(0) },
      { sequences: sequences.slice(1), firstNew: firstNew(1) },
      { sequences: sequences.slice(2), firstNew: firstNew(2) },
      { sequences: sequences.slice(3), firstNew: firstNew(3) },
    ]);
  });

  test("requests are answered in any order, refused or stale", async (sequencer, harness) => {
    const front = await harness.addFront();
    const answers = Array.from({ length: 50 }, (_, i) => expectAnswer(front, requestOf(i)));
    const assigns = random.shuffle(await sequencer.take(50));
    for (const assign of assigns) {
      answer(assign);
      if (random.chance(0.3)) await setImmediate();
    }
    await Promise.all(answers);
  });

  test("an error without a code is an internal one", async (sequencer, harness) => {
    const front = await harness.addFront();
    sequencer.script = ({ failed }) => failed(new TypeError("x is not a function"));
    await assert.rejects(front.assign(requestOf(1)), /x is not a function/);
  });

  test("thousands of requests of several fronts are in flight", async (sequencer, harness) => {
    const fronts = [await harness.addFront(), await harness.addFront(), await harness.addFront()];
    const answers = Array.from(
      { length: 6_000 },
      (_, i) => expectAnswer(fronts[i % fronts.length]!, requestOf(i)),
    );
    const assigns = random.shuffle(await sequencer.take(answers.length));
    for (const [i, assign] of assigns.entries()) {
      answer(assign);
      if (i % 10 === 0) sequencer.accept(i);
      if (i % 700 === 0) await setImmediate();
    }
    await Promise.all(answers);
    for (const front of fronts) {
      const accepted = (await front.catchUp()).filter(([method]) => method === "accepted");
      assert.deepEqual(accepted.map(([, end]) => end), [...Array(600).keys()].map((i) => 10 * i));
    }
  });

  test("an answered front knows the updates before the answer", async (sequencer, harness) => {
    const front = await harness.addFront();
    for (let end = 1; end <= 50; end++) {
      const answered = front.assign(requestOf(3));
      const [assign] = await sequencer.take(1);
      sequencer.accept(end);
      assign!.done([end - 1]);
      assert.deepEqual((await answered)?.sequences, [end - 1]);
      const received = await front.catchUp();
      assert.deepEqual(received.at(-1)!.slice(0, 2), ["accepted", end]);
    }
  });

  test("another front takes the place of one that ended", async (sequencer, harness) => {
    const [ending, other] = [await harness.addFront(), await harness.addFront()];
    for (const number of [1, 2, 3]) void ending.assign(requestOf(number)).catch(() => {});
    const kept = expectAnswer(other, requestOf(3));
    const assigns = await sequencer.take(4);
    await ending.end();
    sequencer.accept(9);
    for (const assign of assigns) answer(assign);
    await kept;
    const replacement = await harness.addFront();
    const [[method, snapshot], ...rest] = await replacement.catchUp() as [Received];
    assert.equal(method, "joined");
    assert.deepEqual(snapshot, sequencer.snapshot());
    assert.deepEqual(rest, []);
    sequencer.script = answer;
    await Promise.all([6, 7, 8, 9].map((number) => expectAnswer(replacement, requestOf(number))));
    await Promise.all([6, 7, 8, 9].map((number) => expectAnswer(other, requestOf(number))));
  });

  test("nothing is followed after the link is closed", async (sequencer, harness) => {
    await harness.addFront();
    assert.ok(sequencer.following > 0);
    await harness.close();
    assert.equal(sequencer.following, 0);
  });
}
