/**
 * A store and a published log as an audit reads them. Adapters write nothing. They report a record
 * that they cannot read as damage and do not reject.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type { Batch, ProofBundle, SignedAttestation } from "../format/bundle.ts";
import type { IntakeRow, RoundRecord, SpentRow, SthRecord } from "../format/records.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";

/** The record under a key that ends in a number: its value, or why it cannot be read. */
export type Stored<T> =
  | { readonly key: number; readonly value: T }
  | { readonly key: number; readonly damage: string };

/** Sorted runs of digests, each a function of the log and of the store's index key. */
export interface StoredIndex {
  /** Leaves of a run. */
  readonly runLeaves: number;
  /** Stored runs, ascending; `isDone` when the store marks the run as complete. */
  runs(): Promise<readonly { readonly run: number; readonly isDone: boolean }[]>;
  /** The buckets of a run over packed `digests`, `runLeaves` of them. */
  bucketsOf(digests: Bytes): Promise<readonly Bytes[]>;
  /** The stored buckets of a run, ascending by number. */
  buckets(run: number): AsyncIterable<Stored<Bytes>>;
}

/** A fault of the store as a whole, or a key that no part of the program reads. */
export interface StoreAnomaly {
  readonly place: string;
  readonly problem: string;
}

/** A store of one log at rest. All lists ascend by key. */
export interface StoredLog {
  /** Complete only after all other records were read. */
  anomalies(): AsyncIterable<StoreAnomaly>;
  /** Approximate number of digests, for progress only. */
  length(): Promise<number>;
  /** By the sequence of the first digest. */
  rows(): AsyncIterable<Stored<IntakeRow>>;
  /** By the sequence of the first attestation. */
  rounds(): AsyncIterable<Stored<RoundRecord>>;
  /** By tree size. */
  sths(): AsyncIterable<Stored<SthRecord>>;
  /** Root of the tree; the key is its size. */
  head(): Promise<Stored<Bytes> | undefined>;
  /** By level. */
  edges(): AsyncIterable<Stored<Bytes>>;
  /** Full tiles of a level, by index. */
  tiles(level: number): AsyncIterable<Stored<Bytes>>;
  /** `undefined` when the store has no valid index key. */
  readonly index: StoredIndex | undefined;
  /** By the number of the first id. */
  spent(): AsyncIterable<Stored<SpentRow>>;
  /** The index of spent ids; `undefined` when {@linkcode StoredLog.index} is. */
  readonly spentIndex: StoredIndex | undefined;
}

/** Tile levels of a log of fewer than 2^53 leaves. */
export const TILE_LEVELS = 7;

/** The last head that a witness cosigned, or why it cannot be read. */
export type WitnessMemory =
  | {
    readonly id: string;
    readonly head: { readonly size: number; readonly root: Bytes } | undefined;
  }
  | { readonly id: string; readonly damage: string };

/** A gateway's answer, or why it cannot be read; `undefined` for a 404. */
export type Published<T> = { readonly value: T } | { readonly damage: string } | undefined;

/** True if there is no value. */
export function isDamaged<T>(
  found: Published<T>,
): found is Exclude<Published<T>, { readonly value: T }> {
  return found === undefined || "damage" in found;
}

/** Why there is no value. */
export function damageOf(found: { readonly damage: string } | undefined): string {
  return found?.damage ?? "the gateway has none";
}

/** The members of a job that the log determines. */
export interface PublishedJob {
  readonly hash: string;
  readonly status: string;
  readonly progress: string;
  readonly signed_attestation?: SignedAttestation;
  readonly batch_id?: number;
}

/**
 * A log as a gateway publishes it, strictly parsed and not verified. Methods reject only when the
 * gateway does not answer.
 */
export interface PublishedLog {
  /** The text of the latest checkpoint. */
  checkpoint(): Promise<Published<string>>;
  latestSth(): Promise<Published<SignedTreeHead>>;
  sth(size: number): Promise<Published<SignedTreeHead>>;
  /** Batches of id below `before`, latest first, at most {@linkcode BATCH_PAGE}. */
  batches(before: number): Promise<Published<readonly Batch[]>>;
  tile(level: number, index: number, width: number): Promise<Published<Bytes>>;
  entries(index: number, width: number): Promise<Published<Bytes>>;
  job(hash: string): Promise<Published<PublishedJob>>;
  bundle(hash: string): Promise<Published<ProofBundle>>;
}

/** Batches of one page (protocol.md "Requests"). */
export const BATCH_PAGE = 100;
