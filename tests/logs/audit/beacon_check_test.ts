import assert from "node:assert/strict";
import { BeaconChecker } from "../../../src/logs/audit/beacon_check.ts";
import { FaultLog } from "../../../src/logs/audit/faults.ts";
import { auditPublished } from "../../../src/logs/audit/published/published_audit.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { QUICKNET } from "../../../src/proof/crypto/drand.ts";
import { BeaconVerifier } from "../../../src/proof/crypto/beacon_verifier.ts";
import { gatewayApp } from "../../../src/http/gateway/gateway_app.ts";
import { GatewayClient } from "../../../src/client/gateway_client.ts";
import { GatewayRecords } from "../../../src/logs/audit/published/gateway_records.ts";
import { RemoteLog } from "../../../src/logs/publishing/remote_log.ts";
import { memoryStore, randomDigests, TestNetwork } from "../../gateway/fixture.ts";
import { bls, eachScheme, nativeCrypto } from "../../schemes.ts";
import { served } from "../../http/outgoing/fixture.ts";
import { forged, QUICKNET_BEACONS, QUICKNET_TIME, SetBeacon, TestChain } from "../../beacons.ts";
import { publish, type Records, StoredCopy } from "./stored_copy.ts";

const [FIRST, SECOND] = QUICKNET_BEACONS;
/** Offset of the beacon in a round record. */
const BEACON = 1 + 2 + 8 + 4 + 1;

function namesOf(faults: FaultLog): string[] {
  return faults.listed.map(({ part, place }) => `${part} ${place}`);
}

/** Rounds at 0, 40 and 50 with no beacon, the first and the second. */
function makeLog(scheme: "ed25519" | "bls"): Promise<StoredCopy> {
  const beacons = new SetBeacon(QUICKNET);
  return StoredCopy.of(scheme, async (gateway) => {
    for (const [count, beacon] of [[40, null], [10, FIRST], [1, SECOND]] as const) {
      beacons.beacon = beacon;
      await publish(gateway, randomDigests(count));
    }
  }, { beacons });
}

const DAMAGES: readonly (readonly [
  what: string,
  faults: readonly string[],
  (records: Records) => Promise<void>,
])[] = [
  ["nothing", [], () => Promise.resolve()],
  ["the chain", ["beacon 40", "round_signatures 40"], (r) => r.flip(["rd", 40], BEACON)],
  ["the round", ["beacon 40", "round_signatures 40"], (r) => r.flip(["rd", 40], BEACON + 39)],
  ["a round beyond 2^53", ["round 40"], (r) => r.flip(["rd", 40], BEACON + 32)],
  ["the signature", ["beacon 50", "round_signatures 50"], (r) => r.flip(["rd", 50], BEACON + 87)],
  ["another real beacon in its place", ["round_signatures 40"], async (r) => {
    const other = (await r.bytes(["rd", 50])).subarray(BEACON, BEACON + 88);
    await r.change(["rd", 40], (value) => value.set(other, BEACON));
  }],
  [
    "no beacon in place of one",
    ["round_signatures 40"],
    (r) =>
      r.change(["rd", 40], (value) => {
        const rest = value.slice(88);
        rest.set(value.subarray(0, BEACON));
        rest[BEACON - 1] = 0;
        return rest;
      }),
  ],
];

eachScheme.test("auditStore() verifies the beacons of a store", async (scheme) => {
  using copy = await makeLog(scheme);
  for (const [what, expected, damage] of DAMAGES) {
    const { faults } = await copy.auditDamaged(damage);
    assert.deepEqual(namesOf(faults), expected, what);
  }
});

Deno.test("auditStore() reports a forged beacon in a signed round", async () => {
  const credulous = { verifier: new BeaconVerifier({ verify: () => true }) };
  const beacons = new SetBeacon(QUICKNET, forged(FIRST));
  using copy = await StoredCopy.of("ed25519", (gateway) => publish(gateway, randomDigests(3)), {
    beacons,
    rule: credulous,
  });
  const { faults, report } = await copy.audit();
  assert.deepEqual(namesOf(faults), ["beacon 0"]);
  assert.equal(report.signed, 3);
});

Deno.test("BeaconCheck reports a beacon that is more than 5 s later than its round", () => {
  const faults = new FaultLog();
  const check = new BeaconChecker(bls, faults);
  check.check([0, 4, 5, 6].map((ahead) => ({
    place: ahead,
    timestamp: QUICKNET_TIME - ahead,
    beacon: FIRST,
  })));
  assert.deepEqual(namesOf(faults), ["beacon 6"]);
});

Deno.test("BeaconCheck verifies a beacon of many rounds once", () => {
  const verified: number[] = [];
  const counting = {
    batchVerify: (...[checks, dst]: Parameters<typeof bls.batchVerify>) => {
      verified.push(checks.length);
      return bls.batchVerify(checks, dst);
    },
  };
  const faults = new FaultLog();
  const check = new BeaconChecker(counting, faults);
  const rounds = [FIRST, FIRST, forged(FIRST), SECOND, FIRST, forged(FIRST)].map((beacon, i) => ({
    place: i,
    timestamp: QUICKNET_TIME + 9,
    beacon,
  }));
  check.check(rounds);
  check.check(rounds);
  assert.deepEqual(namesOf(faults), ["beacon 2", "beacon 5", "beacon 2", "beacon 5"]);
  assert.deepEqual(verified.filter((count) => count > 0), [3]);
});

Deno.test("BeaconCheck judges more beacons at once than it caches", () => {
  const chain = new TestChain(QUICKNET_TIME);
  const faults = new FaultLog();
  const check = new BeaconChecker(
    { batchVerify: (checks) => checks.map(() => true) },
    faults,
    chain,
  );
  const real = chain.beacon(1);
  const rounds = Array.from({ length: 3_000 }, (_, i) => ({
    place: i,
    timestamp: QUICKNET_TIME + 9_000,
    beacon: { ...real, round: i + 1 },
  }));
  check.check(rounds);
  assert.equal(faults.total, 0);
});

Deno.test("auditPublished() reports the jobs and bundles with a forged beacon", async () => {
  const credulous = { verifier: new BeaconVerifier({ verify: () => true }) };
  for (const [beacon, expected] of [[FIRST, []], [forged(FIRST), ["beacon", "beacon"]]] as const) {
    const network = new TestNetwork("ed25519", 3, 2, systemClock, credulous);
    const beacons = new SetBeacon(QUICKNET, beacon);
    const { gateway } = await network.start(await memoryStore(), { beacons });
    await publish(gateway, randomDigests(2));
    const app = gatewayApp({ service: gateway, verifier: nativeCrypto, report: () => {} });
    await served((request) => app(request), async (url) => {
      const faults = new FaultLog();
      const client = new GatewayClient({ url: new URL(url) });
      const log = { source: new RemoteLog(client), records: new GatewayRecords(client) };
      const follow = () => Promise.resolve(network.network);
      const context = { follow, crypto: nativeCrypto, faults };
      await auditPublished({ ...log, ...context, onProgress: () => {} });
      assert.deepEqual(faults.listed.map(({ part }) => part), expected);
    });
    await gateway.stop();
  }
});
