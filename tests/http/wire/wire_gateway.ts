/**
 * A gateway whose every answer is a function of names: keys, time and peers are fixed, and the
 * threshold is the number of witnesses, so that no answer depends on which of them is faster.
 *
 * @module
 */

import { followedLog } from "../../witness/fixture.ts";
import { fakeProvider } from "../../gateway/anchors/fake_service.ts";
import { MemoryAnchorStore } from "../../gateway/anchors/memory_anchor_store.ts";
import { FakeClock } from "../../fake_clock.ts";
import { MemoryFederationStore } from "../../gateway/federation/memory_store.ts";
import { memoryStore, until } from "../../gateway/fixture.ts";
import { anyBeacons, configuredWitness, nativeCrypto, schemeSigner } from "../../schemes.ts";
import { digestOf, TestNetwork } from "../../proof/verify/test_network.ts";
import { twoSuccessions } from "../../proof/verify/test_succession.ts";
import { MemoryWitnessState } from "../../witness/memory_state.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { utf8 } from "../../../src/base/bytes.ts";
import { Current } from "../../../src/base/current.ts";
import { type AnchorsState, NO_ANCHORS_STATE } from "../../../src/gateway/fronts/ports.ts";
import { StoredAnchors } from "../../../src/server/anchoring/stored_anchors.ts";
import { portableKernels as kernels } from "../../../src/proof/crypto/portable_kernels.ts";
import type { NetworkConfiguration } from "../../../src/proof/format/network.ts";
import type { SignatureScheme } from "../../../src/proof/format/signature_set.ts";
import {
  encodeCheckpointBody,
  encodeCosignatureMessage,
  type TreeHead,
} from "../../../src/proof/format/tree_head.ts";
import { Gateway } from "../../../src/gateway/gateway.ts";
import type { WitnessClient } from "../../../src/gateway/ports.ts";
import type { PeerEvidence } from "../../../src/http/gateway/evidence_routes.ts";
import { RoundTreeMemo } from "../../../src/proof/merkle/round_tree.ts";
import { EmbeddedWitness } from "../../../src/server/gateway/embedded_witness.ts";
import { Witness } from "../../../src/witness/witness.ts";
import { NO_COSIGNATURES } from "../../gateway/witnessing/no_cosignatures.ts";

export const START = 1_800_000_000;
/** Confirmed attestations that close a batch at once; nothing else closes one. */
export const BATCH_SIZE = 3;
const NEVER_MS = 1e9;
const NETWORK_ID = "wire.example/log";

/** The peer, which cosigns one head and signed two histories. */
export const peer = new TestNetwork("peer.example/log", { witnesses: 2, threshold: 2 });

/** A gateway, its network and what others say of its log. */
export class WireGateway {
  readonly gateway: Gateway;
  readonly network: NetworkConfiguration;
  readonly clock: FakeClock;
  readonly #crossAnchors: MemoryFederationStore;
  readonly #externalAnchors: MemoryAnchorStore;
  readonly #current: Current<AnchorsState>;

  private constructor(
    parts: Pick<WireGateway, "gateway" | "network" | "clock">,
    stores: {
      readonly crossAnchors: MemoryFederationStore;
      readonly externalAnchors: MemoryAnchorStore;
      readonly current: Current<AnchorsState>;
    },
  ) {
    this.gateway = parts.gateway;
    this.network = parts.network;
    this.clock = parts.clock;
    this.#crossAnchors = stores.crossAnchors;
    this.#externalAnchors = stores.externalAnchors;
    this.#current = stores.current;
  }

  /** Starts one over an empty store; with `isSilent`, no witness ever answers. */
  static async start(
    scheme: SignatureScheme,
    { isSilent = false, spendsTokens = false } = {},
  ): Promise<WireGateway> {
    const clock = new FakeClock(START);
    const keys = new TestNetwork(NETWORK_ID, { scheme, witnesses: 3, threshold: 3 });
    const network: NetworkConfiguration = {
      ...keys.configuration,
      witnesses: keys.configuration.witnesses.map(({ id }) =>
        configuredWitness(id, schemeSigner(scheme, id))
      ),
      merge_delay_seconds: 3600,
      federation: {
        enabled: true,
        peer_networks: [{
          id: peer.id,
          gateway_url: "https://peer.example",
          min_witnesses: 2,
        }],
        cross_anchor_threshold: 1,
      },
    };
    const memo = new RoundTreeMemo(kernels);
    const crossAnchors = new MemoryFederationStore();
    const externalAnchors = new MemoryAnchorStore();
    const current = new Current(NO_ANCHORS_STATE);
    const anchors = new StoredAnchors({
      current,
      crossAnchors,
      witnessed: NO_COSIGNATURES,
      networkId: network.id,
      peers: [{
        network: peer.configuration,
        minWitnesses: 2,
        isAsked: true,
      }],
      externalAnchors,
      services: [{ name: "service", mode: "best_effort", provider: fakeProvider }],
      crypto: nativeCrypto,
      damaged: () => {},
      status: () =>
        Promise.resolve({
          peers: [{
            id: peer.id,
            last_cross_anchor: { tree_size: BATCH_SIZE, age: 7 },
            failing: false,
          }],
          anchors: [{
            provider: "fake",
            last: { tree_size: BATCH_SIZE, age: 9, status: "confirmed" },
          }],
          contradictions: 1,
        }),
    });
    const witnesses = network.witnesses.map(({ id }): WitnessClient => {
      if (isSilent) return silentWitness(id);
      return new EmbeddedWitness(
        new Witness({
          id,
          networkId: network.id,
          signer: schemeSigner(scheme, id),
          logs: [followedLog(network.id, keys.log.publicKey)],
          state: new MemoryWitnessState(),
          clock,
          kernels,
          buildRoundTree: (round) => memo.build(round),
          beacons: anyBeacons,
          report: () => {},
        }),
      );
    });
    const starting = Gateway.start({
      network,
      store: await memoryStore(),
      witnesses,
      logSigner: keys.log,
      kernels,
      verify: nativeCrypto.ed25519,
      bls: nativeCrypto.bls,
      buildTree: (round) => memo.build(round),
      clock,
      policy: { maxAgeMs: NEVER_MS, maxLeaves: BATCH_SIZE },
      anchors,
      spendsTokens,
      acceptsBeforeWitnesses: isSilent,
      onFatal: (error) => {
        throw error;
      },
      report: () => {},
    });
    if (isSilent) {
      // The start asks the witnesses and gives up after some time.
      let isStarted = false;
      void starting.finally(() => isStarted = true);
      while (!isStarted) {
        // No faster than twice real time: a write without an answer for 5 s is a store outage.
        await systemClock.sleep(10);
        await clock.advance(20);
      }
      clock.jump(START * 1000 - clock.nowMs());
    }
    const gateway = await starting;
    return new WireGateway({ gateway, network, clock }, { crossAnchors, externalAnchors, current });
  }

  /** Waits until every accepted attestation is confirmed, and published up to `size`. */
  async settled(size: number): Promise<void> {
    const log = this.gateway.eventLog;
    await until(() => log.confirmed === log.accepted && log.published === size);
  }

  /** Stores a cross-anchor and an external anchor of the latest head. */
  async anchorLatest(): Promise<void> {
    const { tree_head } = this.gateway.log.latest()!.sth;
    const cosigned = { ...tree_head, timestamp: tree_head.timestamp + 1 };
    await this.#crossAnchors.saveCrossAnchor({
      peer: peer.id,
      treeHead: cosigned,
      signatures: peer.sign(encodeCosignatureMessage(cosigned)),
    });
    await this.#externalAnchors.save({
      service: "service",
      provider: "fake",
      status: "confirmed",
      timestamp: tree_head.timestamp + 2,
      treeHead: tree_head,
      proof: {
        digest: kernels.sha256(utf8(encodeCheckpointBody(tree_head))).toHex(),
        service: "service",
      },
    });
    const { value } = this.#current;
    this.#current.set({ ...value, version: value.version + 1 });
  }

  stop(): Promise<void> {
    return this.gateway.stop();
  }
}

/** A peer that signed two roots for one size, and was seen; and one with two successions. */
export const evidence: PeerEvidence = {
  seenHeads: () => Promise.resolve([{ seenAt: START, ...signedByPeer("one") }]),
  contradictions: () =>
    Promise.resolve([{
      origin: peer.id,
      foundAt: START + 1,
      first: signedByPeer("one"),
      second: signedByPeer("two"),
      path: [],
    }, twoSuccessions()]),
};

function signedByPeer(history: string) {
  const head: TreeHead = {
    network_id: peer.id,
    tree_size: 5,
    timestamp: START - 10,
    root_hash: digestOf(`${history} history`),
  };
  return {
    sth: peer.signHead(head),
    logSignature: peer.log.sign(utf8(encodeCheckpointBody(head))),
  };
}

function silentWitness(id: string): WitnessClient {
  const wait = <T>() => new Promise<T>(() => {});
  return {
    id,
    sign: wait,
    cosign: wait,
    checkHealth: wait,
    reach: wait,
    roundsFrom: wait,
    epochs: { state: wait, end: wait, begin: wait },
  };
}
