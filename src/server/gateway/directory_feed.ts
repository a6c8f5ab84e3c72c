/**
 * The accepted directories of followed issuers, for fronts: a front gets the current ones when it starts,
 * and each later one.
 *
 * @module
 */

import { encodeIssuerDirectory, type IssuerDirectory } from "../../format/issuer_directory.ts";

/** The directory of a followed issuer, as threads send it. */
export interface AcceptedDirectory {
  /** Name of the issuer. */
  readonly issuer: string;
  /** Its JSON. */
  readonly text: string;
}

/** See the module. */
export class DirectoryFeed {
  readonly #current = new Map<string, AcceptedDirectory>();
  readonly #listeners = new Set<(directory: AcceptedDirectory) => void>();

  /** The latest directory of each issuer whose directory was ever accepted. */
  get current(): readonly AcceptedDirectory[] {
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
  onAccepted(listener: (directory: AcceptedDirectory) => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }
}
