/**
 * Counts how much of one thing each client holds, such as open requests. `HeldQuota` bounds it.
 *
 * @module
 */

import { type ClientKey, clientName } from "./client_key.ts";

/** Ends a holding; further calls do nothing. */
export type Release = () => void;

/** The bound that an amount would exceed: of one client, of all, or of the clients in a table. */
export type Excess = "client" | "total" | "clients";

/** What clients hold, in one thread ({@linkcode LocalHoldings}) or over all fronts. */
export interface ClientHoldings {
  /** The sum of all amounts. */
  readonly total: number;
  /** The number of clients that hold something. */
  readonly clients: number;
  of(client: ClientKey): number;
  /**
   * Adds `amount`, a positive integer, to what `client` holds until the returned function is called.
   * Adds nothing and returns the bound if `client` would hold more than `perClient`, or all clients
   * together more than `total`. Without `client`, only `total` bounds it.
   */
  hold(
    client: ClientKey | undefined,
    amount: number,
    perClient: number,
    total: number,
  ): Release | Excess;
}

/** Amounts by name. Only names that hold something use memory. */
export class Holdings {
  readonly #held = new Map<string, number>();
  #total = 0;

  /** The sum of all amounts. */
  get total(): number {
    return this.#total;
  }

  /** The number of names that hold something. */
  get names(): number {
    return this.#held.size;
  }

  of(name: string): number {
    return this.#held.get(name) ?? 0;
  }

  /** Adds `amount` until the returned function is called. Without `name`, only to the total. */
  add(name: string | undefined, amount: number): Release {
    if (name !== undefined) this.#held.set(name, this.of(name) + amount);
    this.#total += amount;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#total -= amount;
      if (name === undefined) return;
      const left = this.of(name) - amount;
      if (left > 0) this.#held.set(name, left);
      else this.#held.delete(name);
    };
  }
}

/** {@linkcode ClientHoldings} of one thread. */
export class LocalHoldings implements ClientHoldings {
  readonly #holdings = new Holdings();

  get total(): number {
    return this.#holdings.total;
  }

  get clients(): number {
    return this.#holdings.names;
  }

  of(client: ClientKey): number {
    return this.#holdings.of(clientName(client));
  }

  hold(
    client: ClientKey | undefined,
    amount: number,
    perClient: number,
    total: number,
  ): Release | Excess {
    if (this.total + amount > total) return "total";
    if (client === undefined) return this.#holdings.add(undefined, amount);
    const name = clientName(client);
    if (this.#holdings.of(name) + amount > perClient) return "client";
    return this.#holdings.add(name, amount);
  }
}
