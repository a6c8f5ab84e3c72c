import assert from "node:assert/strict";
import { CountersignError } from "../../src/base/errors.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { randomDigests } from "./fixture.ts";
import type { CommitKind, Fault, FaultHook, MemoryLogStore } from "./memory_store.ts";
import { partOf, Scenario } from "./scenario.ts";
import { IS_LONG } from "../long_runs.ts";
import { eachScheme } from "../schemes.ts";

const KINDS: readonly CommitKind[] = ["intake", "mixed", "rounds", "head", "sth"];
const FAULTS: readonly Fault[] = ["fail_not_stored", "fail_but_stored", "conflict"];

/** Makes the commits of `kind` with a number in `at` (from 1) fail with this fault. */
function failing(kind: CommitKind, at: readonly number[], fault: Fault): FaultHook {
  let count = 0;
  return (operation) => operation === kind && at.includes(++count) ? fault : undefined;
}

/** Eight clients with three waves each, including repeats, until all is confirmed and published. */
async function runWaves(store: MemoryLogStore, scenario: Scenario): Promise<void> {
  const { gateway, faults } = await scenario.start(store, { maxAgeMs: 10, maxLeaves: 300 });
  const digests = randomDigests(72);
  for (let wave = 0; wave < 3; wave++) {
    const clients = Array.from({ length: 8 }, async (_, client) => {
      // Sequential, so that some arrive while other rounds wait for a commit.
      for (let turn = 0; turn < 25 * client; turn++) await Promise.resolve();
      await scenario.submit(gateway, partOf(digests, wave * 8 + client, 3));
      await scenario.submit(gateway, partOf(digests, wave * 8 + (client + 1) % 8, 3));
    });
    await scenario.clock.advance(40);
    await scenario.observe(gateway);
    await scenario.clock.advance(5_000);
    await Promise.all(clients);
  }
  await scenario.settle(gateway);
  await scenario.checkFinished(gateway);
  assert.equal(scenario.acknowledged.size, 72);
  assert.deepEqual(faults, []);
  assert.equal(gateway.status.resource().status, "ok");
  await gateway.stop();
}

eachScheme.test("without faults every kind of commit takes place", async (scheme) => {
  const scenario = new Scenario(scheme);
  const store = scenario.open();
  await runWaves(store, scenario);
  for (const kind of KINDS) {
    assert.ok(store.commits.get(kind)! >= 3, `${kind}: ${store.commits.get(kind)}`);
  }
});

/** A gateway that starts over a store that rejects writes. */
async function startUnwritable(scenario: Scenario) {
  const store = scenario.open();
  store.fault = (operation) => operation === "read" ? undefined : "fail_not_stored";
  const starting = scenario.start(store);
  await scenario.clock.advance(6_000);
  return { store, ...await starting };
}

/** The store accepts writes again. */
async function recover(scenario: Scenario, store: MemoryLogStore, gateway: Gateway): Promise<void> {
  store.fault = () => undefined;
  await scenario.clock.advance(1_000);
  assert.equal(gateway.status.resource().status, "ok");
}

for (const kind of KINDS) {
  for (const fault of FAULTS) {
    eachScheme.test(`the gateway continues after a commit of ${kind} with ${fault}`, async (scheme) => {
      const places = [[1], [2], [1, 2, 3], [3, 5]];
      for (const at of scheme === "ed25519" || IS_LONG ? places : places.slice(2, 3)) {
        const scenario = new Scenario(scheme);
        const store = scenario.open();
        store.fault = failing(kind, at, fault);
        await runWaves(store, scenario);
      }
    });
  }
}

for (const fault of ["fail_not_stored", "fail_but_stored", "conflict"] as const) {
  eachScheme.test(`a gateway is read-only while its commits of digests end with ${fault}`, async (scheme) => {
    const scenario = new Scenario(scheme);
    const store = scenario.open();
    const { gateway, faults, log } = await scenario.start(store);
    await scenario.submit(gateway, randomDigests(3));
    store.fault = (operation, ordinal) => {
      // Stored digests are not found either.
      if (operation === "read" && fault === "fail_but_stored") return "fail_not_stored";
      return ordinal > 0 && operation !== "read" ? fault : undefined;
    };
    const unstored = randomDigests(2);
    const refused = [unstored, unstored, randomDigests(5)].map((digests) =>
      assert.rejects(gateway.jobs.accept(digests), { code: "storage_failed" })
    );
    await scenario.clock.advance(20_000);
    await Promise.all(refused);
    assert.equal(gateway.status.resource().status, "storage_failed");
    for (let i = 0; i < 10; i++) {
      await assert.rejects(gateway.jobs.accept(randomDigests(1)), { code: "storage_failed" });
    }
    await gateway.jobs.settled([0, 1, 2], 30);
    if (fault !== "fail_but_stored") await scenario.observe(gateway);
    log.assertSaid("storage_failed", 1, 0);

    await recover(scenario, store, gateway);
    log.assertSaid("storage_failed", 1);
    assert.equal(log.lines.length, 2);
    await scenario.submit(gateway, unstored);
    await scenario.submit(gateway, randomDigests(4));
    await scenario.finish({ gateway, faults });
  });
}

eachScheme.test("refusals of a read-only gateway name the reason of the last attempt to write", async (scheme) => {
  const scenario = new Scenario(scheme);
  const store = scenario.open();
  const { gateway, log } = await scenario.start(store);
  const refusal = async () => {
    const error = await gateway.jobs.accept(randomDigests(1)).catch((error) => error);
    return (error as Error).message;
  };
  const failWith = (fault: Fault) => store.fault = (kind) => kind === "intake" ? fault : undefined;
  failWith("fail_not_stored");
  const first = refusal();
  // Between two reviews of the health.
  await scenario.clock.advance(20_100);
  assert.equal(await first, "Cannot store digests from 0: failed, not stored");
  assert.equal(await refusal(), "Cannot store digests from 0: failed, not stored");
  failWith("conflict");
  await scenario.clock.advance(600);
  assert.equal(await refusal(), "Cannot store digests from 0: every commit is in conflict");
  log.assertSaid("storage_failed", 1, 0);
  await gateway.stop();
});

for (const kind of ["rounds", "head", "sth"] as const) {
  eachScheme.test(`a gateway is read-only while it cannot store ${kind}`, async (scheme) => {
    const scenario = new Scenario(scheme);
    const store = scenario.open();
    const { gateway, faults, log } = await scenario.start(store);
    store.fault = (operation) => operation === kind ? "fail_not_stored" : undefined;
    await scenario.submit(gateway, randomDigests(3));
    await scenario.clock.advance(20_000);
    assert.equal(gateway.status.resource().status, "storage_failed");
    await assert.rejects(gateway.jobs.accept(randomDigests(1)), { code: "storage_failed" });
    await scenario.observe(gateway);
    log.assertSaid("storage_failed", 1, 0);
    await recover(scenario, store, gateway);
    log.assertSaid("storage_failed", 1);
    await scenario.submit(gateway, randomDigests(3));
    await scenario.finish({ gateway, faults });
  });

  eachScheme.test(`a gateway stopped while it cannot store ${kind} leaves the rest to the next one`, async (scheme) => {
    const scenario = new Scenario(scheme);
    const store = scenario.open();
    const { gateway } = await scenario.start(store);
    store.fault = (operation) => operation === kind ? "fail_not_stored" : undefined;
    await scenario.submit(gateway, randomDigests(3));
    await scenario.clock.advance(20_000);
    await gateway.stop();
    const next = await scenario.start(scenario.open());
    await scenario.finish(next);
  });
}

eachScheme.test("a gateway that cannot write at its start serves reads until it can", async (scheme) => {
  const scenario = new Scenario(scheme);
  const first = await scenario.start(scenario.open());
  await scenario.submit(first.gateway, randomDigests(5));
  await scenario.settle(first.gateway);
  await scenario.submit(first.gateway, randomDigests(2));
  await first.gateway.stop();

  const { store, gateway, faults, log } = await startUnwritable(scenario);
  assert.equal(gateway.status.resource().status, "storage_failed");
  await scenario.observe(gateway);
  await assert.rejects(gateway.jobs.accept(randomDigests(1)), { code: "storage_failed" });
  await scenario.clock.advance(60_000);
  log.assertSaid("storage_failed", 1, 0);

  await recover(scenario, store, gateway);
  log.assertSaid("storage_failed", 1);
  await scenario.submit(gateway, randomDigests(3));
  await scenario.finish({ gateway, faults });
});

eachScheme.test("a gateway that waits to write stops if another process wrote meanwhile", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { store, gateway, faults } = await startUnwritable(scenario);
  const other = await scenario.start(scenario.open());
  await scenario.submit(other.gateway, randomDigests(2));
  store.fault = () => undefined;
  await scenario.clock.advance(1_000);
  assert.deepEqual(faults.map((error) => (error as { code?: string }).code), ["fence_lost"]);
  await assert.rejects(gateway.jobs.accept(randomDigests(1)), { code: "storage_failed" });
  await gateway.stop();
  await other.gateway.stop();
});

eachScheme.test("a gateway that takes its fence late repeats failed reads", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { store, gateway, faults } = await startUnwritable(scenario);
  const { lastRow } = store.rounds;
  let failures = 0;
  store.rounds.lastRow = () => {
    if (++failures > 3) return lastRow();
    return Promise.reject(new CountersignError("storage_failed", "I/O error"));
  };
  store.fault = () => undefined;
  await scenario.clock.advance(1_000);
  assert.equal(gateway.status.resource().status, "storage_failed");
  await scenario.clock.advance(2_000);
  assert.equal(gateway.status.resource().status, "ok");
  await scenario.submit(gateway, randomDigests(2));
  await scenario.settle(gateway);
  assert.deepEqual(faults, []);
  await gateway.stop();
});

eachScheme.test("a gateway whose fence is taken during an outage stops with fence_lost", async (scheme) => {
  const scenario = new Scenario(scheme);
  const store = scenario.open();
  const { gateway, faults, log } = await scenario.start(store);
  await scenario.submit(gateway, randomDigests(3));
  await scenario.settle(gateway);
  store.fault = (operation) => operation === "read" ? undefined : "fail_not_stored";
  const refused = assert.rejects(gateway.jobs.accept(randomDigests(1)), { code: "storage_failed" });
  await scenario.clock.advance(6_000);
  await refused;
  const other = await scenario.start(scenario.open());
  await scenario.submit(other.gateway, randomDigests(2));
  store.fault = () => undefined;
  await scenario.clock.advance(1_000);
  assert.deepEqual(faults.map((error) => (error as { code?: string }).code), ["fence_lost"]);
  log.assertSaid("storage_failed", 1, 0);
  assert.equal(log.lines.length, 1);
  await assert.rejects(gateway.jobs.accept(randomDigests(1)), { code: "storage_failed" });
  await gateway.stop();
  await scenario.finish(other);
});

eachScheme.test("a damaged store that rejects writes at the start is store_corrupt, not fence_lost", async (scheme) => {
  const scenario = new Scenario(scheme);
  const first = await scenario.start(scenario.open());
  await scenario.submit(first.gateway, randomDigests(3));
  await scenario.settle(first.gateway);
  await first.gateway.stop();

  const store = scenario.open();
  store.fault = (operation) => operation === "read" ? undefined : "fail_not_stored";
  const damaged = { size: 1_000, root: new Uint8Array(32) };
  Object.assign(store.tree, {
    head: () => Promise.resolve({ head: damaged, version: null }),
  });
  const refused = assert.rejects(scenario.start(store), { code: "store_corrupt" });
  await scenario.clock.advance(10_000);
  await refused;
  assert.equal(scenario.clock.sleeping, 0);
});

eachScheme.test("a gateway stopped while it waits for its fence ends at once without a report", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { store, gateway, faults, log } = await startUnwritable(scenario);
  const stopped = gateway.stop();
  await scenario.clock.advance(0);
  await stopped;
  assert.ok(store.isClosed);
  assert.equal(scenario.clock.sleeping, 0);
  log.assertSaid("storage_failed", 1, 0);
  assert.equal(log.lines.length, 1);
  assert.deepEqual(faults, []);
});

eachScheme.test("a gateway that reads another process's row after a failed commit reports the lost fence", async (scheme) => {
  const scenario = new Scenario(scheme);
  const store = scenario.open();
  const { gateway, faults } = await scenario.start(store);
  const other = await scenario.start(scenario.open());
  await scenario.submit(other.gateway, randomDigests(2));
  // The commit fails before the fence is compared; then the row of another process is read.
  store.fault = (operation) => operation === "intake" ? "fail_not_stored" : undefined;
  await assert.rejects(gateway.jobs.accept(randomDigests(1)), { code: "storage_failed" });
  await scenario.clock.advance(100);
  assert.deepEqual(faults.map((error) => (error as { code?: string }).code), ["fence_lost"]);
  await gateway.stop();
  await scenario.settle(other.gateway);
  await other.gateway.stop();
});

eachScheme.test("a gateway that lost its fence stops, and the next one continues with its digests", async (scheme) => {
  const scenario = new Scenario(scheme);
  const first = await scenario.start(scenario.open());
  await scenario.submit(first.gateway, randomDigests(10));
  const second = await scenario.start(scenario.open());
  await scenario.submit(second.gateway, randomDigests(10));
  await assert.rejects(first.gateway.jobs.accept(randomDigests(1)), { code: "storage_failed" });
  assert.equal(first.faults.length, 1);
  assert.equal((first.faults[0] as { code?: string }).code, "fence_lost");
  await first.gateway.stop();
  await scenario.finish(second);
});
