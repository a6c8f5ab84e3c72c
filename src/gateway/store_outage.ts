/**
 * What a gateway concludes when its store fails.
 *
 * @module
 */

import { hasCode } from "../errors.ts";
import type { LogStore } from "./ports.ts";

/**
 * `error`, or `fence_lost` if another process took the fence: its writes look like a
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
