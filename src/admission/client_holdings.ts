/**
 * How much of one thing each client holds at this moment, and how much all clients hold together.
 *
 * @module
 */

import type { ClientKey } from "./token_buckets.ts";

/** Names a client in maps, and where clients take turns. */
export function clientName({ high, low }: ClientKey): string {
  return `${high}:${low}`;
}

/** Has an entry only for each client that holds something, so holdings bound its memory. */
export class ClientHoldings {
  readonly #held = new Map<string, number>();
  #all = 0;

  /** What all clients hold together. */
  get all(): number {
    return this.#all;
  }

  /** Clients that hold something. */
  get clients(): number {
    return this.#held.size;
  }

  /** What `client` holds. */
  of(client: ClientKey): number {
    return this.#held.get(clientName(client)) ?? 0;
  }

  /** `client` holds `amount` more until the answered function is called; further calls do nothing. */
  add(client: ClientKey, amount: number): () => void {
    const name = clientName(client);
    this.#held.set(name, (this.#held.get(name) ?? 0) + amount);
    this.#all += amount;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#all -= amount;
      const left = this.#held.get(name)! - amount;
      if (left > 0) this.#held.set(name, left);
      else this.#held.delete(name);
    };
  }
}
