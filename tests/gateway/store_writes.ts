/**
 * Commits of a store outside a gateway.
 *
 * @module
 */

import { systemClock } from "../../src/base/clock.ts";
import { StoreWrites } from "../../src/gateway/settle.ts";

/** Calls `use` with commits on the machine's clock, and ends their timer. */
export async function withWrites<T>(use: (writes: StoreWrites) => Promise<T>): Promise<T> {
  const writes = new StoreWrites(systemClock);
  try {
    return await use(writes);
  } finally {
    writes.stop();
  }
}
