import assert from "node:assert/strict";
import { newBellMemory } from "../../../src/base/threads/bell.ts";
import { newRingMemory } from "../../../src/base/threads/frame_memory.ts";
import { within } from "../../time_limits.ts";
import type { BurstOrder } from "./burst_worker.ts";

/** A thread that misses a wake-up would sleep for ever: this ends the test. */
const LIMIT_MS = 300_000;

/** Runs each order in its own worker. */
async function runThreads(orders: readonly BurstOrder[]): Promise<void> {
  const threads = orders.map((order) => {
    const worker = new Worker(new URL("./burst_worker.ts", import.meta.url), { type: "module" });
    const result = new Promise<string>((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
    });
    worker.postMessage(order);
    return { worker, result };
  });
  try {
    const results = Promise.all(threads.map(({ result }) => result));
    assert.ok(await within(LIMIT_MS, results), "a thread never ended");
    assert.deepEqual(await results, orders.map(() => "done"));
  } finally {
    for (const { worker } of threads) worker.terminate();
  }
}

for (const [maxBurst, frames] of [[1, 1_000], [3, 10_000], [200, 200_000]] as const) {
  Deno.test(`no ring is lost between threads in bursts of up to ${maxBurst} frames`, async () => {
    const there = { ring: newRingMemory(2 ** 17), bell: newBellMemory() };
    const back = { ring: newRingMemory(2 ** 17), bell: newBellMemory() };
    await runThreads([
      {
        role: "sender",
        frames,
        maxBurst,
        output: there.ring,
        outputBell: there.bell,
        input: back.ring,
        inputBell: back.bell,
      },
      {
        role: "echo",
        frames,
        output: back.ring,
        outputBell: back.bell,
        input: there.ring,
        inputBell: there.bell,
      },
    ]);
  });
}

Deno.test("readers of a ring that is too small never get a damaged frame", async () => {
  const updates = newRingMemory(2 ** 10);
  const frames = 200_000;
  await runThreads([
    { role: "writer", updates, frames },
    { role: "reader", updates, frames },
    { role: "reader", updates, frames },
  ]);
});
