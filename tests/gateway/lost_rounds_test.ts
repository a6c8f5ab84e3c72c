/**
 * Rounds that witnesses signed and the store does not have: a sequence is attested with one time,
 * whatever part of the store is lost, and whoever asks.
 *
 * @module
 */

import assert from "node:assert/strict";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import type { RoundRecord } from "../../src/proof/format/records.ts";
import type { RoundRequest } from "../../src/proof/format/witness_request.ts";
import type { WitnessClient } from "../../src/gateway/ports.ts";
import { buildRoundTree } from "../../src/proof/merkle/round_tree.ts";
import { randomDigests } from "./fixture.ts";
import { MemoryLogStore } from "./memory_store.ts";
import type { MemoryLog } from "./memory_log.ts";
import { JobWatch } from "./job_watch.ts";
import { Scenario } from "./scenario.ts";
import { wrapped, WrappedWitness } from "./wrapped_witness.ts";
import { eachScheme } from "../schemes.ts";

/** The text of a round in a store. */
function textOf(log: MemoryLog, first: number): Partial<RoundRecord> | undefined {
  const round = log.rounds.get(first);
  return round && { size: round.size, timestamp: round.timestamp, beacon: round.beacon };
}

/** A witness that signs a round and whose answers to the gateway are lost while `isMute`. */
class MuteWitness extends WrappedWitness {
  isMute = false;
  readonly requests: RoundRequest[] = [];

  override async sign(...args: Parameters<WitnessClient["sign"]>) {
    this.requests.push(args[0]);
    const signature = await super.sign(...args);
    return this.isMute ? await new Promise<never>(() => {}) : signature;
  }
}

/** Submits a first batch, and then 3 digests whose round the threshold signs; the copy of the store lacks it. */
async function loseRound(
  scenario: Scenario,
  witnesses: readonly WitnessClient[] = scenario.network.witnesses,
): Promise<MemoryLog> {
  const { gateway } = await scenario.start(scenario.open(), { maxAgeMs: 500 });
  await scenario.submit(gateway, randomDigests(2));
  await scenario.settle(gateway);
  await gateway.stop();
  const again = await scenario.start(scenario.open(), { maxAgeMs: 1e9, witnesses });
  await scenario.submit(again.gateway, randomDigests(3));
  await scenario.clock.until(() => scenario.log.rounds.has(2), 10_000);
  await again.gateway.stop();
  const copy = scenario.log.copy();
  copy.rounds.delete(2);
  return copy;
}

eachScheme.test("a store that lost a signed round completes it with its time", async (scheme) => {
  for (const awayMs of [0, 50_000, 120_000, 3_000_000, 90_000_000]) {
    // After more than an hour, only those who signed it sign it again.
    for (const silent of awayMs > 3_600_000 ? [undefined] : [undefined, 0, 1, 2]) {
      const scenario = new Scenario(scheme);
      const copy = await loseRound(scenario);
      const text = textOf(scenario.log, 2);
      await scenario.clock.advance(awayMs);
      if (silent !== undefined) scenario.network.witnesses[silent]!.state = "silent";
      const { gateway, faults } = await scenario.start(new MemoryLogStore(copy));
      await scenario.clock.advance(60_000);
      const name = `away for ${awayMs} ms, without ${silent}`;
      assert.deepEqual(textOf(copy, 2), text, name);
      assert.equal(gateway.status.health, "ok");
      await gateway.stop();
      assert.deepEqual(faults, []);
    }
  }
});

eachScheme.test("after more than an hour too, whichever witness answers first", async (scheme) => {
  for (const late of [0, 1, 2]) {
    const scenario = new Scenario(scheme);
    const { witnesses } = scenario.network;
    const [a, b, c] = witnesses;
    // Only two sign.
    const mute = wrapped(c!, { sign: () => Promise.reject(new Error("down")) });
    const copy = await loseRound(scenario, [a!, b!, mute]);
    const text = textOf(scenario.log, 2);
    await scenario.clock.advance(90_000_000);
    const slow = wrapped(witnesses[late]!, {
      roundsFrom: async (...args) => {
        await scenario.clock.sleep(500, new AbortController().signal);
        return await witnesses[late]!.roundsFrom(...args);
      },
    });
    const store = new MemoryLogStore(copy);
    const clients = witnesses.map((witness, w) => w === late ? slow : witness);
    const { gateway, faults } = await scenario.start(store, { witnesses: clients });
    await scenario.clock.advance(60_000);
    assert.deepEqual(textOf(copy, 2), text, `witness ${late} is late`);
    await gateway.stop();
    assert.deepEqual(faults, []);
  }
});

eachScheme.test("without what the witnesses signed, a gateway cannot contradict it", async (scheme) => {
  const scenario = new Scenario(scheme);
  const copy = await loseRound(scenario);
  const text = textOf(scenario.log, 2);
  const { witnesses } = scenario.network;
  const forgetful = witnesses.map((witness) =>
    new class extends WrappedWitness {
      override roundsFrom() {
        return Promise.resolve([]);
      }
    }(witness)
  );
  await scenario.clock.advance(2_000);
  const { gateway } = await scenario.start(new MemoryLogStore(copy), { witnesses: forgetful });
  await scenario.clock.advance(600_000);
  assert.equal(copy.rounds.get(2), undefined);
  await gateway.stop();
  const right = await scenario.start(new MemoryLogStore(copy));
  await scenario.clock.advance(30_000);
  assert.deepEqual(textOf(copy, 2), text);
  await right.gateway.stop();
});

eachScheme.test("a round that one witness signed is completed up to an hour later, with its time", async (scheme) => {
  for (const [awayMs, isKept] of [[2_000, true], [3_500_000, true], [3_700_000, false]] as const) {
    for (const restarts of [false, true]) {
      const scenario = new Scenario(scheme);
      const [a, b, c] = scenario.network.witnesses;
      const mute = new MuteWitness(a!);
      let { gateway } = await scenario.start(scenario.open(), { witnesses: [mute, b!, c!] });
      b!.down = c!.down = mute.isMute = true;
      void gateway.jobs.accept(randomDigests(3)).catch(() => {});
      await scenario.clock.until(() => mute.requests.length > 0, 5_000);
      const { timestamp } = mute.requests[0]!;
      if (restarts) await gateway.stop();
      await scenario.clock.advance(awayMs);
      b!.down = c!.down = mute.isMute = false;
      // The signer may stay away once its text cannot be completed.
      if (!isKept) a!.down = true;
      if (restarts) ({ gateway } = await scenario.start(scenario.open()));
      await scenario.clock.until(() => scenario.log.rounds.has(0), 60_000);
      const found = scenario.log.rounds.get(0)!;
      assert.equal(found.timestamp === timestamp, isKept, `${awayMs} ${restarts}`);
      assert.equal(found.size, mute.requests[0]!.digests.length / 32);
      await gateway.stop();
    }
  }
});

eachScheme.test("with one witness away, an outage of another does not hold a round", async (scheme) => {
  const scenario = new Scenario(scheme);
  const [a, b, c] = scenario.network.witnesses;
  const { gateway, faults } = await scenario.start(scenario.open());
  c!.down = b!.down = true;
  void gateway.jobs.accept(randomDigests(3)).catch(() => {});
  await scenario.clock.advance(300_000);
  assert.equal(scenario.log.rounds.size, 0);
  const [signed] = scenario.network.states[0]!.signed;
  b!.down = false;
  await scenario.clock.until(() => scenario.log.rounds.size > 0, 30_000);
  assert.equal(scenario.log.rounds.get(0)!.timestamp, signed!.timestamp);
  assert.equal(a!.down, false);
  await gateway.stop();
  assert.deepEqual(faults, []);
});

/** A gateway with two rounds of 1 and 2 digests that no witness has seen; the first two witnesses are up again. */
async function withOpenRounds(scenario: Scenario) {
  const { witnesses } = scenario.network;
  const started = await scenario.start(scenario.open());
  for (const witness of witnesses) witness.down = true;
  for (const size of [1, 2]) {
    void started.gateway.jobs.accept(randomDigests(size)).catch(() => {});
    await scenario.clock.advance(2_500);
  }
  const rows = [...scenario.log.rows.values()];
  const digests = new Uint8Array(rows.flatMap(({ digests }) => [...digests]));
  const timestamp = Math.floor(scenario.clock.nowMs() / 1000) - 3;
  for (const witness of witnesses.slice(0, 2)) witness.down = false;
  return {
    ...started,
    digests,
    timestamp,
    /** Has another gateway's round signed. */
    sign: (signers: readonly number[], firstSequence: number, digests: Uint8Array<ArrayBuffer>) =>
      Promise.all(signers.map((w) =>
        witnesses[w]!.sign({
          networkId: scenario.network.network.id,
          timestamp,
          firstSequence,
          digests,
          beacon: null,
        }, new AbortController().signal)
      )),
  };
}

eachScheme.test("a gateway adopts what another one has had signed meanwhile", async (scheme) => {
  for (const sizes of [[3], [1, 2], [2, 1]]) {
    const scenario = new Scenario(scheme);
    const { gateway, faults, digests, timestamp, sign } = await withOpenRounds(scenario);
    const watch = new JobWatch(gateway);
    await watch.look();
    let first = 0;
    for (const size of sizes) {
      await sign([0, 1], first, digests.slice(first * 32, (first + size) * 32));
      first += size;
    }
    await scenario.clock.until(async () => {
      await watch.look();
      return scenario.log.rounds.size === sizes.length;
    });
    // The attempts at the rounds that were given up count.
    assert.ok([...watch.attempts.values()].every((seen) => seen.at(-1)! > 2));
    const rounds = [...scenario.log.rounds.values()].sort((a, b) => a.first - b.first);
    assert.deepEqual(rounds.map(({ size }) => size), sizes);
    for (const round of rounds) assert.equal(round.timestamp, timestamp);
    await scenario.clock.advance(30_000);
    assert.equal(gateway.status.health, "ok");
    await gateway.stop();
    assert.deepEqual(faults, []);
  }
});

eachScheme.test("also where one of its signers has another hash for a later sequence", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { gateway, faults, digests, timestamp, sign } = await withOpenRounds(scenario);
  await sign([0, 1], 0, digests.slice(0, 64));
  await sign([0], 2, randomDigests(1));
  scenario.network.witnesses[2]!.down = false;
  await scenario.clock.until(() => scenario.log.rounds.has(0), 60_000);
  assert.equal(scenario.log.rounds.get(0)!.timestamp, timestamp);
  await gateway.stop();
  assert.deepEqual(faults, []);
});

eachScheme.test("a gateway refuses once the threshold signed more than it has", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { gateway, faults, digests, sign } = await withOpenRounds(scenario);
  await sign([0, 1], 0, new Uint8Array([...digests, ...randomDigests(1)]));
  scenario.network.witnesses[2]!.down = false;
  await scenario.clock.until(() => gateway.status.health === "store_rolled_back", 60_000);
  await scenario.clock.advance(300_000);
  assert.equal(gateway.status.health, "store_rolled_back");
  assert.equal(scenario.log.rounds.size, 0);
  await gateway.stop();
  assert.deepEqual(faults, []);
});

eachScheme.test("an old copy with waiting digests has none signed, whichever witness is silent", async (scheme) => {
  for (const silent of [undefined, 0, 1, 2]) {
    for (const acceptsBeforeWitnesses of [false, true]) {
      const scenario = new Scenario(scheme);
      const { witnesses } = scenario.network;
      const first = await scenario.start(scenario.open());
      await scenario.submit(first.gateway, randomDigests(5));
      await scenario.settle(first.gateway);
      for (const witness of witnesses) witness.down = true;
      await scenario.submit(first.gateway, randomDigests(3));
      const copy = scenario.log.copy();
      for (const witness of witnesses) witness.down = false;
      await scenario.settle(first.gateway);
      await scenario.submit(first.gateway, randomDigests(4));
      await scenario.settle(first.gateway);
      await first.gateway.stop();
      if (silent !== undefined) witnesses[silent]!.state = "silent";
      const asked = witnesses.map((witness) => witness.asked.sign);
      const old = await scenario.start(new MemoryLogStore(copy), { acceptsBeforeWitnesses });
      await scenario.clock.advance(120_000);
      assert.equal(old.gateway.status.health, "store_rolled_back");
      assert.deepEqual(witnesses.map((witness) => witness.asked.sign), asked);
      await old.gateway.stop();
    }
  }
});

eachScheme.test("a witness that names a round of no size, or of too large a one, ends no gateway", async (scheme) => {
  for (const size of [0, 513, 600]) {
    const scenario = new Scenario(scheme);
    const { witnesses, network } = scenario.network;
    for (const witness of witnesses) witness.down = true;
    const first = await scenario.start(scenario.open(), { acceptsBeforeWitnesses: true });
    const digests = randomDigests(600);
    await scenario.submit(first.gateway, digests);
    await first.gateway.stop();
    for (const witness of witnesses) witness.down = false;
    const timestamp = Math.floor(scenario.clock.nowMs() / 1000);
    const { root } = buildRoundTree(portableKernels, {
      networkId: network.id,
      timestamp,
      first: 0,
      digests: digests.slice(0, 32 * size),
    });
    const liar = wrapped(witnesses[2]!, {
      roundsFrom: () => Promise.resolve([{ first: 0, size, timestamp, beacon: null, root }]),
    });
    // Its answer is one of the first two.
    const slow = wrapped(witnesses[1]!, {
      roundsFrom: async (...args) => {
        await scenario.clock.sleep(50);
        return await witnesses[1]!.roundsFrom(...args);
      },
    });
    const again = await scenario.start(scenario.open(), { witnesses: [witnesses[0]!, slow, liar] });
    await scenario.finish(again);
  }
});
