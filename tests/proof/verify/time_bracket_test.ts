import assert from "node:assert/strict";
import { QUICKNET } from "../../../src/proof/crypto/drand.ts";
import { BeaconVerifier } from "../../../src/proof/crypto/beacon_verifier.ts";
import type { ProofBundle } from "../../../src/proof/format/bundle.ts";
import type { Beacon } from "../../../src/proof/format/round.ts";
import { verifySignedAttestation } from "../../../src/proof/verify/attestation.ts";
import { verifyBundle } from "../../../src/proof/verify/bundle.ts";
import {
  attestationTime,
  quicknetVerifier,
  type TimeBracket,
  withTimeBounds,
} from "../../../src/proof/verify/time_bracket.ts";
import { forged, QUICKNET_BEACONS, QUICKNET_TIME, TestChain } from "../../beacons.ts";
import { digestOf, nativeCrypto, TestLog, TestNetwork } from "./fixture.ts";

const peer = new TestNetwork("net.example/peer");
const network = new TestNetwork("net.example/time", {
  federation: {
    enabled: true,
    peer_networks: [{ id: peer.id }],
    cross_anchor_threshold: 1,
  },
});
const TRUST = { network: network.configuration, peers: [peer.configuration] };
const [BEACON] = QUICKNET_BEACONS;
const SIGNED_AT = QUICKNET_TIME + 2;

/** A bundle of one attestation signed with `beacon`, in a batch that `peer` anchored. */
function bundleWith(beacon: Beacon | null, signedAt = SIGNED_AT): ProofBundle {
  const log = new TestLog(network);
  log.addRound([digestOf("one")], { timestamp: signedAt, ...(beacon && { beacon }) });
  log.addRound([digestOf("two")], { timestamp: signedAt + 1 });
  const sth = log.sth(1, signedAt + 3);
  return {
    ...log.bundle(0, log.batchInclusion(0, sth)),
    cross_anchors: [log.crossAnchor(peer, { from: 1, size: 2, timestamp: signedAt + 7 })],
  };
}

async function timeOf(bundle: ProofBundle, beacons?: BeaconVerifier): Promise<TimeBracket> {
  const trust = beacons === undefined ? TRUST : { ...TRUST, beacons };
  const verdict = await verifyBundle(nativeCrypto, trust, bundle);
  assert.equal(verdict.level, "federated");
  return verdict.time;
}

const OF_NETWORK = `2 witnesses of ${network.id}`;
const NOT_AFTER = [
  { time: SIGNED_AT, source: "attestation", word: OF_NETWORK },
  { time: SIGNED_AT + 3, source: "tree head of size 1", word: OF_NETWORK },
  { time: SIGNED_AT + 7, source: "cross-anchor of size 2", word: `2 witnesses of ${peer.id}` },
];
const NOT_BEFORE = {
  time: QUICKNET_TIME,
  source: `drand quicknet round ${BEACON.round}`,
  word: "the nodes of drand quicknet",
};

Deno.test("a bundle has an interval with its sources, strictest first", async () => {
  assert.deepEqual(await timeOf(bundleWith(BEACON)), {
    not_before: [NOT_BEFORE],
    not_after: NOT_AFTER,
    failed: [],
    contradictions: [],
  });
});

Deno.test("without a beacon there is no lower bound", async () => {
  assert.deepEqual(await timeOf(bundleWith(null)), {
    not_before: [],
    not_after: NOT_AFTER,
    failed: [],
    contradictions: [],
  });
});

Deno.test("a forged beacon is a failed source and gives no bound", async () => {
  // The threshold signed it, so only the check of the beacon detects it.
  const bundle = bundleWith(forged(BEACON));
  assert.deepEqual(await timeOf(bundle), {
    not_before: [],
    not_after: NOT_AFTER,
    failed: [{ source: NOT_BEFORE.source, reason: "beacon_invalid" }],
    contradictions: [],
  });
  const credulous = new BeaconVerifier({ verify: () => true });
  assert.deepEqual((await timeOf(bundle, credulous)).not_before, [NOT_BEFORE]);
});

Deno.test("wrong round numbers give no bound", async () => {
  for (const round of [0, BEACON.round - 1, BEACON.round + 1, Number.MAX_SAFE_INTEGER]) {
    const { not_before, failed } = await timeOf(bundleWith({ ...BEACON, round }));
    assert.deepEqual(not_before, []);
    const source = `drand quicknet round ${round}`;
    assert.deepEqual(failed, [{ source, reason: "beacon_invalid" }]);
  }
});

Deno.test("a beacon of another chain than the verifier's gives no bound", async () => {
  const chain = new TestChain(SIGNED_AT - 30);
  const beacon = chain.beacon(10);
  const { not_before, failed } = await timeOf(bundleWith(beacon));
  assert.deepEqual(not_before, []);
  const source = `drand chain ${chain.hash} round 10`;
  assert.deepEqual(failed, [{ source, reason: "beacon_chain_unknown" }]);
  const theirs = await timeOf(bundleWith(beacon), new BeaconVerifier(nativeCrypto.bls, chain));
  assert.deepEqual(theirs.not_before.map(({ time }) => time), [SIGNED_AT - 3]);
  assert.deepEqual(theirs.failed, []);
});

Deno.test("each time before the beacon is a contradiction, and signatures stay valid", async () => {
  for (const [early, contradicted] of [[0, 0], [1, 1], [3, 1], [4, 2], [7, 2], [8, 3]] as const) {
    const time = await timeOf(bundleWith(BEACON, QUICKNET_TIME - early));
    assert.equal(time.not_after.length, 3);
    assert.deepEqual(
      time.contradictions,
      time.not_after.slice(0, contradicted).map((not_after) => ({
        not_before: NOT_BEFORE,
        not_after,
      })),
      `${early} s early`,
    );
  }
});

Deno.test("layers that do not verify give no bounds", async () => {
  const bundle = bundleWith(BEACON);
  const other = { network: TRUST.network, peers: [] };
  const alone = (await verifyBundle(nativeCrypto, other, bundle)).time;
  assert.deepEqual(alone.not_after, NOT_AFTER.slice(0, 2));
  const unbatched = await verifyBundle(nativeCrypto, TRUST, { ...bundle, batch_inclusion: null });
  assert.deepEqual(unbatched.time.not_after, NOT_AFTER.slice(0, 1));
  const open = { not_before: [], not_after: [], failed: [], contradictions: [] };
  const hash = digestOf("another");
  assert.deepEqual((await verifyBundle(nativeCrypto, TRUST, bundle, { hash })).time, open);
  const { signed_attestation: signed } = bundle;
  const changed = { ...signed, attestation: { ...signed.attestation, timestamp: SIGNED_AT - 1 } };
  const invalid = await verifyBundle(nativeCrypto, TRUST, {
    ...bundle,
    signed_attestation: changed,
  });
  assert.deepEqual(invalid.time, open);
});

Deno.test("a beacon in the bundle that was not signed makes it invalid", async () => {
  const bundle = bundleWith(BEACON);
  const { signed_attestation: signed } = bundle;
  for (const beacon of [null, QUICKNET_BEACONS[1], forged(BEACON)]) {
    const changed = { ...signed, round: { ...signed.round, beacon } };
    const verdict = await verifyBundle(nativeCrypto, TRUST, {
      ...bundle,
      signed_attestation: changed,
    });
    assert.equal(verdict.level, "invalid");
  }
});

Deno.test("attestationTime() uses only a valid attestation", async () => {
  const { signed_attestation: signed } = bundleWith(BEACON);
  const verifier = quicknetVerifier(nativeCrypto.bls);
  assert.equal(verifier.chain, QUICKNET);
  const result = await verifySignedAttestation(nativeCrypto, TRUST.network, signed);
  const { not_before, not_after } = attestationTime(verifier, signed, result);
  assert.deepEqual(not_before, [NOT_BEFORE]);
  assert.deepEqual(not_after, NOT_AFTER.slice(0, 1));
  const invalid = { ...result, valid: false };
  assert.deepEqual(attestationTime(verifier, signed, invalid).not_after, []);
});

Deno.test("withTimeBounds() sorts added bounds and reports contradictions", async () => {
  const time = await timeOf(bundleWith(BEACON));
  const bound = (at: number) => ({ time: at, source: `s${at}`, word: "w" });
  const added = withTimeBounds(time, {
    not_before: [bound(QUICKNET_TIME - 9), bound(QUICKNET_TIME + 1)],
    not_after: [bound(SIGNED_AT + 5), bound(QUICKNET_TIME)],
  });
  assert.deepEqual(added.not_before.map((each) => each.time - QUICKNET_TIME), [1, 0, -9]);
  assert.deepEqual(added.not_after.map((each) => each.time - QUICKNET_TIME), [0, 2, 5, 7, 9]);
  assert.deepEqual(added.contradictions, [
    { not_before: bound(QUICKNET_TIME + 1), not_after: bound(QUICKNET_TIME) },
  ]);
  assert.deepEqual(withTimeBounds(time, {}), time);
});
