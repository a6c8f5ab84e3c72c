/**
 * The refusal of a store that takes no writes.
 *
 * @module
 */

import { CountersignError } from "./errors.ts";

/** `storage_failed` while the store rejects writes. It is logged once, not for each request. */
export class StoreOutage extends CountersignError {
  constructor(message: string, cause?: unknown) {
    super("storage_failed", message, { cause });
  }
}
