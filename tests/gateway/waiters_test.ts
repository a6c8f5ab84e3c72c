import assert from "node:assert/strict";
import { Waiters } from "../../src/gateway/intake/waiters.ts";
import { FakeClock } from "../fake_clock.ts";

/** Waiters, and the names of the waits that have ended. */
function makeWaiters() {
  const clock = new FakeClock();
  const confirmed = new Set<number>();
  const waiters = new Waiters(clock, (sequence) => confirmed.has(sequence));
  const ended: string[] = [];
  const confirm = (first: number, size: number) => {
    for (let i = 0; i < size; i++) confirmed.add(first + i);
    waiters.notify(first, size);
  };
  const wait = (name: string, sequences: readonly number[], seconds: number) => {
    void waiters.wait(sequences, seconds).then(() => ended.push(name));
  };
  return { clock, waiters, ended, wait, confirm };
}

Deno.test("a waiter ends when all of its sequences are confirmed", async () => {
  const { clock, ended, wait, confirm } = makeWaiters();
  wait("a", [1, 5], 30);
  wait("b", [5], 30);
  wait("c", [6], 30);
  confirm(2, 3);
  await clock.advance(0);
  assert.deepEqual(ended, []);
  confirm(5, 1);
  await clock.advance(0);
  assert.deepEqual(ended, ["b"]);
  confirm(0, 2);
  await clock.advance(0);
  assert.deepEqual(ended, ["b", "a"]);
  confirm(0, 10);
  await clock.advance(0);
  assert.deepEqual(ended, ["b", "a", "c"]);
});

Deno.test("a waiter ends at its deadline, and not before", async () => {
  const { clock, ended, wait, confirm } = makeWaiters();
  wait("short", [1, 2], 2);
  wait("long", [2], 3);
  await clock.advance(1_999);
  assert.deepEqual(ended, []);
  await clock.advance(100);
  assert.deepEqual(ended, ["short"]);
  // An ended waiter is not notified again, and does not end others.
  confirm(1, 2);
  await clock.advance(0);
  assert.deepEqual(ended, ["short", "long"]);
});

Deno.test("a clock that is set back at most doubles the time of a waiter", async () => {
  const { clock, ended, wait } = makeWaiters();
  wait("a", [1], 2);
  clock.jump(-3_600_000);
  await clock.advance(100);
  assert.deepEqual(ended, []);
  await clock.advance(2_000);
  assert.deepEqual(ended, ["a"]);
});

Deno.test("wait() without sequences or without time resolves at once", async () => {
  const { clock, ended, wait } = makeWaiters();
  wait("nothing", [], 30);
  wait("no time", [1], 0);
  wait("less", [1], -1);
  await clock.advance(0);
  assert.deepEqual(ended, ["nothing", "no time", "less"]);
});

Deno.test("Waiters.release() ends all waiters, and new ones can wait after it", async () => {
  const { clock, waiters, ended, wait, confirm } = makeWaiters();
  wait("a", [1, 2], 30);
  wait("b", [2], 30);
  waiters.release();
  await clock.advance(0);
  assert.deepEqual(ended, ["a", "b"]);
  wait("c", [3], 30);
  confirm(3, 1);
  await clock.advance(0);
  assert.deepEqual(ended, ["a", "b", "c"]);
});

Deno.test("beyond the limit of waiters, wait() resolves at once", async () => {
  const { clock, waiters, ended, wait, confirm } = makeWaiters();
  for (let i = 0; i < 65_536; i++) void waiters.wait([i], 30);
  wait("one too many", [7], 30);
  await clock.advance(0);
  assert.deepEqual(ended, ["one too many"]);
  confirm(9, 1);
  wait("in its place", [70_000], 30);
  await clock.advance(0);
  assert.deepEqual(ended, ["one too many"]);
  waiters.release();
});

Deno.test("800 waiters for the same 1,000 sequences end with a few checks each", async () => {
  const { clock, waiters, ended, wait, confirm } = makeWaiters();
  let reads = 0;
  const sequences = new Proxy(Array.from({ length: 1_000 }, (_, i) => i), {
    get(target, name) {
      if (typeof name === "string" && /^[0-9]+$/.test(name)) reads++;
      return Reflect.get(target, name);
    },
  });
  const waitAll = () => {
    for (let i = 0; i < 800; i++) wait(`${i}`, sequences, 2);
    reads = 0;
  };
  waitAll();
  await clock.advance(2_000);
  assert.equal(ended.length, 800);
  assert.ok(reads <= 2 * 800, `${reads} reads when their time is up`);
  waitAll();
  waiters.release();
  await clock.advance(0);
  assert.equal(ended.length, 1_600);
  assert.ok(reads <= 2 * 800, `${reads} reads when they are released`);
  waitAll();
  for (let first = 0; first < 1_000; first += 100) confirm(first, 100);
  await clock.advance(0);
  assert.equal(ended.length, 2_400);
  assert.ok(reads <= 800 * (1_000 + 3 * 10), `${reads} reads when all are confirmed`);
  assert.equal(waiters.count, 0);
});

Deno.test("an expired waiter does not end others of the same sequence", async () => {
  const { clock, ended, wait, confirm } = makeWaiters();
  wait("short", [1, 2], 2);
  wait("long", [1, 2], 30);
  wait("longer", [2, 1], 30);
  await clock.advance(2_000);
  assert.deepEqual(ended, ["short"]);
  confirm(1, 2);
  await clock.advance(0);
  assert.deepEqual(ended.toSorted(), ["long", "longer", "short"]);
});

Deno.test("Waiters.review() ends the waiters whose sequences are confirmed", async () => {
  const clock = new FakeClock();
  let end = 0;
  const waiters = new Waiters(clock, (sequence) => sequence < end);
  const ended: string[] = [];
  for (const [name, sequences] of Object.entries({ a: [1], b: [1, 7], c: [0, 3], d: [9] })) {
    void waiters.wait(sequences, 30).then(() => ended.push(name));
  }
  end = 5;
  waiters.review();
  await clock.advance(0);
  assert.deepEqual(ended.sort(), ["a", "c"]);
  assert.equal(waiters.count, 2);
  end = 8;
  waiters.notify(7, 1);
  await clock.advance(0);
  assert.deepEqual(ended, ["a", "c", "b"]);
  waiters.release();
});
