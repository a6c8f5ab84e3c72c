/**
 * Outbound cross-anchoring: has every peer cosign our published heads. Each peer has a loop of its
 * own, independent of the other peers and of the pipeline.
 *
 * @module
 */

import { Backoff } from "../../base/backoff.ts";
import { unixSeconds } from "../../base/clock.ts";
import { CountersignError, type ErrorCode, hasCode } from "../../base/errors.ts";
import type { CrossAnchorRecord } from "../../proof/format/records.ts";
import { signerCount } from "../../proof/format/signature_set.ts";
import { Condition, errorDetails, errorText, type Report } from "../../base/report.ts";
import {
  type AskedPeer,
  type ExchangeContext,
  obtainCrossAnchor,
} from "./cross_anchor_exchange.ts";
import type { LoggedTreeHead } from "../../proof/format/federation.ts";
import type { CrossAnchoredLog, FederationStore, Peer } from "./ports.ts";

/** Pauses after failures, in milliseconds. */
const RETRY = { firstMs: 1_000, longestMs: 300_000 } as const;

/** The parts of the loops. */
export interface CrossAnchoringContext extends ExchangeContext {
  readonly peers: readonly Peer[];
  readonly log: CrossAnchoredLog;
  readonly store: Pick<FederationStore, "lastCrossAnchor" | "saveCrossAnchor">;
  /** Seconds between two heads that are sent to a peer; 0 for every published one. */
  readonly intervalSeconds: number;
  /** Numbers in [0, 1) that spread the retries of many gateways. */
  readonly random: () => number;
  /** Called with each cross-anchor once it is durable. */
  readonly crossAnchorAdded: (record: CrossAnchorRecord) => void;
  /** Called when a peer begins to fail, and when it answers again. */
  readonly failingChanged: () => void;
  readonly report: Report;
}

/** The state of a peer. */
export interface CrossAnchorStatus {
  readonly id: string;
  /** The latest; `timestamp` is the peer's. */
  readonly lastCrossAnchor?: { readonly treeSize: number; readonly timestamp: number };
  /** Code of its last failure, if it failed since its last good answer. */
  readonly lastError?: ErrorCode;
  /** Unix seconds of the first failure since then. */
  readonly failingSince?: number;
}

/** All peers that cosign our heads. */
export class CrossAnchoring {
  readonly #loops: readonly PeerLoop[];

  constructor(context: CrossAnchoringContext) {
    this.#loops = context.peers.filter(isAsked).map((peer) => new PeerLoop(peer, context));
  }

  /** Runs until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.run(signal)));
  }

  /** Ids of the peers that failed since their last good answer. */
  get failingPeers(): readonly string[] {
    return this.status().filter(({ failingSince }) => failingSince !== undefined)
      .map(({ id }) => id);
  }

  /** In the order of the configuration, without peers that do not cosign our heads. */
  status(): readonly CrossAnchorStatus[] {
    return this.#loops.map((loop) => loop.status);
  }
}

function isAsked(peer: Peer): peer is AskedPeer {
  return peer.client !== undefined;
}

interface PeerFailure {
  /** Code of the last attempt. */
  readonly code: ErrorCode;
  /** Unix seconds of the first. */
  readonly since: number;
}

class PeerLoop {
  readonly #peer: AskedPeer;
  readonly #context: CrossAnchoringContext;
  readonly #backoff: Backoff;
  readonly #failing: Condition;
  /** Resolves at the next publication; replaced by each. */
  #published = Promise.withResolvers<void>();
  #isLoaded = false;
  #last: CrossAnchorRecord | undefined;
  #failure: PeerFailure | undefined;

  constructor(peer: AskedPeer, context: CrossAnchoringContext) {
    this.#peer = peer;
    this.#context = context;
    this.#backoff = new Backoff(RETRY, context.random);
    this.#failing = new Condition(context);
  }

  get status(): CrossAnchorStatus {
    const last = this.#last?.treeHead;
    return {
      id: this.#peer.network.id,
      ...(last !== undefined &&
        { lastCrossAnchor: { treeSize: last.tree_size, timestamp: last.timestamp } }),
      ...(this.#failure !== undefined &&
        { lastError: this.#failure.code, failingSince: this.#failure.since }),
    };
  }

  /** Runs until `signal` aborts, and retries after failures. */
  async run(signal: AbortSignal): Promise<void> {
    const { log, clock, intervalSeconds } = this.#context;
    log.onPublished(() => this.#wake(), signal);
    signal.addEventListener("abort", () => this.#wake(), { once: true });
    while (!signal.aborted) {
      // Read first, so that a publication during `#addNext` ends the wait below.
      const { promise: published } = this.#published;
      try {
        const added = await this.#addNext(signal);
        // Only the latest head is sent, however many are published in between.
        if (added) await clock.sleep(intervalSeconds * 1_000, signal);
        else await published;
      } catch (error) {
        if (signal.aborted) return;
        // New heads do not shorten the pause.
        await clock.sleep(this.#failed(error), signal);
      }
    }
  }

  /** Has the latest head cosigned; false if there is none or it is cosigned already. */
  async #addNext(signal: AbortSignal): Promise<boolean> {
    const { log, store, crossAnchorAdded } = this.#context;
    const { network: { id } } = this.#peer;
    if (!this.#isLoaded) this.#last = await store.lastCrossAnchor(id);
    this.#isLoaded = true;
    const head = log.latest();
    if (head === undefined || this.#isAnchored(head)) return false;
    const from = this.#last?.treeHead.tree_size ?? 0;
    const record = await this.#obtain({ head, from }, signal);
    // Published only once it is durable.
    await store.saveCrossAnchor(record);
    this.#last = record;
    this.#backoff.reset();
    this.#failing.ended(`Peer ${id} cosigns our tree heads again`);
    this.#setFailure(undefined);
    crossAnchorAdded(record);
    return true;
  }

  /** Follows the peer before a second attempt: its witnesses may be of a later epoch. */
  async #obtain(
    sent: { readonly head: LoggedTreeHead; readonly from: number },
    signal: AbortSignal,
  ): Promise<CrossAnchorRecord> {
    try {
      return await obtainCrossAnchor(this.#context, this.#peer, sent, signal);
    } catch (error) {
      if (!hasCode(error, "peer_refused") || !await this.#peer.follow?.(signal)) throw error;
      return await obtainCrossAnchor(this.#context, this.#peer, sent, signal);
    }
  }

  /**
   * Compares the root too, since a log that lost its end may have grown to the same size, and the
   * number of witnesses, which the operator may have raised.
   */
  #isAnchored({ sth: { tree_head: head } }: LoggedTreeHead): boolean {
    if (this.#last === undefined) return false;
    const { treeHead: last, signatures } = this.#last;
    return last.tree_size === head.tree_size && last.root_hash === head.root_hash &&
      signerCount(signatures) >= this.#peer.minWitnesses;
  }

  /** Records a failure and returns the pause in milliseconds. */
  #failed(error: unknown): number {
    const { clock } = this.#context;
    const { id: peer } = this.#peer.network;
    const code = error instanceof CountersignError ? error.code : "internal";
    this.#failing.holds(
      `Peer ${peer} does not cosign our tree heads: ${errorText(error)}. Retries continue; make ` +
        "sure that this machine reaches it, or ask its operator",
      { ...errorDetails(error), code, peer },
    );
    this.#setFailure({ code, since: this.#failure?.since ?? unixSeconds(clock) });
    const pause = this.#backoff.afterFailure();
    // A peer that knows a larger tree of ours will not forget it.
    return hasCode(error, "tree_size_conflict") ? Math.max(pause, RETRY.longestMs / 2) : pause;
  }

  #setFailure(failure: PeerFailure | undefined): void {
    const isChanged = (failure === undefined) !== (this.#failure === undefined);
    this.#failure = failure;
    if (isChanged) this.#context.failingChanged();
  }

  #wake(): void {
    this.#published.resolve();
    this.#published = Promise.withResolvers();
  }
}
