import assert from "node:assert/strict";
import { MemoryWitnessState } from "./memory_state.ts";
import { testWitnessState } from "./state_conformance.ts";

testWitnessState("MemoryWitnessState", () => {
  const state = new MemoryWitnessState();
  return Promise.resolve({ state, close: () => {} });
});

const head = (size: number, fill: number) => ({
  size,
  root: new Uint8Array(32).fill(fill),
  timestamp: 1,
});

Deno.test("MemoryWitnessState records a tree that shrinks or changes", async () => {
  for (const wrong of [head(4, 1), head(5, 2)]) {
    const state = new MemoryWitnessState();
    const version = await state.replace("a", undefined, head(5, 1));
    state.assertSound();
    await state.replace("a", version, wrong);
    assert.throws(() => state.assertSound());
  }
});

Deno.test("MemoryWitnessState loses the append of a process that ended before it", async () => {
  const arrival = Promise.withResolvers<void>();
  const state = new MemoryWitnessState({ pass: () => arrival.promise });
  const run = { first: 0, digests: new Uint8Array(32), timestamp: 1, beacon: null };
  void state.appendSigned([run], 0);
  state.endProcess();
  const appended = state.appendSigned([{ ...run, first: 5 }], 0);
  arrival.resolve();
  await appended;
  assert.deepEqual(state.signed.map(({ first }) => first), [5]);
  state.assertSound();
});
