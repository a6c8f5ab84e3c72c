/**
 * The pinned trust of this visit: read once, changed by the reader alone, and read anew when another
 * tab changes it.
 *
 * @module
 */

import type { PageStorage } from "./browser_storage.ts";
import { type PinnedTrust, readPins, storePins, TRUST_ENTRY } from "./trust.ts";
import type { CryptoLoader } from "./verifier.ts";

/** What is pinned. `broken`: something is kept and cannot be read. */
export type TrustState =
  | { readonly state: "loading" | "none" }
  | { readonly state: "pinned"; readonly trust: PinnedTrust; readonly kept: boolean }
  | { readonly state: "broken"; readonly error: unknown };

/** One for the life of the page. */
export class TrustKeeper {
  readonly #storage: PageStorage;
  readonly #crypto: CryptoLoader;
  readonly #listeners = new Set<() => void>();
  #state: TrustState = { state: "loading" };
  /** Rises with every change, so that a slow reading does not undo a later change. */
  #version = 0;

  constructor(storage: PageStorage, crypto: CryptoLoader) {
    this.#storage = storage;
    this.#crypto = crypto;
  }

  get state(): TrustState {
    return this.#state;
  }

  /** Calls `listener` after every change; the result ends that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads what is kept. Never rejects. */
  async load(): Promise<void> {
    const version = ++this.#version;
    let state: TrustState;
    try {
      const bls = await this.#crypto.blsFor(this.#storage.read(TRUST_ENTRY) ?? "");
      const trust = readPins(this.#storage, bls);
      state = trust === undefined ? { state: "none" } : { state: "pinned", trust, kept: true };
    } catch (error) {
      state = { state: "broken", error };
    }
    if (version === this.#version) this.#change(state);
  }

  /** Pins `trust`, for this visit where the browser keeps nothing. */
  pin(trust: PinnedTrust): void {
    this.#version++;
    this.#change({ state: "pinned", trust, kept: storePins(this.#storage, trust) });
  }

  /** Forgets everything that is pinned. */
  forget(): void {
    this.#version++;
    this.#storage.remove(TRUST_ENTRY);
    this.#change({ state: "none" });
  }

  #change(state: TrustState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
