/**
 * What a witness is asked, and what it needs from outside: a key, and a state that outlives it.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type { SignatureScheme } from "../format/signature_set.ts";

export type { CosignAnswer, CosignRequest, RoundRequest } from "../format/witness_request.ts";

/** A log whose heads are cosigned. */
export interface WitnessedLog {
  /** C2SP origin. */
  readonly origin: string;
  /** The log's Ed25519 key, screened. */
  readonly publicKey: Bytes;
}

/** Signs with the witness's one key, in the scheme of its network. */
export interface WitnessSigner {
  readonly scheme: SignatureScheme;
  readonly publicKey: Bytes;
  /** Of a `bls` key. */
  readonly proofOfPossession?: Bytes;
  sign(message: Uint8Array): Bytes;
}

/** The latest head that a witness cosigned for an origin. */
export interface WitnessedHead {
  readonly size: number;
  readonly root: Bytes;
  /** Unix seconds. */
  readonly timestamp: number;
}

/** Opaque token of the value that a replacement replaces; changes with every replacement. */
export type StateVersion = string;

/** Digests that were signed for consecutive sequences. */
export interface DigestRun {
  /** Sequence of the first digest. */
  readonly first: number;
  /** Packed. */
  readonly digests: Bytes;
}

/** An operator's order to forget the digests that were signed for the sequences from `from` on. */
export interface Release {
  readonly from: number;
  /** How many sequences had a digest. */
  readonly count: number;
  /** Unix seconds. */
  readonly timestamp: number;
}

/**
 * What a witness must not forget: the latest cosigned head of each origin, replaced by
 * compare-and-swap, and the digests that it signed beyond the head of its own network.
 *
 * Calls for one origin are serializable, and what is written is durable once its promise resolves.
 * All methods may run concurrently, but `appendSigned` must not overlap itself. A rejected write has
 * an *unknown outcome*: it may have been stored. Adapters do not retry.
 */
export interface WitnessState {
  /** The head of `origin`; `undefined` when none was ever stored. */
  load(
    origin: string,
  ): Promise<(WitnessedHead & { readonly version: StateVersion }) | undefined>;

  /**
   * Stores `next` if the value is still the one of `expected` (`undefined`: none), and answers its
   * version; `undefined`, and nothing stored, when it is another.
   */
  replace(
    origin: string,
    expected: StateVersion | undefined,
    next: WitnessedHead,
  ): Promise<StateVersion | undefined>;

  /**
   * The runs that were appended, oldest first, without what a release freed. Runs below the cosigned
   * size may be missing.
   */
  loadSigned(): Promise<readonly DigestRun[]>;

  /** Appends `runs`. Runs that end at or below `cosigned` are not needed any more. */
  appendSigned(runs: readonly DigestRun[], cosigned: number): Promise<void>;

  /** Every release so far, oldest first. */
  loadReleases(): Promise<readonly Release[]>;

  /**
   * Writes durably, and removes again, as much as the next writes may need. Rejects while the state
   * cannot store a head, or has no room for signed digests. Calls of it must not overlap.
   */
  probe(): Promise<void>;
}

/** What a witness's operator should know. */
export type WitnessWarning = StoredTimeAhead | StorageFailure | StorageRecovery;

/** A head was cosigned at a time that is ahead of the witness's clock. It stops nothing. */
export interface StoredTimeAhead {
  readonly kind: "stored_time_ahead";
  readonly origin: string;
  /** Unix seconds: of the last cosigned head, and of the witness's clock. */
  readonly storedTimestamp: number;
  readonly now: number;
}

/** The state cannot be read or written. Reported when that begins, and once a minute while it lasts. */
export interface StorageFailure {
  readonly kind: "storage_failed";
  /** What failed last, and why. */
  readonly reason: string;
  /** Failures since the last such warning. */
  readonly failures: number;
}

/** The state can be read and written again. */
export interface StorageRecovery {
  readonly kind: "storage_recovered";
  /** How long it failed. */
  readonly seconds: number;
}
