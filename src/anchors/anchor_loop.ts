/**
 * Anchors the latest published head with one service, again whenever there is a larger one. What is
 * to be done follows from the log and the store alone: kill it between any two awaits, and the next
 * start goes on, with at most one anchor made twice.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { Backoff } from "../backoff.ts";
import type { AnchorLedger } from "./anchor_ledger.ts";
import { anchoredDigest, answerInTime, checkedAnswer, requireTimely } from "./checked_answer.ts";
import type { AnchoredLog, AnchorService } from "./ports.ts";
import type { AnchorRecord } from "../format/records.ts";

/** Between two attempts at what fails. */
export const RETRY = { firstMs: 1_000, longestMs: 600_000 } as const;

/** The longest wait for a publication: then the log is looked at all the same. */
const IDLE_MS = 600_000;

/** What the loops of a service work with. */
export interface LoopContext {
  readonly ledger: AnchorLedger;
  readonly service: AnchorService;
  readonly log: AnchoredLog;
  readonly kernels: Pick<Kernels, "sha256">;
  readonly clock: Clock;
  readonly random: () => number;
}

/** One loop. */
export class AnchorLoop {
  readonly #context: LoopContext;
  readonly #backoff: Backoff;
  /** Aborted to end a wait early, and replaced. */
  #nudge = new AbortController();
  /** Made, and not stored yet: a store that fails does not have it made again. */
  #unsaved: AnchorRecord | undefined;
  /** When this run last anchored. */
  #anchoredAtMs: number | undefined;

  constructor(context: LoopContext) {
    this.#context = context;
    this.#backoff = new Backoff(RETRY, context.random);
  }

  /** Runs until `signal` aborts; whatever fails is tried again. */
  async run(signal: AbortSignal): Promise<void> {
    const { ledger, log, clock } = this.#context;
    const nudge = () => this.#nudge.abort();
    log.onPublished(nudge, signal);
    signal.addEventListener("abort", nudge, { once: true });
    while (!signal.aborted) {
      try {
        await this.#wait(await this.#anchorDue(signal));
      } catch (error) {
        if (signal.aborted) return;
        ledger.failed("anchor", error);
        await clock.sleep(this.#backoff.afterFailure(), signal);
      }
    }
  }

  /** Anchors the latest head when it is time to. Milliseconds until the next look. */
  async #anchorDue(signal: AbortSignal): Promise<number> {
    const { ledger, service, log, kernels, clock } = this.#context;
    await this.#save();
    const head = log.latest();
    if (head === undefined || ledger.isAnchored(head.tree_size)) return IDLE_MS;
    const waitMs = this.#untilDueMs();
    if (waitMs > 0) return waitMs;
    const digest = anchoredDigest(kernels, head);
    const answer = await answerInTime(clock, signal, (limit) => service.anchor(digest, limit));
    const { name, provider } = ledger.anchor;
    const proof = await checkedAnswer(provider, digest, answer);
    requireTimely(proof, clock);
    this.#anchoredAtMs = clock.nowMs();
    this.#unsaved = { ...proof, service: name, provider: provider.name, treeHead: head };
    await this.#save();
    return 0;
  }

  async #save(): Promise<void> {
    if (this.#unsaved === undefined) return;
    await this.#context.ledger.keep(this.#unsaved);
    this.#unsaved = undefined;
    this.#backoff.reset();
    this.#context.ledger.succeeded("anchor");
  }

  /** Counted from the last anchor; after a start from its head's time, which the store knows. */
  #untilDueMs(): number {
    const { ledger, clock } = this.#context;
    if (ledger.last === undefined) return 0;
    const nowMs = clock.nowMs();
    // Never in the future, even when the clock was set back: the wait would be as long.
    this.#anchoredAtMs = Math.min(
      this.#anchoredAtMs ?? ledger.last.treeHead.timestamp * 1000,
      nowMs,
    );
    return this.#anchoredAtMs + ledger.anchor.intervalSeconds * 1000 - nowMs;
  }

  async #wait(ms: number): Promise<void> {
    if (this.#nudge.signal.aborted) {
      // What was published between the last look and now has no nudge left.
      this.#nudge = new AbortController();
      return;
    }
    await this.#context.clock.sleep(Math.min(ms, IDLE_MS), this.#nudge.signal);
  }
}
