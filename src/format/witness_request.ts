/**
 * What the gateway asks of a witness, and what a witness answers (protocol.md "Witness"): values,
 * on either
 * side of the wire or within one process.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type { Beacon } from "./round.ts";
import type { TreeHead } from "./tree_head.ts";

/** Header of every answer of a witness: its clock, in Unix milliseconds. */
export const WITNESS_TIME_HEADER = "Countersign-Time";

/** A round to sign (protocol.md "Witness", `POST /v1/sign`). */
export interface RoundRequest {
  readonly networkId: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly firstSequence: number;
  /** 32 bytes each, in sequence order. */
  readonly digests: Bytes;
  /** Stands in what is signed. */
  readonly beacon: Beacon | null;
}

/** A tree head to cosign (protocol.md "Witness", `POST /v1/cosign`). */
export interface CosignRequest {
  readonly treeHead: TreeHead;
  /** The log key's signature over the checkpoint body. */
  readonly logSignature: Bytes;
  /** Size from which `consistencyPath` leads to the head: the witness's own, or it refuses. */
  readonly oldSize: number;
  readonly consistencyPath: readonly Bytes[];
}

/** A witness signs, or says that it stands at another size than `oldSize`. */
export type CosignAnswer =
  | { readonly kind: "cosigned"; readonly signature: Bytes }
  | { readonly kind: "size_conflict"; readonly size: number };
