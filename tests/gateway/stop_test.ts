import assert from "node:assert/strict";
import { hasCode } from "../../src/base/errors.ts";
import { hashesOf } from "./checker.ts";
import { randomDigests } from "./fixture.ts";
import { partOf, Scenario } from "./scenario.ts";
import { IS_LONG } from "../long_runs.ts";
import { eachScheme, SWEEP_STRIDE } from "../schemes.ts";

eachScheme.test("a gateway can be stopped at any moment", async (scheme) => {
  for (let turns = 0; turns < 240; turns += (IS_LONG ? 3 : 7) * SWEEP_STRIDE[scheme]) {
    const scenario = new Scenario(scheme);
    const store = scenario.open();
    const { gateway, faults } = await scenario.start(store, { maxAgeMs: 1 });
    if (turns % 2 === 0) await scenario.clock.advance(5);
    const digests = randomDigests(40);
    const submitted = Array.from(
      { length: 20 },
      (_, i) => scenario.submit(gateway, partOf(digests, i, 2)).catch((error: unknown) => error),
    );
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    const stopped = gateway.stop();
    const late = gateway.jobs.accept(randomDigests(1)).catch((error: unknown) => error);
    await scenario.clock.advance(0);
    await stopped;
    assert.ok(store.isClosed);
    assert.equal(scenario.clock.sleeping, 0, `a sleep after ${turns} turns`);
    assert.ok(hasCode(await late, "shutting_down"));
    for (const answer of await Promise.all(submitted)) {
      assert.ok(Array.isArray(answer) || hasCode(answer, "shutting_down"), String(answer));
    }
    assert.deepEqual(faults, []);
    await scenario.check();
    const stored = await scenario.check();
    const acknowledged = hashesOf(digests).filter((hash) => scenario.acknowledged.has(hash));
    assert.ok(acknowledged.every((hash) => stored.hashes.includes(hash)));
  }
});

eachScheme.test("a gateway that stops while an attempt fails does not pause", async (scheme) => {
  for (let turns = 0; turns < 200; turns += (IS_LONG ? 1 : 3) * SWEEP_STRIDE[scheme]) {
    const scenario = new Scenario(scheme);
    const { gateway } = await scenario.start(scenario.open());
    for (const witness of scenario.network.witnesses) witness.down = true;
    void scenario.submit(gateway, randomDigests(3));
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    const stopped = gateway.stop();
    await scenario.clock.advance(0);
    await stopped;
    assert.equal(scenario.clock.sleeping, 0, `a sleep after ${turns} turns`);
  }
});

eachScheme.test("a digest that is not on disk is not acknowledged", async (scheme) => {
  const scenario = new Scenario(scheme);
  const store = scenario.open();
  const { gateway } = await scenario.start(store);
  store.fault = (kind) => kind === "intake" ? "hang_but_stored" : undefined;
  const digest = randomDigests(1);
  let isAnswered = false;
  void gateway.jobs.accept(digest).then(() => isAnswered = true);
  await scenario.clock.advance(1_000);
  assert.equal(isAnswered, false);
  assert.equal(await gateway.eventLog.sequenceOf(digest.toHex()), undefined);
  assert.equal(gateway.status.resource().pending_count, 0);
});

eachScheme.test("a gateway stops while its witnesses are down, or do not answer", async (scheme) => {
  for (const state of ["down", "silent"] as const) {
    for (const ms of [0, 100, 1_000, 5_000, 20_000]) {
      const scenario = new Scenario(scheme);
      const { gateway, faults } = await scenario.start(scenario.open());
      for (const witness of scenario.network.witnesses) witness.state = state;
      await scenario.submit(gateway, randomDigests(700));
      await scenario.clock.advance(ms);
      const waiting = gateway.jobs.settled([0, 699], 30);
      const stopped = gateway.stop();
      await scenario.clock.advance(0);
      await waiting;
      await stopped;
      await gateway.jobs.settled([0], 30);
      assert.equal(scenario.clock.sleeping, 0);
      assert.equal(gateway.status.resource().status, "shutting_down");
      assert.deepEqual(faults, []);
      const { accepted } = await scenario.check();
      assert.equal(accepted, 700);
    }
  }
});

eachScheme.test("stop() may be called twice", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { gateway } = await scenario.start(scenario.open());
  await scenario.submit(gateway, randomDigests(3));
  await Promise.all([gateway.stop(), gateway.stop()]);
  await gateway.stop();
  await scenario.check();
});
