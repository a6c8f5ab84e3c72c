/**
 * Batching: closes batches. The batcher appends the confirmed prefix to the tree, commits it, and only
 * then asks witnesses to cosign that (size, root). It publishes the first set that meets the threshold.
 * After a crash between any two awaits, the next start finds the same head and finishes it with the same
 * functions.
 *
 * @module
 */

import { type Clock, SLEEP_OVER, withTimeLimit } from "../../base/clock.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import { type Cosigner, isWitnessFailure } from "./cosigning.ts";
import type { SthRecord } from "../../proof/format/records.ts";
import type { Bytes } from "../../base/bytes.ts";
import type { PipelineObserver } from "../observer.ts";
import type { Tracer } from "../tracer.ts";
import type { HeadPublisher } from "./head_publisher.ts";
import type { LogTree } from "./log_tree.ts";
import type { PublishedHeads } from "./published_heads.ts";

/** When a batch closes. */
export interface BatchPolicy {
  /** A batch closes at this age, in milliseconds, of its oldest confirmed attestation. */
  readonly maxAgeMs: number;
  /** This many confirmed attestations close a batch immediately; also the maximum size of a batch. */
  readonly maxLeaves: number;
}

interface BatcherContext {
  readonly tree: LogTree;
  readonly heads: Pick<PublishedHeads, "latest" | "size">;
  readonly publisher: Pick<HeadPublisher, "publish" | "extend">;
  /** Signers of the present epoch. */
  readonly signers: { readonly cosigner: Cosigner };
  /** The size at which the present epoch began: it cosigns this head, and publishes larger ones. */
  readonly epochStart: () => number;
  readonly clock: Clock;
  readonly policy: BatchPolicy;
  readonly observer: PipelineObserver;
  readonly tracer: Tracer;
  /** The sequence after the confirmed prefix. */
  readonly confirmedEnd: () => number;
  /** Packed leaf hashes of confirmed sequences [start, end). */
  readonly leaves: (start: number, end: number) => Promise<Bytes>;
  /** Unix seconds at which a sequence was accepted, if known in memory. */
  readonly acceptedAt: (sequence: number) => number | undefined;
  /** Called when the tree has grown. */
  readonly grown: () => void;
  /** Called when a head is published, gets further signatures, or is cosigned again. */
  readonly published: (record: SthRecord) => void;
  /** Called when the threshold has cosigned the committed head, before {@linkcode BatcherContext.agreed}. */
  readonly adopt: () => Promise<void>;
  readonly agreed: () => void;
}

/**
 * Without growth, the checkpoint is cosigned again this often (protocol.md "C2SP read interface").
 */
const REFRESH_MS = 600_000;
/** The interval while witnesses refuse rounds because they have cosigned only a much smaller head. */
const REFRESH_SOON_MS = 2_000;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;
const ROLLED_BACK_DELAY_MS = 30_000;
/** How long a stop waits for the commit of further signatures. */
const EXTEND_MS = 5_000;

/** The loop that owns the tree. */
export class Batcher {
  readonly #context: BatcherContext;
  readonly #stop = new AbortController();
  /** Aborted to end a wait early, then replaced. */
  #nudge = new AbortController();
  /** When the oldest unbatched attestation was found confirmed; `undefined` if there is none. */
  #waitingSinceMs: number | undefined;
  #refreshedMs: number;
  /** Age at which the checkpoint is cosigned again. */
  #refreshAfterMs = REFRESH_MS;
  /** The threshold has cosigned the head since the start and the last {@linkcode doubt}. Else no batch closes. */
  #isAgreed = false;
  /** A batch is closed at this size at once. */
  #boundary = Infinity;
  /** Waiting between two attempts to have a head cosigned. */
  #isRetrying = false;
  /** The last commit of further signatures. They are stored one after the other. */
  #extending: Promise<void> = Promise.resolve();

  constructor(context: BatcherContext) {
    this.#context = context;
    const { latest } = context.heads;
    this.#refreshedMs = latest === undefined ? context.clock.nowMs() : latest.timestamp * 1000;
  }

  /** Whether the threshold agrees with the committed head, as far as known. */
  get isAgreed(): boolean {
    return this.#isAgreed;
  }

  /** Called when the confirmed prefix has grown, which also shows that witnesses answer. */
  confirmed(): void {
    const isFirst = this.#waitingSinceMs === undefined;
    if (this.#isRetrying || isFirst || this.#isFull()) this.#nudge.abort(SLEEP_OVER);
  }

  /** Has the committed head cosigned next, and closes no batch until the witnesses agree with it. */
  doubt(): void {
    this.#isAgreed = false;
    this.#context.signers.cosigner.doubt();
    this.#nudge.abort(SLEEP_OVER);
  }

  /** Closes a batch at `boundary` as soon as all before it is confirmed. */
  closeAt(boundary: number): void {
    this.#boundary = boundary;
    this.#nudge.abort(SLEEP_OVER);
  }

  /** Has the committed head cosigned again soon: a witness needs it before it signs. */
  refreshSoon(): void {
    if (this.#refreshAfterMs === REFRESH_SOON_MS) return;
    this.#refreshAfterMs = REFRESH_SOON_MS;
    this.#nudge.abort(SLEEP_OVER);
  }

  /** Ends the loop at its next await; a pending head stays for the next start. */
  stop(): void {
    this.#stop.abort(new CountersignError("shutting_down", "The gateway is shutting down"));
    this.#nudge.abort(SLEEP_OVER);
  }

  /**
   * Asks the witnesses once, for at most `ms`, to cosign the committed head. So an old copy of a store is
   * found before digests are accepted into it. If too few answer, {@linkcode Batcher.run} continues to
   * ask.
   */
  async probe(ms: number): Promise<void> {
    const { tree, signers: { cosigner }, heads, clock } = this.#context;
    const startMs = clock.nowMs();
    await withTimeLimit(clock, ms, this.#stop.signal, async (limit) => {
      try {
        const record = await cosigner.cosign(tree.head, limit);
        await this.#agree();
        if (tree.head.size > heads.size) await this.#publish(record, startMs);
        else this.#announce(record);
      } catch (error) {
        if (!limit.aborted && !isWitnessFailure(error)) throw error;
      }
    });
  }

  async #agree(): Promise<void> {
    await this.#context.adopt();
    this.#isAgreed = true;
    this.#context.agreed();
  }

  /** Runs until stopped. Rejects on a fault that no retry fixes. */
  async run(): Promise<void> {
    const { tree, heads, clock } = this.#context;
    while (!this.#stop.signal.aborted) {
      try {
        if (tree.head.size > heads.size) await this.#finishHead();
        else if (!this.#isAgreed) await this.#refresh();
        else if (this.#isDue()) await this.#closeBatch();
        else if (this.#isStale()) await this.#refresh();
        else await this.#wait();
      } catch (error) {
        // A database may be away: commits are repeated elsewhere, reads here.
        if (!hasCode(error, "storage_failed") || this.#stop.signal.aborted) throw error;
        await clock.sleep(FIRST_DELAY_MS, this.#stop.signal);
      }
    }
  }

  /** Resolves when no commit of further signatures is in flight, or after {@linkcode EXTEND_MS}. Call it after `run`. */
  async settled(): Promise<void> {
    const ended = new AbortController();
    await Promise.race([this.#extending, this.#context.clock.sleep(EXTEND_MS, ended.signal)]);
    ended.abort(SLEEP_OVER);
  }

  #unbatched(): number {
    return this.#context.confirmedEnd() - this.#context.tree.head.size;
  }

  #isFull(): boolean {
    return this.#unbatched() >= this.#context.policy.maxLeaves ||
      this.#context.confirmedEnd() >= this.#boundary;
  }

  #isDue(): boolean {
    if (this.#unbatched() === 0) return false;
    const nowMs = this.#context.clock.nowMs();
    // Never in the future: the clock may be set back.
    this.#waitingSinceMs = Math.min(this.#waitingSinceMs ?? nowMs, nowMs);
    return this.#isFull() || nowMs - this.#waitingSinceMs >= this.#context.policy.maxAgeMs;
  }

  #isStale(): boolean {
    const nowMs = this.#context.clock.nowMs();
    this.#refreshedMs = Math.min(this.#refreshedMs, nowMs);
    return this.#context.heads.latest !== undefined &&
      nowMs - this.#refreshedMs >= this.#refreshAfterMs;
  }

  async #wait(): Promise<void> {
    if (this.#nudge.signal.aborted) {
      this.#nudge = new AbortController();
      // Attestations confirmed since the last check have used up their nudge.
      if (this.#unbatched() > 0 && this.#waitingSinceMs === undefined) return;
    }
    const { clock, policy, heads } = this.#context;
    const nowMs = clock.nowMs();
    const refreshMs = heads.latest === undefined
      ? Infinity
      : this.#refreshedMs + this.#refreshAfterMs - nowMs;
    const batchMs = this.#waitingSinceMs === undefined
      ? Infinity
      : this.#waitingSinceMs + policy.maxAgeMs - nowMs;
    const ms = Math.min(Math.max(1, batchMs), Math.max(1, refreshMs), REFRESH_MS);
    await clock.sleep(ms, this.#nudge.signal);
  }

  async #closeBatch(): Promise<void> {
    const { tree, leaves, confirmedEnd, clock, policy, observer, tracer, grown } = this.#context;
    const start = tree.head.size;
    const end = Math.min(confirmedEnd(), start + policy.maxLeaves);
    const added = await leaves(start, end);
    const startMs = clock.elapsedMs();
    await tracer.span(
      "grow_tree",
      { leaves: end - start, tree_size: end },
      () => tree.grow(added),
      { start, end },
    );
    observer.treeGrown(end - start, clock.elapsedMs() - startMs);
    grown();
    // From here on, this run or the next one finishes this very head.
    this.#waitingSinceMs = this.#unbatched() > 0 ? clock.nowMs() : undefined;
  }

  async #finishHead(): Promise<void> {
    const { tree, heads, clock } = this.#context;
    const startMs = clock.nowMs();
    const whole = Promise.withResolvers<SthRecord>();
    const record = await this.#cosign(whole.resolve);
    if (record === undefined) return;
    await this.#publish(record, startMs, whole.promise);
    if (heads.size !== tree.head.size) {
      throw new CountersignError(
        "store_corrupt",
        `Cannot publish: the published head has size ${heads.size}, not ${tree.head.size}`,
      );
    }
  }

  /**
   * Publishes a head for which the first request was sent at `startMs`. `whole` is the same head with
   * signatures that arrive later.
   */
  async #publish(record: SthRecord, startMs: number, whole?: Promise<SthRecord>): Promise<void> {
    const { heads, publisher, clock, acceptedAt, observer, tracer } = this.#context;
    const oldest = heads.size;
    const published = await tracer.span(
      "publish_head",
      { tree_size: record.size },
      () => publisher.publish(record),
      { start: oldest, end: record.size },
    );
    tracer.finished(record.size);
    this.#announce(published);
    const nowMs = clock.nowMs();
    const acceptedSeconds = acceptedAt(oldest);
    observer.headPublished({
      ms: nowMs - startMs,
      ...(acceptedSeconds !== undefined && { delayMs: nowMs - acceptedSeconds * 1000 }),
    });
    void whole?.then((extended) => {
      this.#extending = this.#extending.then(() => this.#extend(published, extended));
    });
  }

  async #extend(published: SthRecord, record: SthRecord): Promise<void> {
    if (this.#stop.signal.aborted) return;
    try {
      const stored = await this.#context.publisher.extend(published, record);
      if (stored !== undefined) this.#context.published(stored);
    } catch {
      // The head is valid without them. A fault of the store shows in the commits that matter.
    }
  }

  async #refresh(): Promise<void> {
    const record = await this.#cosign();
    // The first STH of a size is the one served by size (protocol.md "C2SP read interface").
    if (record !== undefined) this.#announce(record);
  }

  #announce(record: SthRecord): void {
    this.#refreshedMs = this.#context.clock.nowMs();
    this.#refreshAfterMs = REFRESH_MS;
    // The empty tree is cosigned but not published (protocol.md "C2SP read interface").
    // The last head of an epoch is the one that its own witnesses cosigned.
    if (record.size > this.#context.epochStart()) this.#context.published(record);
  }

  /** Has the committed head cosigned, with retries until it succeeds; `undefined` when stopped. */
  async #cosign(extended?: (record: SthRecord) => void): Promise<SthRecord | undefined> {
    const { tree, heads, clock, tracer } = this.#context;
    for (let delayMs = FIRST_DELAY_MS;; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
      let behind = false;
      try {
        const record = await tracer.span(
          "cosign_head",
          { tree_size: tree.head.size },
          () => this.#context.signers.cosigner.cosign(tree.head, this.#stop.signal, extended),
          { start: heads.size, end: tree.head.size },
        );
        await this.#agree();
        return record;
      } catch (error) {
        if (this.#stop.signal.aborted) return undefined;
        behind = hasCode(error, "store_rolled_back");
        if (!isWitnessFailure(error)) throw error;
      }
      if (behind) await clock.sleep(ROLLED_BACK_DELAY_MS, this.#stop.signal);
      else await this.#pause(delayMs);
      if (this.#stop.signal.aborted) return undefined;
    }
  }

  /** Waits for `ms`, or less if a round is confirmed: then witnesses answer again. */
  async #pause(ms: number): Promise<void> {
    const { clock } = this.#context;
    await clock.sleep(FIRST_DELAY_MS, this.#stop.signal);
    if (this.#nudge.signal.aborted) this.#nudge = new AbortController();
    this.#isRetrying = true;
    const signal = AbortSignal.any([this.#stop.signal, this.#nudge.signal]);
    await clock.sleep(ms - FIRST_DELAY_MS, signal);
    this.#isRetrying = false;
  }
}
