/**
 * Requests to a witness and its answers (protocol.md "Witness").
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { Beacon } from "./round.ts";
import type { TreeHead } from "./tree_head.ts";

/** Header with the witness's clock in Unix milliseconds, in each of its answers. */
export const WITNESS_TIME_HEADER = "Countersign-Time";

/** A round to sign (protocol.md "Witness", `POST /v1/sign`). */
export interface RoundRequest {
  readonly networkId: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly firstSequence: number;
  /** 32 bytes each, in sequence order. */
  readonly digests: Bytes;
  /** Part of the signed message. */
  readonly beacon: Beacon | null;
}

/** A tree head to cosign (protocol.md "Witness", `POST /v1/cosign`). */
export interface CosignRequest {
  readonly treeHead: TreeHead;
  /** The log key's signature over the checkpoint body. */
  readonly logSignature: Bytes;
  /** Where `consistencyPath` begins; must be the size that the witness cosigned last. */
  readonly oldSize: number;
  readonly consistencyPath: readonly Bytes[];
}

/** A witness signs, or answers the size that it cosigned last if that is not `oldSize`. */
export type CosignAnswer =
  | { readonly kind: "cosigned"; readonly signature: Bytes }
  | { readonly kind: "size_conflict"; readonly size: number };

/** `sequence_conflict`, with the size that the witness cosigned last (protocol.md "Witness"). */
export class SequenceConflict extends CountersignError {
  readonly size: number;

  constructor(size: number, message: string, options?: ErrorOptions) {
    super("sequence_conflict", message, options);
    this.size = size;
  }
}
