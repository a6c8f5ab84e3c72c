/**
 * Asks all witnesses of the network at once and counts to the threshold, or to more
 * ({@linkcode Collecting}, {@linkcode Count}): an answer counts when it verifies under the key that is
 * configured for the witness asked, and each witness counts once. A slow, wrong or lying witness costs
 * its own answer only.
 *
 * @module
 */

import { type Bytes, utf8 } from "../bytes.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import type { Bls } from "../crypto/bls.ts";
import type { Ed25519Verify } from "../crypto/ed25519_rule.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { abortable, Collecting } from "./collecting.ts";
import { AggregateCount, type Count, SeparateCount } from "./counting.ts";
import { NO_OBSERVER, type PipelineObserver, type WitnessPurpose } from "./observer.ts";
import type { PlacedSignatureSet, WitnessClient } from "./ports.ts";
import { NO_TRACER, type Tracer } from "./tracer.ts";

/** Made once: a reason of its own for each round would cost a stack trace. */
const ROUND_OVER = new CountersignError("witness_unreachable", "Cannot await witness: not needed");
const TIME_IS_UP = new CountersignError("witness_unreachable", "Cannot await witness: time is up");

/** A configured witness, in the order of ids that places are counted in. */
export interface PooledWitness {
  readonly id: string;
  readonly publicKey: Bytes;
  readonly client: WitnessClient;
}

/** In which order witnesses are asked, and how many of them without waiting for another. */
export interface Asking {
  /** Every place once. */
  readonly places: readonly number[];
  readonly atOnce: number;
  /** How many signatures make the set: the threshold when absent, and never fewer. */
  readonly required?: number;
  /** Cosignatures when absent. */
  readonly purpose?: WitnessPurpose;
}

/** How a witness has answered lately. */
export interface WitnessHealth {
  /** Unix seconds of its last good answer. */
  lastSeenAt?: number;
  /** Code of its last failure since then. */
  lastError?: ErrorCode;
}

/** The witnesses of one network, ascending by id. */
export class WitnessPool {
  readonly witnesses: readonly PooledWitness[];
  readonly threshold: number;
  readonly #network: NetworkConfiguration;
  readonly #verify: Ed25519Verify;
  readonly #bls: Bls;
  readonly #clock: Clock;
  /** How long a witness has for one answer. */
  readonly timeoutMs: number;
  readonly #observer: PipelineObserver;
  readonly #tracer: Tracer;
  readonly #health: WitnessHealth[];
  readonly #ids: readonly string[];
  /** All places, ascending. */
  readonly #places: readonly number[];
  readonly #all: Asking;
  readonly #allToSign: Asking;

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
    this.#health = this.witnesses.map(() => ({}));
    this.#ids = this.witnesses.map(({ id }) => id);
    this.#places = this.witnesses.map((_, place) => place);
    this.#all = { places: this.#places, atOnce: this.#places.length };
    this.#allToSign = { ...this.#all, purpose: "sign" };
  }

  /** Health by place. */
  get health(): readonly Readonly<WitnessHealth>[] {
    return this.#health;
  }

  /**
   * What exactly as many witnesses as are required signed of `message`, asked in the order of
   * `places`: the first `atOnce` at once, one more for each that fails. The rest are cancelled.
   * Rejects with `threshold_not_met`, naming what each other one did, as soon as that is out of
   * reach, and with the reason of `signal` when that aborts.
   */
  async collect(
    message: string,
    ask: (witness: PooledWitness, place: number, signal: AbortSignal) => Promise<Bytes>,
    signal: AbortSignal,
    { places, atOnce, required = this.threshold, purpose = "cosign" }: Asking = this.#all,
  ): Promise<PlacedSignatureSet> {
    const cancel = new AbortController();
    const limit = cancel.signal;
    // Ends with the round at the latest, and then aborts what is aborted.
    void this.#clock.sleep(this.timeoutMs, limit).then(() => cancel.abort(TIME_IS_UP));
    const observer = this.#observer;
    const askedMs: number[] = [];
    const collecting = new Collecting({
      count: this.#newCount(utf8(message), required),
      required,
      ids: this.#ids,
      places,
      atOnce,
      ask: (place, limit) => {
        askedMs[place] = this.#clock.nowMs();
        const witness = this.witnesses[place]!;
        return this.#tracer.span(
          purpose,
          { witness: witness.id },
          () => ask(witness, place, limit),
        );
      },
      limit,
      answered: (place) =>
        observer.witnessAnswered(
          this.#ids[place]!,
          purpose,
          this.#clock.nowMs() - askedMs[place]!,
        ),
      succeeded: (place) => this.#succeeded(place),
      failed: (place, code) => {
        this.#failed(place, code);
        observer.witnessFailed(this.#ids[place]!, purpose, code);
      },
      unneeded: (place) => observer.witnessUnneeded(this.#ids[place]!, purpose),
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
  askingOf(turn: number): Asking {
    const here = this.#places.filter((place) => this.witnesses[place]!.client.isHere === true);
    const spares = here.length - this.threshold;
    if (spares <= 0) return this.#allToSign;
    const first = turn % here.length;
    const late = [...here.slice(first), ...here.slice(0, first)].slice(0, spares);
    const early = this.#places.filter((place) => !late.includes(place));
    return { places: [...early, ...late], atOnce: early.length, purpose: "sign" };
  }

  /** Asks every witness how it is. Never rejects. */
  async checkHealth(signal: AbortSignal): Promise<void> {
    await Promise.all(this.witnesses.map(async ({ client }, place) => {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(this.timeoutMs)]);
      try {
        await abortable(client.checkHealth(limit), limit);
        this.#succeeded(place);
      } catch (error) {
        if (signal.aborted) return;
        const code = error instanceof CountersignError ? error.code : "witness_unreachable";
        this.#failed(place, code);
      }
    }));
  }

  #newCount(message: Bytes, required: number): Count {
    const publicKeys = this.witnesses.map(({ publicKey }) => publicKey);
    const context = { publicKeys, threshold: required, message };
    if (this.#network.signature_scheme === "ed25519") {
      return new SeparateCount(context, this.#verify);
    }
    const suspects = this.#health.flatMap(({ lastError }, place) =>
      lastError === "witness_refused" ? [place] : []
    );
    return new AggregateCount(context, this.#bls, new Set(suspects));
  }

  #succeeded(place: number): void {
    this.#health[place] = { lastSeenAt: unixSeconds(this.#clock) };
  }

  #failed(place: number, code: ErrorCode): void {
    const { lastSeenAt } = this.#health[place]!;
    this.#health[place] = { ...(lastSeenAt !== undefined && { lastSeenAt }), lastError: code };
  }
}
