/**
 * Asks all witnesses of the network at once and counts to the threshold ({@linkcode Count}): an
 * answer counts when it verifies under the key that is configured for the witness asked, and each
 * witness counts once. A slow, wrong or lying witness costs its own answer only.
 *
 * @module
 */

import { type Bytes, utf8 } from "../bytes.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import type { Bls } from "../crypto/bls.ts";
import type { Ed25519Verify } from "../crypto/ed25519_rule.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { AggregateCount, type Count, type Judgement, SeparateCount } from "./counting.ts";
import type { PlacedSignatureSet, WitnessClient } from "./ports.ts";

/** Made once: a reason of its own for each round would cost a stack trace. */
const ROUND_OVER = new CountersignError("witness_unreachable", "Cannot await witness: not needed");
const TIME_IS_UP = new CountersignError("witness_unreachable", "Cannot await witness: time is up");

/** A configured witness, in the order of ids that places are counted in. */
export interface PooledWitness {
  readonly id: string;
  readonly publicKey: Bytes;
  readonly client: WitnessClient;
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
  readonly #timeoutMs: number;
  readonly #health: WitnessHealth[];

  /** `clients` has one for each configured witness; `internal` otherwise. */
  constructor(
    network: NetworkConfiguration,
    clients: readonly WitnessClient[],
    context: {
      readonly verify: Ed25519Verify;
      readonly bls: Bls;
      readonly clock: Clock;
      readonly timeoutMs: number;
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
    this.#timeoutMs = context.timeoutMs;
    this.#health = this.witnesses.map(() => ({}));
  }

  /** Health by place. */
  get health(): readonly Readonly<WitnessHealth>[] {
    return this.#health;
  }

  /**
   * What exactly the threshold of witnesses signed of `message`. The rest are cancelled. Rejects with
   * `threshold_not_met`, naming what each other one did, as soon as the threshold cannot be reached,
   * and with the reason of `signal` when that aborts.
   */
  collect(
    message: string,
    ask: (witness: PooledWitness, place: number, signal: AbortSignal) => Promise<Bytes>,
    signal: AbortSignal,
  ): Promise<PlacedSignatureSet> {
    const count = this.#newCount(utf8(message));
    const cancel = new AbortController();
    const limit = cancel.signal;
    // Ends with the round at the latest, and then aborts what is aborted.
    void this.#clock.sleep(this.#timeoutMs, limit).then(() => cancel.abort(TIME_IS_UP));
    let stop = () => {};
    return new Promise<PlacedSignatureSet>((resolve, reject) => {
      const failures: string[] = [];
      let outcome: "met" | "out of reach" | undefined;
      let awaited = this.witnesses.length;
      const giveUp = () => {
        outcome = "out of reach";
        // Those that are found wrong only now are named as well.
        settle(count.judgeHeld());
        reject(thresholdNotMet(this.threshold, count.size, failures));
      };
      const fail = (place: number, code: ErrorCode) => {
        this.#failed(place, code);
        failures.push(`${this.witnesses[place]!.id}: ${code}`);
        const spare = this.witnesses.length - this.threshold;
        if (outcome === undefined && failures.length > spare) giveUp();
      };
      const settle = ({ right, wrong, set }: Judgement) => {
        for (const place of right) this.#succeeded(place);
        if (set !== undefined) {
          outcome = "met";
          resolve(set);
        }
        for (const place of wrong) fail(place, "witness_refused");
      };
      stop = () => reject(signal.reason);
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop);
      this.witnesses.forEach(async (witness, place) => {
        try {
          const signature = await abortable(ask(witness, place, limit), limit);
          // After the threshold a late answer is dropped unverified: what was counted is final.
          if (outcome !== undefined) return;
          const judgement = count.take({ witness: place, signature });
          settle(judgement instanceof Promise ? await judgement : judgement);
        } catch (error) {
          if (outcome === "met" || signal.aborted) return;
          fail(place, error instanceof CountersignError ? error.code : "witness_unreachable");
        } finally {
          // Right shares may have no sum: of keys that are each other's negatives.
          if (--awaited === 0 && outcome === undefined && !signal.aborted) giveUp();
        }
      });
    }).finally(() => {
      // `signal` outlives many rounds: nothing of this one stays on it.
      signal.removeEventListener("abort", stop);
      cancel.abort(ROUND_OVER);
    });
  }

  /** Asks every witness how it is. Never rejects. */
  async checkHealth(signal: AbortSignal): Promise<void> {
    await Promise.all(this.witnesses.map(async ({ client }, place) => {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]);
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

  #newCount(message: Bytes): Count {
    const publicKeys = this.witnesses.map(({ publicKey }) => publicKey);
    const context = { publicKeys, threshold: this.threshold, message };
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

/** `answer`, or a rejection when `signal` aborts first: a client that ignores it cannot hold us. */
function abortable<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () =>
      reject(new CountersignError("witness_unreachable", "Cannot await witness: time is up"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

function thresholdNotMet(
  required: number,
  counted: number,
  failures: readonly string[],
): CountersignError {
  return new CountersignError(
    "threshold_not_met",
    `Cannot reach the threshold: ${required} signatures required, ` +
      `found ${counted} (${failures.join(", ")})`,
  );
}
