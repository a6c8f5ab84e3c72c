/**
 * What an audit reads of a store and of a gateway, declared here and adapted elsewhere. Nothing is written, and
 * nothing that is stored makes a method reject: what cannot be read is said to be damaged.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type { Batch, ProofBundle, SignedAttestation } from "../format/bundle.ts";
import type { Beacon } from "../format/round.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";

/** What stands under one key: its value, or in `damage` what was found where a whole one has to be. */
export type Stored<T> =
  | { readonly place: number; readonly value: T }
  | { readonly place: number; readonly damage: string };

/** Digests that were accepted together; the place is the sequence of the first. */
export interface StoredRow {
  /** Unix seconds. */
  readonly acceptedAt: number;
  /** 32 bytes each, at least one. */
  readonly digests: Bytes;
}

/** What was spent for digests of one row; the place is the number of the first id. */
export interface StoredSpentRow {
  /** Sequence of the first digest of that row. */
  readonly intakeRow: number;
  /** Which digests of the row, ascending from 0, at least one. */
  readonly places: readonly number[];
  /** 32 bytes for each of `places`. */
  readonly ids: Bytes;
}

/** Signatures by the places of their witnesses, ascending by id: a list, or one aggregate. */
export type StoredSignatures =
  | readonly { readonly witness: number; readonly signature: Bytes }[]
  | { readonly witnesses: readonly number[]; readonly signature: Bytes };

/** A signed round; the place is the sequence of its first attestation. */
export interface StoredRound {
  readonly size: number;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly attempts: number;
  readonly beacon: Beacon | null;
  readonly signatures: StoredSignatures;
  /** Packed nodes of the round's tree {@linkcode UPPER_NODE_HEIGHT} levels above its leaves. */
  readonly upperNodes: Bytes;
}

/** Levels between a round's leaves and the nodes that its record keeps. */
export const UPPER_NODE_HEIGHT = 5;

/** A published tree head; the place is its size. */
export interface StoredSth {
  readonly root: Bytes;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly logSignature: Bytes;
  readonly signatures: StoredSignatures;
}

/** Sorted runs of digests, each a function of the log and of a key that only the store knows. */
export interface StoredIndex {
  /** Leaves of a run. */
  readonly runLeaves: number;
  /** Runs of which anything is stored, ascending; `isDone` when the store says that it is whole. */
  runs(): Promise<readonly { readonly run: number; readonly isDone: boolean }[]>;
  /** What the buckets of a run have to be that holds packed `digests`, `runLeaves` of them. */
  bucketsOf(digests: Bytes): Promise<readonly Bytes[]>;
  /** The stored buckets of a run, ascending; the place is the bucket. */
  buckets(run: number): AsyncIterable<Stored<Bytes>>;
}

/** A store of one log at rest. Everything ascends by place. */
export interface StoredLog {
  /**
   * What is wrong with the store as a whole, and keys that nothing reads: complete when all else was
   * read.
   */
  oddities(): AsyncIterable<{ readonly place: string; required: string; found: string }>;
  /** Sequence after the last digest, as far as one can tell: for progress alone. */
  length(): Promise<number>;
  rows(): AsyncIterable<Stored<StoredRow>>;
  rounds(): AsyncIterable<Stored<StoredRound>>;
  sths(): AsyncIterable<Stored<StoredSth>>;
  /** Root of the tree; the place is its size. */
  head(): Promise<Stored<Bytes> | undefined>;
  /** The place is the level. */
  edges(): AsyncIterable<Stored<Bytes>>;
  /** Full tiles of a level; the place is the index. */
  tiles(level: number): AsyncIterable<Stored<Bytes>>;
  /** `undefined` when the store does not say by which key it is placed. */
  readonly index: StoredIndex | undefined;
  spent(): AsyncIterable<Stored<StoredSpentRow>>;
  /** Of what was spent; `undefined` where {@linkcode StoredLog.index} is. */
  readonly spentIndex: StoredIndex | undefined;
}

/** Tile-levels that a log of fewer than 2^53 leaves has. */
export const TILE_LEVELS = 7;

/** The last head that a witness cosigned, or in `damage` why it cannot be known. */
export type WitnessMemory =
  | {
    readonly id: string;
    readonly head: { readonly size: number; readonly root: Bytes } | undefined;
  }
  | { readonly id: string; readonly damage: string };

/** An answer: what it says, or why it cannot be read; `undefined` for a 404. */
export type Published<T> = { readonly value: T } | { readonly damage: string } | undefined;

/** A job as far as the log says what it has to be. */
export interface PublishedJob {
  readonly hash: string;
  readonly status: string;
  readonly progress: string;
  readonly signed_attestation?: SignedAttestation;
  readonly batch_id?: number;
}

/**
 * A log as a gateway publishes it, strictly parsed and not verified. Methods reject only when the
 * gateway gives no answer.
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
