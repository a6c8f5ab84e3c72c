/**
 * A store as an audit reads it. Adapters write nothing. They report a record that they cannot read as
 * damage and do not reject.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import type { IntakeRow, RoundRecord, SpentRow, SthRecord } from "../../proof/format/records.ts";

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
  /** The upper nodes of the full tiles of level 0, by index. */
  upperNodes(): AsyncIterable<Stored<Bytes>>;
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
