/**
 * The accepted directories of followed issuers, for fronts: a front gets the current ones when it starts,
 * and each later one.
 *
 * @module
 */

import {
  encodeIssuerDirectory,
  type IssuerDirectory,
} from "../../proof/format/issuer_directory.ts";

/** A directory as the sequencer sends it to fronts. */
export interface SentDirectory {
  /** Name of the issuer. */
  readonly issuer: string;
  readonly text: string;
}

export class DirectoryFeed {
  readonly #current = new Map<string, SentDirectory>();
  readonly #listeners = new Set<(directory: SentDirectory) => void>();

  /** The latest directory of each issuer whose directory was ever accepted. */
  get current(): readonly SentDirectory[] {
    return [...this.#current.values()];
  }

  /** Publishes `directory` unless it is the current one. */
  accept(issuer: string, directory: IssuerDirectory): void {
    const accepted = { issuer, text: encodeIssuerDirectory(directory) };
    if (this.#current.get(issuer)?.text === accepted.text) return;
    this.#current.set(issuer, accepted);
    for (const listener of this.#listeners) listener(accepted);
  }

  /** Calls `listener` with each directory that is accepted from now on, until `signal` aborts. */
  onAccepted(listener: (directory: SentDirectory) => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }
}
