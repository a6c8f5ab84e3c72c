/**
 * The interface between scenarios and runs.
 *
 * @module
 */

import type { Answer } from "./answer_reader.ts";

/** Verifies one answer offline; rejects if it is invalid. */
export type Check = () => Promise<void>;

/** The requests of one connection, one at a time. */
export interface Client {
  /** The next request: bytes that are valid until the next call. */
  next(): Uint8Array;
  /** True if `answer`, which is not a refusal, belongs to the last request. */
  accepts(answer: Answer): boolean;
  /** A later check of `answer`; copies the needed parts. */
  check(answer: Answer): Check;
}

/** One kind of load. */
export interface Scenario {
  readonly name: string;
  /** Number of hashes of one request. */
  readonly hashes: number;
  /** True if every accepted request adds its hashes to the log. */
  readonly submits: boolean;
  client(): Client;
}
