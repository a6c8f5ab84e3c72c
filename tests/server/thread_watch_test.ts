import assert from "node:assert/strict";
import { ThreadWatch } from "../../src/server/fronts/front_supervisor.ts";
import { FakeClock } from "../fake_clock.ts";

const CHECK_MS = 1_000;

/** A sequencer and two fronts, watched. */
function watchedThreads() {
  const clock = new FakeClock();
  const watch = new ThreadWatch(clock);
  const hangs: string[] = [];
  watch.hung.catch(({ code, message }) => hangs.push(`${code}: ${message}`));
  const [sequencer, front1, front2] = [
    watch.sequencer(),
    watch.front("front-1"),
    watch.front("front-2"),
  ];
  return {
    watch,
    hangs,
    sequencer,
    front1,
    front2,
    /** Lets `count` checks pass, in which `beating` beat. */
    async checks(count: number, beating: readonly SharedArrayBuffer[]) {
      for (let check = 0; check < count; check++) {
        for (const heartbeat of beating) new Int32Array(heartbeat)[0]!++;
        await clock.advance(CHECK_MS);
      }
    },
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  };
}

Deno.test("a front without a heartbeat in ten checks hangs", async () => {
  using watched = watchedThreads();
  const { hangs, sequencer, front1, front2, checks } = watched;
  await checks(1, [sequencer, front1, front2]);
  await checks(9, [sequencer, front1]);
  assert.deepEqual(hangs, []);
  await checks(1, [sequencer, front1]);
  assert.deepEqual(hangs, [
    "internal: front-2 has not responded for 10 s. Start the gateway again",
  ]);
});

Deno.test("a front that misses nine heartbeats, again and again, does not hang", async () => {
  using watched = watchedThreads();
  const { hangs, sequencer, front1, front2, checks } = watched;
  for (let round = 0; round < 4; round++) {
    await checks(1, [sequencer, front1, front2]);
    await checks(9, [sequencer]);
  }
  assert.deepEqual(hangs, []);
});

Deno.test("threads that have not started do not hang", async () => {
  using watched = watchedThreads();
  await watched.checks(30, []);
  assert.deepEqual(watched.hangs, []);
});

Deno.test("a sequencer that hangs is named, and no front that waits for it", async () => {
  using watched = watchedThreads();
  const { hangs, sequencer, front1, front2, checks } = watched;
  await checks(1, [sequencer, front1, front2]);
  // Its fronts hung first.
  await checks(3, [sequencer]);
  await checks(10, []);
  assert.deepEqual(hangs, [
    "internal: The sequencer has not responded for 10 s. Start the gateway again",
  ]);
});

Deno.test("a front that has ended is not watched, and its successor is", async () => {
  using watched = watchedThreads();
  const { watch, hangs, sequencer, front1, front2, checks } = watched;
  await checks(1, [sequencer, front1, front2]);
  watch.frontEnded("front-1");
  await checks(30, [sequencer, front2]);
  assert.deepEqual(hangs, []);
  const successor = watch.front("front-1");
  await checks(1, [sequencer, successor, front2]);
  await checks(10, [sequencer, front2]);
  assert.equal(hangs.length, 1);
});
