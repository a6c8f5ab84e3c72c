/**
 * The networks that the model of rounds has.
 *
 * @module
 */

import type { Network } from "./rules.ts";

/** Any two quorums share one witness, so none may lie. */
export const THREE: Network = { count: 3, threshold: 2, liars: 0 };

/** Any two quorums share two witnesses, so one may lie. */
export const FOUR: Network = { count: 4, threshold: 3, liars: 1 };
