/**
 * The visitor's memory of tree heads, in the storage of the browser: one head for each network, and
 * evidence of one fork. A browser may forbid storage, have none left, or hold something else there;
 * each is told, and none is an error.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import {
  encodeRememberedHead,
  parseRememberedHead,
  type RememberedHead,
} from "./remembered_head.ts";

/** What is used of the browser's `Storage`. Every method may throw. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
}

/** What is remembered of a network. `damaged`: what stands there is no head of it. */
export type StoredHead =
  | { readonly kind: "none" }
  | { readonly kind: "blocked" }
  | { readonly kind: "damaged"; readonly text: string }
  | { readonly kind: "head"; readonly text: string; readonly head: RememberedHead };

/**
 * What became of something to keep. `changed`: another tab was there first. `full`: the browser
 * refuses to store more.
 */
export type Keeping = "kept" | "changed" | "full" | "blocked";

const HEAD_PREFIX = "countersign.head.";
const FORK_PREFIX = "countersign.fork.";

/** Heads and evidence by network id. */
export class HeadStore {
  readonly #open: () => TextStorage;

  /** `open` throws where the browser forbids storage: to name it is to be refused. */
  constructor(open: () => TextStorage) {
    this.#open = open;
  }

  read(id: string): StoredHead {
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

  /**
   * Keeps `head` in place of `expected`, the text that was read (`undefined` for none). Reading and
   * writing are one step of this tab; tabs take turns by a lock where the browser has one.
   */
  replace(expected: string | undefined, head: RememberedHead): Keeping {
    const key = HEAD_PREFIX + head.sth.tree_head.network_id;
    const found = this.#get(key);
    if (found === undefined) return "blocked";
    if (found !== (expected ?? null)) return "changed";
    return this.#set(key, encodeRememberedHead(head));
  }

  /** Evidence of a fork of network `id`, as it was kept. */
  evidence(id: string): string | undefined {
    return this.#get(FORK_PREFIX + id) ?? undefined;
  }

  /** Keeps the first evidence: it stays until the visitor clears it. */
  keepEvidence(id: string, text: string): Keeping {
    const found = this.#get(FORK_PREFIX + id);
    if (found === undefined) return "blocked";
    return found === null ? this.#set(FORK_PREFIX + id, text) : "kept";
  }

  /** Forgets head and evidence of network `id`. Only the visitor asks for that. */
  forget(id: string): void {
    try {
      const storage = this.#open();
      storage.removeItem(HEAD_PREFIX + id);
      storage.removeItem(FORK_PREFIX + id);
    } catch {
      // What cannot be reached cannot hold anything either.
    }
  }

  /** Whether a change of `key` by another tab is about network `id`. */
  concerns(id: string, key: string | null): boolean {
    return key === null || key === HEAD_PREFIX + id || key === FORK_PREFIX + id;
  }

  /** `null` where nothing stands, `undefined` where nothing can be read. */
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
