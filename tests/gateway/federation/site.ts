/**
 * Whole networks in one process: real witnesses, the gateway's real cosigning parts, and a log in
 * memory. Peers exchange texts, as on the wire.
 *
 * @module
 */

import { followedLog } from "../../witness/fixture.ts";
import { type Bytes, concat, hexOf, utf8 } from "../../../src/base/bytes.ts";
import type { Clock } from "../../../src/base/clock.ts";
import { Ed25519Signer } from "../../../src/proof/crypto/ed25519_native.ts";
import { portableKernels as kernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { CountersignError } from "../../../src/base/errors.ts";
import { CrossAnchoring } from "../../../src/gateway/federation/cross_anchoring.ts";
import type {
  CosigningWitnesses,
  CrossAnchoredLog,
  FederationStore,
  Peer,
  PeerClient,
} from "../../../src/gateway/federation/ports.ts";
import { Evidence } from "../../../src/gateway/federation/evidence.ts";
import { TreeHeadIntake } from "../../../src/gateway/federation/tree_head_intake.ts";
import {
  type AnyContradiction,
  type CrossAnchorAnswer,
  type CrossAnchorRequest,
  encodeCrossAnchorRequest,
  type LoggedTreeHead,
  parseCrossAnchorRequest,
  parsePeerCosignature,
  peerCosignatureMembers,
} from "../../../src/proof/format/federation.ts";
import type { NetworkConfiguration } from "../../../src/proof/format/network.ts";
import { encodeVkey, NOTE_TYPE } from "../../../src/proof/format/note_key.ts";
import { type CrossAnchorRecord, namedSignatures } from "../../../src/proof/format/records.ts";
import type { SignatureScheme } from "../../../src/proof/format/signature_set.ts";
import { Cosigner } from "../../../src/gateway/sequencing/cosigning.ts";
import { ForkEvidence } from "../../../src/gateway/sequencing/rollback_evidence.ts";
import { ForeignCosigner } from "../../../src/gateway/sequencing/foreign_cosigning.ts";
import { WitnessPool } from "../../../src/gateway/signing/witness_pool.ts";
import { STATUS } from "../../../src/http/problem.ts";
import { RoundTreeMemo } from "../../../src/proof/merkle/round_tree.ts";
import { EmbeddedWitness } from "../../../src/server/gateway/embedded_witness.ts";
import type { ThresholdCrypto } from "../../../src/proof/verify/verifier_crypto.ts";
import type { WitnessedLog } from "../../../src/witness/ports.ts";
import { Witness } from "../../../src/witness/witness.ts";
import { HeadLedger, SwitchedWitness } from "../fixture.ts";
import { ReferenceTree } from "../../proof/merkle/reference.ts";
import { anyBeacons, configuredWitness, nativeCrypto, schemeSigner } from "../../schemes.ts";
import { MemoryWitnessState, type StateBackup } from "../../witness/memory_state.ts";
import { MemoryFederationStore } from "./memory_store.ts";
import type { WitnessClient } from "../../../src/gateway/ports.ts";
import { NO_EPOCHS } from "../wrapped_witness.ts";

/** The parts of a network. */
export interface SiteOptions {
  readonly scheme?: SignatureScheme;
  readonly size?: number;
  readonly threshold?: number;
}

/** Options of a network. */
export interface JoinOptions {
  readonly minWitnesses?: number;
  readonly intervalSeconds?: number;
  /** Replacements of working parts. */
  readonly crypto?: ThresholdCrypto;
  readonly witnesses?: (real: CosigningWitnesses) => CosigningWitnesses;
  readonly store?: (real: FederationStore) => FederationStore;
}

/** A backup of a home log and its witnesses. */
export interface Backup {
  readonly leaves: readonly Bytes[];
  readonly published: LoggedTreeHead | undefined;
  readonly states: readonly StateBackup[];
}

/** One network. */
export class Site implements CrossAnchoredLog {
  /** Of the present epoch. */
  network: NetworkConfiguration & { readonly log_vkey: string };
  readonly witnesses: readonly SwitchedWitness[];
  readonly logSigner: Ed25519Signer;
  readonly added: CrossAnchorRecord[] = [];
  readonly found: AnyContradiction[] = [];
  /** The failing peers after each change. */
  readonly failing: (readonly string[])[] = [];
  readonly reports: string[] = [];
  store = new MemoryFederationStore();
  /** False while peers cannot reach it. */
  reachable = true;
  /** Number of requests from peers. */
  readonly requests: CrossAnchorRequest[] = [];
  intake!: TreeHeadIntake;
  anchoring!: CrossAnchoring;
  readonly #clock: Clock;
  readonly #states: readonly MemoryWitnessState[];
  readonly #followed: WitnessedLog[] = [];
  readonly #pool: WitnessPool;
  #leaves: readonly Bytes[] = [];
  #tree = new ReferenceTree([]);
  #history = 0;
  #published: LoggedTreeHead | undefined;
  readonly #listeners = new Set<() => void>();
  #stop: AbortController | undefined;
  #running: Promise<void> | undefined;
  #options: JoinOptions = {};
  #peers: readonly Site[] = [];

  constructor(id: string, clock: Clock, options: SiteOptions = {}) {
    const { scheme = "ed25519", size = 3, threshold = 2 } = options;
    this.#clock = clock;
    this.logSigner = new Ed25519Signer(kernels.sha256(utf8(`${id}/log`)));
    const { publicKey } = this.logSigner;
    const ids = Array.from({ length: size }, (_, i) => `${id}/w${i + 1}`);
    this.network = {
      id,
      threshold,
      signature_scheme: scheme,
      witnesses: ids.map((witness) => configuredWitness(witness, schemeSigner(scheme, witness))),
      log_vkey: encodeVkey({ name: id, type: NOTE_TYPE.ed25519, publicKey }),
      federation: { enabled: true, peer_networks: [], cross_anchor_threshold: 1 },
    };
    this.#states = ids.map(() => new MemoryWitnessState());
    this.#followed.push(followedLog(id, publicKey));
    // Created at the first request, when the followed networks are known.
    this.witnesses = ids.map((witness, place) =>
      new SwitchedWitness(
        new LateWitness(witness, () => this.#witness(witness, place)),
        new HeadLedger(),
      )
    );
    this.#pool = new WitnessPool(this.network, this.witnesses, {
      verify: nativeCrypto.ed25519,
      bls: nativeCrypto.bls,
      clock,
      timeoutMs: 5_000,
    });
  }

  get id(): string {
    return this.network.id;
  }

  get size(): number {
    return this.#leaves.length;
  }

  /** Creates the working parts for `peers`. Call it before any witness is asked. */
  join(peers: readonly Site[], options: JoinOptions = {}): void {
    for (const { id, logSigner } of peers) {
      this.#followed.push(followedLog(id, logSigner.publicKey));
    }
    this.#peers = peers;
    this.#options = options;
    this.open();
  }

  /** Creates the working parts again over the stored data, like a process that starts. */
  open(): void {
    const { crypto = nativeCrypto, store = same, witnesses = same } = this.#options;
    const clock = this.#clock;
    this.store = new MemoryFederationStore(this.store.disk);
    const peers = this.#peers.map((site) => this.#peerOf(site));
    const present = () => this.network;
    const context = { peers, store: store(this.store), crypto, clock };
    this.intake = new TreeHeadIntake({
      ...context,
      network: this.network,
      witnesses: witnesses(
        new ForeignCosigner({
          network: this.network,
          witnesses: this.witnesses,
          verify: nativeCrypto.ed25519,
          bls: nativeCrypto.bls,
          clock,
        }),
      ),
      evidence: new Evidence(context.store, (found) => this.found.push(found)),
    });
    this.anchoring = new CrossAnchoring({
      ...context,
      get network() {
        return present();
      },
      log: this,
      intervalSeconds: this.#options.intervalSeconds ?? 0,
      random: () => 0.5,
      crossAnchorAdded: (record) => this.added.push(record),
      failingChanged: () => this.failing.push(this.anchoring.failingPeers),
      report: (message) => this.reports.push(message),
    });
  }

  start(): void {
    this.#stop = new AbortController();
    this.#running = this.anchoring.run(this.#stop.signal);
  }

  async stop(): Promise<void> {
    this.#stop?.abort();
    await this.#running;
  }

  /** Grows the log by `count` and publishes its head, cosigned by the network's own witnesses. */
  async publish(count = 1): Promise<LoggedTreeHead> {
    const added = Array.from(
      { length: count },
      (_, i) => kernels.sha256(utf8(`${this.id} ${this.#history} ${this.#leaves.length + i}`)),
    );
    this.#leaves = [...this.#leaves, ...added];
    this.#tree = new ReferenceTree(this.#leaves);
    this.#published = await this.#cosigned();
    for (const listener of this.#listeners) listener();
    return this.#published;
  }

  latest(): LoggedTreeHead | undefined {
    return this.#published;
  }

  consistencyPath(first: number, second: number): Promise<Bytes[]> {
    return Promise.resolve(this.#tree.consistency(first, second).map((hash) => concat(hash)));
  }

  root(size: number): Promise<Bytes> {
    return Promise.resolve(concat(this.#tree.root(size)));
  }

  onPublished(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener));
  }

  /** A backup of the log and its witnesses' states. */
  backup(): Backup {
    return {
      leaves: this.#leaves,
      published: this.#published,
      states: this.#states.map((state) => state.backup()),
    };
  }

  /** Restores an old copy of the log and its witnesses, from which another history grows. */
  restore({ leaves, published, states }: Backup): void {
    this.#history++;
    this.#leaves = leaves;
    this.#tree = new ReferenceTree(leaves);
    this.#published = published;
    this.#states.forEach((state, place) => state.restore(states[place]!));
    this.#made.clear();
  }

  /** The stored head of a witness for an origin. */
  witnessedSize(place: number, origin: string): number {
    return this.#states[place]!.sizeOf(origin);
  }

  /** Handles a request of `peer` in wire form. */
  async receive(peer: string, text: string, signal: AbortSignal): Promise<CrossAnchorAnswer> {
    const request = parseCrossAnchorRequest(text);
    this.requests.push(request);
    const answer = await this.intake.take(peer, request, signal);
    if (answer.kind === "sizes_required") return answer;
    const members = JSON.stringify(peerCosignatureMembers(this.id, answer.cosignature));
    const cosignature = parsePeerCosignature(members, this.id, "peer_refused");
    return { kind: "cosigned", cosignature };
  }

  /** The client with which `from` reaches this network. */
  clientFor(from: Site): PeerClient {
    return {
      crossAnchor: async (request, signal) => {
        if (!this.reachable) throw new CountersignError("peer_unreachable", "down");
        try {
          return await this.receive(from.id, encodeCrossAnchorRequest(request), signal);
        } catch (error) {
          if (!(error instanceof CountersignError)) throw error;
          const code = STATUS[error.code] >= 500 ? "peer_unreachable" : "peer_refused";
          throw new CountersignError(code, `refused with ${error.code}`, { cause: error });
        }
      },
    };
  }

  /** The client of `site`, or its replacement. */
  readonly reached = new Map<string, PeerClient>();

  #peerOf(site: Site): Peer {
    return {
      network: site.network,
      minWitnesses: this.#options.minWitnesses ?? site.network.threshold,
      client: {
        crossAnchor: (request, signal) =>
          (this.reached.get(site.id) ?? site.clientFor(this)).crossAnchor(request, signal),
      },
    };
  }

  async #cosigned(): Promise<LoggedTreeHead> {
    const cosigner = new Cosigner({
      report: () => {},
      networkId: this.id,
      epoch: 0,
      pool: this.#pool,
      evidence: new ForkEvidence({
        ids: this.#pool.witnesses.map(({ id }) => id),
        threshold: this.#pool.threshold,
        treeSize: () => this.#leaves.length,
        reported: () => {},
        withdrawn: () => {},
      }),
      logSigner: this.logSigner,
      clock: this.#clock,
      durable: () => this.#leaves.length,
      consistency: (first, second) => this.consistencyPath(first, second),
    });
    const size = this.#leaves.length;
    const stored = { size, root: await this.root(size) };
    const asked = new AbortController();
    const record = await cosigner.cosign(stored, asked.signal);
    // Ends the timer of the pool, which waits for the next collection.
    asked.abort();
    const ids = this.#pool.witnesses.map(({ id }) => id);
    return {
      sth: {
        tree_head: {
          network_id: this.id,
          tree_size: size,
          timestamp: record.timestamp,
          root_hash: hexOf(record.root),
        },
        ...namedSignatures(record.signatures, ids),
      },
      logSignature: record.logSignature,
    };
  }

  readonly #made = new Map<number, EmbeddedWitness>();

  #witness(id: string, place: number): EmbeddedWitness {
    const made = this.#made.get(place);
    if (made !== undefined) return made;
    const memo = new RoundTreeMemo(kernels);
    const witness = new EmbeddedWitness(
      new Witness({
        id,
        networkId: this.id,
        signer: schemeSigner(this.network.signature_scheme, id),
        logs: this.#followed,
        state: this.#states[place]!,
        clock: this.#clock,
        kernels,
        buildRoundTree: (round) => memo.build(round),
        beacons: anyBeacons,
        report: () => {},
      }),
    );
    this.#made.set(place, witness);
    return witness;
  }
}

/** A witness that is created at its first request. */
class LateWitness implements WitnessClient {
  readonly id: string;
  readonly epochs = NO_EPOCHS;
  readonly #make: () => EmbeddedWitness;

  constructor(id: string, make: () => EmbeddedWitness) {
    this.id = id;
    this.#make = make;
  }

  sign(...args: Parameters<EmbeddedWitness["sign"]>): ReturnType<EmbeddedWitness["sign"]> {
    return this.#make().sign(...args);
  }

  cosign(...args: Parameters<EmbeddedWitness["cosign"]>): ReturnType<EmbeddedWitness["cosign"]> {
    return this.#make().cosign(...args);
  }

  checkHealth(signal: AbortSignal): Promise<void> {
    return this.#make().checkHealth(signal);
  }

  reach(signal: AbortSignal): ReturnType<EmbeddedWitness["reach"]> {
    return this.#make().reach(signal);
  }

  roundsFrom(
    ...args: Parameters<EmbeddedWitness["roundsFrom"]>
  ): ReturnType<EmbeddedWitness["roundsFrom"]> {
    return this.#make().roundsFrom(...args);
  }
}

function same<T>(part: T): T {
  return part;
}

/** Networks that are all peers of each other. */
export function mesh(sites: readonly Site[], options: JoinOptions = {}): void {
  for (const site of sites) site.join(sites.filter((other) => other !== site), options);
}
