/**
 * Contradictions as they are kept: each pair of heads once, and a bounded number for each log, since
 * a network that contradicts itself can do so as often as it signs.
 *
 * @module
 */

import type { Contradiction, FederationStore } from "./ports.ts";

/** Of one log: more show nothing more. */
export const MAX_EVIDENCE_PER_ORIGIN = 16;

/** More than the peers that a network may sensibly have can fill. */
const MAX_EVIDENCE = 4_096;

/** The contradictions of a store, which nobody else writes to: read once, and kept in memory. */
export class Evidence {
  readonly #store: FederationStore;
  readonly #found: (contradiction: Contradiction) => void;
  /** As stored; `undefined` when that has to be read. */
  #all: Promise<Contradiction[]> | undefined;

  /** @param found told of a new contradiction, once it is durable */
  constructor(store: FederationStore, found: (contradiction: Contradiction) => void) {
    this.#store = store;
    this.#found = found;
  }

  /** Durable once resolved, unless it or enough others of its log were there. `storage_failed`. */
  async add(contradiction: Contradiction): Promise<void> {
    const all = await this.#read();
    const known = all.filter(({ origin }) => origin === contradiction.origin);
    const pair = pairOf(contradiction);
    if (known.length >= MAX_EVIDENCE_PER_ORIGIN) return;
    if (known.some((other) => pairOf(other) === pair)) return;
    // A rejection may have stored it: it is added again when it is shown again, and told then.
    await this.#store.addContradiction(contradiction);
    all.push(contradiction);
    this.#found(contradiction);
  }

  /** Oldest first. `storage_failed`. */
  async all(): Promise<readonly Contradiction[]> {
    return [...await this.#read()];
  }

  async #read(): Promise<Contradiction[]> {
    this.#all ??= this.#store.contradictions(MAX_EVIDENCE);
    try {
      return await this.#all;
    } catch (error) {
      this.#all = undefined;
      throw error;
    }
  }
}

/** Sizes and roots of both heads, in no order where the sizes are one. */
function pairOf({ first, second }: Contradiction): string {
  return [first, second].map(({ sth: { tree_head: head } }) =>
    `${head.tree_size} ${head.root_hash}`
  )
    .toSorted().join();
}
