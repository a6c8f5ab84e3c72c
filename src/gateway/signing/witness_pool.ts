/**
 * Asks all witnesses of a network at once and counts their signatures to the threshold
 * ({@linkcode Collection}). An answer counts if it verifies under the key configured for the witness,
 * and each witness counts once. A slow, wrong or lying witness costs only its own answer.
 *
 * @module
 */

import { type Bytes, utf8 } from "../../base/bytes.ts";
import { type Clock, withTimeLimit } from "../../base/clock.ts";
import type { Bls } from "../../proof/crypto/bls.ts";
import type { Ed25519Verify } from "../../proof/crypto/ed25519_rule.ts";
import { CountersignError, type ErrorCode, hasCode } from "../../base/errors.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import type { IndexedSignature, IndexedSignatureSet } from "../../proof/format/records.ts";
import { abortable, Collection, TIME_IS_UP } from "./collection.ts";
import { AggregateCount, byWitnessIndex, type Count, SeparateCount } from "./counting.ts";
import { type IndexedWitness, indexedWitnesses } from "./indexed_witnesses.ts";
import { LateRequests, ROUND_OVER } from "./late_requests.ts";
import { NO_OBSERVER, type PipelineObserver, type WitnessPurpose } from "../observer.ts";
import type { WitnessClient } from "../ports.ts";
import { NO_TRACER, type Tracer } from "../tracer.ts";
import { WitnessHealthBook } from "./witness_health.ts";

/**
 * Codes of late answers that are no failure of the witness: it may have moved on to a later tree head,
 * or the request was cancelled.
 */
const NO_LATE_FAILURE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "sequence_conflict",
  "round_conflict",
  "tree_size_conflict",
  "witness_unreachable",
]);

/**
 * All requests of one {@linkcode WitnessPool.ask} to a witness together have this many times the time limit of one
 * answer. Otherwise a lying witness could answer one page after another for ever.
 */
const MAX_ANSWERS_TIME = 12;

export interface PooledWitness extends IndexedWitness {
  readonly client: WitnessClient;
}

/** The order in which witnesses are asked. */
export interface WitnessOrder {
  /** The index of every witness, once. */
  readonly order: readonly number[];
  /** How many are asked immediately. One more is asked for each that fails. */
  readonly atOnce: number;
}

export interface CollectOptions extends Partial<WitnessOrder> {
  /** Size of the set; the threshold when absent, and never less. */
  readonly required?: number;
  /** `cosign` when absent. */
  readonly purpose?: WitnessPurpose;
  /**
   * When present, all requests continue after the threshold was missed, and those for which this returns
   * true after it was met ({@linkcode LateRequests}).
   */
  readonly wantsLate?: (witnessIndex: number) => boolean;
  /**
   * Called at most once, when the last late request has ended: the set with all further signatures that
   * verify. Not called if there are none.
   */
  readonly extended?: (set: IndexedSignatureSet) => void;
}

/** The witnesses of one network, ascending by id. */
export class WitnessPool {
  readonly witnesses: readonly PooledWitness[];
  readonly threshold: number;
  readonly health: WitnessHealthBook;
  readonly #network: NetworkConfiguration;
  readonly #verify: Ed25519Verify;
  readonly #bls: Bls;
  readonly #clock: Clock;
  /** How long a witness has for one answer. */
  readonly #timeoutMs: number;
  readonly #observer: PipelineObserver;
  readonly #tracer: Tracer;
  /** Indexes of witnesses whose last signature was wrong. */
  readonly #suspects = new Set<number>();
  /** Requests that have outlived their collection, or may: {@linkcode LateRequests}. */
  readonly #late = new Set<string>();
  readonly #ids: readonly string[];
  readonly #all: WitnessOrder;

  /** `clients` has one for each configured witness; throws `internal` otherwise. */
  constructor(
    network: NetworkConfiguration,
    clients: readonly WitnessClient[],
    context: {
      readonly verify: Ed25519Verify;
      readonly bls: Bls;
      readonly clock: Clock;
      readonly timeoutMs: number;
      readonly observer?: PipelineObserver;
      readonly tracer?: Tracer;
    },
  ) {
    this.witnesses = indexedWitnesses(network).map((witness) => {
      const client = clients.find(({ id }) => id === witness.id);
      if (client === undefined) {
        throw new CountersignError(
          "internal",
          `Cannot ask witness ${witness.id}: it has no client`,
        );
      }
      return { ...witness, client };
    });
    this.threshold = network.threshold;
    this.#network = network;
    this.#verify = context.verify;
    this.#bls = context.bls;
    this.#clock = context.clock;
    this.#timeoutMs = context.timeoutMs;
    this.#observer = context.observer ?? NO_OBSERVER;
    this.#tracer = context.tracer ?? NO_TRACER;
    this.#ids = this.witnesses.map(({ id }) => id);
    this.health = new WitnessHealthBook(this.#ids, context.clock);
    this.#all = { order: [...this.witnesses.keys()], atOnce: this.witnesses.length };
  }

  /**
   * Collects exactly as many signatures over `message` as required. Rejects with `threshold_not_met`,
   * naming the failure of each witness, as soon as that is out of reach, and with the reason of `signal`
   * when it aborts. Other requests are cancelled or become late.
   */
  async collect(
    message: string,
    ask: (witness: PooledWitness, witnessIndex: number, signal: AbortSignal) => Promise<Bytes>,
    signal: AbortSignal,
    options: CollectOptions = {},
  ): Promise<IndexedSignatureSet> {
    const { required = this.threshold, purpose = "cosign", wantsLate, extended } = options;
    const { order, atOnce } = { ...this.#all, ...options };
    const cancel = new AbortController();
    const limit = cancel.signal;
    // Also runs when the round is over: `limit` has aborted then.
    void this.#clock.sleep(this.#timeoutMs, limit).then(() => cancel.abort(TIME_IS_UP));
    const observer = this.#observer;
    const askedMs: number[] = [];
    const requests = new LateRequests(purpose, this.#late, extended !== undefined);
    const late: Promise<IndexedSignature | undefined>[] = [];
    const collection = new Collection({
      count: this.#newCount(utf8(message), required),
      required,
      ids: this.#ids,
      order,
      atOnce,
      ask: (witnessIndex, limit) => {
        askedMs[witnessIndex] = this.#clock.elapsedMs();
        const witness = this.witnesses[witnessIndex]!;
        const request = (signal: AbortSignal) =>
          this.#tracer.span(
            purpose,
            { witness: witness.id },
            () => ask(witness, witnessIndex, signal),
          );
        const wasFailing = this.health.isFailing(witnessIndex, purpose);
        const mayBeLate = wasFailing || wantsLate !== undefined;
        if (!mayBeLate || requests.isTaken(witnessIndex)) return request(limit);
        return requests.send(witnessIndex, wasFailing, request);
      },
      limit,
      answered: (witnessIndex) =>
        observer.witnessAnswered(
          this.#ids[witnessIndex]!,
          purpose,
          this.#clock.elapsedMs() - askedMs[witnessIndex]!,
        ),
      succeeded: (witnessIndex) => {
        this.#suspects.delete(witnessIndex);
        this.health.succeeded(witnessIndex, purpose);
      },
      failed: (witnessIndex, code) => {
        requests.timedOut(witnessIndex);
        if (code === "witness_refused") this.#suspects.add(witnessIndex);
        this.health.failed(witnessIndex, purpose, code);
        observer.witnessFailed(this.#ids[witnessIndex]!, purpose, code);
      },
      cancelled: (witnessIndex, isUnneeded) => {
        if (isUnneeded) observer.witnessUnneeded(this.#ids[witnessIndex]!, purpose);
        const answer = requests.lateAnswer(witnessIndex);
        if (answer !== undefined) {
          late.push(this.#recordLate(witnessIndex, purpose, message, answer));
        }
      },
    });
    let continues = (_witnessIndex: number) => false;
    try {
      const signatures = await collection.run(signal);
      if (wantsLate !== undefined) continues = wantsLate;
      if (extended !== undefined) {
        void collection.reported.then(async () => {
          const set = this.#extend(signatures, await Promise.all(late));
          if (set !== undefined) extended(set);
        });
      }
      return signatures;
    } catch (error) {
      if (wantsLate !== undefined && hasCode(error, "threshold_not_met")) continues = () => true;
      throw error;
    } finally {
      cancel.abort(ROUND_OVER);
      requests.end(continues, { clock: this.#clock, timeoutMs: this.#timeoutMs, stop: signal });
    }
  }

  /**
   * The order for the signatures of round number `round`. Requests go to all witnesses at once, except
   * in-process witnesses that the threshold does not need, which follow when another one fails.
   */
  witnessOrder(round: number): WitnessOrder {
    const inProcess = this.#all.order.filter((i) => this.witnesses[i]!.client.inProcess === true);
    const spares = inProcess.length - this.threshold;
    if (spares <= 0) return this.#all;
    const first = round % inProcess.length;
    const last = [...inProcess.slice(first), ...inProcess.slice(0, first)].slice(0, spares);
    const early = this.#all.order.filter((witnessIndex) => !last.includes(witnessIndex));
    return { order: [...early, ...last], atOnce: early.length };
  }

  /** Whether fewer witnesses sign or cosign at present than must. */
  get isShort(): boolean {
    const most = this.witnesses.length - this.threshold;
    return (["sign", "cosign"] as const).some((work) => this.health.missing(work).length > most);
  }

  /** Probes every witness. Never rejects. */
  async checkHealth(signal: AbortSignal): Promise<void> {
    await Promise.all(this.witnesses.map(async ({ client }, witnessIndex) => {
      try {
        await this.#limited((limit) => client.checkHealth(limit), signal);
        this.health.succeeded(witnessIndex, "probe");
      } catch (error) {
        if (!signal.aborted) this.health.failed(witnessIndex, "probe", codeOf(error));
      }
    }));
  }

  /**
   * The results of `ask` for the first `wanted` witnesses that have one, by witness index; of fewer if the others fail.
   * `ask` sends its requests through `request`, which gives each the time of one answer. Rejects with
   * `threshold_not_met` if fewer than the threshold have a result.
   */
  async ask<T>(
    wanted: number,
    ask: (
      client: WitnessClient,
      request: <A>(send: (limit: AbortSignal) => Promise<A>) => Promise<A>,
    ) => Promise<T>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<number, T>> {
    const longestMs = MAX_ANSWERS_TIME * this.#timeoutMs;
    return await withTimeLimit(this.#clock, longestMs, signal, async (limit) => {
      const answers = new Map<number, T>();
      const enough = Promise.withResolvers<void>();
      const asked = this.witnesses.map(async ({ client }, witnessIndex) => {
        const answer = await ask(client, (send) => this.#limited(send, limit));
        if (answers.size < wanted) answers.set(witnessIndex, answer);
        if (answers.size === wanted) enough.resolve();
      });
      await Promise.race([enough.promise, Promise.allSettled(asked)]);
      if (answers.size >= this.threshold) return answers;
      throw new CountersignError(
        "threshold_not_met",
        `Cannot ask the witnesses: ${answers.size} of ${this.threshold} answered`,
      );
    });
  }

  /** Sends one request, with the time of one answer. */
  #limited<T>(send: (limit: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    return withTimeLimit(
      this.#clock,
      this.#timeoutMs,
      signal,
      (limit) => abortable(send(limit), limit),
    );
  }

  /** `set` with `late`; `undefined` if no signature is added. */
  #extend(
    set: IndexedSignatureSet,
    late: readonly (IndexedSignature | undefined)[],
  ): IndexedSignatureSet | undefined {
    const added = late.filter((signature) => signature !== undefined);
    if (added.length === 0) return undefined;
    if (!("witnesses" in set)) return [...set, ...added].sort(byWitnessIndex);
    const signature = this.#bls.aggregate([set.signature, ...added.map((one) => one.signature)]);
    const witnesses = [...set.witnesses, ...added.map(({ witness }) => witness)];
    return signature && { witnesses: witnesses.sort((a, b) => a - b), signature };
  }

  /**
   * Records the outcome of a request that its collection did not count. Returns the signature if it
   * verifies. Never rejects.
   */
  async #recordLate(
    witnessIndex: number,
    purpose: WitnessPurpose,
    message: string,
    answer: Promise<Bytes>,
  ): Promise<IndexedSignature | undefined> {
    try {
      const count = this.#newCount(utf8(message), 1);
      const signature = { witness: witnessIndex, signature: await answer };
      const { right } = await count.take(signature);
      if (right.length > 0) {
        this.health.succeeded(witnessIndex, purpose);
        return signature;
      }
      this.health.failed(witnessIndex, purpose, "witness_refused");
    } catch (error) {
      const code = codeOf(error);
      if (!NO_LATE_FAILURE.has(code)) this.health.failed(witnessIndex, purpose, code);
    }
    return undefined;
  }

  #newCount(message: Bytes, required: number): Count {
    const publicKeys = this.witnesses.map(({ publicKey }) => publicKey);
    const context = { publicKeys, threshold: required, message };
    if (this.#network.signature_scheme === "ed25519") {
      return new SeparateCount(context, this.#verify);
    }
    return new AggregateCount(context, this.#bls, new Set(this.#suspects));
  }
}

function codeOf(error: unknown): ErrorCode {
  return error instanceof CountersignError ? error.code : "witness_unreachable";
}
