/**
 * Whether tests run as long as `nightly.yml` wants: what a push waits for is a part of it.
 *
 * @module
 */

import process from "node:process";
import { inSteps, SCHEMES } from "./schemes.ts";

export const IS_LONG = process.env.COUNTERSIGN_TEST_LONG === "1";

/** Registers a scenario in which the scheme makes little difference: short runs try one. */
export const eachSchemeOfLongRuns = inSteps(IS_LONG ? SCHEMES : ["ed25519"]);

/** The same for scenarios whose `ed25519` form other tests cover in short runs. */
export const blsUnlessLong = inSteps(IS_LONG ? SCHEMES : ["bls"]);

/** Registers a test of long runs: other tests cover what it shows, in part. */
export const ofLongRuns = {
  test(name: string, body: () => void | Promise<void>): void {
    if (IS_LONG) Deno.test(name, body);
  },
};
