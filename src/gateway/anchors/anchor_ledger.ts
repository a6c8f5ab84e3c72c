/**
 * The anchors of one service in memory: the last one, the pending ones, and current failures. The
 * store holds everything but the failures.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../../base/clock.ts";
import { CountersignError, type ErrorCode } from "../../base/errors.ts";
import type { AnchorRecord } from "../../proof/format/records.ts";
import { Condition, errorDetails, errorText, type Report } from "../../base/report.ts";
import type { AnchorStore, ConfiguredAnchor } from "./ports.ts";

/**
 * Seconds, 30 days, after which a pending anchor counts as lost and its service is not asked again. A
 * lost last anchor is replaced by a new one of the latest head.
 */
export const GIVE_UP_SECONDS = 30 * 86_400;

/** Records in one read of the store. */
const PAGE = 256;

/** The requests to a service. */
export type Task = "anchor" | "upgrade";

/** A failure that lasts. */
export interface AnchorFault {
  readonly code: ErrorCode;
  /** Unix seconds of the last attempt. */
  readonly at: number;
}

/** The dependencies of a ledger. */
export interface LedgerContext {
  readonly store: AnchorStore;
  readonly clock: Clock;
  readonly anchorAdded: (record: AnchorRecord) => void;
  readonly report: Report;
}

/** The anchors of one service. */
export class AnchorLedger {
  readonly anchor: ConfiguredAnchor;
  readonly #context: LedgerContext;
  #last: AnchorRecord | undefined;
  /** Tree sizes. */
  readonly #pending = new Set<number>();
  readonly #givenUp = new Set<number>();
  readonly #failing: Condition;
  readonly #faults = new Map<Task, AnchorFault>();

  constructor(anchor: ConfiguredAnchor, context: LedgerContext) {
    this.anchor = anchor;
    this.#context = context;
    this.#failing = new Condition(context);
  }

  /** The anchor of largest size. */
  get last(): AnchorRecord | undefined {
    return this.#last;
  }

  /** Number of anchors that the service may still confirm. */
  get pending(): number {
    return this.#pending.size - this.#givenUp.size;
  }

  /** Number of anchors that the service lost. */
  get givenUp(): number {
    return this.#givenUp.size;
  }

  /** The current failure; of two, that of anchoring. */
  get fault(): AnchorFault | undefined {
    return this.#faults.get("anchor") ?? this.#faults.get("upgrade");
  }

  /** Reads the store. Repeat it after a rejection. */
  async load(): Promise<void> {
    const { store } = this.#context;
    const { name } = this.anchor;
    let after = 0;
    for (let count = PAGE; count === PAGE;) {
      const page = await store.pending(name, after, PAGE);
      count = page.length;
      for (const record of page) {
        after = record.treeHead.tree_size;
        this.#pending.add(after);
        this.isGivenUp(record);
      }
    }
    this.#last = await store.last(name);
  }

  /** Reports whether a head of `size` has an anchor, confirmed or pending. */
  isAnchored(size: number): boolean {
    const last = this.#last;
    return last !== undefined && last.treeHead.tree_size >= size && !this.isGivenUp(last);
  }

  /** Reports whether the service lost `record`, and logs it the first time. */
  isGivenUp({ status, timestamp, treeHead }: AnchorRecord): boolean {
    if (status === "confirmed") return false;
    if (unixSeconds(this.#context.clock) - timestamp <= GIVE_UP_SECONDS) return false;
    const size = treeHead.tree_size;
    if (!this.#givenUp.has(size)) {
      this.#givenUp.add(size);
      const { name } = this.anchor;
      this.#context.report(
        `Anchor service ${name} did not complete its anchor of tree size ${size} within 30 days`,
        { service: name, tree_size: size },
      );
    }
    return true;
  }

  /** Stores `record`, then updates the ledger. */
  async keep(record: AnchorRecord): Promise<void> {
    await this.#context.store.save(record);
    const size = record.treeHead.tree_size;
    this.#givenUp.delete(size);
    if (record.status === "pending") this.#pending.add(size);
    else this.#pending.delete(size);
    if (this.#last === undefined || size >= this.#last.treeHead.tree_size) this.#last = record;
    this.#context.anchorAdded(record);
  }

  /** Call after each success of `task`. */
  succeeded(task: Task): void {
    this.#faults.delete(task);
    if (this.#faults.size === 0) {
      this.#failing.ended(`Anchor service ${this.anchor.name} works again`);
    }
  }

  /** Call after each failure of `task`, before a retry. */
  failed(task: Task, error: unknown): void {
    const code = error instanceof CountersignError ? error.code : "internal";
    const { name } = this.anchor;
    this.#faults.set(task, { code, at: unixSeconds(this.#context.clock) });
    this.#failing.holds(
      `Anchor service ${name} fails: ${errorText(error)}. Retries continue; make sure that this ` +
        "machine reaches it and that its settings are right",
      { ...errorDetails(error), code, service: name },
      Array.from(this.#faults.values(), ({ code }) => code).toSorted().join(),
    );
  }
}
