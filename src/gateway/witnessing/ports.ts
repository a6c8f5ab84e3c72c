/**
 * The ports of witnessing: our checkpoints, C2SP witnesses that cosign them, and a store.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import type { AddCheckpoint } from "../../proof/format/add_checkpoint.ts";
import type { NoteSignature } from "../../proof/format/note.ts";
import type { NoteKey } from "../../proof/format/note_key.ts";
import type { WitnessedCheckpoint } from "../../proof/format/records.ts";

/** The unverified lines of a witness, or the size that it says it has cosigned. */
export type AddCheckpointAnswer =
  | { readonly kind: "cosigned"; readonly lines: readonly NoteSignature[] }
  | { readonly kind: "size_conflict"; readonly size: number };

/**
 * A client of `add-checkpoint` (c2sp.org/tlog-witness). Rejects with `witness_unreachable`,
 * `witness_refused`, or `consistency_refused` for the answer 422.
 */
export interface CheckpointWitness {
  addCheckpoint(request: AddCheckpoint, signal: AbortSignal): Promise<AddCheckpointAnswer>;
}

/** A witness outside our network. */
export interface ForeignWitness {
  /** Name of its first key. */
  readonly name: string;
  readonly publicUrl?: string;
  /** Any of them counts as its cosignature. */
  readonly keys: readonly NoteKey[];
  /** Least seconds between two checkpoints that it gets; 0 for each that is chosen. */
  readonly intervalSeconds: number;
  readonly client: CheckpointWitness;
}

/** Our own log. */
export interface CheckpointedLog {
  /** The latest checkpoint: a note whose first line is the log's signature. */
  checkpoint(): string | undefined;
  /** RFC 9162 consistency path between sizes of the published tree, 1 <= first <= second. */
  consistencyPath(first: number, second: number): Promise<Bytes[]>;
  /** Calls `listener` after each publication and each further cosignature, until `signal` aborts. */
  onCosigned(listener: () => void, signal: AbortSignal): void;
}

/**
 * Durable cosignatures. Methods reject with `storage_failed` or `store_corrupt`, and writes with
 * `fence_lost` once another process has taken the store.
 */
export interface WitnessedStore {
  at(size: number): Promise<WitnessedCheckpoint | undefined>;
  /**
   * The smallest size from `size` on whose record met the quorum when it was stored; without one, the
   * largest size with a record, if that is at least `size`. The record may be damaged.
   */
  covering(size: number): Promise<number | undefined>;
  /**
   * Durable once resolved; replaces the record of the same size. Removes records without a quorum
   * below the latest record with one. Callers save one record at a time.
   */
  save(record: WitnessedCheckpoint): Promise<void>;
}

/** What a front reads of them. */
export type WitnessedReads = Pick<WitnessedStore, "at" | "covering">;
