/**
 * Cross-anchoring with a real gateway: batches continue for any behaviour of peers.
 */

import assert from "node:assert/strict";
import { CrossAnchoring } from "../../../src/gateway/federation/cross_anchoring.ts";
import type { Peer } from "../../../src/gateway/federation/ports.ts";
import { Evidence } from "../../../src/gateway/federation/evidence.ts";
import { TreeHeadIntake } from "../../../src/gateway/federation/tree_head_intake.ts";
import type { CrossAnchorRecord } from "../../../src/proof/format/records.ts";
import { ForeignCosigner } from "../../../src/gateway/sequencing/foreign_cosigning.ts";
import type { Gateway } from "../../../src/gateway/gateway.ts";
import { randomDigests } from "../fixture.ts";
import { Scenario } from "../scenario.ts";
import type { FakeClock } from "../../fake_clock.ts";
import { eachScheme, nativeCrypto } from "../../schemes.ts";
import { MemoryFederationStore } from "./memory_store.ts";
import { Site } from "./site.ts";
import { wrapped } from "../wrapped_witness.ts";

/** Milliseconds of a clock that only waits advance: a fifth of the cost of one lost answer. */
const BATCH_MS = 1_000;

/** The parts of a gateway that cross-anchoring uses. */
function logOf(gateway: Gateway) {
  return {
    latest: () => gateway.log.latest(),
    consistencyPath: (first: number, second: number) => gateway.log.consistencyPath(first, second),
    root: (size: number) => gateway.log.root(size),
    onPublished: (listener: () => void, signal: AbortSignal) =>
      gateway.log.onPublished(listener, signal),
  };
}

/** Publishes `count` digests; returns the duration on `clock` in milliseconds. */
async function publish(gateway: Gateway, clock: FakeClock, count: number): Promise<number> {
  const start = clock.nowMs();
  const sequences = await gateway.jobs.accept(randomDigests(count));
  const size = Math.max(...sequences) + 1;
  await clock.until(() => (gateway.log.latest()?.sth.tree_head.tree_size ?? 0) >= size);
  return clock.nowMs() - start;
}

eachScheme.test("a peer cosigns a gateway's heads, and a silent peer delays nothing", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { clock, network: home } = scenario;
  const { gateway, faults } = await scenario.start(scenario.open());
  const good = new Site("good.example", clock);
  const mute = new Site("mute.example", clock);
  const homeSite = { id: home.network.id, logSigner: home.logSigner, network: home.network };
  // The peers have only the gateway's configuration.
  good.join([homeSite as unknown as Site]);
  const added: CrossAnchorRecord[] = [];
  const reports: string[] = [];
  const peers: Peer[] = [{
    network: mute.network,
    minWitnesses: 2,
    client: {
      crossAnchor: (_, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    },
  }, { network: good.network, minWitnesses: 3, client: good.clientFor(homeSite as Site) }];
  const anchoring = new CrossAnchoring({
    network: home.network,
    peers,
    log: logOf(gateway),
    store: new MemoryFederationStore(),
    crypto: nativeCrypto,
    clock,
    intervalSeconds: 0,
    random: () => 0,
    crossAnchorAdded: (record) => added.push(record),
    failingChanged: () => {},
    report: (message) => reports.push(message),
  });
  const stop = new AbortController();
  const running = anchoring.run(stop.signal);
  for (let i = 0; i < 8; i++) {
    const ms = await publish(gateway, clock, 3);
    assert.ok(ms < BATCH_MS, `${ms} ms beside a mute peer`);
  }
  await clock.advance(100);
  assert.equal(added.at(-1)!.treeHead.tree_size, 24);
  assert.deepEqual(new Set(added.map(({ peer }) => peer)), new Set([good.id]));
  assert.deepEqual(reports, []);
  stop.abort();
  await running;
  await gateway.stop();
  assert.deepEqual(faults, []);
});

eachScheme.test("peers' heads that our witnesses do not answer delay none of our batches", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { clock, network: home } = scenario;
  const { gateway } = await scenario.start(scenario.open());
  const peer = new Site("peer.example", clock);
  peer.join([]);
  let asked = 0;
  const { ed25519: verify, bls } = nativeCrypto;
  // The witnesses sign our heads and do not answer for others.
  const witnesses = home.witnesses.map((witness) =>
    wrapped(witness, {
      cosign: () => {
        asked++;
        return new Promise<never>(() => {});
      },
    })
  );
  const store = new MemoryFederationStore();
  const intake = new TreeHeadIntake({
    network: home.network,
    peers: [{ network: peer.network, minWitnesses: 2 }],
    witnesses: new ForeignCosigner({ network: home.network, witnesses, verify, bls, clock }),
    store,
    evidence: new Evidence(store, () => {}),
    crypto: nativeCrypto,
    clock,
  });
  const request = { ...await peer.publish(2), minWitnesses: 2, growth: [] };
  const codes: string[] = [];
  const taken = intake.take(peer.id, request, new AbortController().signal)
    .catch(({ code }: { code: string }) => codes.push(code));
  const ms = await publish(gateway, clock, 3);
  assert.ok(ms < BATCH_MS, `${ms} ms beside silent witnesses`);
  await clock.advance(5_000);
  await taken;
  assert.deepEqual(codes, ["witnesses_unavailable"]);
  assert.equal(asked, 3);
  // Their answers about other logs do not affect their health.
  for (const { healthy } of (await gateway.status.resource()).witnesses) assert.ok(healthy);
  await gateway.stop();
});
