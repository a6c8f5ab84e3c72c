/**
 * Whole networks in one process: real witnesses with states of their own, the gateway's real parts
 * that cosign, and a log in memory. Peers reach one another by texts, as on the wire.
 *
 * @module
 */

import { type Bytes, concat, hexOf, utf8 } from "../../src/bytes.ts";
import type { Clock } from "../../src/clock.ts";
import { Ed25519Signer } from "../../src/crypto/ed25519_native.ts";
import { portableKernels as kernels } from "../../src/crypto/portable_kernels.ts";
import { CountersignError } from "../../src/errors.ts";
import { CrossAnchoring } from "../../src/federation/cross_anchoring.ts";
import type {
  Contradiction,
  CosigningWitnesses,
  CrossAnchorAnswer,
  CrossAnchoredLog,
  CrossAnchorRequest,
  FederationStore,
  LoggedTreeHead,
  Peer,
  PeerClient,
} from "../../src/federation/ports.ts";
import { TreeHeadIntake } from "../../src/federation/tree_head_intake.ts";
import {
  encodeCrossAnchorRequest,
  parseCrossAnchorRequest,
  parsePeerCosignature,
  peerCosignatureMembers,
} from "../../src/format/federation.ts";
import type { NetworkConfiguration } from "../../src/format/network.ts";
import { encodeVkey, NOTE_TYPE } from "../../src/format/note_key.ts";
import { type CrossAnchorRecord, namedSignatures } from "../../src/format/records.ts";
import type { SignatureScheme } from "../../src/format/signature_set.ts";
import { Cosigner } from "../../src/gateway/sequencing/cosigning.ts";
import { ForkEvidence } from "../../src/gateway/sequencing/fork_evidence.ts";
import { ForeignCosigner } from "../../src/gateway/sequencing/foreign_cosigning.ts";
import { WitnessPool } from "../../src/gateway/signing/witness_pool.ts";
import { STATUS } from "../../src/http/problem.ts";
import { RoundTreeMemo } from "../../src/merkle/round_tree.ts";
import { EmbeddedWitness } from "../../src/transport/embedded_witness.ts";
import type { ThresholdCrypto } from "../../src/verify/verifier_crypto.ts";
import type { WitnessedLog } from "../../src/witness/ports.ts";
import { Witness } from "../../src/witness/witness.ts";
import { HeadLedger, SwitchedWitness } from "../gateway/fixture.ts";
import { ReferenceTree } from "../merkle/reference.ts";
import { anyBeacons, configuredWitness, nativeCrypto, schemeSigner } from "../schemes.ts";
import { MemoryWitnessState, type StateBackup } from "../witness/memory_state.ts";
import { MemoryFederationStore } from "./memory_store.ts";

/** What a network is made of. */
export interface SiteOptions {
  readonly scheme?: SignatureScheme;
  readonly size?: number;
  readonly threshold?: number;
}

/** How a network takes part, where a test has a say in it. */
export interface JoinOptions {
  readonly minWitnesses?: number;
  readonly intervalSeconds?: number;
  /** What is put in place of the working parts. */
  readonly crypto?: ThresholdCrypto;
  readonly witnesses?: (real: CosigningWitnesses) => CosigningWitnesses;
  readonly store?: (real: FederationStore) => FederationStore;
}

/** What a home log and its witnesses are put back to. */
export interface Backup {
  readonly leaves: readonly Bytes[];
  readonly published: LoggedTreeHead | undefined;
  readonly states: readonly StateBackup[];
}

/** One network. */
export class Site implements CrossAnchoredLog {
  readonly network: NetworkConfiguration & { readonly log_vkey: string };
  readonly witnesses: readonly SwitchedWitness[];
  readonly logSigner: Ed25519Signer;
  readonly added: CrossAnchorRecord[] = [];
  readonly found: Contradiction[] = [];
  readonly reports: string[] = [];
  store = new MemoryFederationStore();
  /** Whether peers reach it. */
  reachable = true;
  /** Requests that peers made of it. */
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
    this.#followed.push({ origin: id, publicKey });
    // Made at the first question, when it is known whom the network follows.
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

  /** Makes the working parts, over `peers`. Called before any witness is asked. */
  join(peers: readonly Site[], options: JoinOptions = {}): void {
    for (const { id, logSigner } of peers) {
      this.#followed.push({ origin: id, publicKey: logSigner.publicKey });
    }
    this.#peers = peers;
    this.#options = options;
    this.open();
  }

  /** The working parts anew over what is stored, as a process that starts has them. */
  open(): void {
    const { crypto = nativeCrypto, store = same, witnesses = same } = this.#options;
    const clock = this.#clock;
    this.store = new MemoryFederationStore(this.store.disk);
    const peers = this.#peers.map((site) => this.#peerOf(site));
    const context = { network: this.network, peers, store: store(this.store), crypto, clock };
    this.intake = new TreeHeadIntake({
      ...context,
      witnesses: witnesses(
        new ForeignCosigner({
          network: this.network,
          witnesses: this.witnesses,
          verify: nativeCrypto.ed25519,
          bls: nativeCrypto.bls,
          clock,
        }),
      ),
      contradictionFound: (contradiction) => this.found.push(contradiction),
    });
    this.anchoring = new CrossAnchoring({
      ...context,
      log: this,
      intervalSeconds: this.#options.intervalSeconds ?? 0,
      random: () => 0.5,
      crossAnchorAdded: (record) => this.added.push(record),
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

  /** The log, and what its witnesses remember of everything. */
  backup(): Backup {
    return {
      leaves: this.#leaves,
      published: this.#published,
      states: this.#states.map((state) => state.backup()),
    };
  }

  /** Puts the log and its witnesses back to an old copy, from which another history grows. */
  restore({ leaves, published, states }: Backup): void {
    this.#history++;
    this.#leaves = leaves;
    this.#tree = new ReferenceTree(leaves);
    this.#published = published;
    this.#states.forEach((state, place) => state.restore(states[place]!));
    this.#made.clear();
  }

  /** What a witness remembers of an origin. */
  witnessedSize(place: number, origin: string): number {
    return this.#states[place]!.sizeOf(origin);
  }

  /** Takes a request of `peer` as its text comes over the wire. */
  async receive(peer: string, text: string, signal: AbortSignal): Promise<CrossAnchorAnswer> {
    const request = parseCrossAnchorRequest(text);
    this.requests.push(request);
    const answer = await this.intake.take(peer, request, signal);
    if (answer.kind === "sizes_required") return answer;
    const members = JSON.stringify(peerCosignatureMembers(this.id, answer.cosignature));
    const cosignature = parsePeerCosignature(members, this.id, "peer_refused");
    return { kind: "cosigned", cosignature };
  }

  /** As a peer reaches this network, whose requests are those of `from`. */
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

  /** How `site` is reached, in place of its own client where a test says so. */
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
      networkId: this.id,
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
      consistency: (first, second) => this.consistencyPath(first, second),
    });
    const size = this.#leaves.length;
    const stored = { size, root: await this.root(size) };
    const record = await cosigner.cosign(stored, new AbortController().signal);
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

/** A witness that is made when it is asked first. */
class LateWitness {
  readonly id: string;
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
}

function same<T>(part: T): T {
  return part;
}

/** Networks that all are one another's peers. */
export function mesh(sites: readonly Site[], options: JoinOptions = {}): void {
  for (const site of sites) site.join(sites.filter((other) => other !== site), options);
}
