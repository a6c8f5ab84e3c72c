/**
 * Wraps the client of a witness to change some of its answers.
 *
 * @module
 */

import type { WitnessClient, WitnessEpochs } from "../../src/gateway/ports.ts";

/** `client` with `changes`. It counts as remote. */
export function wrapped(
  client: WitnessClient,
  changes: Partial<Omit<WitnessClient, "id">>,
): WitnessClient {
  return {
    id: client.id,
    sign: (...args) => client.sign(...args),
    cosign: (...args) => client.cosign(...args),
    checkHealth: (...args) => client.checkHealth(...args),
    reach: (...args) => client.reach(...args),
    roundsFrom: (...args) => client.roundsFrom(...args),
    epochs: client.epochs,
    ...changes,
  };
}

/** The base of witnesses that change some answers of another one. It counts as remote. */
export class WrappedWitness implements WitnessClient {
  readonly id: string;
  readonly epochs: WitnessEpochs;
  protected readonly client: WitnessClient;

  constructor(client: WitnessClient) {
    this.id = client.id;
    this.epochs = client.epochs;
    this.client = client;
  }

  sign(...args: Parameters<WitnessClient["sign"]>): ReturnType<WitnessClient["sign"]> {
    return this.client.sign(...args);
  }

  cosign(...args: Parameters<WitnessClient["cosign"]>): ReturnType<WitnessClient["cosign"]> {
    return this.client.cosign(...args);
  }

  checkHealth(signal: AbortSignal): Promise<void> {
    return this.client.checkHealth(signal);
  }

  reach(signal: AbortSignal): ReturnType<WitnessClient["reach"]> {
    return this.client.reach(signal);
  }

  roundsFrom(
    ...args: Parameters<WitnessClient["roundsFrom"]>
  ): ReturnType<WitnessClient["roundsFrom"]> {
    return this.client.roundsFrom(...args);
  }
}

const refuse = () => Promise.reject(new Error("asked about epochs"));

/** The epochs of a witness whose network never changes. */
export const NO_EPOCHS: WitnessEpochs = { state: refuse, end: refuse, begin: refuse };
