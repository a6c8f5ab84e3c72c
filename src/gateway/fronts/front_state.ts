/**
 * The state of a sequencer in a front: replicas that the updates of the sequencer keep current. The classes
 * that read it are those of the sequencer's thread.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import type { Clock } from "../../base/clock.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import type { SthRecord } from "../../proof/format/records.ts";
import { emptyRoot } from "../../proof/merkle/tree.ts";
import type { Report } from "../../base/report.ts";
import { HealthView } from "../health_view.ts";
import { IndexReplica } from "../index/index_replica.ts";
import type { SharedIndex } from "../index/shared_index.ts";
import { spentRows } from "../index/spent_ids.ts";
import { Waiters } from "../intake/waiters.ts";
import { Listeners } from "../observer.ts";
import type { LogReads, StoredHead } from "../ports.ts";
import { ConfirmedRounds } from "../proving/confirmed_rounds.ts";
import { CommittedTree } from "../sequencing/committed_tree.ts";
import { type CosignedHeads, withCosigned } from "../sequencing/cosigned_heads.ts";
import { PublishedHeads } from "../sequencing/published_heads.ts";
import { SigningReplica } from "../signing/signing_view.ts";
import type { EpochChain, Epochs } from "../succession/epochs.ts";
import type {
  AnchorsState,
  ConfirmedRound,
  FailingRound,
  Follower,
  Health,
  SigningLoad,
  Snapshot,
  StatusFacts,
} from "./ports.ts";

export interface FrontStateContext {
  readonly store: LogReads;
  readonly kernels: Kernels;
  readonly epochs: Pick<Epochs, "replace">;
  readonly clock: Clock;
  readonly report: Report;
  readonly anchorsChanged: (state: AnchorsState) => void;
}

/** The replicas that the first snapshot makes. */
export interface JoinedReplicas {
  readonly health: HealthView;
  readonly signing: SigningReplica;
  readonly index: IndexReplica;
  /** Absent if no tokens are redeemed. */
  readonly spent: IndexReplica | undefined;
}

/** The state as of the last update; empty before the first snapshot. */
export class FrontState implements Follower {
  readonly rounds = new ConfirmedRounds(0, []);
  readonly tree: CommittedTree;
  readonly heads: PublishedHeads;
  readonly waiters: Waiters;
  /** Notified when digests, rounds or published heads become durable. */
  readonly progress: Listeners;
  /** Called when a head is published or gets further signatures, or the latest one is cosigned again. */
  headListener: (record: SthRecord) => void = () => {};
  readonly #context: FrontStateContext;
  readonly #firstJoined = Promise.withResolvers<JoinedReplicas>();
  #joined: JoinedReplicas | undefined;
  #durable = 0;
  #backlog = 0;
  #facts: StatusFacts = { witnesses: [], pending: 0 };
  #cosignedHeads: CosignedHeads = { latest: undefined, checkpoint: undefined };

  constructor(context: FrontStateContext) {
    const { store, kernels, clock, report } = context;
    this.#context = context;
    const head = { size: 0, root: emptyRoot(kernels) };
    this.tree = new CommittedTree({ store: store.tree, kernels }, { head, edges: [] });
    this.heads = new PublishedHeads(store.sths, undefined);
    this.waiters = new Waiters(clock, (sequence) => this.rounds.isConfirmed(sequence));
    this.progress = new Listeners(report);
  }

  /** Resolves once the first snapshot has arrived. */
  get whenJoined(): Promise<JoinedReplicas> {
    return this.#firstJoined.promise;
  }

  /** Sequence after the last digest on disk. */
  get durable(): number {
    return this.#durable;
  }

  /** How many digests wait for a commit. */
  get backlog(): number {
    return this.#backlog;
  }

  get facts(): StatusFacts {
    return this.#facts;
  }

  /** The latest cosigned head: as published, or as cosigned again since. */
  get checkpoint(): SthRecord | undefined {
    return this.#cosignedHeads.checkpoint;
  }

  joined(snapshot: Snapshot): void {
    const { durable, confirmed, tree, latest, checkpoint, load, failing, status } = snapshot;
    this.epochEnded(snapshot.epochs);
    this.#durable = durable;
    this.#backlog = load.backlog;
    this.#facts = status;
    this.rounds.advanceTo(confirmed.end, confirmed.beyond);
    this.tree.replace(tree);
    this.heads.advanceTo(latest);
    if (this.#joined === undefined) {
      this.#joined = this.#join(snapshot);
      this.#firstJoined.resolve(this.#joined);
    } else {
      const { signing } = this.#joined;
      this.indexChanged("digests", snapshot.index);
      if (snapshot.spent !== undefined) this.indexChanged("spent", snapshot.spent);
      signing.accepted(durable, load);
      signing.failingChanged(failing, load);
      // Until they are loaded, heads before the latest one are read from the store when needed.
      this.heads.load().catch(() => {});
    }
    if (latest !== undefined && this.heads.latest === latest) this.#cosigned(latest);
    if (checkpoint !== undefined && checkpoint !== latest) this.#cosigned(checkpoint);
    this.anchorsChanged(snapshot.anchors);
    this.waiters.review();
    this.healthChanged(snapshot.health);
    this.progress.notify();
  }

  accepted(end: number, load: SigningLoad): void {
    this.#durable = end;
    this.#backlog = load.backlog;
    this.#joined?.signing.accepted(end, load);
    this.progress.notify();
  }

  confirmed({ record, levels }: ConfirmedRound, load: SigningLoad): void {
    const { first, size } = record;
    if (levels === undefined) this.rounds.addStored(first, first + size);
    else {
      const tree = { leaves: levels[0]!, levels, root: levels.at(-1)! };
      this.rounds.add({ record, tree });
    }
    this.#backlog = load.backlog;
    this.#joined?.signing.loadChanged(load);
    this.waiters.notify(first, size);
    this.progress.notify();
  }

  treeGrown(head: StoredHead, edges: readonly Bytes[]): void {
    this.tree.replace({ head, edges });
  }

  headCosigned(record: SthRecord, isNew: boolean): void {
    if (!isNew) this.heads.extend(record);
    else if (record.size > this.heads.size) this.heads.add(record);
    this.#cosigned(record);
    this.progress.notify();
  }

  healthChanged(health: Health): void {
    if (this.#joined !== undefined) this.#joined.health.value = health;
    if (!health.isSigning) this.waiters.release();
  }

  failingChanged(failing: readonly FailingRound[], load: SigningLoad): void {
    this.#backlog = load.backlog;
    this.#joined?.signing.failingChanged(failing, load);
  }

  statusChanged(status: StatusFacts): void {
    this.#facts = status;
  }

  anchorsChanged(anchors: AnchorsState): void {
    this.#context.anchorsChanged(anchors);
  }

  epochEnded(epochs: EpochChain): void {
    this.#context.epochs.replace(epochs);
  }

  indexChanged(name: "digests" | "spent", index: SharedIndex): void {
    const replica = name === "digests" ? this.#joined?.index : this.#joined?.spent;
    replica?.update(index);
  }

  #cosigned(record: SthRecord): void {
    this.#cosignedHeads = withCosigned(this.#cosignedHeads, record);
    this.headListener(record);
  }

  #join({ durable, health, load, failing, index, spent }: Snapshot): JoinedReplicas {
    const { store } = this.#context;
    return {
      health: new HealthView(health),
      signing: new SigningReplica(durable, load, failing),
      index: new IndexReplica(index, { sealed: store.index, source: store.rounds }),
      spent: spent &&
        new IndexReplica(spent, { sealed: store.spentIndex, source: spentRows(store.spent) }),
    };
  }
}
