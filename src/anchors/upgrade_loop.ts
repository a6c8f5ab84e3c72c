/**
 * Asks a service again for its pending anchors.
 *
 * @module
 */

import { Backoff } from "../backoff.ts";
import type { LoopContext } from "./anchor_loop.ts";
import { anchoredDigest, answerInTime, checkedAnswer } from "./checked_answer.ts";
import type { AnchorService, AnchorStore } from "./ports.ts";
import { hasCode } from "../errors.ts";
import type { AnchorRecord } from "../format/records.ts";

/** Pauses between rounds, and the longest after failures. */
const ROUND = { firstMs: 600_000, longestMs: 7_200_000 } as const;

/** Requests in one round, so that a long outage is not made up for at once. */
const REQUESTS_PER_ROUND = 32;

/** The dependencies of the loop. */
export interface UpgradeContext extends Omit<LoopContext, "service" | "log"> {
  readonly service: Required<AnchorService>;
  readonly store: AnchorStore;
}

/** The loop of one service. */
export class UpgradeLoop {
  readonly #context: UpgradeContext;
  readonly #backoff: Backoff;
  /** Tree size of the last request. The next round continues after it, then from the start. */
  #after = 0;

  constructor(context: UpgradeContext) {
    this.#context = context;
    this.#backoff = new Backoff(ROUND, context.random);
  }

  /** Runs until `signal` aborts, and retries after failures. */
  async run(signal: AbortSignal): Promise<void> {
    const { ledger, clock } = this.#context;
    while (!signal.aborted) {
      let pauseMs: number = ROUND.firstMs;
      try {
        if (ledger.pending > 0) {
          await this.#round(signal);
          ledger.succeeded("upgrade");
        }
        this.#backoff.reset();
      } catch (error) {
        if (signal.aborted) return;
        ledger.failed("upgrade", error);
        pauseMs = this.#backoff.afterFailure();
      }
      await clock.sleep(pauseMs, signal);
    }
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
    const { ledger, kernels, clock, service } = this.#context;
    const { status, timestamp, proof, treeHead } = record;
    const digest = anchoredDigest(kernels, treeHead);
    const pending = { status, timestamp, proof };
    const answer = await answerInTime(
      clock,
      signal,
      (limit) => service.upgrade(digest, pending, limit),
    );
    const better = await checkedAnswer(ledger.anchor.provider, digest, answer);
    if (better.status === "confirmed") return await ledger.keep({ ...record, ...better });
    // The timestamp stays that of submission, which decides when the anchor counts as lost.
    if (JSON.stringify(better.proof) !== JSON.stringify(proof)) {
      await ledger.keep({ ...record, proof: better.proof });
    }
  }
}
