/**
 * Submitting, reading and checking attestations (protocol.md "Routes", "Requests").
 *
 * @module
 */

import { z } from "@hono/zod-openapi";
import type { GatewayService } from "../gateway/service.ts";
import type { VerifierCrypto } from "../verify/verifier_crypto.ts";
import { JSON_MEDIA_TYPE, jsonAnswer } from "./answer.ts";
import {
  ATTESTATIONS_PATH,
  BULK_PATH,
  findSequence,
  readAttestation,
  submitAttestation,
  submitBulk,
} from "./attestation_handlers.ts";
import { json } from "./endpoint.ts";
import { BULK_LIMIT } from "./limits.ts";
import { Opinions } from "./opinions.ts";
import { NO_PARAMETERS } from "./parameters.ts";
import { BUNDLE_PATH, PROOF_PATH, readBundle, readMerkleProof } from "./proof_handlers.ts";
import type { AdmissionRules } from "./request_admission.ts";
import type { Routes } from "./routes.ts";
import { BulkSubmission, JobSnapshot, JobSnapshots, Submission } from "./schema/job.ts";
import { Opinion } from "./schema/network.ts";
import { Hash } from "./schema/primitives.ts";
import { ExternalAnchors, MerkleProof, ProofBundle } from "./schema/proofs.ts";
import { SignedAttestation } from "./schema/signed.ts";

const HASH_PARAMETER = z.object({ hash: Hash });

/** Reasons to refuse a new hash. */
const ADMISSION_PROBLEMS = [
  "token_required",
  "token_invalid",
  "issuer_unreachable",
  "token_expired",
  "token_spent",
] as const;

/** Registers submissions and look-ups. Without `rules`, every hash is accepted. */
export function addAttestationRoutes(
  routes: Routes,
  service: GatewayService,
  rules?: AdmissionRules,
): void {
  routes.add({
    id: "submitAttestation",
    method: "post",
    path: ATTESTATIONS_PATH,
    tag: "attestations",
    summary: "Submit a hash",
    description: "Creates the job of a hash or returns the one that exists. Idempotent by hash. " +
      "Whatever the answer, the job is on disk. Of a gateway that takes tokens (`GET " +
      "/v1/admission`), a new hash spends the one in `issuer_token` or `Authorization: PrivateToken`; a hash that was accepted " +
      "before needs and spends none, so that asking again with the same token is always safe.",
    parameters: NO_PARAMETERS,
    body: Submission,
    waits: true,
    takesToken: true,
    caching: "never",
    answers: { 200: json("The job, terminal", JobSnapshot), 202: json("The job", JobSnapshot) },
    problems: [
      ...["malformed_hash", "store_rolled_back", "witnesses_unavailable"] as const,
      ...ADMISSION_PROBLEMS,
    ],
  }, (_, __, context) => submitAttestation(service, context, rules));

  // Before the route of one hash, which would match "batch".
  routes.add({
    id: "submitAttestations",
    method: "post",
    path: BULK_PATH,
    tag: "attestations",
    summary: `Submit 1 to ${BULK_LIMIT} hashes`,
    description: "Answers their jobs in the same order; a hash twice is one job twice. One " +
      "malformed hash refuses the request, and the problem's detail names its index. The Location " +
      "of a 202 is that of the first job that is not terminal. Of a gateway that takes tokens, " +
      "each new hash spends the one at its place, or the request is refused as a whole; the " +
      "second place of a hash needs none. Where tokens are optional they are spent if there is " +
      "one for each new hash, and otherwise none is.",
    parameters: NO_PARAMETERS,
    body: BulkSubmission,
    waits: true,
    takesToken: true,
    caching: "never",
    answers: {
      200: json("The jobs, all terminal", JobSnapshots),
      202: json("The jobs", JobSnapshots),
    },
    problems: [
      ...["malformed_hash", "store_rolled_back", "witnesses_unavailable"] as const,
      ...ADMISSION_PROBLEMS,
    ],
  }, (_, __, context) => submitBulk(service, context, rules));

  routes.add({
    id: "getAttestation",
    method: "get",
    path: `${ATTESTATIONS_PATH}/{hash}`,
    tag: "attestations",
    summary: "Read the job of a hash",
    parameters: HASH_PARAMETER,
    waits: true,
    caching: "never",
    answers: { 200: json("The job as it stands", JobSnapshot) },
    problems: ["malformed_hash", "hash_unknown"],
  }, ({ hash }, _request, context) => readAttestation(service, hash, context));
}

/** Registers the routes for proofs and for verification. */
export function addProofRoutes(
  routes: Routes,
  service: GatewayService,
  verifier: VerifierCrypto,
): void {
  const opinions = new Opinions(service.network, verifier);
  routes.add({
    id: "verifyAttestation",
    method: "post",
    path: "/v1/verify",
    tag: "attestations",
    summary: "Ask for the gateway's opinion of a SignedAttestation",
    description:
      "The opinion is not authoritative: it is what this gateway says, and whoever does " +
      "not trust it verifies offline against a pinned network configuration. 200 whatever the " +
      "outcome.",
    parameters: NO_PARAMETERS,
    body: SignedAttestation,
    caching: "never",
    answers: { 200: json("The opinion", Opinion) },
    problems: [],
  }, async (_, __, context) => jsonAnswer(await opinions.read(context)));

  routes.add({
    id: "getBundle",
    method: "get",
    path: `${BUNDLE_PATH}/{hash}`,
    tag: "attestations",
    summary: "Read the proof bundle of a hash",
    description: "All that offline verification needs beside the pinned configuration. " +
      "`batch_inclusion` is null while the attestation is confirmed and not yet batched.",
    parameters: HASH_PARAMETER,
    caching: "never",
    answers: { 200: json("The bundle", ProofBundle) },
    problems: ["malformed_hash", "hash_unknown", "not_confirmed"],
  }, ({ hash }, _request, context) => readBundle(service, hash, context));

  routes.add({
    id: "getMerkleProof",
    method: "get",
    path: `${PROOF_PATH}/{hash}`,
    tag: "attestations",
    summary: "Read the Merkle proof of a batched hash",
    parameters: HASH_PARAMETER,
    caching: "never",
    answers: { 200: json("Inclusion in the tree that closed its batch", MerkleProof) },
    problems: ["malformed_hash", "hash_unknown", "not_batched"],
  }, ({ hash }, _request, context) => readMerkleProof(service, hash, context));

  routes.add({
    id: "getAnchors",
    method: "get",
    path: "/v1/anchors/{hash}",
    tag: "attestations",
    summary: "Read the external anchors of a hash",
    parameters: HASH_PARAMETER,
    caching: "never",
    answers: { 200: json("The anchors; none while it is not batched", ExternalAnchors) },
    problems: ["malformed_hash", "hash_unknown"],
  }, async ({ hash }) => ({
    body: await service.externalAnchors(await findSequence(service, hash)),
    mediaType: JSON_MEDIA_TYPE,
  }));
}
