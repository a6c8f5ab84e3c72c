/**
 * Anchors the latest published head with one service, and again after each larger head. The log and the
 * store determine the next step, so a killed process resumes at its next start and repeats at most one
 * anchor.
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

/** Pauses between retries. */
export const RETRY = { firstMs: 1_000, longestMs: 600_000 } as const;

/** Maximum wait for a publication before the loop reads the log again. */
const IDLE_MS = 600_000;

/** The dependencies of a service's loops. */
export interface LoopContext {
  readonly ledger: AnchorLedger;
  readonly service: AnchorService;
  readonly log: AnchoredLog;
  readonly kernels: Pick<Kernels, "sha256">;
  readonly clock: Clock;
  readonly random: () => number;
}

/** The loop of one service. */
export class AnchorLoop {
  readonly #context: LoopContext;
  readonly #backoff: Backoff;
  /** Aborting it ends the current wait. */
  #nudge = new AbortController();
  /** An anchor to store. A failing store does not repeat its request. */
  #unsaved: AnchorRecord | undefined;
  /** Time of the last anchor of this run. */
  #anchoredAtMs: number | undefined;

  constructor(context: LoopContext) {
    this.#context = context;
    this.#backoff = new Backoff(RETRY, context.random);
  }

  /** Runs until `signal` aborts, and retries after failures. */
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

  /** Anchors the latest head if due. Returns milliseconds until the next check. */
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

  /** Counts from the last anchor; after a start, from the time of its head. */
  #untilDueMs(): number {
    const { ledger, clock } = this.#context;
    if (ledger.last === undefined) return 0;
    const nowMs = clock.nowMs();
    // At most now, so that a clock set back does not prolong the wait.
    this.#anchoredAtMs = Math.min(
      this.#anchoredAtMs ?? ledger.last.treeHead.timestamp * 1000,
      nowMs,
    );
    return this.#anchoredAtMs + ledger.anchor.intervalSeconds * 1000 - nowMs;
  }

  async #wait(ms: number): Promise<void> {
    if (this.#nudge.signal.aborted) {
      // A publication since the last check already used this controller.
      this.#nudge = new AbortController();
      return;
    }
    await this.#context.clock.sleep(Math.min(ms, IDLE_MS), this.#nudge.signal);
  }
}
