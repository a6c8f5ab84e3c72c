/**
 * What the gateway needs from outside, declared by it and adapted elsewhere: witnesses to ask, and
 * a store. Every commit of the store checks the fence; adapters never retry and never interpret.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type { Beacon, DrandChain } from "../crypto/drand.ts";
import type { IntakeRow, RoundRecord, SpentRow, SthRecord } from "../format/records.ts";
import type { CosignAnswer, CosignRequest, RoundRequest } from "../format/witness_request.ts";
import type { SpentStore } from "./spent_ports.ts";

export type { CosignAnswer, CosignRequest, RoundRequest } from "../format/witness_request.ts";

/**
 * One configured witness. Answers are unverified. All methods reject with a CountersignError
 * (`witness_unreachable`, `witness_refused`, `sequence_conflict`) and stop when `signal` aborts.
 */
export interface WitnessClient {
  readonly id: string;
  /** True of one that answers in this thread: it is never late, and its work is taken from others. */
  readonly inProcess?: boolean;
  sign(request: RoundRequest, signal: AbortSignal): Promise<Bytes>;
  cosign(request: CosignRequest, signal: AbortSignal): Promise<CosignAnswer>;
  /** Resolves when the witness answers as the one that is configured. */
  checkHealth(signal: AbortSignal): Promise<void>;
}

/** Beacons that stand in rounds. */
export interface BeaconSource {
  readonly chain: DrandChain;
  /** The latest verified beacon whose time has come by the gateway's clock; `null` of none recent. */
  latest(): Beacon | null;
}

/** A cosignature by a peer network, or a proof by a service, over a head of this log. */
export interface HeadAnchor {
  readonly treeSize: number;
  /** 64 lowercase hex. */
  readonly rootHash: string;
  /**
   * JSON of the anchor as a bundle holds it (protocol.md "Resources"); `consistencyPath` is hex.
   */
  json(consistencyPath: readonly string[]): string;
}

/** The anchors that cover a head. */
export interface HeadAnchors {
  readonly crossAnchors: readonly HeadAnchor[];
  readonly externalAnchors: readonly HeadAnchor[];
  /** Nothing that is stored later adds to them. */
  readonly isFinal: boolean;
}

/** Durable anchors of this log. */
export interface AnchorSource {
  /** Rises after an anchor became durable: what was found before may have become more. */
  readonly version: number;
  /**
   * The anchors of heads of `size` or more: of each peer and each service the one of smallest size.
   * Rejects with `storage_failed` or `store_corrupt`.
   */
  covering(size: number): Promise<HeadAnchors>;
  /** Rejects like {@linkcode AnchorSource.covering}. */
  status(): Promise<AnchoringStatus>;
}

/** How anchoring stands, for everybody: no address and no reason (protocol.md "Requests"). */
export interface AnchoringStatus {
  readonly peers: readonly {
    readonly id: string;
    /** The largest of our heads that it cosigned; `age` in seconds. */
    readonly last_cross_anchor?: { readonly tree_size: number; readonly age: number };
    readonly failing: boolean;
  }[];
  readonly anchors: readonly {
    readonly provider: string;
    /** The name of the service, where there are several of this provider. */
    readonly service?: string;
    readonly last?: {
      readonly tree_size: number;
      readonly age: number;
      readonly status: "pending" | "confirmed";
    };
  }[];
  /** Pairs of heads of peers that contradict one another. */
  readonly contradictions: number;
}

/** On what conditions digests are taken that nobody brought before. */
export interface Admission {
  /**
   * Asked once for each request that brings such digests, of which `places` are the places in it,
   * ascending. Answers what is spent for them, 32 bytes for each of `places` in that order, or nothing
   * where nothing is. What is spent is stored with the digests, in one commit, and once: what was spent
   * before is `token_spent`, and none of the digests is taken. Refuses with `token_required`,
   * `token_invalid`, `token_expired` or `rate_limited`.
   */
  admit(places: readonly number[]): Bytes | Promise<Bytes>;
  /** Whose request it is: clients take turns where bulk requests need the store. */
  readonly client?: string;
  /**
   * Charges a bulk request for the digests that were accepted before, before the store is read and
   * before any digest is taken: `rate_limited`.
   */
  chargeRepeats?(repeats: Repeats): void;
}

/** The digests of a bulk request that were accepted before. */
export interface Repeats {
  /** How many need the store, to be found or to be read. */
  readonly stored: number;
  /** How many are answered from memory. */
  readonly recent: number;
}

/** Signs checkpoint bodies with the log's own key (C2SP note, type 0x01). */
export interface LogSigner {
  readonly publicKey: Bytes;
  sign(message: Uint8Array): Bytes;
}

/** Size and root of the tree as stored. A (size, root) is fixed before a witness sees it. */
export interface StoredHead {
  readonly size: number;
  readonly root: Bytes;
}

/** Opaque token of the head that a commit replaces. */
export type HeadVersion = string | null;

/** The one commit that moves the tree. */
export interface HeadCommit {
  readonly replaces: HeadVersion;
  readonly head: StoredHead;
  /** Newly full tiles, 8,192 bytes each, write-once. */
  readonly tiles: readonly {
    readonly level: number;
    readonly index: number;
    readonly hashes: Bytes;
  }[];
  /** The partial tile of each level from 0; empty where there is none. */
  readonly edges: readonly Bytes[];
}

/** Sizes within which one commit stays. */
export interface LogLimits {
  readonly digestsPerRow: number;
  readonly intakeRowsPerCommit: number;
  /** Intake rows of a commit in which something is spent: each may have a row of that beside it. */
  readonly spendingRowsPerCommit: number;
  readonly roundsPerCommit: number;
  readonly tilesPerCommit: number;
  readonly indexRowsPerCommit: number;
}

/**
 * Outcome of a commit: `stored` is durable; `conflict` means that a check failed and nothing was
 * stored. A rejection has an *unknown outcome*: it may have been stored, and the caller finds out
 * by reading the write-once key. `fence_lost` is thrown when another process took the store.
 */
export type CommitOutcome = "stored" | "conflict";

/** Digests as accepted, and the rounds that sign them. */
export interface RoundStore {
  readonly limits: LogLimits;
  /**
   * One commit: fence, the first row absent, every round absent; then all are set. Rows are
   * consecutive. Either list may be empty. `spent` is what was spent for digests of `rows`.
   */
  commit(
    rows: readonly IntakeRow[],
    rounds: readonly RoundRecord[],
    spent?: readonly SpentRow[],
  ): Promise<CommitOutcome>;
  /** The row that begins at exactly `first`. */
  rowAt(first: number): Promise<IntakeRow | undefined>;
  /** Rows that overlap sequences [start, end), ascending. */
  rows(start: number, end: number): Promise<IntakeRow[]>;
  lastRow(): Promise<IntakeRow | undefined>;
  /** The round that begins at exactly `first`. */
  roundAt(first: number): Promise<RoundRecord | undefined>;
  /** The last round that begins at or before `sequence`. */
  roundBefore(sequence: number): Promise<RoundRecord | undefined>;
  /** Rounds that begin in [start, end), ascending, at most `limit`. */
  rounds(start: number, end: number, limit: number): Promise<RoundRecord[]>;
}

/** The tree: head, edges and full tiles, moved together. */
export interface TreeStore {
  head(): Promise<{ readonly head: StoredHead; readonly version: HeadVersion } | undefined>;
  edges(): Promise<Bytes[]>;
  tile(level: number, index: number): Promise<Bytes | undefined>;
  commit(change: HeadCommit): Promise<CommitOutcome>;
}

/** Published tree heads. */
export interface SthStore {
  /** One commit: fence, the size absent; then set. */
  commit(record: SthRecord): Promise<CommitOutcome>;
  at(size: number): Promise<SthRecord | undefined>;
  /** The published head of smallest size above `size`. */
  firstAbove(size: number): Promise<SthRecord | undefined>;
  /** Published heads of size below `before`, largest first, at most `limit`. */
  below(before: number, limit: number): Promise<SthRecord[]>;
}

/** Sorted runs of an index: a pure function of what it is over and of the store's index key. */
export interface IndexStore {
  /** Eight secret bytes, made with the store. */
  readonly key: Bytes;
  /** Whole runs so far: those with a done mark, from 0 without gaps. */
  runCount(): Promise<number>;
  /** One commit: fence; sets rows of one run, and the done mark where `done`. */
  commitRows(
    run: number,
    rows: readonly { readonly bucket: number; readonly entries: Bytes }[],
    done: boolean,
  ): Promise<CommitOutcome>;
  bucket(run: number, bucket: number): Promise<Bytes | undefined>;
  /** All rows of a run, ascending by bucket. */
  buckets(run: number): AsyncIterable<{ readonly bucket: number; readonly entries: Bytes }>;
}

/** The whole store of one log. */
export interface LogStore {
  readonly rounds: RoundStore;
  readonly tree: TreeStore;
  readonly sths: SthStore;
  readonly index: IndexStore;
  readonly spent: SpentStore;
  /** Of what was spent, under the same key. */
  readonly spentIndex: IndexStore;
  /** Takes the fence: from here on commits of any earlier holder fail with `fence_lost`. */
  takeFence(): Promise<void>;
  /** Rejects with `storage_failed` when the open file was deleted or replaced. */
  checkFile?(): Promise<void>;
  /** `fence_lost` when another process took the fence since this one took it or tried to. */
  checkFence(): Promise<void>;
  close(): void;
}
