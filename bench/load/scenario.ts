/**
 * The interface between scenarios and runs.
 *
 * @module
 */

import type { Answer } from "./answer_reader.ts";

/** Verifies one answer offline, and rejects when it does not hold. */
export type Check = () => Promise<void>;

/** The requests of one connection, one at a time. */
export interface Client {
  /** The next request: bytes that stay as they are until the call after. */
  next(): Uint8Array;
  /** Whether `answer`, of a status that is no refusal, is one to the last request. */
  accepts(answer: Answer): boolean;
  /** How to verify `answer` later; copies what it needs of it. */
  check(answer: Answer): Check;
}

/** One kind of load. */
export interface Scenario {
  readonly name: string;
  /** Hashes that one request is about. */
  readonly hashes: number;
  /** Whether every accepted request adds its hashes to the log. */
  readonly submits: boolean;
  client(): Client;
}
