/**
 * The lease of the one gateway of a log that takes digests, where several processes can. It bounds how long
 * clients wait for another one. It protects nothing: every commit checks the fence of the store.
 *
 * @module
 */

import type { Clock } from "../base/clock.ts";
import { CountersignError } from "../base/errors.ts";
import { Condition, errorText, type Report } from "../base/report.ts";

/** Validity of a lease from its last renewal, by the clock of the store. */
export const LEASE_MS = 2_000;
const RENEW_MS = 500;
/** While the store fails. */
const RENEW_AGAIN_MS = 100;
/** The holder stops so long before the end, in case that its clock runs slower than that of the store. */
const MARGIN_MS = 200;
/** How often the holder notices that it could not renew. */
const REVIEW_MS = 50;

/** A process that takes the digests of a log, for people. */
export interface LeaseHolder {
  readonly name: string;
  /** Its URL for clients, if that is public. */
  readonly url?: string;
}

/** The number of a lease that was taken, or who holds it; and the store's timeline. */
export type TakenLease =
  & ({ readonly epoch: number } | { readonly heldBy: LeaseHolder })
  & {
    /** Another one after the store was replaced by a copy, which may lack commits. */
    readonly timeline: string;
  };

/** The record of the lease in a store. All methods reject with `storage_failed`. */
export interface LeaseStore {
  /** Resolves if the store can be reached. */
  reach(): Promise<void>;
  /** Takes the lease for {@linkcode LEASE_MS} if it has ended. */
  take(holder: LeaseHolder): Promise<TakenLease>;
  /**
   * Renews lease `epoch` for {@linkcode LEASE_MS}; false if another process has taken it, or the timeline has
   * changed.
   */
  renew(epoch: number): Promise<boolean>;
  /** Ends lease `epoch` at once, if it is still held. */
  release(epoch: number): Promise<void>;
}

export interface HeldLeaseContext {
  readonly store: LeaseStore;
  readonly clock: Clock;
  readonly report: Report;
}

/** A lease that this process took. */
export class HeldLease {
  readonly #context: HeldLeaseContext;
  readonly #epoch: number;
  /** The store's timeline when it was taken. */
  readonly timeline: string;
  readonly #away: Condition;
  #endsMs: number;
  #failure: string | undefined;

  private constructor(
    context: HeldLeaseContext,
    { epoch, timeline }: { readonly epoch: number; readonly timeline: string },
    takenMs: number,
  ) {
    this.#context = context;
    this.#epoch = epoch;
    this.timeline = timeline;
    this.#away = new Condition(context);
    this.#endsMs = endOf(takenMs);
  }

  /** Takes the lease, or returns who holds it. */
  static async take(
    context: HeldLeaseContext,
    holder: LeaseHolder,
  ): Promise<HeldLease | Extract<TakenLease, { heldBy: unknown }>> {
    const askedMs = context.clock.elapsedMs();
    const taken = await context.store.take(holder);
    return "heldBy" in taken ? taken : new HeldLease(context, taken, askedMs);
  }

  /** Whether no other process can hold the lease now. */
  get isLive(): boolean {
    return this.remainingMs > 0;
  }

  /** Why it could not be renewed when that was tried last. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Time until it ends unless it is renewed. */
  get remainingMs(): number {
    return Math.max(0, this.#endsMs - this.#context.clock.elapsedMs());
  }

  /**
   * Renews the lease until `signal` aborts, and then gives it back. Calls `changed` when
   * {@linkcode isLive} changes. Rejects with `fence_lost` once another process has taken it.
   */
  async run(changed: () => void, signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const reviews = this.#review(changed, AbortSignal.any([signal, ended.signal]));
    try {
      await this.#renew(signal);
    } finally {
      ended.abort();
      await reviews;
    }
    // Before another process can have it.
    this.#endsMs = -Infinity;
    await this.#context.store.release(this.#epoch).catch(() => {});
  }

  async #renew(signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#context;
    while (!signal.aborted) {
      const askedMs = clock.elapsedMs();
      try {
        const isHeld = await store.renew(this.#epoch);
        this.#failure = undefined;
        this.#endsMs = isHeld ? endOf(askedMs) : -Infinity;
        if (!isHeld) throw leaseLost();
        this.#away.ended("The database answers again");
      } catch (error) {
        if (this.#endsMs === -Infinity) throw error;
        this.#failure = errorText(error);
        this.#away.holds(
          `The database does not answer: ${this.#failure}. No hash is accepted until it does; reads of what ` +
            "is in memory go on. Check the database server and the connection to it",
          { level: "error", code: "storage_failed" },
        );
      }
      await clock.sleep(this.#failure === undefined ? RENEW_MS : RENEW_AGAIN_MS, signal);
    }
  }

  async #review(changed: () => void, signal: AbortSignal): Promise<void> {
    let wasLive = true;
    while (!signal.aborted) {
      await this.#context.clock.sleep(REVIEW_MS, signal);
      if (this.isLive === wasLive) continue;
      wasLive = this.isLive;
      changed();
    }
  }
}

function endOf(askedMs: number): number {
  return askedMs + LEASE_MS - MARGIN_MS;
}

function leaseLost(): CountersignError {
  return new CountersignError(
    "fence_lost",
    "Cannot continue: another gateway has taken over this log, or a replica of its database was promoted",
  );
}
