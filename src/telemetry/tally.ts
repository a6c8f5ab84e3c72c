/**
 * Counts by name, for names of a closed vocabulary.
 *
 * @module
 */

/** How often each name was counted. */
export class Tally<Name extends string> {
  readonly #counts = new Map<Name, number>();

  /** Names that are known from the start are told with 0, so that their first rise is seen. */
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
