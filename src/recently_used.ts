/**
 * A bounded cache: what was not used for longest gives way.
 *
 * @module
 */

/** At most so many values by key. A value is never `undefined`. */
export class RecentlyUsed<Key, Value> {
  readonly #limit: number;
  /** In the order of use, the latest last. */
  readonly #values = new Map<Key, Value>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The value under `key`, which is the latest used from here on. */
  get(key: Key): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) {
      this.#values.delete(key);
      this.#values.set(key, value);
    }
    return value;
  }

  set(key: Key, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#limit) return;
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest);
      return;
    }
  }

  delete(key: Key): void {
    this.#values.delete(key);
  }
}
