/**
 * A witness in this process, with the same contract as a remote one.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import {
  type CosignAnswer,
  type CosignRequest,
  type RoundRequest,
  type RoundText,
  SequenceConflict,
  type WitnessReach,
} from "../../proof/format/witness_request.ts";
import type { WitnessClient, WitnessEpochs } from "../../gateway/ports.ts";
import type { Witness } from "../../witness/witness.ts";
import { witnessRefusal } from "../../http/outgoing/witness_refusal.ts";

/** {@linkcode WitnessClient} around a {@linkcode Witness}. */
export class EmbeddedWitness implements WitnessClient {
  readonly inProcess = true;
  readonly epochs: WitnessEpochs = {
    state: (signal) => this.#ask(() => this.#witness.epochState(), signal),
    end: (request, signal) => this.#ask(() => this.#witness.endEpoch(request), signal),
    begin: (request, signal) => this.#ask(() => this.#witness.beginEpoch(request), signal),
  };
  readonly #witness: Witness;

  constructor(witness: Witness) {
    this.#witness = witness;
  }

  get id(): string {
    return this.#witness.id;
  }

  sign(request: RoundRequest, signal: AbortSignal): Promise<Bytes> {
    return this.#ask(() => this.#witness.sign(request), signal);
  }

  roundsFrom(from: number, signal: AbortSignal): Promise<readonly RoundText[]> {
    return this.#ask(() => this.#witness.roundsFrom(from), signal);
  }

  cosign(request: CosignRequest, signal: AbortSignal): Promise<CosignAnswer> {
    return this.#ask(() => this.#witness.cosign(request), signal);
  }

  async checkHealth(signal: AbortSignal): Promise<void> {
    await this.#ask(() => this.#witness.checkStorage(), signal);
  }

  reach(signal: AbortSignal): Promise<WitnessReach> {
    return this.#ask(() => this.#witness.reach(), signal);
  }

  async #ask<T>(answer: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (signal.aborted) {
      throw new CountersignError(
        "witness_unreachable",
        `Cannot ask witness ${this.id}: the request was cancelled`,
        { cause: signal.reason },
      );
    }
    try {
      return await answer();
    } catch (cause) {
      throw witnessRefusal(
        this.id,
        cause instanceof CountersignError ? cause.code : undefined,
        { cause, size: cause instanceof SequenceConflict ? cause.size : undefined },
      );
    }
  }
}
