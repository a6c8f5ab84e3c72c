/**
 * Several scenarios on the same connections, chosen by weight.
 *
 * @module
 */

import type { Answer } from "./answer_reader.ts";
import type { Check, Client, Scenario } from "./scenario.ts";

/** A scenario and how often it is chosen, relative to the others. */
export interface Weighted {
  readonly scenario: Scenario;
  readonly weight: number;
}

/** `mixed`: of look-ups only. */
export function mixedScenario(parts: readonly Weighted[]): Scenario {
  return {
    name: "mixed",
    hashes: 1,
    submits: false,
    client: () => new MixedClient(parts),
  };
}

class MixedClient implements Client {
  readonly #clients: readonly Client[];
  /** Upper bounds of each client's share of [0, total). */
  readonly #bounds: readonly number[];
  readonly #total: number;
  #current: Client;

  constructor(parts: readonly Weighted[]) {
    this.#clients = parts.map(({ scenario }) => scenario.client());
    let total = 0;
    this.#bounds = parts.map(({ weight }) => total += weight);
    this.#total = total;
    this.#current = this.#clients[0]!;
  }

  next(): Uint8Array {
    const point = Math.random() * this.#total;
    this.#current = this.#clients[this.#bounds.findIndex((bound) => point < bound)]!;
    return this.#current.next();
  }

  accepts(answer: Answer): boolean {
    return this.#current.accepts(answer);
  }

  check(answer: Answer): Check {
    return this.#current.check(answer);
  }
}
