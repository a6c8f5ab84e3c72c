/**
 * Schemas of batches, proofs and bundles (protocol.md "Resources").
 *
 * @module
 */

import { z } from "@hono/zod-openapi";
import type {
  Batch as BatchValue,
  ConsistencyProof as ConsistencyProofValue,
  CrossAnchor as CrossAnchorValue,
  InclusionProof as InclusionProofValue,
  MerkleProof as MerkleProofValue,
} from "../../format/bundle.ts";
import {
  BATCH,
  CONSISTENCY_PROOF,
  CROSS_ANCHOR,
  EXTERNAL_ANCHOR,
  INCLUSION_PROOF,
  MERKLE_PROOF,
  PROOF_BUNDLE,
} from "./examples.ts";
import {
  BLS_MEMBERS,
  count,
  ED25519_MEMBERS,
  Hash,
  HashPath,
  NetworkId,
  orNull,
  time,
} from "./primitives.ts";
import { SignedAttestation, SignedTreeHead, TreeHead } from "./signed.ts";

export const Batch = z.strictObject({
  id: count("Size of the closing tree head"),
  network_id: NetworkId,
  root_hash: Hash,
  tree_size: count("Size of the closing tree head"),
  first_index: count("Size of the previous tree head; informative"),
  attestation_count: count("Number of attestations in the batch; informative"),
  period_start: time("Timestamp of the previous tree head, 0 if there is none; informative"),
  period_end: time("Timestamp of the closing tree head"),
}).openapi("Batch", {
  description: "The growth of the log between two consecutive published tree heads",
  example: BATCH,
}) satisfies z.ZodType<BatchValue>;

const LEAF_MEMBERS = {
  hash: Hash,
  leaf_hash: Hash,
  leaf_index: count("Index of the leaf in the log, equal to the sequence of the attestation"),
  tree_size: count("Size of the tree whose root the path leads to"),
  inclusion_path: HashPath,
};

export const MerkleProof = z.strictObject({
  ...LEAF_MEMBERS,
  root_hash: Hash,
  batch_id: count("Id of the batch that contains the attestation"),
}).openapi("MerkleProofResponse", {
  description: "Inclusion proof of an attestation in the tree that closed its batch",
  example: MERKLE_PROOF,
}) satisfies z.ZodType<MerkleProofValue>;

export const InclusionProof = z.strictObject({ ...LEAF_MEMBERS, sth: SignedTreeHead })
  .openapi("InclusionProof", {
    description: "RFC 9162 inclusion proof in the tree of a published tree head",
    example: INCLUSION_PROOF,
  }) satisfies z.ZodType<InclusionProofValue>;

export const ConsistencyProof = z.strictObject({
  first: count("Size of the smaller tree"),
  second: count("Size of the larger tree"),
  first_sth: SignedTreeHead,
  second_sth: SignedTreeHead,
  consistency_path: HashPath,
}).openapi("ConsistencyProof", {
  description: "RFC 9162 consistency proof between two published tree heads",
  example: CONSISTENCY_PROOF,
}) satisfies z.ZodType<ConsistencyProofValue>;

const BatchInclusion = z.strictObject({
  batch: Batch,
  merkle_proof: MerkleProof,
  sth: SignedTreeHead,
}).openapi("BatchInclusion", { example: PROOF_BUNDLE.batch_inclusion });

const CROSS_ANCHOR_MEMBERS = {
  witnessing_network: NetworkId,
  tree_head: TreeHead,
  consistency_path: HashPath,
};

const CrossAnchor = z.union([
  z.strictObject({ ...CROSS_ANCHOR_MEMBERS, ...ED25519_MEMBERS }).openapi("Ed25519CrossAnchor", {
    example: CROSS_ANCHOR,
  }),
  z.strictObject({ ...CROSS_ANCHOR_MEMBERS, ...BLS_MEMBERS }).openapi("BlsCrossAnchor"),
]).openapi("CrossAnchor", {
  description: "A tree head of this log with the cosignatures of a peer network",
  example: CROSS_ANCHOR,
}) satisfies z.ZodType<CrossAnchorValue>;

const JSON_VALUE = { $ref: "#/components/schemas/JsonValue" };

/** The type is explicit because the generator would exclude null. */
export const JsonValue = z.json().openapi("JsonValue", {
  description: "Any JSON value",
  type: ["string", "number", "boolean", "null", "array", "object"],
  items: JSON_VALUE,
  additionalProperties: JSON_VALUE,
});

const ExternalAnchor = z.strictObject({
  provider: z.string().openapi({ description: "Kind of service" }),
  service: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/).optional().openapi({
    description: "The gateway's name for the service; only where it has several of this provider",
  }),
  status: z.string().openapi({ description: "State of the proof, as the provider names it" }),
  timestamp: time("Time of the anchor, as the service states it"),
  tree_head: TreeHead,
  consistency_path: HashPath,
  digest: Hash,
  proof: z.record(z.string(), JsonValue).openapi({
    description: "Proof in the provider's format",
  }),
}).openapi("ExternalAnchor", {
  description: "Proof of an external service over SHA-256(checkpoint body)",
  example: EXTERNAL_ANCHOR,
});

export const ExternalAnchors = z.array(ExternalAnchor).openapi({ example: [EXTERNAL_ANCHOR] });

export const ProofBundle = z.strictObject({
  signed_attestation: SignedAttestation,
  batch_inclusion: orNull(BatchInclusion),
  cross_anchors: z.array(CrossAnchor),
  external_anchors: z.array(ExternalAnchor),
}).openapi("ProofBundle", {
  description: "Everything that offline verification needs in addition to the pinned configuration",
  example: PROOF_BUNDLE,
});
