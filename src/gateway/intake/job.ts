/**
 * Job snapshots (protocol.md "Resources") as JSON text.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { type ReadAttestation, signedAttestationJson } from "../proving/attestation_json.ts";
import type { WaitingState } from "../fronts/ports.ts";

/** The current state of a job. `json` is its snapshot. */
export interface JobSnapshot {
  readonly terminal: boolean;
  readonly json: string;
  /** The caller waited (`Prefer: wait`). */
  readonly wasHeld?: boolean;
}

export interface JobList {
  /** JSON of the list of snapshots, in memory that {@linkcode reuse} gives back. */
  readonly json: Bytes;
  /** Index of the first job that is not terminal; -1 if all are. */
  readonly waiting: number;
  /** The caller waited (`Prefer: wait`). */
  readonly wasHeld?: boolean;
  /** The caller has a copy of {@linkcode json}: its memory may be overwritten. */
  reuse(): void;
}

/** The snapshot of a confirmed job; `batch` is given once it is batched. */
export function confirmedSnapshot(
  networkId: string,
  read: ReadAttestation,
  job: {
    readonly acceptedAt: number;
    /** As for {@linkcode signedAttestationJson}. */
    readonly shared: string;
    readonly batch: { readonly id: number; readonly closedAt: number } | undefined;
  },
): JobSnapshot {
  const { hash, round: { record } } = read;
  const { acceptedAt, shared, batch } = job;
  return {
    terminal: true,
    json: `{"hash":"${hash}","status":"confirmed",` +
      `"progress":"${batch === undefined ? "confirmed" : "batched"}",` +
      `"attempts":${record.attempts},"created_at":${acceptedAt},` +
      `"updated_at":${Math.max(record.timestamp, batch?.closedAt ?? 0)},` +
      `"signed_attestation":${signedAttestationJson(networkId, read, shared)}` +
      (batch === undefined ? "}" : `,"batch_id":${batch.id}}`),
  };
}

/** The snapshot of a job that waits for its signatures. */
export function waitingSnapshot(
  hash: string,
  job: { readonly acceptedAt: number; readonly nowSeconds: number; readonly state: WaitingState },
): JobSnapshot {
  const { acceptedAt, nowSeconds, state } = job;
  const { attempts, nextAttemptAt, failedAt = 0, lastError } = state;
  return {
    terminal: false,
    json: JSON.stringify({
      hash,
      status: lastError === undefined ? "pending" : "retryable",
      progress: "unconfirmed",
      attempts,
      created_at: acceptedAt,
      updated_at: Math.max(acceptedAt, failedAt),
      next_attempt_at: nextAttemptAt ?? nowSeconds,
      last_error: lastError,
    }),
  };
}
