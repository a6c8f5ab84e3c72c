/**
 * The link between a sequencer and its fronts. The sequencer assigns sequences, commits, has rounds and
 * heads signed, and grows the tree. Fronts answer clients. They follow the sequencer's updates, read the
 * store, and promise nothing that the sequencer has not stored.
 *
 * All fronts get the updates in one order. Before a front reads, it applies all updates that were
 * published (`SequencerLink.catchUp`). So every front knows what another front has answered.
 *
 * @module
 */

import type { EpochChain } from "../succession/epochs.ts";
import type { SuccessionProgress } from "../succession/ports.ts";
import type { Bytes } from "../../base/bytes.ts";
import type { Current } from "../../base/current.ts";
import type { ErrorCode } from "../../base/errors.ts";
import type {
  ForeignQuorum,
  ForeignWitnessState,
  HealthStatus,
} from "../../proof/format/gateway_status.ts";
import type { RoundRecord, SthRecord, WitnessedCheckpoint } from "../../proof/format/records.ts";
import type { SharedIndex } from "../index/shared_index.ts";
import type { StoredHead } from "../ports.ts";
import type { TraceContext } from "../tracer.ts";

/** The digests of one request. */
export interface AssignRequest {
  /** Packed digests, at least one; a digest may occur twice. */
  readonly digests: Bytes;
  /** Token ids to redeem for the digests at `positions` that are still new, 32 bytes each. */
  readonly spends?: { readonly positions: readonly number[]; readonly ids: Bytes };
  /** How many runs of the indexes were sealed when the caller looked the digests up in the store. */
  readonly sealedRuns: number;
  /** The client's request, if it is traced. */
  readonly trace?: TraceContext;
}

/** The answer to an {@linkcode AssignRequest}. */
export interface Assigned {
  /** Sequences of the digests, in order. */
  readonly sequences: readonly number[];
  /** Lower sequences were assigned to other requests, of this front or of others. */
  readonly firstNew: number;
}

/** The sequencer, as a front uses it. */
export interface SequencerLink {
  /**
   * The sequences of the digests, in order, once all are durable. `undefined` if `sealedRuns` is out of
   * date: the caller looks the digests up again. Rejects with `overloaded`, `token_spent`,
   * `shutting_down`, `storage_failed`, `witnesses_unavailable` or `store_rolled_back`; with
   * `overloaded` and `token_spent`, no sequence was assigned.
   */
  assign(request: AssignRequest): Promise<Assigned | undefined>;
  /** Applies the updates that were published before the call. Synchronous, and cheap if there are none. */
  catchUp(): void;
  /**
   * Absent if `catchUp` leaves nothing behind. Resolves once all that was stored before the call is applied;
   * rejects with `storage_failed` if the store cannot be read.
   */
  refresh?(): Promise<void>;
}

/** Whether digests are accepted and signed, and why not. */
export interface Health {
  readonly status: HealthStatus;
  /** Why no digest is accepted; absent while they are. */
  readonly refusal?: { readonly code: ErrorCode; readonly message: string };
  /** Whether digests that wait may be signed. */
  readonly isSigning: boolean;
  /** Accepted digests that must not be acknowledged any more: the store was lost or is an old copy. */
  readonly unacknowledged: "none" | "unsigned" | "all";
}

export interface SigningLoad {
  /** Sequence after the last digest that was ever in a round. */
  readonly formed: number;
  /** Digests without a durable sequence. */
  readonly backlog: number;
  /** How long witnesses take for a round, in milliseconds. */
  readonly answerMs: number;
  /** Unsigned digests wait for witnesses that fail. */
  readonly isHeld: boolean;
}

/** The members of `GET /v1/status` that only the sequencer knows. */
export interface StatusFacts {
  readonly witnesses: readonly {
    readonly id: string;
    readonly healthy: boolean;
    readonly embedded?: boolean;
    readonly last_seen_at?: number;
    readonly last_error?: ErrorCode;
    readonly failing?: readonly string[];
  }[];
  /** Durable digests that are not signed. */
  readonly pending: number;
  /** Unix seconds at which the oldest of them was accepted. */
  readonly oldestPendingAt?: number;
  /** The latest beacon; absent if rounds have none, `null` if none is recent. */
  readonly beacon?: { readonly round: number; readonly time: number } | null;
  /** Absent in epoch 0 while no succession is applied. */
  readonly succession?: SuccessionProgress;
}

/** The state of an unsigned job. */
export interface WaitingState {
  readonly attempts: number;
  /** Unix seconds; absent while an attempt is in progress or due. */
  readonly nextAttemptAt?: number;
  /** Unix seconds at which the last attempt failed. */
  readonly failedAt?: number;
  /** The error of the last attempt, if it failed. */
  readonly lastError?: { readonly code: ErrorCode; readonly message: string };
}

/** A round of which an attempt failed, and which is not stored. */
export interface FailingRound {
  readonly first: number;
  readonly size: number;
  readonly state: WaitingState;
}

/** A stored round, with the packed nodes of all levels of its tree if they are in memory. */
export interface ConfirmedRound {
  readonly record: RoundRecord;
  /** The leaves first, the root last; absent if another set than ours was stored first. */
  readonly levels?: readonly Bytes[];
}

/** State of anchors that fronts cannot read in the store. */
export interface AnchorsState {
  /** Increases when an anchor becomes durable. */
  readonly version: number;
  /** Number of anchors in the list of events. */
  readonly length: number;
  /** Ids of the peers that fail to cosign our heads. */
  readonly failingPeers: readonly string[];
  /** Absent without foreign witnesses and ML-DSA-44 keys. */
  readonly witnessing?: WitnessingState;
  /** In the order of the configuration; absent if there are none. */
  readonly foreignWitnesses?: readonly ForeignWitnessState[];
  /** Absent without a policy. */
  readonly foreignQuorum?: ForeignQuorum;
}

/** The anchoring as a sequencer reads it. */
export type AnchorsFeed = Pick<Current<AnchorsState>, "value" | "onChanged">;

/** The checkpoint that is sent to foreign witnesses, with their cosignatures. */
export interface WitnessingState extends Omit<WitnessedCheckpoint, "meetsQuorum"> {
  /** Number of keys that may cosign. */
  readonly keys: number;
}

/** For a log without anchors. */
export const NO_ANCHORS_STATE: AnchorsState = { version: 0, length: 0, failingPeers: [] };

/** The state of a sequencer between two updates. */
export interface Snapshot {
  /** Sequence after the last digest on disk. */
  readonly durable: number;
  /** Sequence after the contiguous confirmed prefix, and the confirmed ranges after it. */
  readonly confirmed: {
    readonly end: number;
    readonly beyond: readonly { readonly first: number; readonly end: number }[];
  };
  readonly tree: { readonly head: StoredHead; readonly edges: readonly Bytes[] };
  /** The latest published head; its signatures are verified. */
  readonly latest: SthRecord | undefined;
  /** The latest cosigned head: as published, or as cosigned again since. */
  readonly checkpoint: SthRecord | undefined;
  readonly health: Health;
  readonly load: SigningLoad;
  readonly failing: readonly FailingRound[];
  readonly status: StatusFacts;
  readonly anchors: AnchorsState;
  readonly epochs: EpochChain;
  readonly index: SharedIndex;
  /** Present if tokens are redeemed. */
  readonly spent?: SharedIndex;
}

/** Receives the state of a sequencer and its updates in order. Methods neither throw nor block. */
export interface Follower {
  /** All that follows continues `snapshot`. Called first, and again if updates were lost. */
  joined(snapshot: Snapshot): void;
  /** Digests below `end` are on disk. */
  accepted(end: number, load: SigningLoad): void;
  /** A round is on disk and final. */
  confirmed(round: ConfirmedRound, load: SigningLoad): void;
  /** The tree has grown; its head is committed, not published. */
  treeGrown(head: StoredHead, edges: readonly Bytes[]): void;
  /**
   * A head was published. With `isNew` false, a head got further signatures, or the latest one was
   * cosigned again. Its signatures are verified.
   */
  headCosigned(record: SthRecord, isNew: boolean): void;
  /** Unless `health.isSigning`, requests that wait for their signatures are answered now. */
  healthChanged(health: Health): void;
  /** All rounds that wait after a failed attempt. */
  failingChanged(failing: readonly FailingRound[], load: SigningLoad): void;
  statusChanged(status: StatusFacts): void;
  anchorsChanged(anchors: AnchorsState): void;
  /** The log has ended an epoch; precedes what the next one signs. */
  epochEnded(epochs: EpochChain): void;
  /** A run was added to an index, or sealed. */
  indexChanged(name: "digests" | "spent", index: SharedIndex): void;
}
