/**
 * Asks all witnesses of the network at once and counts to the threshold, or to more
 * ({@linkcode Collecting}, {@linkcode Count}): an answer counts when it verifies under the key that is
 * configured for the witness asked, and each witness counts once. A slow, wrong or lying witness costs
 * its own answer only.
 *
 * @module
 */

import { type Bytes, utf8 } from "../bytes.ts";
import type { Clock } from "../clock.ts";
import type { Bls } from "../crypto/bls.ts";
import type { Ed25519Verify } from "../crypto/ed25519_rule.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { abortable, Collecting, TIME_IS_UP } from "./collecting.ts";
import { AggregateCount, type Count, SeparateCount } from "./counting.ts";
import { NO_OBSERVER, type PipelineObserver, type WitnessPurpose } from "./observer.ts";
import type { WitnessClient } from "./ports.ts";
import { NO_TRACER, type Tracer } from "./tracer.ts";
import { type WitnessChange, WitnessHealthBook } from "./witness_health.ts";
import type { IndexedSignatureSet } from "../format/records.ts";

/** Made once: a reason of its own for each round would cost a stack trace. */
const ROUND_OVER = new CountersignError("witness_unreachable", "Cannot await witness: not needed");

/**
 * Codes that say nothing of a witness once a collection is over. It may have gone on to a later tree
 * head, or the request was cancelled; that it fails is known already.
 */
const SAYS_NOTHING_LATE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "sequence_conflict",
  "tree_size_conflict",
  "witness_unreachable",
]);

/** A configured witness, in the order of ids that places are counted in. */
export interface PooledWitness {
  readonly id: string;
  readonly publicKey: Bytes;
  readonly client: WitnessClient;
}

/** In which order witnesses are asked, and how many of them without waiting for another. */
export interface WitnessOrder {
  /** Every place once. */
  readonly witnessIndexes: readonly number[];
  readonly atOnce: number;
  /** How many signatures make the set: the threshold when absent, and never fewer. */
  readonly required?: number;
  /** Cosignatures when absent. */
  readonly purpose?: WitnessPurpose;
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
  readonly timeoutMs: number;
  readonly #observer: PipelineObserver;
  readonly #tracer: Tracer;
  /** Places of witnesses whose last signature was wrong. */
  readonly #suspects = new Set<number>();
  /** Requests that are heard to their end, by place and purpose. */
  readonly #heardOut = new Set<string>();
  readonly #ids: readonly string[];
  /** All places, ascending. */
  readonly #witnessIndexes: readonly number[];
  readonly #all: WitnessOrder;
  readonly #allToSign: WitnessOrder;

  /** `clients` has one for each configured witness; `internal` otherwise. */
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
      /** Called when a kind of work of a witness begins to fail, and when it fails no longer. */
      readonly changed?: (change: WitnessChange) => void;
    },
  ) {
    this.witnesses = [...network.witnesses].sort((a, b) => a.id < b.id ? -1 : 1).map((key) => {
      const client = clients.find((client) => client.id === key.id);
      if (client === undefined) {
        throw new CountersignError("internal", `Cannot ask witness ${key.id}: a client required`);
      }
      return { id: key.id, publicKey: Uint8Array.fromHex(key.pubkey), client };
    });
    this.threshold = network.threshold;
    this.#network = network;
    this.#verify = context.verify;
    this.#bls = context.bls;
    this.#clock = context.clock;
    this.timeoutMs = context.timeoutMs;
    this.#observer = context.observer ?? NO_OBSERVER;
    this.#tracer = context.tracer ?? NO_TRACER;
    this.#ids = this.witnesses.map(({ id }) => id);
    this.health = new WitnessHealthBook(this.#ids, context.clock, context.changed);
    this.#witnessIndexes = this.witnesses.map((_, witnessIndex) => witnessIndex);
    this.#all = { witnessIndexes: this.#witnessIndexes, atOnce: this.#witnessIndexes.length };
    this.#allToSign = { ...this.#all, purpose: "sign" };
  }

  /**
   * What exactly as many witnesses as are required signed of `message`, asked in the order of
   * `places`: the first `atOnce` at once, one more for each that fails. The rest are cancelled.
   * Rejects with `threshold_not_met`, naming what each other one did, as soon as that is out of
   * reach, and with the reason of `signal` when that aborts.
   */
  async collect(
    message: string,
    ask: (witness: PooledWitness, witnessIndex: number, signal: AbortSignal) => Promise<Bytes>,
    signal: AbortSignal,
    { witnessIndexes, atOnce, required = this.threshold, purpose = "cosign" }: WitnessOrder =
      this.#all,
  ): Promise<IndexedSignatureSet> {
    const cancel = new AbortController();
    const limit = cancel.signal;
    // Ends with the round at the latest, and then aborts what is aborted.
    void this.#clock.sleep(this.timeoutMs, limit).then(() => cancel.abort(TIME_IS_UP));
    const observer = this.#observer;
    const askedMs: number[] = [];
    const heardOut = new Map<number, Promise<Bytes>>();
    const collecting = new Collecting({
      count: this.#newCount(utf8(message), required),
      required,
      ids: this.#ids,
      witnessIndexes,
      atOnce,
      ask: (witnessIndex, limit) => {
        askedMs[witnessIndex] = this.#clock.nowMs();
        const witness = this.witnesses[witnessIndex]!;
        const asked = (limit: AbortSignal) =>
          this.#tracer.span(
            purpose,
            { witness: witness.id },
            () => ask(witness, witnessIndex, limit),
          );
        if (!this.#isToBeHeardOut(witnessIndex, purpose)) return asked(limit);
        const { answer, heard } = this.#hearOut(witnessIndex, purpose, asked, signal);
        heardOut.set(witnessIndex, heard);
        return answer;
      },
      limit,
      answered: (witnessIndex) =>
        observer.witnessAnswered(
          this.#ids[witnessIndex]!,
          purpose,
          this.#clock.nowMs() - askedMs[witnessIndex]!,
        ),
      succeeded: (witnessIndex) => {
        this.#suspects.delete(witnessIndex);
        this.health.succeeded(witnessIndex, purpose);
      },
      failed: (witnessIndex, code) => {
        if (code === "witness_refused") this.#suspects.add(witnessIndex);
        this.health.failed(witnessIndex, purpose, code);
        observer.witnessFailed(this.#ids[witnessIndex]!, purpose, code);
      },
      cancelled: (witnessIndex, isUnneeded) => {
        if (isUnneeded) observer.witnessUnneeded(this.#ids[witnessIndex]!, purpose);
        const answer = heardOut.get(witnessIndex);
        if (answer !== undefined) void this.#bookLate(witnessIndex, purpose, message, answer);
      },
    });
    try {
      return await collecting.run(signal);
    } finally {
      cancel.abort(ROUND_OVER);
    }
  }

  /**
   * Whom to ask for the signatures of a round: all at once, but for those of this thread that the
   * threshold does not need, who come in when another fails. `turn` says who they are.
   */
  witnessOrder(turn: number): WitnessOrder {
    const here = this.#witnessIndexes.filter((witnessIndex) =>
      this.witnesses[witnessIndex]!.client.inProcess === true
    );
    const spares = here.length - this.threshold;
    if (spares <= 0) return this.#allToSign;
    const first = turn % here.length;
    const late = [...here.slice(first), ...here.slice(0, first)].slice(0, spares);
    const early = this.#witnessIndexes.filter((witnessIndex) => !late.includes(witnessIndex));
    return { witnessIndexes: [...early, ...late], atOnce: early.length, purpose: "sign" };
  }

  /**
   * Whether a request to the witness at `place` is heard to its end, though its collection may be over
   * before.
   */
  isHeardOut(witnessIndex: number, purpose: WitnessPurpose): boolean {
    return this.#heardOut.has(`${purpose} ${witnessIndex}`);
  }

  /** Probes every witness. Never rejects. */
  async checkHealth(signal: AbortSignal): Promise<void> {
    await Promise.all(this.witnesses.map(async ({ client }, witnessIndex) => {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(this.timeoutMs)]);
      try {
        await abortable(client.checkHealth(limit), limit);
        this.health.succeeded(witnessIndex, "probe");
      } catch (error) {
        if (!signal.aborted) this.health.failed(witnessIndex, "probe", codeOf(error));
      }
    }));
    this.health.review();
  }

  /**
   * While a kind of work fails, one request of it at a time is heard to its end, though the collection
   * is over without it. Otherwise a witness that is slower than others never shows that it works again.
   */
  #isToBeHeardOut(witnessIndex: number, purpose: WitnessPurpose): boolean {
    return this.health.isFailing(witnessIndex, purpose) && !this.isHeardOut(witnessIndex, purpose);
  }

  /** `answer` is for the collection. `heard` also ends when the time of the request is up. */
  #hearOut(
    witnessIndex: number,
    purpose: WitnessPurpose,
    ask: (limit: AbortSignal) => Promise<Bytes>,
    stop: AbortSignal,
  ): { readonly answer: Promise<Bytes>; readonly heard: Promise<Bytes> } {
    const key = `${purpose} ${witnessIndex}`;
    this.#heardOut.add(key);
    const answered = new AbortController();
    const late = new AbortController();
    void this.#clock.sleep(this.timeoutMs, answered.signal).then(() => late.abort(TIME_IS_UP));
    const limit = AbortSignal.any([stop, late.signal]);
    const answer = ask(limit);
    const heard = abortable(answer, limit).finally(() => {
      this.#heardOut.delete(key);
      answered.abort();
    });
    // Nobody awaits it where the collection takes the answer itself.
    heard.catch(() => {});
    return { answer, heard };
  }

  /** Books an answer that came, or did not come, after its collection was over. */
  async #bookLate(
    witnessIndex: number,
    purpose: WitnessPurpose,
    message: string,
    answer: Promise<Bytes>,
  ): Promise<void> {
    try {
      const count = this.#newCount(utf8(message), 1);
      const { right } = await count.take({ witness: witnessIndex, signature: await answer });
      if (right.length > 0) this.health.succeeded(witnessIndex, purpose);
      else this.health.failed(witnessIndex, purpose, "witness_refused");
    } catch (error) {
      const code = codeOf(error);
      if (!SAYS_NOTHING_LATE.has(code)) this.health.failed(witnessIndex, purpose, code);
    }
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
