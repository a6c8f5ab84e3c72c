import assert from "node:assert/strict";
import { utf8 } from "../../src/base/bytes.ts";
import { BEACON_SECONDS_AHEAD, beaconTime } from "../../src/proof/crypto/drand.ts";
import { BeaconVerifier } from "../../src/proof/crypto/beacon_verifier.ts";
import { verifyNative } from "../../src/proof/crypto/ed25519_native.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { type Beacon, encodeRoundMessage } from "../../src/proof/format/round.ts";
import { buildRoundTree } from "../../src/proof/merkle/round_tree.ts";
import type { BeaconRule } from "../../src/witness/beacon_rule.ts";
import type { RoundRequest } from "../../src/proof/format/witness_request.ts";
import { forged, QUICKNET_BEACONS, TestChain } from "../beacons.ts";
import { anyBeacons, bls } from "../schemes.ts";
import {
  digestsOf,
  NETWORK,
  NOW,
  signerOf,
  StandingClock,
  testWitness,
  withCode,
  WITNESS_ID,
} from "./fixture.ts";

/** Round 101 has the current time. */
const CHAIN = new TestChain(NOW - 300);
const CURRENT = 101;
const MAX_AGE = 30;
const VERIFYING: BeaconRule = { verifier: new BeaconVerifier(bls, CHAIN) };
const DEMANDING: BeaconRule = { ...VERIFYING, maxAgeSeconds: MAX_AGE };

function round(beacon: Beacon | null, change: Partial<RoundRequest> = {}): RoundRequest {
  const digests = digestsOf("a", "b");
  return { networkId: NETWORK, timestamp: NOW, firstSequence: 0, digests, beacon, ...change };
}

/** Whether `signature` is the witness's over `request` with `beacon` in the message. */
function verifies(request: RoundRequest, beacon: Beacon | null, signature: Uint8Array): boolean {
  const { timestamp, firstSequence: first, digests } = request;
  const { root } = buildRoundTree(portableKernels, {
    networkId: NETWORK,
    timestamp,
    first,
    digests,
  });
  const message = encodeRoundMessage({
    network_id: NETWORK,
    timestamp,
    size: digests.length / 32,
    root: root.toHex(),
    beacon,
  });
  return verifyNative(signerOf(WITNESS_ID).publicKey, utf8(message), signature);
}

Deno.test("Witness.sign() signs over the beacon, with or without a maximum age", async () => {
  const beacon = CHAIN.beacon(CURRENT);
  for (const beacons of [VERIFYING, DEMANDING]) {
    const request = round(beacon);
    const signature = await testWitness({ beacons }).sign(request);
    assert.ok(verifies(request, beacon, signature));
    assert.equal(verifies(request, null, signature), false);
    assert.equal(verifies(request, CHAIN.beacon(CURRENT - 1), signature), false);
  }
});

Deno.test("Witness.sign() rejects a round without a beacon if it has a maximum age", async () => {
  await assert.rejects(
    testWitness({ beacons: DEMANDING }).sign(round(null)),
    withCode("beacon_refused"),
  );
  const request = round(null);
  const signature = await testWitness({ beacons: VERIFYING }).sign(request);
  assert.ok(verifies(request, null, signature));
});

Deno.test("Witness.sign() rejects beacons that are not of its chain", async () => {
  const beacon = CHAIN.beacon(CURRENT);
  const refused: [string, Beacon][] = [
    ["another chain", QUICKNET_BEACONS[0]],
    ["another chain's name", { ...beacon, chain_hash: "00".repeat(32) }],
    ["a forged signature", forged(beacon)],
    ["another round's signature", { ...beacon, signature: CHAIN.beacon(CURRENT - 1).signature }],
    ["round 0", { ...CHAIN.beacon(0) }],
  ];
  for (const beacons of [VERIFYING, DEMANDING]) {
    for (const [what, wrong] of refused) {
      const signing = testWitness({ beacons }).sign(round(wrong));
      await assert.rejects(signing, withCode("beacon_refused"), what);
    }
  }
  // Without a check of the signature, the forged beacon would pass.
  const credulous = { verifier: new BeaconVerifier({ verify: () => true }, CHAIN) };
  await testWitness({ beacons: credulous }).sign(round(forged(beacon)));
});

Deno.test("Witness.sign() accepts beacons up to 5 s ahead of the round and up to the maximum age", async () => {
  // One chain for each second, since a chain has a round every third second.
  const rows: [ahead: number, verifying: boolean, demanding: boolean][] = [
    [BEACON_SECONDS_AHEAD + 1, false, false],
    [BEACON_SECONDS_AHEAD, true, true],
    [0, true, true],
    [-MAX_AGE, true, true],
    [-MAX_AGE - 1, true, false],
    [-1_000_000, true, false],
  ];
  for (const [ahead, verifying, demanding] of rows) {
    const chain = new TestChain(NOW + ahead - 300);
    const beacon = chain.beacon(CURRENT);
    assert.equal(beaconTime(chain, beacon.round), NOW + ahead);
    const verifier = new BeaconVerifier(bls, chain);
    for (
      const [rule, good] of [
        [{ verifier }, verifying],
        [{ verifier, maxAgeSeconds: MAX_AGE }, demanding],
      ] as const
    ) {
      const signing = testWitness({ beacons: rule }).sign(round(beacon));
      if (good) await signing;
      else await assert.rejects(signing, withCode("beacon_refused"), `${ahead}`);
    }
  }
});

Deno.test("Witness.sign() measures a beacon's age from the round's time", async () => {
  const clock = new StandingClock();
  clock.seconds = NOW + 60;
  const witness = testWitness({ beacons: DEMANDING, clock });
  await witness.sign(round(CHAIN.beacon(CURRENT - 10)));
  const later = round(CHAIN.beacon(CURRENT - 10), { timestamp: NOW + 1, firstSequence: 9 });
  await assert.rejects(witness.sign(later), withCode("beacon_refused"));
});

Deno.test("Witness.sign() rejects rounds while all clocks are a year ahead of the beacons", async () => {
  const year = 365 * 86_400;
  const clock = new StandingClock();
  clock.seconds = NOW + year;
  const ahead = (beacon: Beacon | null) => round(beacon, { timestamp: NOW + year });
  const latest = CHAIN.beacon(CURRENT);
  const demanding = testWitness({ beacons: DEMANDING, clock });
  for (const request of [ahead(latest), ahead(null), ahead(forged(CHAIN.beacon(CURRENT + year)))]) {
    await assert.rejects(demanding.sign(request), withCode("beacon_refused"));
  }
  // Without a maximum age, only clocks bound the time.
  await testWitness({ beacons: VERIFYING, clock }).sign(ahead(latest));
  // With the right clocks, the rejected rounds have left nothing behind.
  clock.seconds = NOW;
  await demanding.sign(round(latest));
});

Deno.test("Witness.sign() checks the sequence, then the time, then the beacon", async () => {
  const witness = testWitness({ beacons: DEMANDING });
  await witness.sign(round(CHAIN.beacon(CURRENT)));
  const taken = { digests: digestsOf("x") };
  const free = { firstSequence: 9 };
  for (
    const [request, code] of [
      [round(null, { digests: digestsOf("a", "a"), timestamp: NOW + 6 }), "malformed_request"],
      [round(null, { timestamp: NOW + 6, ...taken }), "sequence_conflict"],
      [round(null, { timestamp: NOW + 6, ...free }), "time_refused"],
      [round(null, free), "beacon_refused"],
    ] as const
  ) await assert.rejects(witness.sign(request), withCode(code));
});

Deno.test("Witness.sign() remembers nothing of a round with a rejected beacon", async () => {
  const witness = testWitness({ beacons: DEMANDING });
  await assert.rejects(witness.sign(round(null)), withCode("beacon_refused"));
  const other = round(CHAIN.beacon(CURRENT), { digests: digestsOf("x", "y") });
  await witness.sign(other);
  await assert.rejects(witness.sign(round(CHAIN.beacon(CURRENT))), withCode("sequence_conflict"));
});

Deno.test("Witness.sign() signs a sequence with one beacon", async () => {
  const witness = testWitness({ beacons: DEMANDING });
  const request = round(CHAIN.beacon(CURRENT - 1));
  for (let i = 0; i < 2; i++) {
    assert.ok(verifies(request, request.beacon, await witness.sign(request)));
    await assert.rejects(witness.sign(round(CHAIN.beacon(CURRENT))), withCode("round_conflict"));
  }
});

Deno.test("Witness.sign() accepts beacons of quicknet", async () => {
  const [beacon] = QUICKNET_BEACONS;
  const timestamp = beaconTime(anyBeacons.verifier.chain, beacon.round);
  const clock = new StandingClock();
  clock.seconds = timestamp;
  const request = round(beacon, { timestamp });
  assert.ok(verifies(request, beacon, await testWitness({ clock }).sign(request)));
  await assert.rejects(
    testWitness({ clock }).sign(round(CHAIN.beacon(CURRENT), { timestamp })),
    withCode("beacon_refused"),
  );
});
