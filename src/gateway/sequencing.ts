/**
 * Sequencing: closes batches. It takes the confirmed prefix, commits the grown tree, and only then
 * asks witnesses to cosign that (size, root); the first set that meets the threshold is published.
 * Kill it between any two awaits: the next start finds the same head and finishes it, with the same
 * functions.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type { Clock } from "../clock.ts";
import { CountersignError, hasCode } from "../errors.ts";
import type { Cosigner } from "./cosigning.ts";
import type { LogTree } from "./log_tree.ts";
import type { PipelineObserver } from "./observer.ts";
import type { PublishedHeads } from "./published_heads.ts";
import type { Tracer } from "./tracer.ts";
import type { SthRecord } from "../format/records.ts";

/** When a batch closes. */
export interface BatchPolicy {
  /** Age in milliseconds of the oldest confirmed attestation that is not batched. */
  readonly maxAgeMs: number;
  /** How many confirmed attestations close a batch at once; also the most that one takes. */
  readonly maxLeaves: number;
}

/**
 * With no growth, the checkpoint is cosigned afresh this often (protocol.md "C2SP read interface").
 */
const REFRESH_MS = 600_000;
/** And this often while witnesses refuse rounds because they cosigned only a much smaller head. */
const REFRESH_SOON_MS = 2_000;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;
const ROLLED_BACK_DELAY_MS = 30_000;

/** What the sequencer works with. */
export interface SequencerContext {
  readonly tree: LogTree;
  readonly heads: PublishedHeads;
  readonly cosigner: Cosigner;
  readonly clock: Clock;
  readonly policy: BatchPolicy;
  readonly observer: PipelineObserver;
  readonly tracer: Tracer;
  /** Sequence after the confirmed prefix. */
  readonly confirmedEnd: () => number;
  /** Packed leaf hashes of confirmed sequences [start, end). */
  readonly leaves: (start: number, end: number) => Promise<Bytes>;
  /** Unix seconds at which a sequence was accepted, as far as memory knows. */
  readonly acceptedAt: (sequence: number) => number | undefined;
  /** A head is published, or cosigned afresh. */
  readonly published: (record: SthRecord) => void;
  /** The threshold has cosigned the committed head. */
  readonly agreed: () => void;
}

/** One loop that owns the tree. */
export class Sequencer {
  readonly #context: SequencerContext;
  readonly #stop = new AbortController();
  /** Aborted to end a wait early, and replaced. */
  #nudge = new AbortController();
  /** When the oldest unbatched attestation was seen confirmed, or `undefined` for none. */
  #waitingSinceMs: number | undefined;
  #refreshedMs: number;
  /** How old the checkpoint becomes before it is cosigned afresh. */
  #refreshAfterMs = REFRESH_MS;
  /** The threshold has cosigned our head, since this start and the last doubt: else no batch closes. */
  #isAgreed = false;
  /** Between two attempts at a head. */
  #isRetrying = false;

  constructor(context: SequencerContext) {
    this.#context = context;
    const { latest } = context.heads;
    this.#refreshedMs = latest === undefined ? context.clock.nowMs() : latest.timestamp * 1000;
  }

  /** Whether the threshold agrees with the committed head, as far as is known. */
  get isAgreed(): boolean {
    return this.#isAgreed;
  }

  /** The confirmed prefix has grown; which also says that witnesses answer. */
  confirmed(): void {
    if (this.#isRetrying || this.#waitingSinceMs === undefined || this.#isFull()) {
      this.#nudge.abort();
    }
  }

  /** Puts the committed head to the witnesses next, and closes no batch until they agree with it. */
  doubt(): void {
    this.#isAgreed = false;
    this.#nudge.abort();
  }

  /** Puts the committed head to the witnesses again soon: one of them needs it before it signs. */
  refreshSoon(): void {
    if (this.#refreshAfterMs === REFRESH_SOON_MS) return;
    this.#refreshAfterMs = REFRESH_SOON_MS;
    this.#nudge.abort();
  }

  /** Ends the loop at its next await; a pending head stays for the next start. */
  stop(): void {
    this.#stop.abort(new CountersignError("shutting_down", "Cannot publish: the gateway stops"));
    this.#nudge.abort();
  }

  /**
   * Puts the committed head to the witnesses once, for at most `ms`: a store that is an old copy is
   * found before anything is accepted into it. When too few answer, {@linkcode Sequencer.run} goes
   * on asking.
   */
  async probe(ms: number): Promise<void> {
    const { tree, cosigner, heads, clock } = this.#context;
    const startMs = clock.nowMs();
    const limit = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(ms)]);
    try {
      const record = await cosigner.cosign(tree.head, limit);
      this.#agree();
      if (tree.head.size > heads.size) await this.#publish(record, startMs);
      else this.#announce(record);
    } catch (error) {
      if (!limit.aborted && !isWitnessFailure(error)) throw error;
    }
  }

  #agree(): void {
    this.#isAgreed = true;
    this.#context.agreed();
  }

  /** Runs until stopped. Rejects on a fault that no retry mends. */
  async run(): Promise<void> {
    const { tree, heads } = this.#context;
    while (!this.#stop.signal.aborted) {
      if (tree.head.size > heads.size) await this.#finishHead();
      else if (!this.#isAgreed) await this.#refresh();
      else if (this.#isDue()) await this.#closeBatch();
      else if (this.#isStale()) await this.#refresh();
      else await this.#wait();
    }
  }

  #unbatched(): number {
    return this.#context.confirmedEnd() - this.#context.tree.head.size;
  }

  #isFull(): boolean {
    return this.#unbatched() >= this.#context.policy.maxLeaves;
  }

  #isDue(): boolean {
    if (this.#unbatched() === 0) return false;
    const nowMs = this.#context.clock.nowMs();
    // Never in the future, even when the clock was set back: the wait would be as long.
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
      // What was confirmed between the last look and now has no nudge left.
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
    const { tree, leaves, confirmedEnd, clock, policy, observer, tracer } = this.#context;
    const start = tree.head.size;
    const end = Math.min(confirmedEnd(), start + policy.maxLeaves);
    const grown = await leaves(start, end);
    const startMs = clock.nowMs();
    await tracer.span(
      "grow_tree",
      { leaves: end - start, tree_size: end },
      () => tree.grow(grown),
      { start, end },
    );
    observer.treeGrown(end - start, clock.nowMs() - startMs);
    // From here on this head is finished, by this run or by the next one: never another.
    this.#waitingSinceMs = this.#unbatched() > 0 ? clock.nowMs() : undefined;
  }

  async #finishHead(): Promise<void> {
    const { tree, heads, clock } = this.#context;
    const startMs = clock.nowMs();
    const record = await this.#cosign();
    if (record === undefined) return;
    await this.#publish(record, startMs);
    if (heads.size !== tree.head.size) {
      throw new CountersignError("store_corrupt", "Cannot publish: the head's own size required");
    }
  }

  /** Publishes a head that was first put to the witnesses at `startMs`. */
  async #publish(record: SthRecord, startMs: number): Promise<void> {
    const { heads, clock, acceptedAt, observer, tracer } = this.#context;
    const oldest = heads.size;
    const published = await tracer.span(
      "publish_head",
      { tree_size: record.size },
      () => heads.publish(record),
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
  }

  async #refresh(): Promise<void> {
    const record = await this.#cosign();
    // The first STH of a size stays the one that is served by size (protocol.md "C2SP read
    // interface").
    if (record !== undefined) this.#announce(record);
  }

  #announce(record: SthRecord): void {
    this.#refreshedMs = this.#context.clock.nowMs();
    this.#refreshAfterMs = REFRESH_MS;
    // The empty tree is put to witnesses, but is no checkpoint (protocol.md "C2SP read interface").
    if (record.size > 0) this.#context.published(record);
  }

  /** Cosigns the committed head, however long witnesses are away; `undefined` when stopped. */
  async #cosign(): Promise<SthRecord | undefined> {
    const { tree, heads, cosigner, clock, tracer } = this.#context;
    for (let delayMs = FIRST_DELAY_MS;; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
      let behind = false;
      try {
        const record = await tracer.span(
          "cosign_head",
          { tree_size: tree.head.size },
          () => cosigner.cosign(tree.head, this.#stop.signal),
          { start: heads.size, end: tree.head.size },
        );
        this.#agree();
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

  /** Waits for `ms`, or for a part of it when rounds are confirmed: then witnesses are back. */
  async #pause(ms: number): Promise<void> {
    const { clock } = this.#context;
    await clock.sleep(FIRST_DELAY_MS, this.#stop.signal);
    if (this.#nudge.signal.aborted) this.#nudge = new AbortController();
    this.#isRetrying = true;
    await clock.sleep(
      ms - FIRST_DELAY_MS,
      AbortSignal.any([this.#stop.signal, this.#nudge.signal]),
    );
    this.#isRetrying = false;
  }
}

/** What another attempt may mend. */
function isWitnessFailure(error: unknown): boolean {
  return hasCode(error, "store_rolled_back") || hasCode(error, "threshold_not_met");
}
