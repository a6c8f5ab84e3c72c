/** Warnings about a state that fails, and how often they come. */

import assert from "node:assert/strict";
import type { WitnessWarning } from "../../src/witness/ports.ts";
import { FakeClock } from "../fake_clock.ts";
import { digestsOf, forkedTree, NETWORK, NOW, TestLog, testWitness, withCode } from "./fixture.ts";
import { MemoryWitnessState, type StateOperation } from "./memory_state.ts";

const log = new TestLog();
const tree = forkedTree("tree", 4, 40);

/** A witness whose state fails in the operations `failing`, and the kinds of its warnings. */
function makeWitness(...operations: readonly StateOperation[]) {
  const failing = new Set(operations);
  const clock = new FakeClock(NOW);
  const warnings: WitnessWarning[] = [];
  const fault = (operation: StateOperation) =>
    failing.has(operation) ? "fail_not_stored" as const : undefined;
  const state = new MemoryWitnessState({ fault });
  const witness = testWitness({ state, clock, warnings });
  return { failing, clock, warnings, state, witness };
}

Deno.test("Witness reports a failing state at most once a minute, and its recovery once", async () => {
  const { failing, clock, warnings, witness } = makeWitness("replace", "probe");
  const stop = new AbortController();
  const watching = witness.watchStorage(stop.signal);
  for (let i = 0; i < 4 * 150; i++) {
    const timestamp = Math.floor(clock.nowMs() / 1000);
    const asked = witness.cosign(log.request(tree, 0, 5, timestamp));
    await assert.rejects(asked, withCode("storage_failed"));
    assert.equal(witness.storageFailure?.code, "storage_failed");
    await clock.advance(250);
  }
  assert.deepEqual(warnings.map(({ kind }) => kind), Array(3).fill("storage_failed"));
  const counts = warnings.map((warning) => warning.kind === "storage_failed" && warning.failures);
  assert.equal(counts[0], 1);
  assert.ok(Number(counts[1]) >= 240 && Number(counts[2]) >= 240, counts.join());
  failing.clear();
  await clock.advance(10_000);
  assert.equal(witness.storageFailure, undefined);
  const [, , , last, ...others] = warnings;
  assert.deepEqual(others, []);
  assert.ok(last?.kind === "storage_recovered" && last.seconds >= 150, JSON.stringify(last));
  stop.abort();
  await watching;
});

Deno.test("Witness.checkStorage() detects a full disk before a round arrives", async () => {
  const { clock, warnings, witness } = makeWitness("probe");
  const stop = new AbortController();
  const watching = witness.watchStorage(stop.signal);
  await clock.advance(0);
  assert.equal(witness.storageFailure?.code, "storage_failed");
  assert.deepEqual(warnings.map(({ kind }) => kind), ["storage_failed"]);
  stop.abort();
  await watching;
});

Deno.test("Witness reports no failure of a state that it has closed", async () => {
  const { warnings, witness } = makeWitness("probe");
  witness.close();
  await assert.rejects(witness.checkStorage(), withCode("storage_failed"));
  assert.deepEqual(warnings, []);
});

Deno.test("Witness.checkStorage() stores digests of a failed write before the failure ends", async () => {
  const { failing, state, witness } = makeWitness("appendSigned");
  const round = {
    networkId: NETWORK,
    timestamp: NOW,
    firstSequence: 0,
    digests: digestsOf("a"),
    beacon: null,
  };
  await assert.rejects(witness.sign(round), withCode("storage_failed"));
  await assert.rejects(witness.checkStorage(), withCode("storage_failed"));
  assert.equal(witness.storageFailure?.code, "storage_failed");
  failing.clear();
  await witness.checkStorage();
  assert.equal(witness.storageFailure, undefined);
  const stored = { first: 0, digests: digestsOf("a"), timestamp: NOW, beacon: null };
  assert.deepEqual(await state.loadSigned(), [stored]);
});

Deno.test("Witness.watchStorage() reports a check that takes longer than 10 s, until a later check passes", async () => {
  const clock = new FakeClock(NOW);
  const hanging = Promise.withResolvers<void>();
  const pass = (operation: string) => operation === "probe" ? hanging.promise : Promise.resolve();
  const state = new MemoryWitnessState({ pass });
  const witness = testWitness({ state, clock });
  const failure = () => witness.storageFailure?.code;
  const stop = new AbortController();
  const watching = witness.watchStorage(stop.signal);
  await clock.advance(9_999);
  assert.equal(failure(), undefined);
  await clock.advance(1);
  assert.equal(failure(), "storage_failed");
  assert.equal(state.calls.probe, 1, "no second check is piled upon it");
  hanging.resolve();
  await clock.advance(10_000);
  assert.equal(failure(), undefined);
  stop.abort();
  await watching;
});

Deno.test("Witness.watchStorage() ends after the check in progress, or 10 s later", async () => {
  for (const answers of [true, false]) {
    const clock = new FakeClock(NOW);
    const hanging = Promise.withResolvers<void>();
    const pass = (operation: string) => operation === "probe" ? hanging.promise : Promise.resolve();
    const witness = testWitness({ state: new MemoryWitnessState({ pass }), clock });
    const stop = new AbortController();
    let hasEnded = false;
    const watching = witness.watchStorage(stop.signal).then(() => hasEnded = true);
    stop.abort();
    await clock.advance(9_999);
    assert.equal(hasEnded, false);
    if (answers) hanging.resolve();
    await clock.advance(answers ? 0 : 1);
    assert.equal(hasEnded, true);
    await watching;
  }
});

Deno.test("Witness.checkStorage() shares one write among concurrent calls", async () => {
  const { state, witness } = makeWitness();
  await Promise.all([1, 2, 3].map(() => witness.checkStorage()));
  assert.equal(state.calls.probe, 1);
});
