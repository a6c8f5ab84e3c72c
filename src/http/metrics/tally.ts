/**
 * Counts by name.
 *
 * @module
 */

/** Counts names of a closed vocabulary. */
export class Tally<Name extends string> {
  readonly #counts = new Map<Name, number>();

  /** Names in `known` start at 0, so that Prometheus sees their first increase. */
  constructor(known: readonly Name[] = []) {
    for (const name of known) this.#counts.set(name, 0);
  }

  count(name: Name): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  [Symbol.iterator](): IterableIterator<[Name, number]> {
    return this.#counts.entries();
  }
}
