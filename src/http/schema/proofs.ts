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
  id: count("The closing tree size"),
  network_id: NetworkId,
  root_hash: Hash,
  tree_size: count("Size of the closing tree head"),
  first_index: count("Size of the tree head before; informative"),
  attestation_count: count("Growth of the log; informative"),
  period_start: time("Time of the tree head before, 0 if none; informative"),
  period_end: time("Time of the closing tree head"),
}).openapi("Batch", {
  description: "The growth of the log between two consecutive published tree heads",
  example: BATCH,
}) satisfies z.ZodType<BatchValue>;

const LEAF_MEMBERS = {
  hash: Hash,
  leaf_hash: Hash,
  leaf_index: count("Index of the leaf in the log, which is the attestation's sequence"),
  tree_size: count("Size of the tree that the path leads to the root of"),
  inclusion_path: HashPath,
};

export const MerkleProof = z.strictObject({
  ...LEAF_MEMBERS,
  root_hash: Hash,
  batch_id: count("Id of the batch that holds the attestation"),
}).openapi("MerkleProofResponse", {
  description: "Inclusion of an attestation in the tree that closed its batch",
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
  description: "This log's tree head, cosigned by the witnesses of a peer network",
  example: CROSS_ANCHOR,
}) satisfies z.ZodType<CrossAnchorValue>;

const JSON_VALUE = { $ref: "#/components/schemas/JsonValue" };

/** Spelt out, since the generator would say that null is not one. */
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
  status: z.string().openapi({ description: "State of the proof, in the provider's terms" }),
  timestamp: time("When the provider was asked"),
  tree_head: TreeHead,
  consistency_path: HashPath,
  digest: Hash,
  proof: z.record(z.string(), JsonValue).openapi({
    description: "Of the provider's own shape",
  }),
}).openapi("ExternalAnchor", {
  description: "A proof by a service outside the federation over SHA-256(checkpoint body)",
  example: EXTERNAL_ANCHOR,
});

export const ExternalAnchors = z.array(ExternalAnchor).openapi({ example: [EXTERNAL_ANCHOR] });

export const ProofBundle = z.strictObject({
  signed_attestation: SignedAttestation,
  batch_inclusion: orNull(BatchInclusion),
  cross_anchors: z.array(CrossAnchor),
  external_anchors: z.array(ExternalAnchor),
}).openapi("ProofBundle", {
  description: "All that offline verification needs beside the pinned configuration",
  example: PROOF_BUNDLE,
});
