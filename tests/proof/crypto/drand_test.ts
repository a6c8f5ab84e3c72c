import assert from "node:assert/strict";
import { loadBls } from "../../../src/proof/crypto/best_bls.ts";
import type { Bls } from "../../../src/proof/crypto/bls.ts";
import { DRAND_SIGNATURE_DST } from "../../../src/proof/crypto/domains.ts";
import {
  type Beacon,
  beaconMessage,
  beaconTime,
  QUICKNET,
} from "../../../src/proof/crypto/drand.ts";
import {
  BeaconVerifier,
  roundAt,
  verifyBeacons,
} from "../../../src/proof/crypto/beacon_verifier.ts";
import { portableBls } from "../../../src/proof/crypto/portable_bls.ts";
import { forged, QUICKNET_BEACONS, TestChain } from "../../beacons.ts";
import { jsonVectors, vectorTest } from "../../vectors.ts";

const IMPLEMENTATIONS = [["portable", portableBls], ["best", await loadBls()]] as const;

interface QuicknetVectors {
  readonly chain_hash: string;
  readonly dst: string;
  readonly period_seconds: number;
  readonly genesis_time: number;
  readonly public_key_g2: string;
  readonly rounds: readonly { readonly round: number; readonly signature: string }[];
}

vectorTest(
  "quicknet's constants and beacons are those published",
  "drand-quicknet.json",
  (file) => {
    const vectors = jsonVectors<QuicknetVectors>(file);
    assert.equal(QUICKNET.hash, vectors.chain_hash);
    assert.equal(QUICKNET.publicKey.toHex(), vectors.public_key_g2);
    assert.equal(QUICKNET.periodSeconds, vectors.period_seconds);
    assert.equal(QUICKNET.genesisTime, vectors.genesis_time);
    assert.equal(DRAND_SIGNATURE_DST, vectors.dst);
    const beacons = vectors.rounds.map((round) => ({ chain_hash: QUICKNET.hash, ...round }));
    assert.ok(beacons.length >= 4);
    assert.deepEqual(beacons.slice(-2), QUICKNET_BEACONS);
    for (const [name, bls] of IMPLEMENTATIONS) {
      for (const beacon of beacons) assert.ok(new BeaconVerifier(bls).verify(beacon), name);
      assert.deepEqual(verifyBeacons(bls, QUICKNET, beacons), beacons.map(() => true));
    }
  },
);

/** Invalid beacons that look like those of quicknet. */
const REFUSED: readonly (readonly [string, Beacon])[] = (() => {
  const [beacon, next] = QUICKNET_BEACONS;
  return [
    ["another signature", forged(beacon)],
    ["the next round's signature", { ...beacon, signature: next.signature }],
    ["another round", { ...beacon, round: beacon.round + 1 }],
    ["round 0", { ...beacon, round: 0 }],
    ["a negative round", { ...beacon, round: -1 }],
    ["half a round", { ...beacon, round: 0.5 }],
    ["no number", { ...beacon, round: NaN }],
    ["a time beyond 2^53", { ...beacon, round: Number.MAX_SAFE_INTEGER }],
    ["another chain", { ...beacon, chain_hash: "00".repeat(32) }],
    ["no chain", { ...beacon, chain_hash: "" }],
    ["an uppercase chain", { ...beacon, chain_hash: beacon.chain_hash.toUpperCase() }],
    ["an uppercase signature", { ...beacon, signature: beacon.signature.toUpperCase() }],
    ["a longer signature", { ...beacon, signature: `${beacon.signature}00` }],
    ["the identity", { ...beacon, signature: `c0${"00".repeat(47)}` }],
    ["no signature", { ...beacon, signature: "" }],
  ];
})();

Deno.test("invalid beacons are refused, alone and in a batch", () => {
  for (const [name, bls] of IMPLEMENTATIONS) {
    for (const [what, beacon] of REFUSED) {
      assert.equal(new BeaconVerifier(bls).verify(beacon), false, `${name}: ${what}`);
    }
    const mixed = [
      QUICKNET_BEACONS[0],
      ...REFUSED.map(([, beacon]) => beacon),
      QUICKNET_BEACONS[1],
    ];
    const verdicts = mixed.map((_, i) => i === 0 || i === mixed.length - 1);
    assert.deepEqual(verifyBeacons(bls, QUICKNET, mixed), verdicts, name);
    assert.deepEqual(verifyBeacons(bls, QUICKNET, []), []);
  }
});

Deno.test("a beacon signed by another key is refused, with any chain hash", () => {
  const chain = new TestChain(QUICKNET.genesisTime);
  const beacon = chain.beacon(5);
  assert.ok(new BeaconVerifier(portableBls, chain).verify(beacon));
  // So is one that the key signed for an invalid round.
  assert.equal(new BeaconVerifier(portableBls, chain).verify(chain.beacon(0)), false);
  assert.deepEqual(verifyBeacons(portableBls, chain, [chain.beacon(0), beacon]), [false, true]);
  assert.equal(new BeaconVerifier(portableBls).verify(beacon), false);
  assert.equal(
    new BeaconVerifier(portableBls).verify({ ...beacon, chain_hash: QUICKNET.hash }),
    false,
  );
  assert.equal(new BeaconVerifier(portableBls, chain).verify(QUICKNET_BEACONS[0]), false);
});

Deno.test("BeaconVerifier caches valid beacons only, and never confuses beacons", () => {
  let asked = 0;
  const counting: Pick<Bls, "verify"> = {
    verify: (...inputs) => {
      asked++;
      return portableBls.verify(...inputs);
    },
  };
  const verifier = new BeaconVerifier(counting);
  const [beacon, next] = QUICKNET_BEACONS;
  for (
    const [tried, expected, sofar] of [
      [beacon, true, 1],
      [{ ...beacon }, true, 1],
      [forged(beacon), false, 2],
      [forged(beacon), false, 3],
      [{ ...beacon, chain_hash: "00".repeat(32) }, false, 3],
      [{ ...beacon, round: next.round }, false, 4],
      [next, true, 5],
      [beacon, true, 5],
    ] as const
  ) {
    assert.equal(verifier.verify(tried), expected);
    assert.equal(asked, sofar);
  }
});

Deno.test("beaconTime() and roundAt() are inverse at every boundary", () => {
  assert.equal(beaconTime(QUICKNET, 1), QUICKNET.genesisTime);
  assert.equal(beaconTime(QUICKNET, 32_285_085), 1_789_658_619);
  assert.equal(roundAt(QUICKNET, 0), 0);
  assert.equal(roundAt(QUICKNET, QUICKNET.genesisTime - 1), 0);
  for (const round of [1, 2, 1000, 32_285_085]) {
    const time = beaconTime(QUICKNET, round);
    assert.deepEqual([-1, 0, 2, 3].map((s) => roundAt(QUICKNET, time + s)), [
      round - 1,
      round,
      round,
      round + 1,
    ]);
  }
});

Deno.test("the message of a round is SHA-256 of eight bytes, big-endian", async () => {
  const bytes = Uint8Array.of(0, 0, 0, 0, 0x01, 0xec, 0xa1, 0xdd);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  assert.deepEqual(beaconMessage(32_285_149), digest);
});
