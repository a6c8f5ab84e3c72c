import assert from "node:assert/strict";
import { EventWake, HINT_TYPES, type HintLine } from "../../src/explorer/stamp/event_wake.ts";
import { FakeTimers } from "./fake_timers.ts";

class Line implements HintLine {
  readyState = 1;
  isClosed = false;
  readonly #listeners: (readonly [string, () => void])[] = [];
  addEventListener(type: string, listener: () => void): void {
    this.#listeners.push([type, listener]);
  }
  close(): void {
    this.isClosed = true;
  }
  tell(told: string): void {
    for (const [type, listener] of this.#listeners) if (type === told) listener();
  }
}

const never = new AbortController().signal;

function makeWake() {
  const lines: Line[] = [];
  const wake = new EventWake(() => {
    lines.push(new Line());
    return lines.at(-1)!;
  });
  const waits: string[] = [];
  const wait = (name: string, ms: number, signal = never) =>
    wake.wait(ms, signal).then(() => waits.push(name));
  return { wake, lines, waits, wait };
}

Deno.test("all who wait wake at an event, by the clock, or when they give up", async () => {
  using timers = new FakeTimers();
  const { lines, waits, wait, wake } = makeWake();
  for (const type of HINT_TYPES) {
    const both = [wait("a", 1000), wait("b", 2000)];
    lines[0]!.tell(type);
    await Promise.all(both);
  }
  assert.equal(waits.splice(0).length, 6);
  const late = wait("late", 1000);
  timers.pass(999);
  await Promise.resolve();
  assert.deepEqual(waits, []);
  timers.pass(1);
  await late;
  const stop = new AbortController();
  const given = wait("given up", 1000, stop.signal);
  stop.abort();
  await given;
  await wait("already given up", 1000, stop.signal);
  const woken = wait("woken", 1000);
  wake.wake();
  await woken;
  assert.deepEqual(waits, ["late", "given up", "already given up", "woken"]);
  assert.equal(lines.length, 1);
  timers.pass(10_000);
  assert.ok(lines[0]!.isClosed);
});

Deno.test("a gateway without events is asked for them once", async () => {
  using timers = new FakeTimers();
  const { lines, wait } = makeWake();
  const first = wait("first", 1000);
  lines[0]!.tell("error");
  timers.pass(1000);
  await first;
  timers.pass(10_000);
  const second = wait("second", 1000);
  assert.equal(lines.length, 2, "a line that is only cut is opened again");
  lines[1]!.readyState = 2;
  lines[1]!.tell("error");
  timers.pass(1000);
  await second;
  timers.pass(10_000);
  const third = wait("third", 1000);
  assert.equal(lines.length, 2);
  timers.pass(1000);
  await third;
  timers.pass(10_000);
});
