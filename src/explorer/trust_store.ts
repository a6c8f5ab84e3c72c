/**
 * The pins of this visit. They are read at start, when the reader changes them, and when another tab
 * changes them.
 *
 * @module
 */

import type { PageStorage } from "./browser_storage.ts";
import { Store } from "./store.ts";
import type { FollowedNetwork } from "../proof/verify/followed_network.ts";
import {
  followPins,
  type PinnedTrust,
  readPins,
  storePins,
  TRUST_ENTRY,
  withFollowed,
} from "./trust.ts";
import type { CryptoLoader } from "./assets.ts";

/** `broken`: the stored pins cannot be read. `kept`: false if they last for this visit only. */
export type TrustState =
  | { readonly state: "loading" | "none" }
  | { readonly state: "pinned"; readonly trust: PinnedTrust; readonly kept: boolean }
  | { readonly state: "broken"; readonly error: unknown };

/** One for the life of the page. */
export class TrustStore extends Store<TrustState> {
  readonly #storage: PageStorage;
  readonly #crypto: CryptoLoader;
  /** Incremented at every change, so that a slow `load` does not undo a later change. */
  #version = 0;

  constructor(storage: PageStorage, crypto: CryptoLoader) {
    super({ state: "loading" });
    this.#storage = storage;
    this.#crypto = crypto;
  }

  /** Reads the stored pins. Never rejects. */
  async load(): Promise<void> {
    const version = ++this.#version;
    let state: TrustState;
    try {
      const bls = await this.#crypto.blsFor(this.#storage.read(TRUST_ENTRY) ?? "");
      const stored = readPins(this.#storage, bls);
      if (stored === undefined) state = { state: "none" };
      else {
        const { home, peers } = stored;
        const hasChain = [home, ...peers].some(({ chain, network }) =>
          chain.length > 0 || network.succession !== undefined
        );
        const trust = hasChain ? await followPins(await this.#crypto.crypto(), stored) : stored;
        state = { state: "pinned", trust, kept: true };
      }
    } catch (error) {
      state = { state: "broken", error };
    }
    if (version === this.#version) this.setState(state);
  }

  /** Pins `trust`, for this visit only if the browser refuses to store it. */
  pin(trust: PinnedTrust): void {
    this.#version++;
    this.setState({ state: "pinned", trust, kept: storePins(this.#storage, trust) });
  }

  /** Keeps the epochs that were followed from a pin: what an ended epoch signs later is refused. */
  keep(followed: FollowedNetwork): void {
    const { state } = this;
    const trust = state.state === "pinned" ? withFollowed(state.trust, followed) : undefined;
    if (trust !== undefined) this.pin(trust);
  }

  /** Removes all pins. */
  forget(): void {
    this.#version++;
    this.#storage.remove(TRUST_ENTRY);
    this.setState({ state: "none" });
  }
}
