/**
 * Has our heads cosigned by one peer, for as long as the gateway runs. What the peer does or does not
 * do costs this loop alone.
 *
 * @module
 */

import { Backoff } from "../backoff.ts";
import { unixSeconds } from "../clock.ts";
import { CountersignError, type ErrorCode, hasCode } from "../errors.ts";
import type { CrossAnchorRecord } from "../format/records.ts";
import { signerCount } from "../format/signature_set.ts";
import { Condition, errorDetails, errorText, type Report } from "../report.ts";
import {
  type AskedPeer,
  type ExchangeContext,
  obtainCrossAnchor,
} from "./cross_anchor_exchange.ts";
import type { CrossAnchoredLog, FederationStore, LoggedTreeHead } from "./ports.ts";

/** Pauses after failures, in milliseconds. */
const RETRY = { firstMs: 1_000, longestMs: 300_000 } as const;

/** What the loops of all peers work with. */
export interface PeerLoopContext extends ExchangeContext {
  readonly log: CrossAnchoredLog;
  readonly store: Pick<FederationStore, "lastCrossAnchor" | "saveCrossAnchor">;
  /** Seconds between two heads that are put to a peer; 0 for every published one. */
  readonly intervalSeconds: number;
  /** Numbers in [0, 1), so that gateways that failed together do not ask together. */
  readonly random: () => number;
  /** Told of each cross-anchor once it is durable. */
  readonly crossAnchorAdded: (record: CrossAnchorRecord) => void;
  /** Told of what an operator should know, when it changes. */
  readonly report: Report;
}

/** How a peer has answered lately. */
export interface PeerStatus {
  readonly id: string;
  /** The last one; `timestamp` is the peer's. */
  readonly lastCrossAnchor?: { readonly treeSize: number; readonly timestamp: number };
  /** Code of its last failure, when that came after its last good answer. */
  readonly lastError?: ErrorCode;
  /** Unix seconds of the first failure since then. */
  readonly failingSince?: number;
}

/** The loop of one peer. */
export class PeerLoop {
  readonly #peer: AskedPeer;
  readonly #context: PeerLoopContext;
  readonly #backoff: Backoff;
  readonly #failing: Condition;
  /** Resolves at the next publication; replaced by each. */
  #published = Promise.withResolvers<void>();
  #isLoaded = false;
  #last: CrossAnchorRecord | undefined;
  #failure: { readonly code: ErrorCode; readonly since: number } | undefined;

  constructor(peer: AskedPeer, context: PeerLoopContext) {
    this.#peer = peer;
    this.#context = context;
    this.#backoff = new Backoff(RETRY, context.random);
    this.#failing = new Condition(context);
  }

  get status(): PeerStatus {
    const last = this.#last?.treeHead;
    return {
      id: this.#peer.network.id,
      ...(last !== undefined &&
        { lastCrossAnchor: { treeSize: last.tree_size, timestamp: last.timestamp } }),
      ...(this.#failure !== undefined &&
        { lastError: this.#failure.code, failingSince: this.#failure.since }),
    };
  }

  /** Runs until `signal` aborts; whatever fails is tried again. */
  async run(signal: AbortSignal): Promise<void> {
    const { log, clock, intervalSeconds } = this.#context;
    log.onPublished(() => this.#wake(), signal);
    signal.addEventListener("abort", () => this.#wake(), { once: true });
    while (!signal.aborted) {
      // Taken first: what is published while it is looked at wakes the wait below.
      const { promise: published } = this.#published;
      try {
        const added = await this.#addNext(signal);
        // Publications meanwhile are one: the latest head is what is sent.
        if (added) await clock.sleep(intervalSeconds * 1_000, signal);
        else await published;
      } catch (error) {
        if (signal.aborted) return;
        // Nothing but its own timer ends the pause: more heads are no reason to press the peer.
        await clock.sleep(this.#failed(error), signal);
      }
    }
  }

  /** Has the latest head cosigned; false when that is done already, or there is none. */
  async #addNext(signal: AbortSignal): Promise<boolean> {
    const { log, store, crossAnchorAdded } = this.#context;
    const { network: { id } } = this.#peer;
    if (!this.#isLoaded) this.#last = await store.lastCrossAnchor(id);
    this.#isLoaded = true;
    const head = log.latest();
    if (head === undefined || this.#isAnchored(head)) return false;
    const from = this.#last?.treeHead.tree_size ?? 0;
    const record = await obtainCrossAnchor(this.#context, this.#peer, { head, from }, signal);
    // Shown to nobody before it is durable. Killed before that, it is obtained again.
    await store.saveCrossAnchor(record);
    this.#last = record;
    this.#backoff.reset();
    this.#failing.ended(`Peer ${id} cosigns our tree heads again`);
    this.#failure = undefined;
    crossAnchorAdded(record);
    return true;
  }

  /**
   * By root too: of a log that lost its end, another head may have grown to the same size. And by as
   * many witnesses as are wanted, which an operator may have raised.
   */
  #isAnchored({ sth: { tree_head: head } }: LoggedTreeHead): boolean {
    if (this.#last === undefined) return false;
    const { treeHead: last, signatures } = this.#last;
    return last.tree_size === head.tree_size && last.root_hash === head.root_hash &&
      signerCount(signatures) >= this.#peer.minWitnesses;
  }

  /** Notes a failure; answers how long to wait, in milliseconds. */
  #failed(error: unknown): number {
    const { clock } = this.#context;
    const { id: peer } = this.#peer.network;
    const code = error instanceof CountersignError ? error.code : "internal";
    this.#failing.holds(
      `Peer ${peer} does not cosign our tree heads: ${errorText(error)}. Retries continue; make ` +
        "sure that this machine reaches it, or ask its operator",
      { ...errorDetails(error), code, peer },
    );
    this.#failure = { code, since: this.#failure?.since ?? unixSeconds(clock) };
    const pause = this.#backoff.afterFailure();
    // A peer that knows more of our log than we do is not going to forget it.
    return hasCode(error, "tree_size_conflict") ? Math.max(pause, RETRY.longestMs / 2) : pause;
  }

  #wake(): void {
    this.#published.resolve();
    this.#published = Promise.withResolvers();
  }
}
