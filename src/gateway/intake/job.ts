/**
 * Job snapshots (protocol.md "Resources"), written as JSON text directly: with the signatures and
 * paths in them
 * they are most of what the hot path sends. A test holds them equal to JSON.stringify.
 *
 * @module
 */

import type { ReadAttestation } from "../proving/read_attestation.ts";
import type { Beacon } from "../../format/round.ts";
import type { SignatureSet } from "../../format/signature_set.ts";
import type { JobSnapshot } from "../gateway_service.ts";
import type { WaitingState } from "../signing/signing.ts";

/** The snapshot of a confirmed job; `batch` is given when it is batched. */
export function confirmedSnapshot(
  networkId: string,
  read: ReadAttestation,
  job: {
    readonly acceptedAt: number;
    /** As {@linkcode sharedMembers} makes it. */
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

/** JSON of a SignedAttestation; `shared` as {@linkcode sharedMembers} makes it. */
export function signedAttestationJson(
  networkId: string,
  read: ReadAttestation,
  shared: string,
): string {
  const { hash, sequence, pathJson, round: { record } } = read;
  // Every text here is hex or of the names' alphabet: none needs escaping.
  return `{"attestation":{"hash":"${hash}","timestamp":${record.timestamp},` +
    `"network_id":"${networkId}","sequence":${sequence}},` +
    `"round":{"index":${sequence - record.first},"size":${record.size},` +
    `"inclusion_path":${pathJson},${shared}}`;
}

/** JSON of a list of hashes in hex. */
export function hashesJson(hashes: readonly string[]): string {
  return hashes.length === 0 ? "[]" : `["${hashes.join('","')}"]`;
}

/**
 * JSON that the attestations of one round share: from the beacon, the last member of `round`, to the
 * signatures.
 */
export function sharedMembers(beacon: Beacon | null, set: SignatureSet): string {
  return `"beacon":${beaconJson(beacon)}},${JSON.stringify(set).slice(1, -1)}`;
}

function beaconJson(beacon: Beacon | null): string {
  if (beacon === null) return "null";
  const { chain_hash, round, signature } = beacon;
  return `{"chain_hash":"${chain_hash}","round":${round},"signature":"${signature}"}`;
}

/** The snapshot of a job that waits for its signatures. */
export function waitingSnapshot(
  hash: string,
  job: { readonly acceptedAt: number; readonly nowSeconds: number; readonly state: WaitingState },
): JobSnapshot {
  const { acceptedAt, nowSeconds, state } = job;
  const { attempts, nextAttemptAt, lastError } = state;
  return {
    terminal: false,
    json: JSON.stringify({
      hash,
      status: lastError === undefined ? "pending" : "retryable",
      progress: "unconfirmed",
      attempts,
      created_at: acceptedAt,
      updated_at: acceptedAt,
      next_attempt_at: nextAttemptAt ?? nowSeconds,
      ...(lastError !== undefined && { last_error: lastError }),
    }),
  };
}
