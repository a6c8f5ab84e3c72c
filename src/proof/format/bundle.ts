/**
 * The resources that a verifier reads: SignedAttestation, ProofBundle and the proofs of the log routes
 * (protocol.md "Resources"). Unknown, missing and duplicate members are errors.
 *
 * @module
 */

import { type ErrorCode, tryParse } from "../../base/errors.ts";
import { ATTESTATION } from "./attestation.ts";
import { EXTERNAL_ANCHOR } from "./external_anchor.ts";
import { NETWORK_ID } from "./names.ts";
import { parseNote } from "./note.ts";
import { ROUND_INCLUSION } from "./round.ts";
import {
  count,
  type FieldContext,
  HASH,
  HASH_PATH,
  list,
  object,
  type Of,
  orNull,
  TEXT,
  time,
} from "./schema.ts";
import { signed } from "./signature_set.ts";
import type { JsonValue } from "./strict_json.ts";
import { SUCCESSION_LINK } from "./succession.ts";
import {
  parseCheckpointBody,
  SIGNED_TREE_HEAD,
  type SignedTreeHead,
  TREE_HEAD,
} from "./tree_head.ts";

export const SIGNED_ATTESTATION = signed("SignedAttestation", {
  attestation: ATTESTATION,
  round: ROUND_INCLUSION,
}, { description: "A hash with its timestamp and log index, signed by the threshold" });

/** A threshold-signed attestation and its position in the round that was signed. */
export type SignedAttestation = Of<typeof SIGNED_ATTESTATION>;

export const BATCH = object({
  id: count("Size of the closing tree head"),
  network_id: NETWORK_ID,
  root_hash: HASH,
  tree_size: count("Size of the closing tree head"),
  first_index: count("Size of the previous tree head; informative"),
  attestation_count: count("Number of attestations in the batch; informative"),
  period_start: time("Timestamp of the previous tree head, 0 if there is none; informative"),
  period_end: time("Timestamp of the closing tree head"),
}).named("Batch", {
  description: "The growth of the log between two consecutive published tree heads",
});

/** The growth of the log between two consecutive published tree heads. */
export type Batch = Of<typeof BATCH>;

const LEAF_MEMBERS = {
  hash: HASH,
  leaf_hash: HASH,
  leaf_index: count("Index of the leaf in the log, equal to the sequence of the attestation"),
  tree_size: count("Size of the tree whose root the path leads to"),
  inclusion_path: HASH_PATH,
};

export const MERKLE_PROOF = object({
  ...LEAF_MEMBERS,
  root_hash: HASH,
  batch_id: count("Id of the batch that contains the attestation"),
}).named("MerkleProofResponse", {
  description: "Inclusion proof of an attestation in the tree that closed its batch",
});

/** The answer of `GET /v1/proof/{hash}`. */
export type MerkleProof = Of<typeof MERKLE_PROOF>;

export const INCLUSION_PROOF = object({ ...LEAF_MEMBERS, sth: SIGNED_TREE_HEAD })
  .named("InclusionProof", {
    description: "RFC 9162 inclusion proof in the tree of a published tree head",
  });

/** The answer of `GET /v1/log/proof`. */
export type InclusionProof = Of<typeof INCLUSION_PROOF>;

export const CONSISTENCY_PROOF = object({
  first: count("Size of the smaller tree"),
  second: count("Size of the larger tree"),
  first_sth: SIGNED_TREE_HEAD,
  second_sth: SIGNED_TREE_HEAD,
  consistency_path: HASH_PATH,
}).named("ConsistencyProof", {
  description: "RFC 9162 consistency proof between two published tree heads",
});

/** The answer of `GET /v1/log/consistency`. */
export type ConsistencyProof = Of<typeof CONSISTENCY_PROOF>;

const BATCH_INCLUSION = object({
  batch: BATCH,
  merkle_proof: MERKLE_PROOF,
  sth: SIGNED_TREE_HEAD,
}).named("BatchInclusion");

/** Proof that an attestation is batched. */
export type BatchInclusion = Of<typeof BATCH_INCLUSION>;

const CROSS_ANCHOR = signed("CrossAnchor", {
  witnessing_network: NETWORK_ID,
  tree_head: TREE_HEAD,
  consistency_path: HASH_PATH,
}, { description: "A tree head of this log with the cosignatures of a peer network" });

/** Our own head, at the batch's size or later, cosigned by a peer network's witnesses. */
export type CrossAnchor = Of<typeof CROSS_ANCHOR>;

/** K1 and K2 of verification.md. */
const CHECKPOINT_TEXT = TEXT.map(
  (text) => tryParse(() => parseCheckpointBody(parseNote(text).text)) && text,
  "a checkpoint",
);

const WITNESSED = object({
  checkpoint: CHECKPOINT_TEXT.with({
    description: "A checkpoint of this log, with cosignatures of foreign witnesses",
  }),
  inclusion_path: HASH_PATH,
}).named("Witnessed", {
  description:
    "Proof that the attestation is in a tree whose checkpoint foreign witnesses cosigned",
});

export const PROOF_BUNDLE = object({
  signed_attestation: SIGNED_ATTESTATION,
  batch_inclusion: orNull(BATCH_INCLUSION),
  cross_anchors: list(CROSS_ANCHOR),
  external_anchors: list(EXTERNAL_ANCHOR),
  succession: list(SUCCESSION_LINK, 1).with({
    description: "The links from the first epoch on; absent in the first",
  }).optional(),
  witnessed: WITNESSED.optional(),
}).named("ProofBundle", {
  description: "Everything that offline verification needs in addition to the pinned configuration",
});

/** The answer of `GET /v1/bundle/{hash}`. */
export type ProofBundle = Of<typeof PROOF_BUNDLE>;

/** Parses a SignedAttestation. */
export function parseSignedAttestation(
  text: string,
  code: ErrorCode = "malformed_bundle",
): SignedAttestation {
  return SIGNED_ATTESTATION.parseText(text, { where: "signed attestation", code });
}

/** Reads a SignedAttestation from a parsed value; refused with `code`. */
export function signedAttestationOf(value: JsonValue, code: ErrorCode): SignedAttestation {
  return SIGNED_ATTESTATION.parse(value, { where: "signed attestation", code });
}

/** Parses a ProofBundle; `malformed_bundle`. */
export function parseBundle(text: string): ProofBundle {
  return PROOF_BUNDLE.parseText(text, contextOf("bundle"));
}

/** Parses a signed tree head; `malformed_bundle`. */
export function parseSignedTreeHead(text: string): SignedTreeHead {
  return SIGNED_TREE_HEAD.parseText(text, contextOf("sth"));
}

/** Reads the answer of `GET /v1/proof/{hash}`; `malformed_bundle`. */
export function parseMerkleProof(text: string): MerkleProof {
  return MERKLE_PROOF.parseText(text, contextOf("proof"));
}

/** Reads the answer of `GET /v1/log/proof`; `malformed_bundle`. */
export function parseInclusionProof(text: string): InclusionProof {
  return INCLUSION_PROOF.parseText(text, contextOf("proof"));
}

/** Reads the answer of `GET /v1/log/consistency`; `malformed_bundle`. */
export function parseConsistencyProof(text: string): ConsistencyProof {
  return CONSISTENCY_PROOF.parseText(text, contextOf("proof"));
}

function contextOf(where: string): FieldContext {
  return { where, code: "malformed_bundle" };
}
