/**
 * The operations of the gateway without HTTP. Reads take sequences: {@linkcode JobService.find} resolves a
 * hash.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type { Batch, ConsistencyProof } from "../format/bundle.ts";
import type { GATEWAY_STATUS, HealthStatus } from "../format/gateway_status.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import type { Of } from "../format/schema.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";
import type { Admission, AnchoringStatus } from "./ports.ts";

/**
 * The current state of a job. `json` is its snapshot (protocol.md "Resources").
 */
export interface JobSnapshot {
  readonly terminal: boolean;
  readonly json: string;
  /** The caller waited (`Prefer: wait`). */
  readonly wasHeld?: boolean;
}

export interface JobList {
  /** JSON of the list of snapshots. */
  readonly json: string;
  /** Index of the first job that is not terminal; -1 if all are. */
  readonly waiting: number;
  /** The caller waited (`Prefer: wait`). */
  readonly wasHeld?: boolean;
}

/** Digests wait, and none was signed or published for long; new hashes are accepted. */
export type StalledStatus = "signing_stalled" | "publishing_stalled";

/** The answer of `GET /v1/status` without {@linkcode AnchoringStatus}. */
export type ServiceStatus =
  & Omit<Of<typeof GATEWAY_STATUS>, "status" | "peers" | "anchors" | "contradictions">
  & { readonly status: HealthStatus };

/** Accepts digests and reads their jobs. */
export interface JobService {
  /**
   * Accepts a hash (64 lowercase hex digits) and returns its job once it is durable. With `seconds`, waits
   * until the job is confirmed, `seconds` have passed or the gateway stops. A hash that was accepted before
   * keeps its job and needs no admission. Rejects with `overloaded`, `shutting_down`,
   * `witnesses_unavailable`, `store_rolled_back`, `storage_failed`, `token_spent` or an error of
   * `admission`. Without an admission every hash is accepted.
   */
  submit(hash: string, seconds: number | undefined, admission?: Admission): Promise<JobSnapshot>;
  /** {@linkcode submit} for packed digests, duplicates allowed: returns all their jobs in order. */
  submitAll(
    digests: Bytes,
    seconds: number | undefined,
    admission?: Admission,
  ): Promise<JobList>;
  /** The durable job of a hash; waits like {@linkcode submit}. `undefined` if the hash is unknown. */
  get(hash: string, seconds: number | undefined): Promise<JobSnapshot | undefined>;
  /** The sequence of an accepted digest. */
  find(digest: Bytes): Promise<number | undefined>;
}

/** The gateway's operations. Errors are CountersignErrors with the codes named. */
export interface GatewayService {
  readonly network: NetworkConfiguration;
  /** `ok`, or why the gateway does not do all of its work. */
  readonly health: HealthStatus;
  readonly jobs: JobService;

  /** Whether the attestation of an accepted sequence can be read without the store. */
  isInMemory(sequence: number): boolean;

  /** JSON of the `ProofBundle`; `undefined` while unconfirmed. */
  bundle(sequence: number): string | undefined | Promise<string | undefined>;
  /** JSON of the `MerkleProof`; `undefined` while unconfirmed or not yet batched. */
  merkleProof(sequence: number): string | undefined | Promise<string | undefined>;

  /** JSON of the list of external anchors; empty while unconfirmed or not yet batched. */
  externalAnchors(sequence: number): string | Promise<string>;

  latestSth(): Promise<SignedTreeHead | undefined>;
  /** The STH first published at exactly `treeSize`. */
  sthAt(treeSize: number): Promise<SignedTreeHead | undefined>;
  /** `malformed_parameter` unless 1 <= first <= second, `tree_size_not_published`. */
  consistency(first: number, second: number): Promise<ConsistencyProof>;
  /**
   * JSON of the `InclusionProof` of a confirmed sequence in the tree of a published size;
   * `malformed_parameter` when `treeSize` does not exceed the sequence, `tree_size_not_published`,
   * `not_confirmed`.
   */
  inclusion(sequence: number, treeSize: number): Promise<string>;

  /** Batches of id below `before` (all when `undefined`), latest first, at most `limit`. */
  batches(before: number | undefined, limit: number): Promise<readonly Batch[]>;
  batch(id: number): Promise<Batch | undefined>;

  /** The latest checkpoint as a C2SP signed note with cosignatures. */
  checkpoint(): Promise<string | undefined>;
  /** First `width` hashes of a tile, of published heads only. */
  tile(
    level: number,
    index: number,
    width: number,
  ): Bytes | undefined | Promise<Bytes | undefined>;
  /** First `width` entries of an entry bundle (c2sp.org/tlog-tiles), of published heads only. */
  entries(index: number, width: number): Promise<Bytes | undefined>;

  status(): ServiceStatus | Promise<ServiceStatus>;
  /** The status of anchoring; `undefined` if heads are not anchored. Rejects with `storage_failed`. */
  anchoring(): Promise<AnchoringStatus> | undefined;
}
