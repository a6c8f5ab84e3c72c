/**
 * Schemas of submissions and jobs (protocol.md "Routes", "Jobs", "Resources", "Requests"). The
 * gateway ignores unknown members of a request.
 *
 * @module
 */

import { z } from "@hono/zod-openapi";
import { BULK_LIMIT } from "../limits.ts";
import { BATCH, HASH, SIGNED_ATTESTATION } from "./examples.ts";
import { count, Hash, time } from "./primitives.ts";
import { SignedAttestation } from "./signed.ts";

const IssuerToken = z.string().nullable().openapi({
  description: "Privacy Pass token (RFC 9577 section 2.2) in base64url, padded or unpadded, or " +
    "null. Ignored for known hashes and if the gateway accepts no tokens (`GET /v1/admission`)",
  example: null,
});

export const Submission = z.object({
  hash: Hash,
  issuer_token: IssuerToken.optional(),
}).openapi("Submission", { example: { hash: HASH, issuer_token: null } });

export const BulkSubmission = z.object({
  hashes: z.array(Hash).min(1).max(BULK_LIMIT),
  issuer_tokens: z.array(IssuerToken).max(BULK_LIMIT).nullable().optional().openapi({
    description: "Null, or a list with one token or null for each hash",
    example: [null],
  }),
}).refine(
  ({ hashes, issuer_tokens: tokens }) => (tokens ?? hashes).length === hashes.length,
  { path: ["issuer_tokens"] },
).openapi("BulkSubmission", { example: { hashes: [HASH] } });

const LastError = z.strictObject({
  code: z.string().openapi({ example: "threshold_not_met" }),
  message: z.string(),
}).openapi("LastError", {
  description: "Why the last attempt failed",
  example: {
    code: "threshold_not_met",
    message: "Cannot sign round: 1 of 2 required signatures",
  },
});

const JOB_MEMBERS = {
  hash: Hash,
  attempts: count("Number of signing attempts", 1),
  created_at: time("When the hash was accepted"),
  updated_at: time("When the job last changed"),
  last_error: LastError.optional(),
};

const CONFIRMED_MEMBERS = {
  ...JOB_MEMBERS,
  status: z.literal("confirmed"),
  signed_attestation: SignedAttestation,
};

const CONFIRMED_JOB = {
  hash: HASH,
  status: "confirmed",
  progress: "confirmed",
  attempts: 1,
  created_at: SIGNED_ATTESTATION.attestation.timestamp,
  updated_at: SIGNED_ATTESTATION.attestation.timestamp,
  signed_attestation: SIGNED_ATTESTATION,
} as const;

const WaitingJob = z.strictObject({
  ...JOB_MEMBERS,
  status: z.enum(["pending", "retryable"]),
  progress: z.literal("unconfirmed"),
  next_attempt_at: time("When the next signing attempt starts"),
}).openapi("WaitingJob", {
  example: {
    hash: HASH,
    status: "pending",
    progress: "unconfirmed",
    attempts: 0,
    created_at: SIGNED_ATTESTATION.attestation.timestamp,
    updated_at: SIGNED_ATTESTATION.attestation.timestamp,
    next_attempt_at: SIGNED_ATTESTATION.attestation.timestamp,
  },
});

const ConfirmedJob = z.strictObject({
  ...CONFIRMED_MEMBERS,
  progress: z.literal("confirmed"),
}).openapi("ConfirmedJob", { example: CONFIRMED_JOB });

const BatchedJob = z.strictObject({
  ...CONFIRMED_MEMBERS,
  progress: z.literal("batched"),
  batch_id: count("Id of the batch that contains the attestation"),
}).openapi("BatchedJob", {
  example: {
    ...CONFIRMED_JOB,
    progress: "batched",
    updated_at: BATCH.period_end,
    batch_id: BATCH.id,
  },
});

const FailedJob = z.strictObject({
  ...JOB_MEMBERS,
  status: z.literal("failed"),
  progress: z.literal("unconfirmed"),
}).openapi("FailedJob");

export const JobSnapshot = z.union([WaitingJob, ConfirmedJob, BatchedJob, FailedJob])
  .openapi("JobSnapshot", {
    description: "The current state of a job. `confirmed` and `failed` are terminal",
    example: CONFIRMED_JOB,
  });

export const JobSnapshots = z.array(JobSnapshot).min(1).max(BULK_LIMIT).openapi({
  example: [CONFIRMED_JOB],
});
