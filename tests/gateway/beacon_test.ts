/** A gateway with beacons, from its clients' side. */

import assert from "node:assert/strict";
import { beaconTime, QUICKNET } from "../../src/proof/crypto/drand.ts";
import { BeaconVerifier } from "../../src/proof/crypto/beacon_verifier.ts";
import { parseBundle } from "../../src/proof/format/bundle.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { forged, QUICKNET_BEACONS, QUICKNET_TIME, SetBeacon, TestChain } from "../beacons.ts";
import { bls, eachScheme, nativeCrypto } from "../schemes.ts";
import { hashAt, randomDigests } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { jobOf, Scenario } from "./scenario.ts";
import { askForEverything } from "./service_conformance.ts";

const MAX_AGE = 30;
/** A small tile, so that a log of three leaves has a full one. */
const PART = 100;
const [FIRST, SECOND] = QUICKNET_BEACONS;

/** The offline verifier's time bracket of a sequence. */
async function timeOf(gateway: Gateway, sequence: number, beacons?: BeaconVerifier) {
  const bundle = parseBundle(await gateway.proofs.bundle(await hashAt(gateway, sequence)));
  const trust = { network: gateway.network, peers: [], ...(beacons && { beacons }) };
  const verdict = await verifyBundle(nativeCrypto, trust, bundle);
  assert.equal(verdict.level, "batched");
  return verdict.time;
}

eachScheme.test("every round has the latest beacon, and its bundle a lower time bound", async (scheme) => {
  const scenario = new Scenario(scheme);
  scenario.clock.jump(1_000 * (QUICKNET_TIME + 1) - scenario.clock.nowMs());
  const beacons = new SetBeacon(QUICKNET);
  let { gateway } = await scenario.start(scenario.open(), { beacons });
  const parts = [null, FIRST, SECOND];
  for (const beacon of parts) {
    beacons.beacon = beacon;
    await scenario.submit(gateway, randomDigests(PART));
    await scenario.settle(gateway);
    await scenario.clock.advance(3_000);
  }
  const hashes = [...scenario.acknowledged.keys()];
  const digests = Uint8Array.fromHex(hashes.join(""));
  const answers = [];
  // The first process answers from memory, the second from the store, without cached texts.
  for (let life = 0; life < 2; life++) {
    for (const [part, beacon] of parts.entries()) {
      for (const sequence of [PART * part, PART * part + PART - 1]) {
        const { signed_attestation } = await jobOf(gateway, sequence);
        assert.deepEqual(signed_attestation?.round.beacon, beacon);
        const { not_before, not_after, failed, contradictions } = await timeOf(gateway, sequence);
        assert.deepEqual(
          not_before.map(({ time, source }) => [time, source]),
          beacon === null ? [] : [
            [beaconTime(QUICKNET, beacon.round), `drand quicknet round ${beacon.round}`],
          ],
        );
        assert.deepEqual(not_after.map(({ source }) => source), [
          "attestation",
          `tree head of size ${PART * (part + 1)}`,
        ]);
        assert.deepEqual([failed, contradictions], [[], []]);
      }
    }
    answers.push(await askForEverything(gateway, { digests, sizes: [PART, 2 * PART, 3 * PART] }));
    assert.deepEqual((await gateway.status.resource()).beacon, {
      round: SECOND.round,
      age: Math.floor(scenario.clock.nowMs() / 1000) - beaconTime(QUICKNET, SECOND.round),
    });
    await scenario.checkFinished(gateway);
    await gateway.stop();
    ({ gateway } = await scenario.start(scenario.open(), { beacons }));
  }
  assert.deepEqual(answers[0], answers[1]);
  await gateway.stop();
});

eachScheme.test("a log without beacons can continue with beacons, and its rounds stay unchanged", async (scheme) => {
  const log = new MemoryLog();
  const scenario = new Scenario(scheme, log);
  const before = await scenario.start(scenario.open());
  assert.equal("beacon" in await before.gateway.status.resource(), false);
  await scenario.submit(before.gateway, randomDigests(20));
  await scenario.settle(before.gateway);
  await scenario.observe(before.gateway);
  await before.gateway.stop();
  const { gateway, faults } = await scenario.start(scenario.open(), {
    beacons: new SetBeacon(QUICKNET, FIRST),
  });
  await scenario.submit(gateway, randomDigests(20));
  await scenario.settle(gateway);
  await scenario.checkFinished(gateway);
  assert.equal((await jobOf(gateway, 19)).signed_attestation?.round.beacon, null);
  assert.deepEqual((await jobOf(gateway, 20)).signed_attestation?.round.beacon, FIRST);
  assert.deepEqual((await timeOf(gateway, 0)).not_before, []);
  assert.equal((await timeOf(gateway, 39)).not_before.length, 1);
  assert.deepEqual(faults, []);
  await gateway.stop();
});

eachScheme.test("rounds wait for the relays if witnesses require beacons", async (scheme) => {
  const chain = new TestChain(1_800_000_000 - 300);
  const verifier = new BeaconVerifier(bls, chain);
  const beacons = { verifier, maxAgeSeconds: MAX_AGE };
  const scenario = new Scenario(scheme, new MemoryLog(), { beacons });
  const source = new SetBeacon(chain);
  const { gateway, faults } = await scenario.start(scenario.open(), { beacons: source });
  assert.equal((await gateway.status.resource()).beacon, null);
  await scenario.submit(gateway, randomDigests(3));
  const refused = async () => {
    for (let i = 0; i < 5; i++) {
      await scenario.clock.advance(1_000);
      const job = await jobOf(gateway, 2);
      assert.equal(job.status, "retryable");
      assert.equal(job.last_error?.code, "threshold_not_met");
      assert.match(job.last_error!.message, /w1: beacon_refused/);
    }
  };
  await refused();
  // A beacon that is too old, forged or of another chain counts as missing.
  for (const beacon of [chain.beacon(80), forged(chain.beacon(102)), FIRST]) {
    source.beacon = beacon;
    await refused();
  }
  const attempts = (await jobOf(gateway, 2)).attempts;
  const now = Math.floor(scenario.clock.nowMs() / 1000);
  source.beacon = chain.beacon(1 + Math.floor((now - chain.genesisTime) / 3));
  await scenario.settle(gateway, 20_000);
  await scenario.checkFinished(gateway);
  const job = await jobOf(gateway, 2);
  assert.equal(job.status, "confirmed");
  assert.ok(job.attempts > attempts);
  assert.deepEqual(job.signed_attestation?.round.beacon, source.beacon);
  // Each attempt has a new time, so a delayed round has the time of its signature.
  assert.ok(job.signed_attestation!.attestation.timestamp >= now);
  const { not_before, contradictions } = await timeOf(gateway, 2, verifier);
  assert.deepEqual(not_before.map(({ time }) => time), [beaconTime(chain, source.beacon.round)]);
  assert.deepEqual(contradictions, []);
  assert.deepEqual(faults, []);
  await gateway.stop();
});

eachScheme.test("rounds continue without a beacon if no witness requires one", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { gateway } = await scenario.start(scenario.open(), {
    beacons: new SetBeacon(QUICKNET),
  });
  await scenario.submit(gateway, randomDigests(3));
  await scenario.settle(gateway, 5_000);
  const { attempts, signed_attestation } = await jobOf(gateway, 0);
  assert.deepEqual([attempts, signed_attestation?.round.beacon], [1, null]);
  assert.equal((await gateway.status.resource()).beacon, null);
  await scenario.checkFinished(gateway);
  await gateway.stop();
});
