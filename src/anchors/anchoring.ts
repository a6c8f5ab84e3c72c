/**
 * External anchoring: every configured service by itself, beside the pipeline and never before it.
 *
 * @module
 */

import { unixSeconds } from "../clock.ts";
import { type AnchorFault, AnchorLedger, type LedgerContext } from "./anchor_ledger.ts";
import { AnchorLoop, type LoopContext, RETRY } from "./anchor_loop.ts";
import { Backoff } from "../backoff.ts";
import type { AnchorMode, ConfiguredAnchor } from "./configured_anchor.ts";
import type { AnchorService } from "./ports.ts";
import { UpgradeLoop } from "./upgrade_loop.ts";
import type { AnchorStatus } from "../format/records.ts";

/** What anchoring works with. */
export interface AnchoringContext
  extends LedgerContext, Pick<LoopContext, "log" | "kernels" | "random"> {
  readonly anchors: readonly ConfiguredAnchor[];
}

/** A `required` service that keeps the gateway from being ready. */
export interface OverdueAnchor {
  readonly name: string;
  /** The oldest published head without a confirmed anchor. */
  readonly treeSize: number;
  /** Unix seconds of its STH. */
  readonly since: number;
  readonly maxDelaySeconds: number;
}

/** One service, for an operator. Of it, only `provider` and `last` are for everybody. */
export interface AnchorServiceStatus {
  readonly name: string;
  readonly provider: string;
  readonly mode: AnchorMode;
  /** The anchor of largest size; `timestamp` is what the service claims. */
  readonly last?: {
    readonly treeSize: number;
    readonly timestamp: number;
    readonly status: AnchorStatus;
  };
  /** The confirmed anchor of largest size. */
  readonly lastConfirmedSize?: number;
  readonly pending: number;
  /** Pending for so long that the service is not asked any more. */
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

  /** Runs until `signal` aborts; whatever fails is tried again. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(
      this.#ledgers.map(async (ledger) => await Promise.all(await this.#start(ledger, signal))),
    );
  }

  /**
   * The `required` services whose oldest published batch without a confirmed anchor is too old; none
   * when the gateway is ready as far as anchors go. `storage_failed`.
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

  /** The loops of a service, running. */
  async #start(ledger: AnchorLedger, signal: AbortSignal): Promise<Promise<void>[]> {
    const { service } = ledger.anchor;
    if (ledger.anchor.mode === "off" || service === undefined) return [];
    await this.#load(ledger, signal);
    if (signal.aborted) return [];
    const context = { ...this.#context, ledger };
    return [
      new AnchorLoop({ ...context, service }).run(signal),
      ...(canUpgrade(service) ? [new UpgradeLoop({ ...context, service }).run(signal)] : []),
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
