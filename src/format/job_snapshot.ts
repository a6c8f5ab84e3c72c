/**
 * Reads job snapshots (protocol.md "Resources"). Unknown members are ignored.
 *
 * @module
 */

import { type SignedAttestation, signedAttestationOf } from "./bundle.ts";
import { Fields, type OfShape } from "./fields.ts";

/** States of a job (protocol.md "Jobs"). */
export type JobStatus = "pending" | "retryable" | "confirmed" | "failed";

/** Progress of an attestation (protocol.md "Jobs"). */
export type JobProgress = "unconfirmed" | "confirmed" | "batched";

const NUMBERS = {
  attempts: "integer",
  /** Unix seconds, like all times here. */
  created_at: "integer",
  updated_at: "integer",
  next_attempt_at: "integer?",
  batch_id: "integer?",
} as const;
const LAST_ERROR = { code: "text", message: "text" } as const;

/** The members of a snapshot's JSON. */
export interface JobSnapshotMembers extends OfShape<typeof NUMBERS> {
  readonly hash: string;
  readonly status: JobStatus;
  readonly progress: JobProgress;
  readonly last_error?: OfShape<typeof LAST_ERROR>;
  readonly signed_attestation?: SignedAttestation;
}

const CONTEXT = { where: "job", code: "malformed_bundle" } as const;
const STATUSES: readonly JobStatus[] = ["pending", "retryable", "confirmed", "failed"];
const PROGRESSES: readonly JobProgress[] = ["unconfirmed", "confirmed", "batched"];
const MEMBERS = [
  ["hash", "status", "progress", "attempts", "created_at", "updated_at"],
  { ignoreUnknown: true },
] as const;

/** True if the job will not change its status again. */
export function isTerminal(job: JobSnapshotMembers): boolean {
  return job.status === "confirmed" || job.status === "failed";
}

/** Parses a snapshot; `malformed_bundle`. */
export function parseJobSnapshot(text: string): JobSnapshotMembers {
  return readJobSnapshot(Fields.parse(text, CONTEXT, ...MEMBERS));
}

/** Parses a JSON list of snapshots; `malformed_bundle`. */
export function parseJobSnapshots(text: string): readonly JobSnapshotMembers[] {
  return Fields.parseList(text, { ...CONTEXT, where: "jobs" }, ...MEMBERS).map(readJobSnapshot);
}

function readJobSnapshot(fields: Fields): JobSnapshotMembers {
  const status = oneOf(STATUSES, fields, "status");
  const progress = oneOf(PROGRESSES, fields, "progress");
  const isConfirmed = status === "confirmed";
  const signed = fields.value("signed_attestation");
  if (isConfirmed !== (signed !== undefined)) {
    throw fields.error(`status is ${status} ${signed ? "with" : "without"} signed_attestation`);
  }
  if (isConfirmed !== (progress !== "unconfirmed")) {
    throw fields.error(`status is ${status} but progress is ${progress}`);
  }
  if ((progress === "batched") !== fields.has("batch_id")) {
    throw fields.error(
      `progress is ${progress} ${fields.has("batch_id") ? "with" : "without"} batch_id`,
    );
  }
  return {
    hash: fields.hash("hash"),
    status,
    progress,
    ...fields.read(NUMBERS),
    ...(fields.has("last_error") &&
      { last_error: fields.record("last_error", LAST_ERROR, { ignoreUnknown: true }) }),
    ...(signed !== undefined && { signed_attestation: signedAttestationOf(signed, fields.code) }),
  };
}

function oneOf<T extends string>(values: readonly T[], fields: Fields, name: string): T {
  const text = fields.text(name);
  const found = values.find((value) => value === text);
  if (found === undefined) throw fields.error(`${name} must be one of ${values.join(", ")}`);
  return found;
}
