/**
 * SHA-256 in a log: single messages, a level of a tree, a round.
 *
 * @module
 */

import { benchTrials } from "./bench_trials.ts";
import { HASH_OPERATIONS, hashingTrials, TREE_OPERATIONS } from "./hashing_operations.ts";

for (const operation of [...HASH_OPERATIONS, ...TREE_OPERATIONS]) {
  benchTrials(operation.name, hashingTrials(operation));
}
