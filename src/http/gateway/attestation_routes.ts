/**
 * Submitting, reading and checking attestations (protocol.md "Routes", "Requests").
 *
 * @module
 */

import { MERKLE_PROOF, PROOF_BUNDLE, SIGNED_ATTESTATION } from "../../proof/format/bundle.ts";
import { EXTERNAL_ANCHORS } from "../../proof/format/external_anchor.ts";
import { JOB_SNAPSHOT } from "../../proof/format/job_snapshot.ts";
import { HASH, list, object, TEXT } from "../../proof/format/schema.ts";
import type { GatewayService } from "../../gateway/gateway_service.ts";
import type { VerifierCrypto } from "../../proof/verify/verifier_crypto.ts";
import { JSON_MEDIA_TYPE, jsonAnswer, TEXT_MEDIA_TYPE } from "../answer.ts";
import {
  ATTESTATIONS_PATH,
  BULK_PATH,
  readAttestation,
  requireHash,
  type SubmissionParts,
  submitAttestation,
  submitBulk,
} from "./attestation_handlers.ts";
import { AS_RECEIPT, json } from "../endpoint.ts";
import { BULK_LIMIT } from "../limits.ts";
import { Opinions } from "./opinions.ts";
import { NO_PARAMETERS, WITH_LOG_SIGNATURE } from "../parameters.ts";
import { BUNDLE_PATH, PROOF_PATH, readBundle, readMerkleProof } from "./proof_handlers.ts";
import type { Routes } from "../routes.ts";
import { TLOG_PROOF } from "../schema/examples.ts";
import { OPINION } from "../schema/opinion.ts";
import { BULK_SUBMISSION, SUBMISSION } from "../schema/submission_schema.ts";

const HASH_PARAMETER = object({
  hash: HASH.with({ description: "A submitted SHA-256, lowercase hex" }),
});

const JOB_SNAPSHOTS = list(JOB_SNAPSHOT, 1, BULK_LIMIT);

/** Reasons to refuse a new hash. */
export const SUBMISSION_PROBLEMS = [
  "malformed_hash",
  "store_rolled_back",
  "witnesses_unavailable",
  "standby",
  "log_ended",
  "token_required",
  "token_invalid",
  "issuer_unreachable",
  "token_expired",
  "token_spent",
] as const;

/** Registers the routes to submit and look up hashes. */
export function addAttestationRoutes(routes: Routes, submissions: SubmissionParts): void {
  routes.add({
    id: "submitAttestation",
    method: "post",
    path: ATTESTATIONS_PATH,
    tag: "attestations",
    summary: "Submit a hash",
    description:
      "Creates the job of a hash or returns the existing one. Idempotent by hash. A 200 or " +
      "202 means that the job is stored. If the gateway accepts tokens (`GET /v1/admission`), a " +
      "new hash spends the token in `issuer_token` or `Authorization: PrivateToken`. A known hash " +
      "spends no token, so a retry with the same token is safe.",
    parameters: NO_PARAMETERS,
    body: SUBMISSION,
    waits: true,
    takesToken: true,
    caching: "never",
    answers: { 200: json("The terminal job", JOB_SNAPSHOT), 202: json("The job", JOB_SNAPSHOT) },
    problems: SUBMISSION_PROBLEMS,
  }, (_, __, context) => submitAttestation(submissions, context));

  // Must precede the route of one hash, which would match "batch".
  routes.add({
    id: "submitAttestations",
    method: "post",
    path: BULK_PATH,
    tag: "attestations",
    summary: `Submit 1 to ${BULK_LIMIT} hashes`,
    description:
      "Returns the jobs in the order of the hashes. A repeated hash repeats its job. If one " +
      "hash is malformed, the gateway refuses the whole request, and `detail` names the index of " +
      "the hash. `Location` of a 202 is the path of the first job that is not terminal. If the " +
      "gateway requires tokens, each new hash spends the token at its index; if one is missing or " +
      "invalid, the gateway refuses the whole request. A repeated hash needs one token. If tokens " +
      "are optional, the gateway spends them only if every new hash has one.",
    parameters: NO_PARAMETERS,
    body: BULK_SUBMISSION,
    waits: true,
    takesToken: true,
    caching: "never",
    answers: {
      200: json("The jobs, all of them terminal", JOB_SNAPSHOTS),
      202: json("The jobs", JOB_SNAPSHOTS),
    },
    problems: SUBMISSION_PROBLEMS,
  }, (_, __, context) => submitBulk(submissions, context));

  routes.add({
    id: "getAttestation",
    method: "get",
    path: `${ATTESTATIONS_PATH}/{hash}`,
    tag: "attestations",
    summary: "Read the job of a hash",
    parameters: HASH_PARAMETER,
    waits: true,
    caching: "never",
    answers: { 200: json("The current job", JOB_SNAPSHOT) },
    problems: ["malformed_hash", "hash_unknown"],
  }, ({ hash }, _request, context) => readAttestation(submissions.service, hash, context));
}

/** Registers the routes for proofs and for verification. */
export function addProofRoutes(
  routes: Routes,
  service: GatewayService,
  verifier: VerifierCrypto,
): void {
  const opinions = new Opinions(service, verifier);
  routes.add({
    id: "verifyAttestation",
    method: "post",
    path: "/v1/verify",
    tag: "attestations",
    summary: "Check a SignedAttestation",
    description:
      "The answer is the gateway's opinion. Clients that do not trust this gateway verify " +
      "offline against a pinned network configuration. The status is 200 for valid and invalid " +
      "attestations.",
    parameters: NO_PARAMETERS,
    body: SIGNED_ATTESTATION,
    caching: "never",
    answers: { 200: json("The opinion", OPINION) },
    problems: [],
  }, async (_, __, context) => jsonAnswer(await opinions.read(context)));

  routes.add(
    {
      id: "getBundle",
      method: "get",
      path: `${BUNDLE_PATH}/{hash}`,
      tag: "attestations",
      summary: "Read the proof bundle of a hash",
      description:
        "Everything that offline verification needs in addition to the pinned configuration. " +
        "`batch_inclusion` is null until the attestation is batched. With `Accept: text/plain`, the " +
        "answer is a tlog-proof (c2sp.org/tlog-proof) with the attestation's text as extra data, and with " +
        "`Accept: application/cose` a COSE receipt of inclusion (RFC 9942); both are 404 until the " +
        "attestation is batched.",
      parameters: object({ ...HASH_PARAMETER.members, log_signature: WITH_LOG_SIGNATURE }),
      caching: "never",
      answers: {
        200: {
          ...json("The bundle", PROOF_BUNDLE),
          orElse: [
            { mediaType: TEXT_MEDIA_TYPE, schema: TEXT.with({ example: TLOG_PROOF }) },
            AS_RECEIPT,
          ],
        },
      },
      problems: [
        "malformed_hash",
        "malformed_parameter",
        "hash_unknown",
        "not_confirmed",
        "not_batched",
      ],
    },
    ({ hash, log_signature }, _request, context) =>
      readBundle(service, hash, context, log_signature),
  );

  routes.add({
    id: "getMerkleProof",
    method: "get",
    path: `${PROOF_PATH}/{hash}`,
    tag: "attestations",
    summary: "Read the Merkle proof of a batched hash",
    parameters: HASH_PARAMETER,
    caching: "never",
    answers: { 200: json("Inclusion proof in the tree that closed its batch", MERKLE_PROOF) },
    problems: ["malformed_hash", "hash_unknown", "not_confirmed", "not_batched"],
  }, ({ hash }, _request, context) => readMerkleProof(service, hash, context));

  routes.add({
    id: "getAnchors",
    method: "get",
    path: "/v1/anchors/{hash}",
    tag: "attestations",
    summary: "Read the external anchors of a hash",
    parameters: HASH_PARAMETER,
    caching: "never",
    answers: { 200: json("The anchors; empty until the hash is batched", EXTERNAL_ANCHORS) },
    problems: ["malformed_hash", "hash_unknown"],
  }, async ({ hash }) => ({
    body: await service.proofs.externalAnchors(requireHash(hash)),
    mediaType: JSON_MEDIA_TYPE,
  }));
}
