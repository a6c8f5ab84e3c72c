/**
 * The two loops of one service: the first anchors the latest published head, the second asks again
 * for pending anchors. The log and the store determine the next step, so a killed process resumes at
 * its next start and repeats at most one anchor.
 *
 * @module
 */

import { Backoff } from "../../base/backoff.ts";
import type { Clock } from "../../base/clock.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { hasCode } from "../../base/errors.ts";
import type { AnchorRecord } from "../../proof/format/records.ts";
import type { AnchorLedger, Task } from "./anchor_ledger.ts";
import { anchoredDigest, answerInTime, checkedAnswer, requireTimely } from "./answers.ts";
import type { AnchoredLog, AnchorService, AnchorStore } from "./ports.ts";

/** Pauses between retries. */
export const RETRY = { firstMs: 1_000, longestMs: 600_000 } as const;

/** Maximum wait for a publication before the loop reads the log again. */
const IDLE_MS = 600_000;

/** Pauses between rounds of requests for pending anchors, and the longest after failures. */
const ROUND = { firstMs: 600_000, longestMs: 7_200_000 } as const;

/** Requests in one round, so that a long outage is not made up for at once. */
const REQUESTS_PER_ROUND = 32;

/** The dependencies of a service's loops. */
export interface LoopContext {
  readonly ledger: AnchorLedger;
  readonly store: AnchorStore;
  readonly log: AnchoredLog;
  readonly kernels: Pick<Kernels, "sha256">;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Repeats `step` until `signal` aborts. A failed step is recorded, and repeated after a pause. */
async function repeat(
  task: Task,
  { ledger, clock }: LoopContext,
  backoff: Backoff,
  signal: AbortSignal,
  step: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await step();
    } catch (error) {
      if (signal.aborted) return;
      ledger.failed(task, error);
      await clock.sleep(backoff.afterFailure(), signal);
    }
  }
}

/** Anchors the latest published head, and again after each larger head. */
export class AnchorLoop {
  readonly #context: LoopContext;
  readonly #service: AnchorService;
  readonly #backoff: Backoff;
  /** Aborting it ends the current wait. */
  #nudge = new AbortController();
  /** An anchor to store. A failing store does not repeat its request. */
  #unsaved: AnchorRecord | undefined;
  /** Time of the last anchor of this run. */
  #anchoredAtMs: number | undefined;

  constructor(context: LoopContext, service: AnchorService) {
    this.#context = context;
    this.#service = service;
    this.#backoff = new Backoff(RETRY, context.random);
  }

  /** Runs until `signal` aborts, and retries after failures. */
  async run(signal: AbortSignal): Promise<void> {
    const nudge = () => this.#nudge.abort();
    this.#context.log.onPublished(nudge, signal);
    signal.addEventListener("abort", nudge, { once: true });
    await repeat("anchor", this.#context, this.#backoff, signal, async () => {
      await this.#wait(await this.#anchorDue(signal));
    });
  }

  /** Anchors the latest head if due. Returns milliseconds until the next check. */
  async #anchorDue(signal: AbortSignal): Promise<number> {
    const { ledger, log, kernels, clock } = this.#context;
    await this.#save();
    const head = log.latest();
    if (head === undefined || ledger.isAnchored(head.tree_size)) return IDLE_MS;
    const waitMs = this.#untilDueMs();
    if (waitMs > 0) return waitMs;
    const digest = anchoredDigest(kernels, head);
    const answer = await answerInTime(
      clock,
      signal,
      (limit) => this.#service.anchor(digest, limit),
    );
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

/** Asks the service again for its pending anchors, in rounds. */
export class UpgradeLoop {
  readonly #context: LoopContext;
  readonly #service: Required<AnchorService>;
  /** Tree size of the last request. The next round continues after it, then from the start. */
  #after = 0;

  constructor(context: LoopContext, service: Required<AnchorService>) {
    this.#context = context;
    this.#service = service;
  }

  /** Runs until `signal` aborts, and retries after failures. */
  async run(signal: AbortSignal): Promise<void> {
    const { ledger, clock, random } = this.#context;
    const backoff = new Backoff(ROUND, random);
    await repeat("upgrade", this.#context, backoff, signal, async () => {
      if (ledger.pending > 0) {
        await this.#round(signal);
        ledger.succeeded("upgrade");
      }
      backoff.reset();
      await clock.sleep(ROUND.firstMs, signal);
    });
  }

  /** Oldest first. Ends when the service is unreachable, and throws a refusal at its end. */
  async #round(signal: AbortSignal): Promise<void> {
    const { ledger, store } = this.#context;
    const page = await store.pending(ledger.anchor.name, this.#after, REQUESTS_PER_ROUND);
    let refusal: unknown;
    for (const record of page) {
      if (signal.aborted) return;
      this.#after = record.treeHead.tree_size;
      if (ledger.isGivenUp(record)) continue;
      try {
        await this.#upgrade(record, signal);
      } catch (error) {
        if (!hasCode(error, "anchor_refused")) throw error;
        refusal ??= error;
      }
    }
    if (page.length < REQUESTS_PER_ROUND) this.#after = 0;
    if (refusal !== undefined) throw refusal;
  }

  async #upgrade(record: AnchorRecord, signal: AbortSignal): Promise<void> {
    const { ledger, kernels, clock } = this.#context;
    const { status, timestamp, proof, treeHead } = record;
    const digest = anchoredDigest(kernels, treeHead);
    const pending = { status, timestamp, proof };
    const answer = await answerInTime(
      clock,
      signal,
      (limit) => this.#service.upgrade(digest, pending, limit),
    );
    const better = await checkedAnswer(ledger.anchor.provider, digest, answer);
    if (better.status === "confirmed") return await ledger.keep({ ...record, ...better });
    // The timestamp stays that of submission, which decides when the anchor counts as lost.
    if (JSON.stringify(better.proof) !== JSON.stringify(proof)) {
      await ledger.keep({ ...record, proof: better.proof });
    }
  }
}
