/**
 * The loop of one witness: has it cosign the chosen checkpoint, and retries.
 *
 * @module
 */

import { Backoff } from "../../base/backoff.ts";
import { unixSeconds } from "../../base/clock.ts";
import { CountersignError, type ErrorCode } from "../../base/errors.ts";
import type { ForeignWitnessState } from "../../proof/format/gateway_status.ts";
import type { WitnessLine } from "../../proof/format/records.ts";
import { Condition, errorDetails, errorText, type Report } from "../../base/report.ts";
import {
  CheckpointExchange,
  type CheckpointExchangeContext,
  type SentCheckpoint,
} from "./checkpoint_exchange.ts";
import type { ForeignWitness } from "./ports.ts";

/** Pauses after failures, in milliseconds. */
export const RETRY = { firstMs: 1_000, longestMs: 300_000 } as const;

/** How often the checkpoint of a log that does not grow is cosigned again. */
const REFRESH_MS = 600_000;

export interface LoopContext extends CheckpointExchangeContext {
  /** Numbers in [0, 1) that spread the retries of many gateways. */
  readonly random: () => number;
  readonly report: Report;
}

/** The state of a witness, with what only operators see. */
export interface WitnessingStatus extends ForeignWitnessState {
  /** Since the start. */
  readonly cosignatures: number;
  readonly failures: ReadonlyMap<ErrorCode, number>;
}

/** The checkpoint that all witnesses get. */
export interface ChosenCheckpoint extends SentCheckpoint {
  readonly rootHash: string;
  /** The note with the cosignatures of our witnesses. */
  readonly whole: string;
}

export interface LoopPort {
  chosen(): ChosenCheckpoint | undefined;
  /** Resolves when another checkpoint is chosen, and when the loops stop. */
  nextChoice(): Promise<void>;
  add(chosen: ChosenCheckpoint, lines: readonly WitnessLine[]): Promise<void>;
  statusChanged(): void;
}

export class WitnessLoop {
  readonly #witness: ForeignWitness;
  readonly #context: LoopContext;
  readonly #port: LoopPort;
  readonly #exchange: CheckpointExchange;
  readonly #backoff: Backoff;
  readonly #failing: Condition;
  #cosigned: ChosenCheckpoint | undefined;
  #status: WitnessingStatus;

  constructor(witness: ForeignWitness, context: LoopContext, port: LoopPort) {
    this.#witness = witness;
    this.#context = context;
    this.#port = port;
    this.#exchange = new CheckpointExchange(witness, context);
    this.#backoff = new Backoff(RETRY, context.random);
    this.#failing = new Condition(context);
    const { name, publicUrl } = witness;
    this.#status = {
      name,
      cosignatures: 0,
      failures: new Map(),
      ...(publicUrl !== undefined && { publicUrl }),
    };
  }

  get status(): WitnessingStatus {
    return this.#status;
  }

  /** Runs until `signal` aborts, and retries after failures. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    let refreshAt = Infinity;
    while (!signal.aborted) {
      const next = this.#port.nextChoice();
      const chosen = this.#port.chosen();
      const startedMs = clock.elapsedMs();
      if (chosen === undefined || (chosen === this.#cosigned && startedMs < refreshAt)) {
        await this.#wait(next, refreshAt - startedMs, signal);
        continue;
      }
      try {
        await this.#port.add(chosen, await this.#exchange.cosign(chosen, signal));
        this.#succeeded(chosen);
        const tookMs = clock.elapsedMs() - startedMs;
        refreshAt = clock.elapsedMs() + REFRESH_MS;
        await clock.sleep(Math.max(0, this.#witness.intervalSeconds * 1_000 - tookMs), signal);
      } catch (error) {
        if (signal.aborted) return;
        // New checkpoints do not shorten the pause.
        await clock.sleep(this.#failed(error), signal);
      }
    }
  }

  /** Until another checkpoint is chosen, or the present one is due again. */
  async #wait(next: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
    if (ms === Infinity) return await next;
    const stop = new AbortController();
    await Promise.race([
      next,
      this.#context.clock.sleep(ms, AbortSignal.any([signal, stop.signal])),
    ]);
    stop.abort();
  }

  #succeeded(chosen: ChosenCheckpoint): void {
    const { clock } = this.#context;
    const { lastError: _, failingSince: __, nextAttemptAt: ___, ...status } = this.#status;
    this.#cosigned = chosen;
    this.#backoff.reset();
    this.#failing.ended(`Witness ${status.name} cosigns our checkpoints again`);
    this.#status = {
      ...status,
      last: { treeSize: chosen.size, at: unixSeconds(clock) },
      cosignatures: status.cosignatures + 1,
    };
    this.#port.statusChanged();
  }

  /** Records a failure and returns the pause in milliseconds. */
  #failed(error: unknown): number {
    const code = error instanceof CountersignError ? error.code : "internal";
    const { clock } = this.#context;
    const { name: witness, failingSince = unixSeconds(clock), failures } = this.#status;
    const reason = errorText(error);
    // One code has many reasons, and each needs another action of the operator. The reason of
    // `tree_size_conflict` names sizes, which change.
    this.#failing.holds(
      `${reason}. Nothing waits for it; retries continue`,
      { ...errorDetails(error), code, witness },
      code === "tree_size_conflict" ? code : reason,
    );
    const retryMs = this.#backoff.afterFailure();
    // A witness with a larger tree refuses until our tree is larger: frequent retries are useless.
    const pause = code === "tree_size_conflict" ? Math.max(retryMs, RETRY.longestMs / 2) : retryMs;
    this.#status = {
      ...this.#status,
      lastError: code,
      failingSince,
      failures: new Map([...failures, [code, (failures.get(code) ?? 0) + 1]]),
      nextAttemptAt: Math.ceil((clock.nowMs() + pause) / 1_000),
    };
    this.#port.statusChanged();
    return pause;
  }
}
