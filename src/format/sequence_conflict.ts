/**
 * A witness's refusal of a round whose sequences are taken (protocol.md "Witness", 409
 * `sequence_conflict`).
 *
 * @module
 */

import { CountersignError } from "../errors.ts";

/** `sequence_conflict`, with the size that the witness has cosigned. */
export class SequenceConflict extends CountersignError {
  readonly size: number;

  constructor(size: number, message: string, options?: ErrorOptions) {
    super("sequence_conflict", message, options);
    this.size = size;
  }
}
