/**
 * What a gateway concludes when its store fails.
 *
 * @module
 */

import { hasCode } from "../errors.ts";
import type { LogStore } from "./ports.ts";

/**
 * `fence_lost` where that explains `error`: what another process writes beneath this one looks like a
 * damaged store.
 */
export async function unlessFenceLost(store: LogStore, error: unknown): Promise<unknown> {
  if (!hasCode(error, "store_corrupt")) return error;
  try {
    await store.checkFence();
  } catch (cause) {
    if (hasCode(cause, "fence_lost")) return cause;
  }
  return error;
}
