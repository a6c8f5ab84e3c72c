/** Requirements on every {@linkcode Clock}, tested for each implementation. */

import assert from "node:assert/strict";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { FakeClock } from "../fake_clock.ts";
import { Random } from "../random.ts";
import { MachineClock, Timeline } from "./timeline.ts";
import { Trace } from "./trace.ts";

/** A clock, and a function that lets at least `ms` milliseconds pass. */
interface TestedClock {
  readonly clock: Clock;
  pass(ms: number): Promise<void>;
}

function simulated(): TestedClock {
  const timeline = new Timeline(new Random(1), new Trace());
  const pass = async (ms: number) => {
    const endMs = timeline.elapsedMs + ms;
    timeline.in(ms, "the end", () => {});
    while (timeline.elapsedMs < endMs) await timeline.step();
  };
  return { clock: new MachineClock(timeline, "machine"), pass };
}

function fake(): TestedClock {
  const clock = new FakeClock();
  return { clock, pass: (ms) => clock.advance(ms) };
}

function ofMachine(): TestedClock {
  const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms + 2));
  return { clock: systemClock, pass };
}

for (const [name, make] of Object.entries({ systemClock: ofMachine, FakeClock: fake, simulated })) {
  Deno.test(`${name}.sleep() lasts at least the given time`, async () => {
    const { clock, pass } = make();
    const woken: number[] = [];
    const startedMs = clock.nowMs();
    const sleeps = [30, 10, 20].map(async (ms) => {
      await clock.sleep(ms);
      // Timers have a resolution of a millisecond.
      assert.ok(clock.nowMs() - startedMs >= ms - 1, `${clock.nowMs() - startedMs} of ${ms}`);
      woken.push(ms);
    });
    await pass(40);
    await Promise.all(sleeps);
    assert.deepEqual(woken, [10, 20, 30]);
  });

  Deno.test(`${name}.sleep() resolves at once when its signal aborts, and never rejects`, async () => {
    const { clock, pass } = make();
    await clock.sleep(1e9, AbortSignal.abort());
    const controller = new AbortController();
    const sleep = clock.sleep(1e9, controller.signal);
    controller.abort(new Error("why"));
    await sleep;
    const short = clock.sleep(1, controller.signal);
    const late = new AbortController();
    const ended = clock.sleep(1, late.signal);
    await pass(5);
    late.abort();
    assert.deepEqual(await Promise.all([short, ended]), [undefined, undefined]);
  });
}
