/**
 * Remembered tree heads in a browser's storage: one head for each network, and evidence of one fork.
 * Storage that is forbidden, full or damaged is a result, not an error.
 *
 * @module
 */

import { CountersignError } from "../base/errors.ts";
import {
  encodeRememberedHead,
  parseRememberedHead,
  type RememberedHead,
} from "./remembered_head.ts";

/** The part of `Storage` that is used. Every method may throw. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
}

/** The remembered head of a network. `damaged`: the stored text is not a head of this network. */
export type SavedHead =
  | { readonly kind: "none" }
  | { readonly kind: "blocked" }
  | { readonly kind: "damaged"; readonly text: string }
  | { readonly kind: "head"; readonly text: string; readonly head: RememberedHead };

/** The result of a write. `changed`: another tab wrote first; `full`: the browser stores no more. */
export type Keeping = "kept" | "changed" | "full" | "blocked";

const HEAD_PREFIX = "countersign.head.";
const FORK_PREFIX = "countersign.fork.";

/** Heads and evidence by network id. */
export class HeadStore {
  readonly #open: () => TextStorage;

  /** `open` throws if the browser forbids storage. */
  constructor(open: () => TextStorage) {
    this.#open = open;
  }

  read(id: string): SavedHead {
    const text = this.#get(HEAD_PREFIX + id);
    if (text === undefined) return { kind: "blocked" };
    if (text === null) return { kind: "none" };
    try {
      return { kind: "head", text, head: parseRememberedHead(text, id) };
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error;
      return { kind: "damaged", text };
    }
  }

  /** Stores `head` if the stored text is still `expected` (`undefined` for none). */
  replace(expected: string | undefined, head: RememberedHead): Keeping {
    const key = HEAD_PREFIX + head.sth.tree_head.network_id;
    const found = this.#get(key);
    if (found === undefined) return "blocked";
    if (found !== (expected ?? null)) return "changed";
    return this.#set(key, encodeRememberedHead(head));
  }

  /** The stored evidence of a fork of network `id`. */
  evidence(id: string): string | undefined {
    return this.#get(FORK_PREFIX + id) ?? undefined;
  }

  /** Stores evidence unless there is some already: the first evidence stays until it is cleared. */
  keepEvidence(id: string, text: string): Keeping {
    const found = this.#get(FORK_PREFIX + id);
    if (found === undefined) return "blocked";
    return found === null ? this.#set(FORK_PREFIX + id, text) : "kept";
  }

  /** Removes head and evidence of network `id`. Call this only at the user's request. */
  forget(id: string): void {
    try {
      const storage = this.#open();
      storage.removeItem(HEAD_PREFIX + id);
      storage.removeItem(FORK_PREFIX + id);
    } catch {
      // Storage that cannot be opened holds nothing.
    }
  }

  /** Whether a change of `key` by another tab is about network `id`. */
  concerns(id: string, key: string | null): boolean {
    return key === null || key === HEAD_PREFIX + id || key === FORK_PREFIX + id;
  }

  /** `null` if nothing is stored, `undefined` if storage cannot be read. */
  #get(key: string): string | null | undefined {
    try {
      return this.#open().getItem(key);
    } catch {
      return undefined;
    }
  }

  #set(key: string, text: string): Keeping {
    try {
      this.#open().setItem(key, text);
      return "kept";
    } catch {
      return "full";
    }
  }
}
