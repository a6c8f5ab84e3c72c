/**
 * Reads job snapshots (protocol.md "Resources") as a client meets them: members that this version
 * does not know
 * are ignored, the signed attestation inside is as strict as everywhere.
 *
 * @module
 */

import { HASH_LENGTH } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import { parseSignedAttestation, type SignedAttestation } from "./bundle.ts";
import { Fields } from "./fields.ts";
import { type JsonValue, parseStrictJson } from "./strict_json.ts";

/** States of a job (protocol.md "Jobs"). */
export type JobStatus = "pending" | "retryable" | "confirmed" | "failed";

/** Progress of an attestation (protocol.md "Jobs"). */
export type JobProgress = "unconfirmed" | "confirmed" | "batched";

/** The members of a snapshot's JSON. */
export interface JobSnapshotMembers {
  readonly hash: string;
  readonly status: JobStatus;
  readonly progress: JobProgress;
  readonly attempts: number;
  /** Unix seconds, as are all times here. */
  readonly created_at: number;
  readonly updated_at: number;
  readonly next_attempt_at?: number;
  readonly last_error?: { readonly code: string; readonly message: string };
  readonly signed_attestation?: SignedAttestation;
  readonly batch_id?: number;
}

const CODE = "malformed_bundle";
const STATUSES: readonly JobStatus[] = ["pending", "retryable", "confirmed", "failed"];
const PROGRESSES: readonly JobProgress[] = ["unconfirmed", "confirmed", "batched"];
const REQUIRED = ["hash", "status", "progress", "attempts", "created_at", "updated_at"] as const;

/** True when nothing more will happen to the job's signature. */
export function isTerminal(job: JobSnapshotMembers): boolean {
  return job.status === "confirmed" || job.status === "failed";
}

/** The snapshot of JSON `text`; `malformed_bundle`. */
export function parseJobSnapshot(text: string): JobSnapshotMembers {
  return readJobSnapshot(parseStrictJson(text, CODE));
}

/** The snapshots of JSON `text`, an array; `malformed_bundle`. */
export function parseJobSnapshots(text: string): readonly JobSnapshotMembers[] {
  const value = parseStrictJson(text, CODE);
  if (!Array.isArray(value)) throw malformed("a list of jobs");
  return value.map(readJobSnapshot);
}

function readJobSnapshot(value: JsonValue): JobSnapshotMembers {
  const fields = new Fields(value, { where: "job", code: CODE }, REQUIRED, { ignoreUnknown: true });
  const status = oneOf(STATUSES, fields.text("status"));
  const progress = oneOf(PROGRESSES, fields.text("progress"));
  if ((status === "confirmed") !== fields.has("signed_attestation")) {
    throw malformed("a signed attestation exactly when confirmed");
  }
  if ((status === "confirmed") !== (progress !== "unconfirmed")) {
    throw malformed("progress exactly when confirmed");
  }
  if ((progress === "batched") !== fields.has("batch_id")) {
    throw malformed("a batch_id exactly when batched");
  }
  return {
    hash: fields.hex("hash", HASH_LENGTH),
    status,
    progress,
    attempts: fields.integer("attempts"),
    created_at: fields.integer("created_at"),
    updated_at: fields.integer("updated_at"),
    ...(fields.has("next_attempt_at") && { next_attempt_at: fields.integer("next_attempt_at") }),
    ...(fields.has("last_error") && { last_error: readLastError(fields) }),
    ...(fields.has("signed_attestation") && {
      // The strict reader takes text; a number that is no integer is refused by it all the same.
      signed_attestation: parseSignedAttestation(
        JSON.stringify(fields.value("signed_attestation")),
        CODE,
      ),
    }),
    ...(fields.has("batch_id") && { batch_id: fields.integer("batch_id") }),
  };
}

function readLastError(job: Fields): { code: string; message: string } {
  const fields = job.object("last_error", ["code", "message"], { ignoreUnknown: true });
  return { code: fields.text("code"), message: fields.text("message") };
}

function oneOf<T extends string>(values: readonly T[], text: string): T {
  const found = values.find((value) => value === text);
  if (found === undefined) throw malformed(`one of ${values.join(", ")}`);
  return found;
}

function malformed(required: string): CountersignError {
  return new CountersignError(CODE, `Cannot read job: ${required} required, found otherwise`);
}
