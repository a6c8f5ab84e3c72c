/**
 * The one place that chooses the implementation of the `bls` scheme which a program runs with.
 *
 * @module
 */

import type { Bls } from "./bls.ts";
import { portableBls } from "./portable_bls.ts";

/** The fastest implementation that runs here. */
export function loadBls(): Promise<Bls> {
  return Promise.resolve(portableBls);
}
