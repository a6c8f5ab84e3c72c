/**
 * A bounded cache that drops the least recently used value.
 *
 * @module
 */

/** At most `limit` values by key. Values must not be `undefined`. */
export class RecentlyUsed<Key, Value> {
  readonly #limit: number;
  /** Most recently used last. */
  readonly #values = new Map<Key, Value>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns the value of `key` and marks it as used. */
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
