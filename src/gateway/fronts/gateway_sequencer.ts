/**
 * The sequencer of a running gateway, as the link serves it: assigns sequences for fronts, and publishes each
 * change of its state to the followers. Without followers, an update costs one comparison.
 *
 * @module
 */

import type { Clock } from "../../base/clock.ts";
import type { RoundRecord, SthRecord } from "../../proof/format/records.ts";
import type { RoundTree } from "../../proof/merkle/round_tree.ts";
import type { HealthView } from "../health_view.ts";
import type { HashIndex } from "../index/hash_index.ts";
import type { SharedIndex } from "../index/shared_index.ts";
import type { Assigner } from "../intake/assigner.ts";
import type { Committer } from "../intake/committer.ts";
import type { ConfirmedRounds } from "../proving/confirmed_rounds.ts";
import { type CosignedHeads, withCosigned } from "../sequencing/cosigned_heads.ts";
import type { LogTree } from "../sequencing/log_tree.ts";
import type { PublishedHeads } from "../sequencing/published_heads.ts";
import type { Signer } from "../signing/signing.ts";
import type { StatusSource } from "../status_source.ts";
import type { Epochs } from "../succession/epochs.ts";
import type { Tracer } from "../tracer.ts";
import {
  type AnchorsFeed,
  type AnchorsState,
  type Assigned,
  type AssignRequest,
  type Follower,
  type Health,
  NO_ANCHORS_STATE,
  type SigningLoad,
  type Snapshot,
} from "./ports.ts";

/** How often the status is compared with the one that was published. */
const REVIEW_MS = 100;

export interface GatewaySequencerContext {
  readonly clock: Clock;
  readonly assigner: Pick<Assigner, "assign">;
  readonly committer: Pick<Committer, "durable" | "backlog" | "onDurable">;
  readonly health: HealthView;
  readonly signer: Pick<Signer, "formed" | "answerMs" | "isHeld" | "failing">;
  readonly confirmed: Pick<ConfirmedRounds, "end" | "beyond">;
  readonly tree: Pick<LogTree, "head" | "edges">;
  readonly heads: Pick<PublishedHeads, "latest">;
  readonly index: Pick<HashIndex, "runsChanged" | "shared">;
  /** Absent if no tokens are redeemed. */
  readonly spent: { readonly index: GatewaySequencerContext["index"] } | undefined;
  /** Absent if heads are not anchored. */
  readonly anchorsFeed: AnchorsFeed | undefined;
  readonly status: Pick<StatusSource, "facts">;
  readonly epochs: Pick<Epochs, "chain">;
  readonly tracer: Pick<Tracer, "digestsReceived">;
}

/** The gateway calls a method after each change, before it answers requests that depend on the change. */
export class GatewaySequencer {
  readonly #context: GatewaySequencerContext;
  readonly #followers = new Set<Follower>();
  /** JSON of the published status. */
  #status = "";
  /** Not those of `heads`, which change before they are published. */
  #heads: CosignedHeads;
  /** Aborts the reviews of the status; absent without followers. */
  #reviews: AbortController | undefined;
  readonly #stop = new AbortController();

  constructor(context: GatewaySequencerContext) {
    const { index, spent, anchorsFeed } = context;
    this.#context = context;
    anchorsFeed?.onChanged((anchors) => this.#anchorsChanged(anchors), this.#stop.signal);
    index.runsChanged = () => this.#indexChanged("digests", index.shared);
    if (spent !== undefined) {
      spent.index.runsChanged = () => this.#indexChanged("spent", spent.index.shared);
    }
    const { latest } = context.heads;
    this.#heads = { latest, checkpoint: latest };
  }

  /**
   * The sequences of `SequencerLink.assign`; calls `done` or `failed` once, perhaps before it returns. Without
   * `firstNew`, all sequences count as new.
   */
  assign(
    request: AssignRequest,
    done: (sequences: readonly number[] | undefined, firstNew?: number) => void,
    failed: (error: unknown) => void,
  ): void {
    const { health, assigner, committer, tracer } = this.#context;
    let assigned: Assigned | undefined;
    try {
      health.checkAccepting();
      assigned = assigner.assign(request);
    } catch (error) {
      return failed(error);
    }
    if (assigned === undefined) return done(undefined);
    const { sequences, firstNew } = assigned;
    if (request.trace !== undefined) tracer.digestsReceived(sequences, request.trace);
    let end = 0;
    for (const sequence of sequences) end = Math.max(end, sequence + 1);
    committer.onDurable({
      end,
      done: () => {
        try {
          health.checkStillStored(false);
        } catch (error) {
          return failed(error);
        }
        done(sequences, firstNew);
      },
      failed,
    });
  }

  /** Calls `follower.joined` before it returns, then every update, until `signal` aborts. */
  follow(follower: Follower, signal: AbortSignal): void {
    follower.joined(this.snapshot());
    this.#followers.add(follower);
    signal.addEventListener("abort", () => this.#leave(follower), { once: true });
    if (this.#reviews !== undefined || this.#stop.signal.aborted) return;
    void this.#review(this.#reviews = new AbortController());
  }

  /** The present state. */
  snapshot(): Snapshot {
    const { committer, confirmed, tree, health, signer, status, index, spent } = this.#context;
    const { anchorsFeed, epochs } = this.#context;
    return {
      durable: committer.durable,
      confirmed: { end: confirmed.end, beyond: confirmed.beyond },
      tree: { head: tree.head, edges: tree.edges },
      ...this.#heads,
      health: health.value,
      load: this.#load,
      failing: signer.failing,
      status: status.facts(),
      anchors: anchorsFeed?.value ?? NO_ANCHORS_STATE,
      epochs: epochs.chain,
      index: index.shared,
      ...(spent !== undefined && { spent: spent.index.shared }),
    };
  }

  /** Reviews nothing more. The gateway has stopped, and its state is final. */
  stop(): void {
    this.#stop.abort();
    this.#reviews?.abort();
  }

  /** Digests below `end` are on disk. */
  accepted(end: number): void {
    if (this.#followers.size === 0) return;
    const load = this.#load;
    for (const follower of this.#followers) follower.accepted(end, load);
  }

  /** `record` is on disk and final; `tree` is its tree if it is at hand. */
  confirmed(record: RoundRecord, tree: RoundTree | undefined): void {
    if (this.#followers.size === 0) return;
    const round = { record, ...(tree !== undefined && { levels: tree.levels }) };
    const load = this.#load;
    for (const follower of this.#followers) follower.confirmed(round, load);
  }

  treeGrown(): void {
    const { head, edges } = this.#context.tree;
    for (const follower of this.#followers) follower.treeGrown(head, edges);
  }

  headCosigned(record: SthRecord): void {
    const isNew = record.size > (this.#heads.latest?.size ?? 0);
    this.#heads = withCosigned(this.#heads, record);
    for (const follower of this.#followers) follower.headCosigned(record, isNew);
  }

  healthChanged(health: Health): void {
    for (const follower of this.#followers) follower.healthChanged(health);
    // Signing is held or goes on.
    this.failingChanged();
    this.#reviewStatus();
  }

  epochEnded(): void {
    for (const follower of this.#followers) follower.epochEnded(this.#context.epochs.chain);
  }

  failingChanged(): void {
    if (this.#followers.size === 0) return;
    const { failing } = this.#context.signer;
    const load = this.#load;
    for (const follower of this.#followers) follower.failingChanged(failing, load);
  }

  #leave(follower: Follower): void {
    this.#followers.delete(follower);
    if (this.#followers.size > 0) return;
    this.#reviews?.abort();
    this.#reviews = undefined;
  }

  async #review({ signal }: AbortController): Promise<void> {
    while (true) {
      await this.#context.clock.sleep(REVIEW_MS, signal);
      if (signal.aborted) return;
      this.#reviewStatus();
    }
  }

  #reviewStatus(): void {
    if (this.#followers.size === 0) return;
    const status = this.#context.status.facts();
    const text = JSON.stringify(status);
    if (text === this.#status) return;
    this.#status = text;
    for (const follower of this.#followers) follower.statusChanged(status);
  }

  #anchorsChanged(anchors: AnchorsState): void {
    for (const follower of this.#followers) follower.anchorsChanged(anchors);
  }

  #indexChanged(name: "digests" | "spent", index: SharedIndex): void {
    for (const follower of this.#followers) follower.indexChanged(name, index);
  }

  get #load(): SigningLoad {
    const { signer, committer } = this.#context;
    const { formed, answerMs, isHeld } = signer;
    return { formed, backlog: committer.backlog, answerMs, isHeld };
  }
}

/** A sequencer, as the link serves it to fronts. */
export type SequencerService = Pick<GatewaySequencer, "assign" | "follow" | "snapshot">;
