/**
 * Requests to a witness and its answers (protocol.md "Witness").
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import type { Beacon } from "./round.ts";
import type { WitnessSignature } from "./signature_set.ts";
import type { SuccessionLink } from "./succession.ts";
import type { TreeHead } from "./tree_head.ts";

/** How many rounds one answer of `POST /v1/rounds` names: with beacons, less than 16 KiB. */
export const MAX_ROUNDS_LISTED = 32;

/** Header with the witness's clock in Unix milliseconds, in each of its answers. */
export const WITNESS_TIME_HEADER = "Countersign-Time";

/** How far the time of a round or a tree head may be ahead of a witness's clock, in seconds. */
export const MAX_SECONDS_AHEAD = 5;

/** How far it may be behind. */
export const MAX_SECONDS_BEHIND = 60;

/** How far the time of a round may be behind for which enough other witnesses vouch. */
export const MAX_SECONDS_VOUCHED = 3_600;

/**
 * How many of a network's witnesses vouch for the time of a round: any two quorums have at least so many in
 * common, and one of them is honest. At least one, also where two quorums may have none in common.
 */
export function vouchersNeeded(threshold: number, witnessCount: number): number {
  return Math.max(1, 2 * threshold - witnessCount);
}

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
  /** The epoch whose witnesses are asked; 0 when absent. */
  readonly epoch?: number;
  /** What other witnesses signed of this very text: needed once its time is more than 60 s old. */
  readonly vouchers?: readonly WitnessSignature[];
}

/**
 * The text of a round that a witness signed, by which any store can tell whether it has the same
 * (protocol.md "Witness", `POST /v1/rounds`).
 */
export interface RoundText {
  readonly first: number;
  readonly size: number;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly beacon: Beacon | null;
  /** Root of the round's tree, which determines its digests. */
  readonly root: Bytes;
}

/** A tree head to cosign (protocol.md "Witness", `POST /v1/cosign`). */
export interface CosignRequest {
  readonly treeHead: TreeHead;
  /** The log key's signature over the checkpoint body. */
  readonly logSignature: Bytes;
  /** Where `consistencyPath` begins; must be the size that the witness cosigned last. */
  readonly oldSize: number;
  readonly consistencyPath: readonly Bytes[];
  /** The epoch whose witnesses are asked; 0 when absent. */
  readonly epoch?: number;
}

/** Ends an epoch at a tree (protocol.md "Witness", `POST /v1/epoch-end`). */
export interface EpochEndRequest extends CosignRequest {
  /** SHA-256 of the succession's text: the digest of the last leaf. */
  readonly succession: string;
  /** Unix seconds of the attestation of that leaf. */
  readonly attestedAt: number;
  /** From that leaf to the root of the tree. */
  readonly inclusionPath: readonly Bytes[];
}

/** Begins the epoch that a link leads to (protocol.md "Witness", `POST /v1/epoch-begin`). */
export interface EpochBeginRequest {
  readonly link: SuccessionLink;
  /** Where `consistencyPath` begins; must be the size that the witness cosigned last. */
  readonly oldSize: number;
  readonly consistencyPath: readonly Bytes[];
}

/** A witness has begun the epoch, or answers the size that it cosigned last. */
export type EpochBeginAnswer =
  | { readonly kind: "begun" }
  | { readonly kind: "size_conflict"; readonly size: number };

/** The epoch of a witness, and the successions that it has signed or is armed with. */
export interface EpochState {
  /** The epoch that it signs in. */
  readonly epoch: number;
  /** SHA-256 of the succession by which it has ended that epoch, in hex. */
  readonly ended?: string | undefined;
  /** SHA-256 of the succession that its operator has armed it with, in hex. */
  readonly armed?: string | undefined;
}

/** How far a witness has signed the log of its network. */
export interface WitnessReach {
  /** The tree size that it cosigned last; 0 if none. */
  readonly size: number;
  /** Root of that tree; absent at size 0. */
  readonly root?: Bytes | undefined;
  /** One more than the largest sequence that it signed, at least `size`. */
  readonly signedEnd: number;
}

/** A witness signs, or answers the size that it cosigned last if that is not `oldSize`. */
export type CosignAnswer =
  | {
    readonly kind: "cosigned";
    readonly signature: Bytes;
    /** Over the same tree at the same time, if the witness has such a key. */
    readonly mlDsaSignature?: Bytes;
  }
  | { readonly kind: "size_conflict"; readonly size: number };

/** `sequence_conflict`, with the size that the witness cosigned last (protocol.md "Witness"). */
export class SequenceConflict extends CountersignError {
  readonly size: number;

  constructor(size: number, message: string, options?: ErrorOptions) {
    super("sequence_conflict", message, options);
    this.size = size;
  }
}
