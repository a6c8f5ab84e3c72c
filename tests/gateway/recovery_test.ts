import assert from "node:assert/strict";
import { recoverRounds } from "../../src/gateway/recovery.ts";
import { KV_LOG_LIMITS } from "../../src/storage/log/commit_limits.ts";
import { round, row, sth } from "../storage/log_records.ts";
import { randomDigests } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { Scenario } from "./scenario.ts";
import { eachScheme } from "../schemes.ts";

/** Recovers a log of `accepted` digests with rounds of [first, size], under a tree of `treeSize`. */
function recover(accepted: number, rounds: readonly (readonly [number, number])[], treeSize = 0) {
  const log = new MemoryLog();
  if (accepted > 0) log.rows.set(0, row(0, accepted));
  for (const [first, size] of rounds) log.rounds.set(first, round(first, size));
  return recoverRounds(new MemoryLogStore(log).rounds, treeSize);
}

Deno.test("recoverRounds() finds the signed rounds beyond the tree and the gaps between them", async () => {
  assert.deepEqual(await recover(0, []), { accepted: 0, signed: [], gaps: [], formed: 0 });
  assert.deepEqual(await recover(5, []), { accepted: 5, signed: [], gaps: [], formed: 0 });
  assert.deepEqual(await recover(9, [[0, 2], [4, 1], [5, 2]]), {
    accepted: 9,
    signed: [{ first: 0, end: 2 }, { first: 4, end: 5 }, { first: 5, end: 7 }],
    gaps: [{ start: 2, end: 4 }],
    formed: 7,
  });
  assert.deepEqual(await recover(9, [[3, 6]]), {
    accepted: 9,
    signed: [{ first: 3, end: 9 }],
    gaps: [{ start: 0, end: 3 }],
    formed: 9,
  });
});

Deno.test("recoverRounds() starts in the round in which the tree ends", async () => {
  const rounds = [[0, 4], [4, 4], [9, 1]] as const;
  const within = await recover(12, rounds, 6);
  assert.deepEqual(within, {
    accepted: 12,
    signed: [{ first: 6, end: 8 }, { first: 9, end: 10 }],
    gaps: [{ start: 8, end: 9 }],
    formed: 10,
  });
  const between = await recover(12, rounds, 4);
  assert.deepEqual(between.signed, [{ first: 4, end: 8 }, { first: 9, end: 10 }]);
  const all = await recover(8, rounds.slice(0, 2), 8);
  assert.deepEqual(all, { accepted: 8, signed: [], gaps: [], formed: 8 });
});

Deno.test("recoverRounds() reads all pages of rounds", async () => {
  for (const count of [511, 512, 513, 1_025]) {
    const rounds = Array.from({ length: count }, (_, i) => [2 * i + 1, 1] as const);
    const recovered = await recover(2 * count, rounds);
    assert.equal(recovered.signed.length, count);
    assert.equal(recovered.gaps.length, count);
    assert.deepEqual(recovered.gaps.at(-1), { start: 2 * count - 2, end: 2 * count - 1 });
    assert.equal(recovered.formed, 2 * count);
  }
});

Deno.test("recoverRounds() rejects rounds or a tree beyond the accepted digests", async () => {
  await assert.rejects(recover(5, [[0, 6]]), { code: "store_corrupt" });
  await assert.rejects(recover(5, [[0, 2]], 6), { code: "store_corrupt" });
  await assert.rejects(recover(0, [], 1), { code: "store_corrupt" });
  assert.equal((await recover(5, [[0, 5]], 5)).formed, 5);
});

eachScheme.test("a gap is signed after a start in rounds of at most 512, and later rounds stay", async (scheme) => {
  const scenario = new Scenario(scheme, new MemoryLog(KV_LOG_LIMITS));
  const first = await scenario.start(scenario.open(), { maxAgeMs: 1e9 });
  await scenario.submit(first.gateway, randomDigests(1_300));
  await scenario.submit(first.gateway, randomDigests(7));
  await scenario.clock.advance(10);
  await first.gateway.stop();
  const kept = scenario.log.rounds.get(1_300)!;
  scenario.log.rounds.clear();
  scenario.log.rounds.set(1_300, kept);
  const second = await scenario.start(scenario.open());
  await scenario.settle(second.gateway);
  await scenario.checkFinished(second.gateway);
  const sizes = [...scenario.log.rounds].sort(([a], [b]) => a - b).map(([, { size }]) => size);
  assert.deepEqual(sizes, [512, 512, 276, 7]);
  assert.deepEqual(scenario.log.rounds.get(1_300), kept);
  await second.gateway.stop();
});

eachScheme.test("a missing node of the tree stops the gateway and is not a failure of a witness", async (scheme) => {
  const scenario = new Scenario(scheme, new MemoryLog(KV_LOG_LIMITS));
  const store = scenario.open();
  const { gateway, faults } = await scenario.start(store);
  await scenario.submit(gateway, randomDigests(300));
  await scenario.settle(gateway);
  // The proof from 300 to 600 leaves uses the second tile, which is full by then.
  store.fault = () => {
    scenario.log.upperNodes.delete(1);
    return undefined;
  };
  await scenario.submit(gateway, randomDigests(300));
  await scenario.clock.advance(5_000);
  assert.equal((faults[0] as { code?: string }).code, "store_corrupt");
  assert.equal(faults.length, 1);
  assert.equal(gateway.status.resource().status, "storage_failed");
  await gateway.stop();
  assert.deepEqual(scenario.network.heads.forks, []);
});

eachScheme.test("a gateway does not start over a damaged store", async (scheme) => {
  const sound = new Scenario(scheme);
  const { gateway } = await sound.start(sound.open());
  await sound.submit(gateway, randomDigests(30));
  await sound.settle(gateway);
  await gateway.stop();
  const damages: readonly ((log: MemoryLog) => void)[] = [
    (log) => log.rows.delete([...log.rows.keys()].at(-1)!),
    (log) => log.rows.delete(0),
    (log) => log.edges[0]![0]! ^= 1,
    (log) => log.head = undefined,
    (log) => log.sths.set(31, sth(31)),
  ];
  for (const damage of damages) {
    const log = sound.log.copy();
    damage(log);
    const started = sound.start(new MemoryLogStore(log));
    await assert.rejects(started, { code: "store_corrupt" }, String(damage));
  }
});
