/**
 * The ports of the gateway: witnesses, beacons, anchors and the store. Every commit of the store checks the
 * fence. Adapters neither retry nor interpret.
 *
 * @module
 */

import type { Bytes } from "../base/bytes.ts";
import type { Beacon, DrandChain } from "../proof/crypto/drand.ts";
import type { KeySigner, MlDsaKeySigner } from "../proof/crypto/key_signer.ts";
import type { ForeignQuorumStatus, ForeignWitnessStatus } from "../proof/format/gateway_status.ts";
import type {
  IntakeRow,
  RoundRecord,
  SpentRow,
  SthRecord,
  WitnessedCheckpoint,
} from "../proof/format/records.ts";
import type { Succession, SuccessionLink } from "../proof/format/succession.ts";
import type {
  CosignAnswer,
  CosignRequest,
  EpochBeginAnswer,
  EpochBeginRequest,
  EpochEndRequest,
  EpochState,
  RoundRequest,
  RoundText,
  WitnessReach,
} from "../proof/format/witness_request.ts";

/** Signs checkpoint bodies with the log's own key (C2SP note, type 0x01). */
export interface LogSigner extends Pick<KeySigner, "publicKey" | "sign" | "isAway"> {
  /** A further key, which cosigns tree heads; absent if the log has none. */
  readonly mlDsa?: Pick<MlDsaKeySigner, "sign">;
}

/**
 * One configured witness. Answers are unverified. All methods reject with a CountersignError
 * (`witness_unreachable`, `witness_refused`, and what a witness refuses with) and stop when `signal` aborts.
 */
export interface WitnessClient {
  readonly id: string;
  /** True if the witness runs in this thread: it is never late, and its work slows everything else. */
  readonly inProcess?: boolean;
  sign(request: RoundRequest, signal: AbortSignal): Promise<Bytes>;
  /** The first of the rounds that it signed and that end beyond sequence `from`, ascending; empty if none. */
  roundsFrom(from: number, signal: AbortSignal): Promise<readonly RoundText[]>;
  cosign(request: CosignRequest, signal: AbortSignal): Promise<CosignAnswer>;
  /** Resolves when the witness answers as the one that is configured. */
  checkHealth(signal: AbortSignal): Promise<void>;
  /** How far the witness has signed. */
  reach(signal: AbortSignal): Promise<WitnessReach>;
  readonly epochs: WitnessEpochs;
}

/** Requests to a witness in a succession. Rejects as {@linkcode WitnessClient} does. */
export interface WitnessEpochs {
  /** The epoch in which the witness signs, and the succession that it is armed with. */
  state(signal: AbortSignal): Promise<EpochState>;
  end(request: EpochEndRequest, signal: AbortSignal): Promise<CosignAnswer>;
  begin(request: EpochBeginRequest, signal: AbortSignal): Promise<EpochBeginAnswer>;
}

/** Beacons for rounds. */
export interface BeaconSource {
  readonly chain: DrandChain;
  /** The latest verified beacon not ahead of the gateway's clock; `null` if none is recent. */
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
  /** A checkpoint with stored cosignatures of foreign witnesses or ML-DSA-44 keys. */
  readonly witnessed?: WitnessedCheckpoint;
  /** No anchor that is stored later can be added. */
  readonly isFinal: boolean;
}

/** Durable anchors of this log. */
export interface AnchorSource {
  /** Increases when an anchor becomes durable. */
  readonly version: number;
  /**
   * The anchors of heads of at least `size`: for each peer and each service the one of smallest size.
   * Rejects with `storage_failed` or `store_corrupt`.
   */
  covering(size: number): Promise<HeadAnchors>;
  /** The stored cosignatures of the checkpoint that was chosen last. */
  readonly latestWitnessed: Omit<WitnessedCheckpoint, "meetsQuorum"> | undefined;
  /** The cosignatures of the checkpoint of exactly `size`; rejects with `storage_failed`. */
  witnessedAt(size: number): Promise<WitnessedCheckpoint | undefined>;
  /** `latest` is the size of the latest head. Rejects like {@linkcode AnchorSource.covering}. */
  status(latest: number): Promise<AnchoringStatus>;
}

/** The public status of anchoring, without addresses and reasons (protocol.md "Requests"). */
export interface AnchoringStatus {
  readonly peers: readonly {
    readonly id: string;
    /** The largest of our heads that the peer cosigned; `age` in seconds. */
    readonly last_cross_anchor?: { readonly tree_size: number; readonly age: number };
    readonly failing: boolean;
  }[];
  readonly anchors: readonly {
    readonly provider: string;
    /** The name of the service, if the provider has several. */
    readonly service?: string;
    readonly last?: {
      readonly tree_size: number;
      readonly age: number;
      readonly status: "pending" | "confirmed";
    };
  }[];
  /** Pairs of heads of peers that contradict one another. */
  readonly contradictions: number;
  readonly foreign_witnesses?: readonly ForeignWitnessStatus[];
  readonly foreign_quorum?: ForeignQuorumStatus;
}

/** Decides whether new digests are accepted. */
export interface Admission {
  /**
   * Called once for each request with new digests. `positions` are their positions in the request,
   * ascending. Returns the token ids to redeem, 32 bytes for each position in that order, or none. Ids are
   * stored in the commit of their digests, and once: if one was redeemed before, the request fails with
   * `token_spent` and none of its digests is accepted. Fails with `token_required`, `token_invalid`,
   * `token_expired` or `rate_limited`.
   */
  admit(positions: readonly number[]): Bytes | Promise<Bytes>;
  /**
   * `count` of the admitted digests turned out to be those of another request, which came at the same time
   * and was admitted as well. Called once at most, and only if the request is accepted.
   */
  repeated?(count: number): void;
  /** The client. Clients take turns when their bulk requests read the store. */
  readonly client?: string;
  /**
   * Charges a bulk request for repeated digests, before it reads the store and before any digest is
   * accepted. Throws `rate_limited`.
   */
  chargeRepeats?(repeats: Repeats): void;
}

/** The digests of a bulk request that were accepted before. */
export interface Repeats {
  /** How many require reads of the store. */
  readonly stored: number;
  /** How many are in memory. */
  readonly recent: number;
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
    /** Stored for the tiles of level 0. */
    readonly upperNodes: Bytes;
  }[];
  /** The partial tile of each level from 0; empty where there is none. */
  readonly edges: readonly Bytes[];
}

/**
 * Outcome of a commit: `stored` is durable; `conflict` means that a check failed and nothing was
 * stored. A rejected commit has an unknown outcome: the caller reads the write-once key to find out.
 * Rejects with `fence_lost` if another process took the store.
 */
export type CommitOutcome = "stored" | "conflict";

export interface LogLimits {
  readonly digestsPerRow: number;
  readonly intakeRowsPerCommit: number;
  /** Intake rows of a commit that redeems tokens: each may have a spent row. */
  readonly spendingRowsPerCommit: number;
  readonly roundsPerCommit: number;
  readonly indexRowsPerCommit: number;
}

/** Reads digests as accepted, and the rounds that sign them. */
export interface RoundReads {
  readonly limits: LogLimits;
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

/** Digests as accepted, and the rounds that sign them. */
export interface RoundStore extends RoundReads {
  /**
   * One commit: fence, the first row absent, every round absent; then all are set. Rows are
   * consecutive. Either list may be empty. `spent` are the token ids redeemed for digests of `rows`.
   */
  commit(
    rows: readonly IntakeRow[],
    rounds: readonly RoundRecord[],
    spent?: readonly SpentRow[],
  ): Promise<CommitOutcome>;
}

/** The tree: head, edges and full tiles, moved together. */
export interface TreeStore {
  tile(level: number, index: number): Promise<Bytes | undefined>;
  /** The 8 nodes five levels above the leaves of a full tile of level 0. */
  upperNodes(index: number): Promise<Bytes | undefined>;
  head(): Promise<{ readonly head: StoredHead; readonly version: HeadVersion } | undefined>;
  edges(): Promise<Bytes[]>;
  commit(change: HeadCommit): Promise<CommitOutcome>;
}

/** What a front reads of it. */
export type TileReads = Pick<TreeStore, "tile" | "upperNodes">;

/** Published tree heads. */
export interface SthStore {
  at(size: number): Promise<SthRecord | undefined>;
  /** The published head of smallest size above `size`. */
  firstAbove(size: number): Promise<SthRecord | undefined>;
  /** Published heads of size below `before`, largest first, at most `limit`. */
  below(before: number, limit: number): Promise<SthRecord[]>;
  /** One commit: fence, the size absent; then set. */
  commit(record: SthRecord): Promise<CommitOutcome>;
  /** One commit: fence, `stored` is stored under this size; then `record` is set. */
  replace(stored: SthRecord, record: SthRecord): Promise<CommitOutcome>;
}

/** What a front reads of them. */
export type SthReads = Pick<SthStore, "at" | "firstAbove" | "below">;

/** Sorted runs of an index: a pure function of the indexed digests and of the store's index key. */
export interface IndexStore {
  bucket(run: number, bucket: number): Promise<Bytes | undefined>;
  /** Eight secret bytes, created with the store. */
  readonly key: Bytes;
  /** Whole runs so far: those with a done mark, from 0 without gaps. */
  runCount(): Promise<number>;
  /** One commit: fence; sets rows of one run, and the done mark where `done`. */
  commitRows(
    run: number,
    rows: readonly { readonly bucket: number; readonly entries: Bytes }[],
    done: boolean,
  ): Promise<CommitOutcome>;
  /** All rows of a run, ascending by bucket. */
  buckets(run: number): AsyncIterable<{ readonly bucket: number; readonly entries: Bytes }>;
}

/** What a front reads of them. */
export type RunReads = Pick<IndexStore, "bucket">;

/** The successions of a log. */
export interface SuccessionStore {
  /** The links from epoch 0 on; `store_corrupt`. Their signatures are not checked. */
  links(): Promise<SuccessionLink[]>;
  /** The succession that is being applied, or was, to begin `epoch`. */
  document(epoch: number): Promise<Succession | undefined>;
  /** One commit: fence; sets the succession that begins its epoch. */
  commitDocument(epoch: number, succession: Succession): Promise<CommitOutcome>;
  link(epoch: number): Promise<SuccessionLink | undefined>;
  /** One commit: fence, the link of that epoch absent; then set. */
  commitLink(epoch: number, link: SuccessionLink): Promise<CommitOutcome>;
}

/** What a front reads of them. */
export type SuccessionReads = Pick<SuccessionStore, "links">;

/** A front's reads from the store of one log. */
export interface LogReads {
  readonly successions: SuccessionReads;
  readonly rounds: RoundReads;
  readonly tree: TileReads;
  readonly sths: SthReads;
  readonly index: RunReads;
  readonly spent: Pick<SpentStore, "rows">;
  readonly spentIndex: RunReads;
  close(): void;
}

/** The whole store of one log. */
export interface LogStore extends LogReads {
  readonly rounds: RoundStore;
  readonly tree: TreeStore;
  readonly sths: SthStore;
  readonly successions: SuccessionStore;
  readonly index: IndexStore;
  readonly spent: SpentStore;
  /** The index of redeemed token ids, under the same key. */
  readonly spentIndex: IndexStore;
  /** Takes the fence: from then on commits of earlier holders fail with `fence_lost`. */
  takeFence(): Promise<void>;
  /** Rejects with `storage_failed` when the open file was deleted or replaced. */
  checkFile?(): Promise<void>;
  /** `fence_lost` when another process took the fence since this one took it or tried to. */
  checkFence(): Promise<void>;
}

/** Reads redeemed token ids; `RoundStore.commit` writes them. */
export interface SpentStore {
  /** Rows that overlap the numbers [start, end), ascending. */
  rows(start: number, end: number): Promise<SpentRow[]>;
  lastRow(): Promise<SpentRow | undefined>;
}

/** Consecutive digests as they are stored. */
export interface IndexedRow {
  /** Sequence of the first. */
  readonly first: number;
  /** 32 bytes each. */
  readonly digests: Bytes;
  /** Unix seconds; absent for token ids. */
  readonly acceptedAt?: number;
}

/** The rows that an index covers. */
export interface IndexedRows {
  readonly limits: Pick<LogLimits, "indexRowsPerCommit">;
  /** Rows that overlap sequences [start, end), ascending. */
  rows(start: number, end: number): Promise<readonly IndexedRow[]>;
}
