/**
 * The log and the bundle of most tests of the verifier, and their makers.
 *
 * @module
 */

import type { ProofBundle } from "../../../src/proof/format/bundle.ts";
import type { Beacon } from "../../../src/proof/format/round.ts";
import { TestLog } from "./test_log.ts";
import { digestOf, type TestNetwork } from "./test_network.ts";

export { type RoundOptions, TestLog } from "./test_log.ts";
export {
  digestOf,
  nativeCrypto,
  type NetworkOptions,
  signerOf,
  TestNetwork,
} from "./test_network.ts";

/** Tree size at the end of the batch of most tests. */
export const BATCH_SIZE = 12;

/** Sequence of the attestation of most tests: inside a round of 5, inside the batch. */
export const SEQUENCE = 7;

/** A log of 16 attestations in four rounds, of 4, 5, 3 and 4, all with `beacon`. */
export function makeLog(network: TestNetwork, beacon?: Beacon): TestLog {
  const log = new TestLog(network);
  let count = 0;
  for (const [i, size] of [4, 5, 3, 4].entries()) {
    const hashes = Array.from({ length: size }, () => digestOf(`content ${count++}`));
    log.addRound(hashes, { timestamp: 1_766_275_200 + 10 * i, ...(beacon && { beacon }) });
  }
  return log;
}

/** A bundle of `SEQUENCE` that reaches the level *batched*. */
export function batchedBundle(log: TestLog): ProofBundle {
  const sth = log.sth(BATCH_SIZE, 1_766_275_300);
  return log.bundle(SEQUENCE, log.batchInclusion(SEQUENCE, sth, log.sth(4, 1_766_275_250)));
}
