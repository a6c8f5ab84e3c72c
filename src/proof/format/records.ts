/**
 * The records of a log's stores. The gateway writes them, `storage/` encodes them, and `logs/audit/` checks
 * them.
 *
 * @module
 */

import { type Bytes, equalBytes, hexOf } from "../../base/bytes.ts";
import type { PeerCosignature } from "./federation.ts";
import type { Beacon } from "./round.ts";
import type { SignatureSet } from "./signature_set.ts";
import type { JsonValue } from "./strict_json.ts";
import type { TreeHead } from "./tree_head.ts";

/** Digests accepted together, up to `LogLimits.digestsPerRow`. Write-once. */
export interface IntakeRow {
  /** Sequence of the first digest. */
  readonly first: number;
  /** Unix seconds. */
  readonly acceptedAt: number;
  /** 32 bytes each, at least one. */
  readonly digests: Bytes;
}

/** Token ids redeemed for digests of one intake row, set in the commit that sets that row. Write-once. */
export interface SpentRow {
  /** Number of the first id: ids are numbered from 0 without gaps over the life of the log. */
  readonly first: number;
  /** Sequence of the first digest of the intake row. */
  readonly intakeRow: number;
  /** Indexes in the intake row of the digests that the ids were redeemed for, ascending, at least one. */
  readonly offsets: readonly number[];
  /** 32 bytes for each of `offsets`. */
  readonly ids: Bytes;
}

/** A witness's signature. `witness` is its index among the configured witnesses, ascending by id. */
export interface IndexedSignature {
  readonly witness: number;
  readonly signature: Bytes;
}

/** One aggregate signature by all of `witnesses`, given by their indexes, ascending. */
export interface IndexedAggregate {
  readonly witnesses: readonly number[];
  readonly signature: Bytes;
}

/** A set that met the threshold: a list, ascending by witness index, or one aggregate. */
export type IndexedSignatureSet = readonly IndexedSignature[] | IndexedAggregate;

/** `signatures` as a resource shows them. `ids` are the ids of all witnesses, by index. */
export function namedSignatures(
  signatures: IndexedSignatureSet,
  ids: readonly string[],
): SignatureSet {
  if ("witnesses" in signatures) {
    return {
      signature: hexOf(signatures.signature),
      signers: signatures.witnesses.map((witnessIndex) => ids[witnessIndex]!),
    };
  }
  return {
    signatures: signatures.map(({ witness, signature }) => ({
      witness_id: ids[witness]!,
      signature: hexOf(signature),
    })),
  };
}

/** A round whose signatures met the threshold. Write-once: the first stored set is final. */
export interface RoundRecord {
  /** Sequence of the first attestation. */
  readonly first: number;
  readonly size: number;
  /** Unix seconds. */
  readonly timestamp: number;
  /** How many times the round was sent to the witnesses. */
  readonly attempts: number;
  /** The beacon in the signed message. */
  readonly beacon: Beacon | null;
  readonly signatures: IndexedSignatureSet;
  /** Packed nodes of the round's tree {@linkcode UPPER_NODE_HEIGHT} levels above its leaves. */
  readonly upperNodes: Bytes;
}

/** Levels between a round's leaves and the nodes that its record stores: 32 leaves a node. */
export const UPPER_NODE_HEIGHT = 5;

/**
 * A published tree head: who signed (size, root) at which time. Write-once, except that signatures of
 * further witnesses are added.
 */
export interface SthRecord {
  readonly size: number;
  readonly root: Bytes;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly logSignature: Bytes;
  readonly receiptSignature: Bytes;
  readonly signatures: IndexedSignatureSet;
  /** Only in memory, for the latest checkpoint: stores do not have them. */
  readonly mlDsa?: MlDsaSignatures;
}

/** Verified ML-DSA-44 cosignatures of a head at its time. */
export interface MlDsaSignatures {
  /** The signature of the log's key. */
  readonly log?: Bytes;
  /** Ascending by witness index. */
  readonly witnesses: readonly IndexedSignature[];
}

/** `record` as a store has it. */
export function storedHeadOf(record: SthRecord): SthRecord {
  if (record.mlDsa === undefined) return record;
  const { mlDsa: _, ...stored } = record;
  return stored;
}

/** Whether `many` is the head `few` of the same time, with all its signatures and more. */
export function addsSignatures(few: SthRecord, many: SthRecord): boolean {
  return few.size === many.size && few.timestamp === many.timestamp &&
    equalBytes(few.root, many.root) && equalBytes(few.logSignature, many.logSignature) &&
    equalBytes(few.receiptSignature, many.receiptSignature) &&
    isLargerSet(few.signatures, many.signatures);
}

function isLargerSet(few: IndexedSignatureSet, many: IndexedSignatureSet): boolean {
  if ("witnesses" in few) {
    return "witnesses" in many && few.witnesses.length < many.witnesses.length &&
      few.witnesses.every((witness) => many.witnesses.includes(witness));
  }
  return !("witnesses" in many) && few.length < many.length &&
    few.every((one) =>
      many.some(({ witness, signature }) =>
        witness === one.witness && equalBytes(signature, one.signature)
      )
    );
}

/** A verified cross-anchor of one of our heads. */
export interface CrossAnchorRecord extends PeerCosignature {
  /** The peer's network id. */
  readonly peer: string;
}

/** The line of a witness outside our network under a checkpoint of ours, verified with `vkey`. */
export interface WitnessLine {
  readonly vkey: string;
  /** Ends in a newline. */
  readonly line: string;
}

/** One of our checkpoints with the cosignatures of witnesses outside our network. */
export interface WitnessedCheckpoint {
  readonly size: number;
  /** 64 lowercase hex. */
  readonly rootHash: string;
  /** At most one line for each key, in the order of arrival. */
  readonly lines: readonly WitnessLine[];
  /** Whether they met the quorum of the policy when they were stored. */
  readonly meetsQuorum: boolean;
}

/** `pending`: the service has accepted the digest, and its proof is not complete. */
export type AnchorProgress = "pending" | "confirmed";

/** A service's proof for a digest. */
export interface AnchorProof {
  readonly status: AnchorProgress;
  /** Unix seconds: the time that the service claims, or when it accepted the digest if pending. */
  readonly timestamp: number;
  /** In the provider's format; its `verify` parses it strictly. */
  readonly proof: JsonValue;
}

/** An external anchor of one tree head. */
export interface AnchorRecord extends AnchorProof {
  /** Name of the configured service, distinct within a configuration. */
  readonly service: string;
  readonly provider: string;
  /** The head with the time of its STH. */
  readonly treeHead: TreeHead;
}
