/**
 * Imported public keys, kept because an import adds a quarter to a verification (7 us to 25).
 *
 * @module
 */

import { hexOf } from "../bytes.ts";

/** At most `limit` imported keys of type `Key`, by their public bytes; the oldest gives way. */
export class KeyCache<Key> {
  readonly #limit: number;
  readonly #keys = new Map<string, Key>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The imported form of `publicKey`, when it is kept. */
  get(publicKey: Uint8Array): Key | undefined {
    return this.#keys.get(hexOf(publicKey));
  }

  /** Keeps `key` as the imported form of `publicKey`. */
  set(publicKey: Uint8Array, key: Key): void {
    if (this.#keys.size >= this.#limit) {
      for (const oldest of this.#keys.keys()) {
        this.#keys.delete(oldest);
        break;
      }
    }
    this.#keys.set(hexOf(publicKey), key);
  }
}
