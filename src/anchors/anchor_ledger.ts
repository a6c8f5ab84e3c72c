/**
 * What is known of the anchors of one service: the last one, those that wait, and what went wrong.
 * All of it but the faults is in the store; this remembers it, so that looking costs nothing.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../clock.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import type { AnchorRecord } from "../format/records.ts";
import { Condition, errorDetails, errorText, type Report } from "../report.ts";
import type { ConfiguredAnchor } from "./configured_anchor.ts";
import type { AnchorStore } from "./ports.ts";

/**
 * A pending anchor that was not confirmed after so many seconds, 30 days, never will be: its service
 * lost it, and is not asked for it any more. If it was the last one, its head is anchored again.
 */
export const GIVE_UP_SECONDS = 30 * 86_400;

/** Records read from the store at once. */
const PAGE = 256;

/** The two things that are asked of a service. */
export type Task = "anchor" | "upgrade";

/** A failure that lasts. */
export interface AnchorFault {
  readonly code: ErrorCode;
  /** Unix seconds of the last attempt. */
  readonly at: number;
}

/** What a ledger works with. */
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

  /** How many wait for their confirmation. */
  get pending(): number {
    return this.#pending.size - this.#givenUp.size;
  }

  /** How many never came to theirs. */
  get givenUp(): number {
    return this.#givenUp.size;
  }

  /** What fails; of both tasks, anchoring. */
  get fault(): AnchorFault | undefined {
    return this.#faults.get("anchor") ?? this.#faults.get("upgrade");
  }

  /** Reads what the store holds. To be repeated when it rejects. */
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

  /** Whether a head of `size` is anchored, or will be when its service confirms it. */
  isAnchored(size: number): boolean {
    const last = this.#last;
    return last !== undefined && last.treeHead.tree_size >= size && !this.isGivenUp(last);
  }

  /** Whether `record` waits for longer than it is worth; the first time, that is reported. */
  isGivenUp({ status, timestamp, treeHead }: AnchorRecord): boolean {
    if (status === "confirmed") return false;
    if (unixSeconds(this.#context.clock) - timestamp <= GIVE_UP_SECONDS) return false;
    const size = treeHead.tree_size;
    if (!this.#givenUp.has(size)) {
      this.#givenUp.add(size);
      const { name } = this.anchor;
      this.#context.report(
        `Anchor service ${name} lost its anchor of tree size ${size}, pending for more than 30 days`,
        { service: name, tree_size: size },
      );
    }
    return true;
  }

  /** Makes `record` durable, and only then known. */
  async keep(record: AnchorRecord): Promise<void> {
    await this.#context.store.save(record);
    const size = record.treeHead.tree_size;
    this.#givenUp.delete(size);
    if (record.status === "pending") this.#pending.add(size);
    else this.#pending.delete(size);
    if (this.#last === undefined || size >= this.#last.treeHead.tree_size) this.#last = record;
    this.#context.anchorAdded(record);
  }

  /** `task` was done. */
  succeeded(task: Task): void {
    this.#faults.delete(task);
    if (this.#faults.size === 0) {
      this.#failing.ended(`Anchor service ${this.anchor.name} works again`);
    }
  }

  /** `task` failed and is tried again. */
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
