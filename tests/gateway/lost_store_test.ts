import assert from "node:assert/strict";
import { CountersignError } from "../../src/base/errors.ts";
import type { LogStore } from "../../src/gateway/ports.ts";
import { isFault } from "../../src/http/problem.ts";
import { randomDigests } from "./fixture.ts";
import { Scenario } from "./scenario.ts";

/** A store that a test can lose, and whose commits it can delay. */
function losable(store: LogStore) {
  const { rounds } = store;
  const held = Promise.withResolvers<void>();
  const state = { isLost: false, isHeld: false, isBroken: false, release: held.resolve };
  const commit: typeof rounds.commit = async (...write) => {
    if (state.isBroken) throw new CountersignError("store_corrupt", "The database is damaged");
    if (state.isHeld) await held.promise;
    return await rounds.commit(...write);
  };
  const losable: LogStore = Object.assign(Object.create(store), {
    rounds: Object.assign(Object.create(rounds), { commit }),
    checkFile: () =>
      state.isLost
        ? Promise.reject(new CountersignError("storage_failed", "The store was deleted"))
        : Promise.resolve(),
    takeFence: () => store.takeFence(),
    checkFence: () => store.checkFence(),
    close: () => store.close(),
  });
  return { store: losable, state };
}

Deno.test("a digest is not acknowledged if its store is lost during the commit", async () => {
  const scenario = new Scenario("ed25519");
  const { store, state } = losable(scenario.open());
  const { gateway } = await scenario.start(store);
  const known = randomDigests(1);
  await gateway.jobs.submit(known.toHex(), undefined);
  await scenario.settle(gateway);
  state.isHeld = true;
  const answers = [
    gateway.jobs.submit(randomDigests(1).toHex(), undefined),
    gateway.jobs.submit(randomDigests(1).toHex(), 1),
    gateway.jobs.submitAll(randomDigests(3), undefined),
    gateway.jobs.accept(randomDigests(2)),
    new Promise((done, failed) =>
      gateway.sequencer.assign({ digests: randomDigests(2), sealedRuns: 0 }, done, failed)
    ),
  ];
  const refused = answers.map((answer) => assert.rejects(answer, { code: "storage_failed" }));
  state.isLost = true;
  await scenario.clock.advance(2_001);
  assert.equal(gateway.status.resource().status, "storage_failed");
  state.release();
  await scenario.clock.advance(2_001);
  await Promise.all(refused);
  await assert.rejects(gateway.jobs.accept(randomDigests(1)), (error) => {
    assert.equal(isFault(error), false, "the loss is in the log once, not for each request");
    return true;
  });
  // Reads continue from the open file.
  assert.equal((await gateway.jobs.get(known.toHex(), undefined))?.terminal, true);
  await gateway.stop();
});

Deno.test("a store whose file was deleted is not called damaged, and its content is served", async () => {
  const scenario = new Scenario("ed25519");
  const { store, state } = losable(scenario.open());
  const { gateway, log } = await scenario.start(store);
  const known = randomDigests(1).toHex();
  await gateway.jobs.submit(known, undefined);
  await scenario.settle(gateway);
  state.isLost = state.isBroken = true;
  await assert.rejects(gateway.jobs.submit(randomDigests(1).toHex(), undefined), {
    code: "storage_failed",
  });
  await scenario.clock.advance(4_001);
  assert.equal(gateway.status.health, "storage_failed");
  assert.deepEqual(log.lines.map(({ code, message }) => [code, message]), [
    ["storage_failed", "The store was deleted"],
  ]);
  assert.ok(await gateway.jobs.get(known, undefined));
  await gateway.stop();
});
