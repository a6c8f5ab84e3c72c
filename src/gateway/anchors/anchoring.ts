/**
 * External anchoring. Each configured service has its own loops, and publishing never waits for them.
 *
 * @module
 */

import { unixSeconds } from "../../base/clock.ts";
import { type AnchorFault, AnchorLedger, type LedgerContext } from "./anchor_ledger.ts";
import { AnchorLoop, type LoopContext, RETRY, UpgradeLoop } from "./loops.ts";
import { Backoff } from "../../base/backoff.ts";
import type { AnchorMode, AnchorService, ConfiguredAnchor } from "./ports.ts";
import type { AnchorProgress } from "../../proof/format/records.ts";

/** The dependencies of anchoring. */
export interface AnchoringContext extends LedgerContext, Omit<LoopContext, "ledger"> {
  readonly anchors: readonly ConfiguredAnchor[];
}

/** A `required` service that makes the gateway unready. */
export interface OverdueAnchor {
  readonly name: string;
  /** The oldest published head without a confirmed anchor. */
  readonly treeSize: number;
  /** Unix seconds of its STH. */
  readonly since: number;
  readonly maxDelaySeconds: number;
}

/** The status of a service for operators. Only `provider` and `last` are public. */
export interface AnchorServiceStatus {
  readonly name: string;
  readonly provider: string;
  readonly mode: AnchorMode;
  /** The anchor of largest size; `timestamp` is the claim of the service. */
  readonly last?: {
    readonly treeSize: number;
    readonly timestamp: number;
    readonly status: AnchorProgress;
  };
  /** The confirmed anchor of largest size. */
  readonly lastConfirmedSize?: number;
  readonly pending: number;
  /** Anchors that the service lost. */
  readonly givenUp: number;
  readonly fault?: AnchorFault;
}

/** All configured services. */
export class Anchoring {
  readonly #context: AnchoringContext;
  readonly #ledgers: readonly AnchorLedger[];

  constructor(context: AnchoringContext) {
    this.#context = context;
    this.#ledgers = context.anchors.map((anchor) => new AnchorLedger(anchor, context));
  }

  /** Runs until `signal` aborts, and retries after failures. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(
      this.#ledgers.map(async (ledger) => await Promise.all(await this.#start(ledger, signal))),
    );
  }

  /**
   * The `required` services whose oldest published head without a confirmed anchor is older than
   * `maxDelaySeconds`. `storage_failed`.
   */
  async overdue(): Promise<readonly OverdueAnchor[]> {
    const { anchors, store, log, clock } = this.#context;
    const found: OverdueAnchor[] = [];
    for (const { name, mode, maxDelaySeconds } of anchors) {
      if (mode !== "required") continue;
      const confirmed = await store.lastConfirmed(name);
      const head = await log.firstAbove(confirmed?.treeHead.tree_size ?? 0);
      if (head === undefined || unixSeconds(clock) - head.timestamp <= maxDelaySeconds) continue;
      found.push({ name, treeSize: head.tree_size, since: head.timestamp, maxDelaySeconds });
    }
    return found;
  }

  /** In the order of the configuration. `storage_failed`. */
  async status(): Promise<readonly AnchorServiceStatus[]> {
    return await Promise.all(this.#ledgers.map(async (ledger) => {
      const { anchor: { name, provider, mode }, pending, givenUp, fault } = ledger;
      const { store } = this.#context;
      const last = ledger.last ?? await store.last(name);
      const confirmed = await store.lastConfirmed(name);
      return {
        name,
        provider: provider.name,
        mode,
        ...(last !== undefined && {
          last: {
            treeSize: last.treeHead.tree_size,
            timestamp: last.timestamp,
            status: last.status,
          },
        }),
        ...(confirmed !== undefined && { lastConfirmedSize: confirmed.treeHead.tree_size }),
        pending,
        givenUp,
        ...(fault !== undefined && { fault }),
      };
    }));
  }

  /** Starts the loops of a service. */
  async #start(ledger: AnchorLedger, signal: AbortSignal): Promise<Promise<void>[]> {
    const { service } = ledger.anchor;
    if (ledger.anchor.mode === "off" || service === undefined) return [];
    await this.#load(ledger, signal);
    if (signal.aborted) return [];
    const context = { ...this.#context, ledger };
    return [
      new AnchorLoop(context, service).run(signal),
      ...(canUpgrade(service) ? [new UpgradeLoop(context, service).run(signal)] : []),
    ];
  }

  async #load(ledger: AnchorLedger, signal: AbortSignal): Promise<void> {
    const backoff = new Backoff(RETRY, this.#context.random);
    while (!signal.aborted) {
      try {
        return await ledger.load();
      } catch (error) {
        ledger.failed("anchor", error);
        await this.#context.clock.sleep(backoff.afterFailure(), signal);
      }
    }
  }
}

function canUpgrade(service: AnchorService): service is Required<AnchorService> {
  return service.upgrade !== undefined;
}
