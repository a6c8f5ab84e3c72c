/**
 * The keys of a running issuer, created and removed on the schedule of `tokens/key_schedule.ts`.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../clock.ts";
import type { IssuerNode } from "../config/issuer_node.ts";
import { type IssuerKey, issuerKeyOf, type IssuerSecret } from "../tokens/issuer_key.ts";
import { lasting, missingPeriod } from "../tokens/key_schedule.ts";
import { addKey, readKeys, removeKey, removeUnfinished } from "./issuer_folder.ts";

/** The caller holds the lock of the folder. */
export interface IssuerKeysOptions {
  readonly folder: string;
  readonly node: IssuerNode;
  readonly clock: Clock;
}

/** See the module. */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  #secrets: readonly IssuerSecret[];

  private constructor(options: IssuerKeysOptions, secrets: readonly IssuerSecret[]) {
    this.#options = options;
    this.#secrets = secrets;
  }

  /** Reads the keys of the folder. `invalid_key`, `file_failed`. */
  static async open(options: IssuerKeysOptions): Promise<IssuerKeys> {
    const { folder } = options;
    await removeUnfinished(folder);
    return new IssuerKeys(options, await readKeys(folder));
  }

  /**
   * Creates the missing key, if any, and removes expired keys. With `early` it creates the next key
   * whatever the age of the current one. `file_failed`.
   */
  async rotate({ early = false } = {}): Promise<void> {
    const { folder, node, clock } = this.#options;
    const now = unixSeconds(clock);
    const period = missingPeriod(this.#secrets, { rotation: node.rotation, now, early });
    if (period !== undefined) {
      this.#secrets = [...this.#secrets, await addKey(folder, period, this.#secrets)];
    }
    // After their successors are durable.
    const kept = lasting(this.#secrets, now);
    for (const secret of this.#secrets) {
      if (!kept.includes(secret)) await removeKey(folder, secret);
    }
    this.#secrets = kept;
  }

  /** The keys, ready to issue. */
  ready(): readonly IssuerKey[] {
    return this.#secrets.map(issuerKeyOf);
  }
}
