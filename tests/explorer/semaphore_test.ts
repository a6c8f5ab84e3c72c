import assert from "node:assert/strict";
import { Semaphore } from "../../src/explorer/hashing/semaphore.ts";

/** Work that ends on demand. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}

const never = new AbortController().signal;

Deno.test("Semaphore grants its permits in order of arrival", async () => {
  const slots = new Semaphore(2);
  const works = [held(), held(), held(), held()];
  const started: number[] = [];
  const done = works.map(({ work }, i) =>
    slots.run(() => {
      started.push(i);
      return work();
    }, never)
  );
  await Promise.resolve();
  assert.deepEqual(started, [0, 1]);
  works[1]!.end();
  await done[1];
  assert.deepEqual(started, [0, 1, 2]);
  for (const { end } of works) end();
  await Promise.all(done);
  assert.deepEqual(started, [0, 1, 2, 3]);
});

Deno.test("Semaphore.run() rejects at once when aborted, and keeps no permit", async () => {
  const slots = new Semaphore(1);
  const first = held();
  const running = slots.run(first.work, never);
  const stop = new AbortController();
  const waiting = slots.run(() => assert.fail("started"), stop.signal);
  const last = slots.run(() => Promise.resolve("last"), never);
  stop.abort(new Error("given up"));
  await assert.rejects(waiting, /given up/);
  await assert.rejects(slots.run(() => assert.fail("started"), stop.signal), /given up/);
  first.end();
  await running;
  assert.equal(await last, "last");
  assert.equal(await slots.run(() => Promise.resolve("again"), never), "again");
});
