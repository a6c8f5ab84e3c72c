import assert from "node:assert/strict";
import type { Clock } from "../../src/base/clock.ts";
import { CountersignError } from "../../src/base/errors.ts";
import { SequenceConflict } from "../../src/proof/format/witness_request.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { SizeLiar } from "./faulty_witnesses.ts";
import { randomDigests } from "./fixture.ts";
import type { WitnessClient } from "../../src/gateway/ports.ts";
import type { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { jobOf, Scenario } from "./scenario.ts";
import { WrappedWitness } from "./wrapped_witness.ts";
import { eachScheme } from "../schemes.ts";

/** A log of ten published attestations, and a copy from when it had five. */
async function makeOldCopy(scenario: Scenario): Promise<MemoryLog> {
  const { gateway } = await scenario.start(scenario.open());
  await scenario.submit(gateway, randomDigests(5));
  await scenario.settle(gateway);
  const copy = scenario.log.copy();
  await scenario.submit(gateway, randomDigests(5));
  await scenario.settle(gateway);
  await gateway.stop();
  return copy;
}

async function assertRolledBack(gateway: Gateway): Promise<void> {
  assert.equal(gateway.status.resource().status, "store_rolled_back");
  await assert.rejects(gateway.jobs.accept(randomDigests(1)), { code: "store_rolled_back" });
}

eachScheme.test("an old copy of the store is detected at start, and accepts nothing", async (scheme) => {
  const scenario = new Scenario(scheme);
  const copy = await makeOldCopy(scenario);
  const before = copy.copy();
  const { gateway, faults } = await scenario.start(new MemoryLogStore(copy));
  await assertRolledBack(gateway);
  const { witnesses } = scenario.network;
  const asked = witnesses.map((witness) => witness.asked.cosign);
  await scenario.clock.advance(600_000);
  await assertRolledBack(gateway);
  witnesses.forEach((witness, i) => {
    // One request each half minute, without a loop of conflicts.
    assert.ok(witness.asked.cosign - asked[i]! <= 22, `${witness.asked.cosign - asked[i]!} asked`);
  });
  // It still serves its data, which is a prefix of the log.
  assert.equal(gateway.log.latest()?.sth.tree_head.tree_size, 5);
  assert.equal((await jobOf(gateway, 0)).progress, "batched");
  await gateway.stop();
  assert.deepEqual(faults, []);
  assert.deepEqual(copy.rows, before.rows);
  assert.deepEqual(copy.head, before.head);
  assert.deepEqual(copy.sths, before.sths);

  const right = await scenario.start(scenario.open());
  assert.equal(right.gateway.status.resource().status, "ok");
  await scenario.submit(right.gateway, randomDigests(5));
  await scenario.finish(right);
});

eachScheme.test("a copy without the latest signed hashes is detected at start, though no head covers them", async (scheme) => {
  for (const published of [0, 5]) {
    const scenario = new Scenario(scheme);
    const { witnesses } = scenario.network;
    const first = await scenario.start(scenario.open());
    await scenario.submit(first.gateway, randomDigests(published));
    await scenario.settle(first.gateway);
    await first.gateway.stop();
    const copied = scenario.log.copy();
    const original = await scenario.start(scenario.open(), { maxAgeMs: 1e9 });
    await scenario.submit(original.gateway, randomDigests(3));
    await scenario.clock.advance(100);
    assert.equal((await jobOf(original.gateway, published)).status, "confirmed");
    await original.gateway.stop();
    const rows = copied.rows.size;
    // One could be a liar; it counts for the threshold no more than one that is down.
    witnesses[1]!.down = witnesses[2]!.down = true;
    const copy = await scenario.start(new MemoryLogStore(copied));
    assert.equal(copy.gateway.status.health, "witnesses_unavailable");
    witnesses[1]!.down = false;
    await scenario.clock.advance(12_000);
    await assertRolledBack(copy.gateway);
    await scenario.clock.advance(120_000);
    await assertRolledBack(copy.gateway);
    assert.equal(copied.rows.size, rows);
    await copy.gateway.stop();
    witnesses[2]!.down = false;

    const right = await scenario.start(scenario.open());
    assert.equal(right.gateway.status.health, "ok");
    await scenario.submit(right.gateway, randomDigests(2));
    await scenario.finish(right);
  }
});

eachScheme.test("an old copy with waiting digests and a pending head signs nothing", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { witnesses } = scenario.network;
  const first = await scenario.start(scenario.open());
  await scenario.submit(first.gateway, randomDigests(5));
  await scenario.settle(first.gateway);
  for (const witness of witnesses) witness.down = true;
  await scenario.submit(first.gateway, randomDigests(3));
  const waiting = scenario.log.copy();
  for (const witness of witnesses) witness.down = false;
  await scenario.settle(first.gateway);
  const sth = scenario.log.sths.get(8)!;
  const pending = scenario.log.copy();
  pending.sths.delete(8);
  await scenario.submit(first.gateway, randomDigests(3));
  await scenario.settle(first.gateway);
  await first.gateway.stop();
  for (const copy of [waiting, pending]) {
    const asked = witnesses.map((witness) => witness.asked.sign);
    const old = await scenario.start(new MemoryLogStore(copy));
    await assertRolledBack(old.gateway);
    await scenario.clock.advance(120_000);
    await assertRolledBack(old.gateway);
    // Their sequences belong to other digests, so no witness is asked.
    assert.deepEqual(witnesses.map((witness) => witness.asked.sign), asked);
    await old.gateway.stop();
    assert.equal(copy.sths.size, 1);
  }
  assert.equal(waiting.rounds.size, pending.rounds.size - 1);
  assert.deepEqual(scenario.log.sths.get(8), sth);
  assert.deepEqual(scenario.network.heads.forks, []);
});

eachScheme.test("an empty store under old witnesses is an old copy too", async (scheme) => {
  const scenario = new Scenario(scheme);
  await makeOldCopy(scenario);
  const empty = new Scenario(scheme);
  const { gateway } = await scenario.start(empty.open());
  await assertRolledBack(gateway);
  assert.equal(await gateway.log.checkpoint(), undefined);
  await gateway.stop();
});

eachScheme.test("an old copy is detected as soon as enough witnesses answer, if none did at start", async (scheme) => {
  const scenario = new Scenario(scheme);
  const copy = await makeOldCopy(scenario);
  const { witnesses } = scenario.network;
  for (const witness of witnesses) witness.down = true;
  const options = { acceptsBeforeWitnesses: true };
  const { gateway } = await scenario.start(new MemoryLogStore(copy), options);
  assert.equal(gateway.status.resource().status, "ok");
  await gateway.jobs.accept(randomDigests(2));
  await scenario.clock.advance(60_000);
  assert.equal(gateway.status.resource().status, "signing_stalled");
  witnesses[0]!.down = false;
  await scenario.clock.advance(12_000);
  // One could be a liar.
  assert.equal(gateway.status.resource().status, "signing_stalled");
  witnesses[1]!.down = false;
  await scenario.clock.advance(12_000);
  await assertRolledBack(gateway);
  assert.equal(copy.rounds.size, 1);
  await gateway.stop();
});

eachScheme.test("a gateway accepts again once witnesses no longer report a larger size", async (scheme) => {
  for (const published of [0, 5]) {
    const scenario = new Scenario(scheme);
    const first = await scenario.start(scenario.open());
    await scenario.submit(first.gateway, randomDigests(published));
    await scenario.settle(first.gateway);
    await first.gateway.stop();
    const [a, b, c] = scenario.network.witnesses;
    const liars = [new SizeLiar(a!, 1000), new SizeLiar(b!, 2000)];
    const { gateway, faults } = await scenario.start(scenario.open(), {
      witnesses: [...liars, c!],
    });
    await assertRolledBack(gateway);
    await scenario.clock.advance(300_000);
    await assertRolledBack(gateway);
    for (const liar of liars) assert.ok(liar.cosignCalls <= 12, `${liar.cosignCalls} asked`);
    liars[0]!.isLying = false;
    await scenario.clock.advance(31_000);
    assert.equal(gateway.status.resource().status, "ok");
    await scenario.submit(gateway, randomDigests(4));
    await scenario.finish({ gateway, faults });
  }
});

/** Refuses every round with `size` while `isRefusing`, as if it had signed other hashes. */
class RoundRefuser extends WrappedWitness {
  isRefusing = false;
  readonly #size: number | undefined;

  constructor(client: WitnessClient, size?: number) {
    super(client);
    this.#size = size;
  }

  override async sign(...args: Parameters<WitnessClient["sign"]>) {
    if (!this.isRefusing) return await this.client.sign(...args);
    throw this.#size === undefined
      ? new CountersignError("sequence_conflict", "no")
      : new SequenceConflict(this.#size, "no");
  }
}

eachScheme.test("a gateway accepts again once one refusing witness signs, also without the threshold", async (scheme) => {
  const scenario = new Scenario(scheme);
  const [a, b, c] = scenario.network.witnesses;
  const refusers = [new RoundRefuser(a!), new RoundRefuser(b!)];
  const { gateway } = await scenario.start(scenario.open(), { witnesses: [...refusers, c!] });
  c!.down = true;
  for (const refuser of refusers) refuser.isRefusing = true;
  await outcomeOf(gateway.jobs.accept(randomDigests(1)));
  await scenario.clock.advance(10_000);
  await assertRolledBack(gateway);
  refusers[0]!.isRefusing = false;
  await scenario.clock.advance(70_000);
  assert.equal(await outcomeOf(gateway.jobs.accept(randomDigests(1))), "acknowledged");
  await gateway.stop();
});

const outcomeOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(() => "acknowledged", (error) => error.code);

for (const hasPublished of [true, false]) {
  const what = hasPublished ? "published more" : "signed a round and published nothing";
  eachScheme.test(`a copy of the same size stops once the original has ${what}`, async (scheme) => {
    const scenario = new Scenario(scheme);
    const first = await scenario.start(scenario.open());
    await scenario.submit(first.gateway, randomDigests(5));
    await scenario.settle(first.gateway);
    await first.gateway.stop();
    const copied = scenario.log.copy();
    const maxAgeMs = hasPublished ? 20 : 1e9;
    const original = await scenario.start(scenario.open(), { maxAgeMs });
    const messages: string[] = [];
    const report = (message: string) => void messages.push(message);
    const copy = await scenario.start(new MemoryLogStore(copied), { report });
    assert.equal(copy.gateway.status.health, "ok");
    await scenario.submit(original.gateway, randomDigests(3));
    if (hasPublished) await scenario.settle(original.gateway);
    else await scenario.clock.advance(100);
    const waiting = [
      outcomeOf(copy.gateway.jobs.submit("aa".repeat(32), 60)),
      outcomeOf(copy.gateway.jobs.submitAll(randomDigests(3), 60)),
    ];
    await scenario.clock.advance(5);
    assert.deepEqual(await Promise.all(waiting), ["store_rolled_back", "store_rolled_back"]);
    await assertRolledBack(copy.gateway);
    await scenario.clock.advance(120_000);
    await assertRolledBack(copy.gateway);
    assert.equal(messages.filter((message) => message.includes("old copy")).length, 1);
    assert.deepEqual(copy.faults, []);
    assert.equal(copied.rounds.size, 1);
    assert.equal(copy.gateway.log.latest()?.sth.tree_head.tree_size, 5);
    await copy.gateway.stop();
    await scenario.submit(original.gateway, randomDigests(2));
    await scenario.clock.advance(100);
    assert.equal((await jobOf(original.gateway, 9)).status, "confirmed");
    assert.equal(original.gateway.status.health, "ok");
    await original.gateway.stop();
  });
}

/** Answers after a second, like a distant witness, unless the gateway cancels the request. */
class FarWitness extends WrappedWitness {
  readonly #clock: Clock;

  constructor(client: WitnessClient, clock: Clock) {
    super(client);
    this.#clock = clock;
  }

  override sign(...args: Parameters<WitnessClient["sign"]>) {
    return this.#later(args[1], () => this.client.sign(...args));
  }

  override cosign(...args: Parameters<WitnessClient["cosign"]>) {
    return this.#later(args[1], () => this.client.cosign(...args));
  }

  async #later<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    await this.#clock.sleep(1_000, signal);
    signal.throwIfAborted();
    return await ask();
  }
}

eachScheme.test("a copy stops even if one witness is down and another is slow", async (scheme) => {
  for (const hasPublished of [true, false]) {
    const scenario = new Scenario(scheme);
    const { witnesses } = scenario.network;
    const first = await scenario.start(scenario.open());
    await scenario.submit(first.gateway, randomDigests(5));
    await scenario.settle(first.gateway);
    await first.gateway.stop();
    const copied = scenario.log.copy();
    const maxAgeMs = hasPublished ? 20 : 1e9;
    const original = await scenario.start(scenario.open(), { maxAgeMs });
    const far = new FarWitness(witnesses[2]!, scenario.clock);
    const copy = await scenario.start(new MemoryLogStore(copied), {
      witnesses: [witnesses[0]!, witnesses[1]!, far],
    });
    await scenario.submit(original.gateway, randomDigests(3));
    if (hasPublished) await scenario.settle(original.gateway);
    else await scenario.clock.advance(100);
    witnesses[1]!.down = true;
    assert.equal(copy.gateway.status.health, "ok");
    await copy.gateway.jobs.accept(randomDigests(1));
    await scenario.clock.advance(5_000);
    await assertRolledBack(copy.gateway);
    await scenario.clock.advance(100_000);
    await assertRolledBack(copy.gateway);
    await copy.gateway.stop();
    await original.gateway.stop();
    assert.equal(copied.rounds.size, 1);
  }
});

Deno.test("a gateway that another one has replaced is no old copy; with the lease it is", async () => {
  const scenario = new Scenario("ed25519");
  const copied = scenario.log.copy();
  const original = await scenario.start(scenario.open(), { maxAgeMs: 1e9 });
  await scenario.submit(original.gateway, randomDigests(3));
  await scenario.clock.advance(100);
  await original.gateway.stop();
  let isActive = false;
  const { gateway, log } = await scenario.start(new MemoryLogStore(copied), {
    isActive: () => isActive,
  });
  await scenario.clock.advance(60_000);
  assert.equal(gateway.status.health, "standby");
  log.assertSaid("store_rolled_back", 0, 0);
  isActive = true;
  gateway.activeChanged();
  await assertRolledBack(gateway);
  await gateway.stop();
});

eachScheme.test("late refusals of a round that was signed meanwhile are no evidence", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { witnesses } = scenario.network;
  const [a, b, c] = witnesses;
  const refuser = new RoundRefuser(b!);
  const far = new RoundRefuser(c!);
  refuser.isRefusing = far.isRefusing = true;
  const { gateway } = await scenario.start(scenario.open(), {
    witnesses: [a!, refuser, new FarWitness(far, scenario.clock)],
  });
  a!.down = true;
  await scenario.submit(gateway, randomDigests(3));
  // The first attempt has failed, and the answer of the slow witness is still on its way.
  await scenario.clock.advance(100);
  a!.down = refuser.isRefusing = false;
  await scenario.clock.advance(15_000);
  assert.equal(gateway.status.health, "ok");
  assert.equal((await jobOf(gateway, 0)).status, "confirmed");
  await gateway.stop();
});

eachScheme.test("a gateway accepts again once witnesses sign the rounds that they refused before", async (scheme) => {
  for (const size of [undefined, 0]) {
    const scenario = new Scenario(scheme);
    const [a, b, c] = scenario.network.witnesses;
    const refusers = [new RoundRefuser(a!, size), new RoundRefuser(b!, size)] as const;
    const witnesses = [...refusers, c!];
    const { gateway, faults } = await scenario.start(scenario.open(), { witnesses });
    refusers[0].isRefusing = true;
    await scenario.submit(gateway, randomDigests(3));
    await scenario.clock.advance(30_000);
    // One could be a liar.
    assert.equal(gateway.status.health, "ok");
    assert.equal((await jobOf(gateway, 0)).status, "confirmed");
    refusers[1].isRefusing = true;
    // The digest is in the store, acknowledged or not, and its round is refused.
    await gateway.jobs.accept(randomDigests(3)).catch(() => {});
    await scenario.clock.advance(100);
    await assertRolledBack(gateway);
    await scenario.clock.advance(120_000);
    await assertRolledBack(gateway);
    refusers[0].isRefusing = refusers[1].isRefusing = false;
    await scenario.clock.advance(31_000);
    assert.equal(gateway.status.health, "ok");
    await scenario.submit(gateway, randomDigests(2));
    await scenario.finish({ gateway, faults });
  }
});

eachScheme.test("a gateway that takes over starts before its witnesses answer, and accepts nothing until then", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { witnesses } = scenario.network;
  const first = await scenario.start(scenario.open());
  await scenario.submit(first.gateway, randomDigests(5));
  await scenario.settle(first.gateway);
  await first.gateway.stop();
  for (const witness of witnesses) witness.state = "silent";
  const stopped = await scenario.start(scenario.open(), { isTakeover: true });
  await stopped.gateway.stop();
  const { gateway, faults } = await scenario.start(scenario.open(), { isTakeover: true });
  assert.equal(gateway.status.health, "witnesses_unavailable");
  assert.equal(await outcomeOf(gateway.jobs.accept(randomDigests(1))), "witnesses_unavailable");
  assert.equal((await jobOf(gateway, 4)).progress, "batched");
  for (const witness of witnesses) witness.state = "up";
  await scenario.clock.advance(20_000);
  assert.equal(gateway.status.health, "ok");
  await scenario.submit(gateway, randomDigests(2));
  await scenario.finish({ gateway, faults });
  assert.deepEqual(stopped.faults, []);
});

eachScheme.test("after a start, nothing is accepted until the threshold has agreed with the store", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { witnesses } = scenario.network;
  const first = await scenario.start(scenario.open());
  await scenario.submit(first.gateway, randomDigests(5));
  await scenario.settle(first.gateway);
  for (const witness of witnesses) witness.down = true;
  await scenario.submit(first.gateway, randomDigests(2));
  await first.gateway.stop();
  const { gateway, log } = await scenario.start(scenario.open());
  for (let i = 0; i < 3; i++) {
    assert.equal(gateway.status.health, "witnesses_unavailable");
    assert.equal(await outcomeOf(gateway.jobs.accept(randomDigests(1))), "witnesses_unavailable");
    // Reads continue.
    assert.equal((await jobOf(gateway, 4)).progress, "batched");
    assert.equal((await jobOf(gateway, 6)).progress, "unconfirmed");
    await scenario.clock.advance(40_000);
    witnesses[0]!.down = false;
  }
  log.assertSaid("witnesses_unavailable", 1, 0);
  log.assertSaid("threshold_not_met", 1, 0);
  witnesses[1]!.down = false;
  await scenario.clock.advance(12_000);
  assert.equal(gateway.status.health, "ok");
  log.assertSaid("witnesses_unavailable", 1);
  log.assertSaid("threshold_not_met", 1);
  await scenario.submit(gateway, randomDigests(1));
  await scenario.settle(gateway);
  await scenario.checkFinished(gateway);
  await gateway.stop();
});
