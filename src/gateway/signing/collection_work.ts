/**
 * The requests of one collection: sends them by the clients of a pool, and records their outcomes.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import type { Clock } from "../../base/clock.ts";
import type { ErrorCode } from "../../base/errors.ts";
import type { IndexedSignature } from "../../proof/format/records.ts";
import type { PipelineObserver, WitnessPurpose } from "../observer.ts";
import type { WitnessClient } from "../ports.ts";
import { NO_TRACER, type Tracer } from "../tracer.ts";
import type { CollectionObserver } from "./collection.ts";
import type { IndexedWitness } from "./indexed_witnesses.ts";
import { LateRequests } from "./late_requests.ts";
import type { WitnessHealthBook } from "./witness_health.ts";

export interface PooledWitness extends IndexedWitness {
  readonly client: WitnessClient;
}

/** Asks a witness to sign; may reject, also when `signal` aborts. */
export type AskWitness = (
  witness: PooledWitness,
  witnessIndex: number,
  signal: AbortSignal,
) => Promise<Bytes>;

/** What the collections of one pool share. */
export interface CollectionWorkContext {
  readonly witnesses: readonly PooledWitness[];
  readonly health: WitnessHealthBook;
  readonly clock: Clock;
  readonly observer: PipelineObserver;
  readonly tracer: Tracer;
  /** Indexes of witnesses whose last signature was wrong. */
  readonly suspects: Set<number>;
  /** Requests that have outlived their collection, or may: {@linkcode LateRequests}. */
  readonly late: Set<string>;
  /** Records an answer that its collection did not count. Never rejects. */
  readonly recordLate: (
    witnessIndex: number,
    purpose: WitnessPurpose,
    message: Bytes,
    answer: Promise<Bytes>,
  ) => Promise<IndexedSignature | undefined>;
}

/** What one collection asks for. */
export interface CollectionOrder {
  readonly message: Bytes;
  readonly purpose: WitnessPurpose;
  readonly ask: AskWitness;
  /** Ends everything. */
  readonly stop: AbortSignal;
  /** Requests may continue after the collection. */
  readonly wantsLate: boolean;
  /** Late answers extend the set. */
  readonly extends: boolean;
}

export class CollectionWork implements CollectionObserver {
  readonly requests: LateRequests;
  /** Signatures of answers that came too late for the set, as far as they verify. */
  readonly late: Promise<IndexedSignature | undefined>[] = [];
  readonly #context: CollectionWorkContext;
  readonly #order: CollectionOrder;
  /** When each witness was asked. */
  readonly #askedMs: number[] = [];
  /** Of the requests that end with the collection; made for the first. */
  #cancel: AbortController | undefined;

  constructor(context: CollectionWorkContext, order: CollectionOrder) {
    this.#context = context;
    this.#order = order;
    this.requests = new LateRequests(order.purpose, context.late, order.extends);
  }

  /** Ends the requests that must not outlive the collection. */
  cancel(reason: unknown): void {
    this.#cancel?.abort(reason);
  }

  ask(witnessIndex: number): Promise<Bytes> {
    const { witnesses, health, clock } = this.#context;
    const { purpose, wantsLate, stop } = this.#order;
    this.#askedMs[witnessIndex] = clock.elapsedMs();
    const wasFailing = health.isFailing(witnessIndex, purpose);
    const mayBeLate = wasFailing || wantsLate;
    if (mayBeLate && !this.requests.isTaken(witnessIndex)) {
      return this.requests.send(
        witnessIndex,
        wasFailing,
        (signal) => this.#send(witnessIndex, signal),
      );
    }
    // A witness in this process reads the signal only when it is asked.
    if (witnesses[witnessIndex]!.client.inProcess === true) return this.#send(witnessIndex, stop);
    this.#cancel ??= new AbortController();
    return this.#send(witnessIndex, this.#cancel.signal);
  }

  #send(witnessIndex: number, signal: AbortSignal): Promise<Bytes> {
    const { witnesses, tracer } = this.#context;
    const { purpose, ask } = this.#order;
    const witness = witnesses[witnessIndex]!;
    if (tracer === NO_TRACER) return ask(witness, witnessIndex, signal);
    return tracer.span(
      purpose,
      { witness: witness.id },
      () => ask(witness, witnessIndex, signal),
    );
  }

  answered(witnessIndex: number): void {
    const { observer, witnesses, clock } = this.#context;
    const ms = clock.elapsedMs() - this.#askedMs[witnessIndex]!;
    observer.witnessAnswered(witnesses[witnessIndex]!.id, this.#order.purpose, ms);
  }

  succeeded(witnessIndex: number): void {
    this.#context.suspects.delete(witnessIndex);
    this.#context.health.succeeded(witnessIndex, this.#order.purpose);
  }

  failed(witnessIndex: number, code: ErrorCode): void {
    const { observer, witnesses, health, suspects } = this.#context;
    const { purpose } = this.#order;
    this.requests.timedOut(witnessIndex);
    if (code === "witness_refused") suspects.add(witnessIndex);
    health.failed(witnessIndex, purpose, code);
    observer.witnessFailed(witnesses[witnessIndex]!.id, purpose, code);
  }

  cancelled(witnessIndex: number, isUnneeded: boolean): void {
    const { observer, witnesses, recordLate } = this.#context;
    const { purpose, message } = this.#order;
    if (isUnneeded) observer.witnessUnneeded(witnesses[witnessIndex]!.id, purpose);
    const answer = this.requests.lateAnswer(witnessIndex);
    if (answer !== undefined) this.late.push(recordLate(witnessIndex, purpose, message, answer));
  }
}
