/**
 * The interfaces of a witness: its key, its durable state, and its warnings.
 *
 * @module
 */

import type { Bytes } from "../base/bytes.ts";
import type { KeySigner } from "../proof/crypto/key_signer.ts";
import type { NoteKey } from "../proof/format/note_key.ts";
import type { Beacon } from "../proof/format/round.ts";

/** A log whose heads the witness cosigns. */
export interface WitnessedLog {
  /** C2SP origin: of a network, its id; of another log, any that {@linkcode isOrigin} accepts. */
  readonly origin: string;
  /** One or more Ed25519 keys, already validated. Of a network: one, named as the origin. */
  readonly keys: readonly NoteKey[];
  /** The key in place of `keys`, where the succession of a network's log is followed for the witness. */
  readonly presentKey?: () => NoteKey | undefined;
  /** The head that the witness trusts while it has cosigned none; not of a network. */
  readonly start?: { readonly size: number; readonly root: Bytes };
  /** How many checkpoints strangers may have cosigned in a day; not of a network. */
  readonly queriesPerDay?: number;
}

/** Called before a larger head of a log is stored for a stranger; throws `rate_limited`. */
export type ChargeLog = (log: WitnessedLog, bytes: number) => void;

/** The witness's signature lines, or the size of the tree head that it cosigned last. */
export type AddCheckpointAnswer =
  | { readonly kind: "cosigned"; readonly lines: string }
  | { readonly kind: "size_conflict"; readonly size: number };

/** Signs with the witness's key, in the scheme of its network. */
export type WitnessSigner = KeySigner;

/** The latest head that a witness cosigned for an origin. */
export interface WitnessedHead {
  readonly size: number;
  readonly root: Bytes;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Absent in epoch 0 until it ends. Replaced together with the head, in one commit. */
  readonly epoch?: WitnessedEpoch;
  /**
   * The checkpoint with one signature of each of the log's keys that signed it, a signed note. Absent
   * in a head that the witness was created with, and in the boundary of an epoch.
   */
  readonly checkpoint?: string;
}

/** The epoch of a network in which a witness signs. */
export interface WitnessedEpoch {
  readonly number: number;
  /** The log's key; absent in epoch 0, where it is configured. */
  readonly logKey?: Bytes;
  /** SHA-256 in hex of the succession that began the epoch; absent in epoch 0. */
  readonly begunBy?: string;
  /** SHA-256 in hex of the succession that ended it: no round and no growth is signed any more. */
  readonly endedBy?: string;
}

/** Where a witness stands in a log. */
export interface LogPosition {
  /** Last cosigned, 0 when none. */
  readonly size: number;
  readonly epoch: WitnessedEpoch;
  /** The attempts to store a boundary of epochs that had begun or ended when it was read. */
  readonly boundaryMarks: number;
}

/** Opaque version of a stored head; changes with every replacement. */
export type StateVersion = string;

/** A round that the witness signed: with the network and the tree of its digests, the whole text. */
export interface WitnessedRound {
  readonly first: number;
  /** Packed, in sequence order. */
  readonly digests: Bytes;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly beacon: Beacon | null;
}

/** An operator's order to forget the rounds that end beyond the sequence `from`, the first of one. */
export interface Release {
  readonly from: number;
  /** Number of forgotten sequences. */
  readonly count: number;
  /** Unix seconds. */
  readonly timestamp: number;
}

/**
 * The durable state of a witness: the latest cosigned head of each origin, replaced by
 * compare-and-swap, and the rounds that it signed beyond the head of its own network.
 *
 * Calls for one origin are serializable, and a write is durable once its promise resolves. All methods
 * may run concurrently, but `appendSigned` must not overlap itself. A rejected write has an *unknown
 * outcome*: it may have been stored. Adapters do not retry.
 */
export interface WitnessState {
  /** The head of `origin`; `undefined` when it has none. */
  load(
    origin: string,
  ): Promise<(WitnessedHead & { readonly version: StateVersion }) | undefined>;

  /**
   * Stores `next` if the stored version is still `expected` (`undefined`: no head), and returns the new
   * version. Otherwise stores nothing and returns `undefined`.
   */
  replace(
    origin: string,
    expected: StateVersion | undefined,
    next: WitnessedHead,
  ): Promise<StateVersion | undefined>;

  /** The appended rounds, oldest first, without released ones. Rounds below the cosigned size may be missing. */
  loadSigned(): Promise<readonly WitnessedRound[]>;

  /** Appends `rounds`, and may drop rounds that end at or below `cosigned`. */
  appendSigned(rounds: readonly WitnessedRound[], cosigned: number): Promise<void>;

  /** All releases, oldest first. */
  loadReleases(): Promise<readonly Release[]>;

  /**
   * Durably writes, and removes again, as many bytes as the next writes may need. Rejects when the
   * state cannot store a head or a signed round. Calls must not overlap.
   */
  probe(): Promise<void>;
}

export type WitnessWarning = StoredTimeAhead | StorageFailure | StorageRecovery;

/** The last cosigned head has a time ahead of the witness's clock. The witness signs nevertheless. */
export interface StoredTimeAhead {
  readonly kind: "stored_time_ahead";
  readonly origin: string;
  /** Unix seconds. */
  readonly storedTimestamp: number;
  readonly now: number;
}

/** The state cannot be read or written. Reported at once, then once a minute. */
export interface StorageFailure {
  readonly kind: "storage_failed";
  /** The latest failure. */
  readonly reason: string;
  /** Failures since the last such warning. */
  readonly failures: number;
}

/** The state can be read and written again. */
export interface StorageRecovery {
  readonly kind: "storage_recovered";
  /** Duration of the failure. */
  readonly seconds: number;
}
