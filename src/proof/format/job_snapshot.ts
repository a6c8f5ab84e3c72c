/**
 * Jobs (protocol.md "Jobs", "Resources"). Clients ignore unknown members of a job; its signed
 * attestation is read strictly.
 *
 * @module
 */

import { SIGNED_ATTESTATION, type SignedAttestation } from "./bundle.ts";
import {
  count,
  HASH,
  list,
  Mismatch,
  object,
  type OfMembers,
  oneOf,
  Schema,
  TEXT,
  time,
  union,
} from "./schema.ts";

/** States of a job (protocol.md "Jobs"). */
export type JobStatus = "pending" | "retryable" | "confirmed" | "failed";

/** Progress of an attestation (protocol.md "Jobs"). */
export type JobProgress = "unconfirmed" | "confirmed" | "batched";

const CODE = "malformed_bundle";

const LAST_ERROR = object({
  code: TEXT.with({ example: "threshold_not_met" }),
  message: TEXT,
}, "ignored").named("LastError", { description: "Why the last attempt failed" });

const MEMBERS = {
  hash: HASH,
  attempts: count("Number of signing attempts").with({ example: 1 }),
  created_at: time("When the hash was accepted"),
  updated_at: time("When the job last changed"),
  last_error: LAST_ERROR.optional(),
};

/** A job's members; the state decides which of the optional ones it has. */
export interface JobSnapshotMembers extends OfMembers<typeof MEMBERS> {
  readonly status: JobStatus;
  readonly progress: JobProgress;
  readonly next_attempt_at?: number;
  readonly signed_attestation?: SignedAttestation;
  readonly batch_id?: number;
}

const CONFIRMED_MEMBERS = {
  ...MEMBERS,
  status: oneOf(["confirmed"]),
  signed_attestation: SIGNED_ATTESTATION,
};

const STATES: Schema<JobSnapshotMembers> = union(
  object({
    ...MEMBERS,
    status: oneOf(["pending", "retryable"]),
    progress: oneOf(["unconfirmed"]),
    next_attempt_at: time("When the next signing attempt starts"),
  }, "ignored").named("WaitingJob"),
  object({ ...CONFIRMED_MEMBERS, progress: oneOf(["confirmed"]) }, "ignored").named("ConfirmedJob"),
  object({
    ...CONFIRMED_MEMBERS,
    progress: oneOf(["batched"]),
    batch_id: count("Id of the batch that contains the attestation"),
  }, "ignored").named("BatchedJob"),
  object({ ...MEMBERS, status: oneOf(["failed"]), progress: oneOf(["unconfirmed"]) }, "ignored")
    .named("FailedJob"),
).named("JobSnapshot", {
  description: "The current state of a job. `confirmed` and `failed` are terminal",
});

/** Members of some states, which jobs in other states must not have. */
const STATE_MEMBERS = ["signed_attestation", "batch_id"] as const;

export const JOB_SNAPSHOT = new Schema<JobSnapshotMembers>((value, path, context) => {
  const job = STATES.read(value, path, context);
  const other = STATE_MEMBERS.find((name) =>
    Object.hasOwn(value as object, name) && !(name in job)
  );
  if (other !== undefined) {
    throw new Mismatch(`${path}.${other}`, "a job in this state has no such member");
  }
  return job;
}, STATES.describe);

/** True if the job will not change its status again. */
export function isTerminal(job: JobSnapshotMembers): boolean {
  return job.status === "confirmed" || job.status === "failed";
}

/** Parses a job; `malformed_bundle`. */
export function parseJobSnapshot(text: string): JobSnapshotMembers {
  return JOB_SNAPSHOT.parseText(text, { where: "job", code: CODE });
}

/** Parses a list of jobs; `malformed_bundle`. */
export function parseJobSnapshots(text: string): readonly JobSnapshotMembers[] {
  return list(JOB_SNAPSHOT).parseText(text, { where: "jobs", code: CODE });
}
