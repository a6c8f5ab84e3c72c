import assert from "node:assert/strict";
import { FairTurns, type Turn } from "../../src/base/fair_turns.ts";
import { FakeClock } from "../fake_clock.ts";

/** A computation of `slices` slices, each of `ms` on `clock`, that notes its name in `trace`. */
function computation(
  clock: FakeClock,
  { name, trace, slices, ms }: { name: string; trace: string[]; slices: number; ms: number },
): (turn: Turn) => Promise<void> {
  return async (turn) => {
    for (let slice = 0; slice < slices; slice++) {
      trace.push(name);
      clock.jump(ms);
      await turn.pause();
    }
  };
}

Deno.test("FairTurns.run() starts at once when nothing else runs", async () => {
  const turns = new FairTurns(new FakeClock());
  assert.equal(await turns.run("a", () => 7), 7);
  assert.equal(await turns.run("b", () => 8), 8);
});

Deno.test("FairTurns.run() alternates between owners, however many computations one starts", async () => {
  const clock = new FakeClock();
  const turns = new FairTurns(clock);
  const trace: string[] = [];
  const start = (name: string, slices: number) =>
    turns.run(name, computation(clock, { name, trace, slices, ms: 1 }));
  const all = [...Array.from({ length: 10 }, () => start("a", 2)), start("b", 3)];
  await clock.until(() => trace.length === 23);
  await Promise.all(all);
  const places = trace.flatMap((name, i) => name === "b" ? [i] : []);
  assert.ok(places.at(-1)! <= 6, trace.join(""));
});

Deno.test("FairTurns rests for a multiple of the time that a slice took", async () => {
  const clock = new FakeClock();
  const turns = new FairTurns(clock, { share: 0.25 });
  const trace: string[] = [];
  const done = turns.run("a", computation(clock, { name: "a", trace, slices: 2, ms: 10 }));
  await clock.advance(29);
  assert.deepEqual(trace, ["a"]);
  await clock.advance(1);
  assert.deepEqual(trace, ["a", "a"]);
  await clock.advance(30);
  await done;
});

Deno.test("FairTurns goes on after a computation that throws", async () => {
  const turns = new FairTurns(new FakeClock());
  await assert.rejects(turns.run("a", () => Promise.reject(new Error("x"))), /x/);
  assert.equal(await turns.run("a", () => 1), 1);
});

Deno.test("FairTurns leaves no timer behind, and the next computation waits for the rest", async () => {
  const clock = new FakeClock();
  const turns = new FairTurns(clock, { share: 0.25 });
  await turns.run("a", () => clock.jump(10));
  assert.equal(clock.sleeping, 0);
  let isDone = false;
  const next = turns.run("a", () => isDone = true);
  await clock.advance(29);
  assert.equal(isDone, false);
  await clock.advance(1);
  await next;
  await turns.run("a", () => clock.jump(10));
  // A clock that is set back does not stop computations for as long.
  clock.jump(-3_600_000);
  const late = turns.run("a", () => 7);
  await clock.advance(100);
  assert.equal(await late, 7);
});
