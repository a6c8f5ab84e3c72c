/**
 * The refusal of a round whose sequences are taken.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";

/** `sequence_conflict`, with the size that the witness has cosigned (contract B8). */
export class SequenceConflict extends CountersignError {
  readonly size: number;

  constructor(size: number, message: string) {
    super("sequence_conflict", message);
    this.size = size;
  }
}
