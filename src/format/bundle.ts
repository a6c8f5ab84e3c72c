/**
 * The resources that a verifier reads: SignedAttestation, signed tree head, ProofBundle and the
 * proofs of the log routes (protocol.md "Resources"). Known members only, all required, no
 * duplicates.
 * Hashes are 64 lowercase hex, signatures lowercase hex, times Unix seconds.
 *
 * @module
 */

import { HASH_LENGTH } from "../bytes.ts";
import type { ErrorCode } from "../errors.ts";
import { type Attestation, readAttestation } from "./attestation.ts";
import { type ExternalAnchor, readExternalAnchor } from "./external_anchor.ts";
import { Fields } from "./fields.ts";
import { readRoundPlace, type RoundPlace } from "./round.ts";
import { readSignatureSet, SIGNATURE_MEMBERS, type SignatureSet } from "./signature_set.ts";
import { type JsonValue, parseStrictJson } from "./strict_json.ts";
import {
  readSignedTreeHead,
  readTreeHead,
  readTreeHeadAndSignatures,
  type SignedTreeHead,
  type TreeHead,
} from "./tree_head.ts";

export type { ExternalAnchor };

/** A threshold-signed attestation and its place in the round that was signed. */
export type SignedAttestation =
  & { readonly attestation: Attestation; readonly round: RoundPlace }
  & SignatureSet;

/** The growth of the log between two consecutive published STHs. Not verified as such. */
export interface Batch {
  /** The closing tree size. */
  readonly id: number;
  readonly network_id: string;
  readonly root_hash: string;
  readonly tree_size: number;
  readonly first_index: number;
  readonly attestation_count: number;
  readonly period_start: number;
  readonly period_end: number;
}

/** The answer of `GET /v1/proof/{hash}`. */
export interface MerkleProof {
  readonly hash: string;
  readonly leaf_hash: string;
  readonly leaf_index: number;
  readonly tree_size: number;
  readonly inclusion_path: readonly string[];
  readonly root_hash: string;
  readonly batch_id: number;
}

/** The answer of `GET /v1/log/proof`. */
export interface InclusionProof {
  readonly hash: string;
  readonly leaf_hash: string;
  readonly leaf_index: number;
  readonly tree_size: number;
  readonly inclusion_path: readonly string[];
  readonly sth: SignedTreeHead;
}

/** The answer of `GET /v1/log/consistency`. */
export interface ConsistencyProof {
  readonly first: number;
  readonly second: number;
  readonly first_sth: SignedTreeHead;
  readonly second_sth: SignedTreeHead;
  readonly consistency_path: readonly string[];
}

/** What makes an attestation batched. */
export interface BatchInclusion {
  readonly batch: Batch;
  readonly merkle_proof: MerkleProof;
  readonly sth: SignedTreeHead;
}

/** Our own head, at the batch's size or later, cosigned by a peer network's witnesses. */
export type CrossAnchor =
  & {
    readonly witnessing_network: string;
    readonly tree_head: TreeHead;
    readonly consistency_path: readonly string[];
  }
  & SignatureSet;

/** The answer of `GET /v1/bundle/{hash}`: all that offline verification needs but the pin. */
export interface ProofBundle {
  readonly signed_attestation: SignedAttestation;
  readonly batch_inclusion: BatchInclusion | null;
  readonly cross_anchors: readonly CrossAnchor[];
  readonly external_anchors: readonly ExternalAnchor[];
}

/** The SignedAttestation of JSON `text`; refused with `code`. */
export function parseSignedAttestation(
  text: string,
  code: ErrorCode = "malformed_bundle",
): SignedAttestation {
  return signedAttestationOf(parseStrictJson(text, code), code);
}

/** The SignedAttestation that is `value`; refused with `code`. */
export function signedAttestationOf(value: JsonValue, code: ErrorCode): SignedAttestation {
  return readSignedAttestation(
    new Fields(value, { where: "signed attestation", code }, ["attestation", "round"], {
      optional: SIGNATURE_MEMBERS,
    }),
  );
}

/** The ProofBundle of JSON `text`; `malformed_bundle`. */
export function parseBundle(text: string): ProofBundle {
  const fields = new Fields(
    parseStrictJson(text, "malformed_bundle"),
    { where: "bundle", code: "malformed_bundle" },
    ["signed_attestation", "batch_inclusion", "cross_anchors", "external_anchors"],
  );
  return {
    signed_attestation: readSignedAttestation(
      fields.object("signed_attestation", ["attestation", "round"], {
        optional: SIGNATURE_MEMBERS,
      }),
    ),
    batch_inclusion: fields.value("batch_inclusion") === null ? null : readBatchInclusion(fields),
    cross_anchors: fields.list("cross_anchors").map((value, i) =>
      readCrossAnchor(fields, value, `cross_anchors[${i}]`)
    ),
    external_anchors: fields.list("external_anchors").map((value, i) =>
      readExternalAnchor(value, {
        where: `${fields.where}.external_anchors[${i}]`,
        code: fields.code,
      })
    ),
  };
}

/** The signed tree head of JSON `text`; `malformed_bundle`. */
export function parseSignedTreeHead(text: string): SignedTreeHead {
  const code = "malformed_bundle";
  const value = parseStrictJson(text, code);
  return readTreeHeadAndSignatures(
    new Fields(value, { where: "sth", code }, ["tree_head"], { optional: SIGNATURE_MEMBERS }),
  );
}

/** The proof of JSON `text` as `GET /v1/proof/{hash}` answers it; `malformed_bundle`. */
export function parseMerkleProof(text: string): MerkleProof {
  const code = "malformed_bundle";
  const value = parseStrictJson(text, code);
  return readMerkleProof(new Fields(value, { where: "proof", code }, MERKLE_PROOF));
}

/** The proof of JSON `text` as `GET /v1/log/proof` answers it; `malformed_bundle`. */
export function parseInclusionProof(text: string): InclusionProof {
  const code = "malformed_bundle";
  const fields = new Fields(parseStrictJson(text, code), { where: "proof", code }, [
    "hash",
    "leaf_hash",
    "leaf_index",
    "tree_size",
    "inclusion_path",
    "sth",
  ]);
  return { ...readLeafPath(fields), sth: readSignedTreeHead(fields, "sth") };
}

/** The proof of JSON `text` as `GET /v1/log/consistency` answers it; `malformed_bundle`. */
export function parseConsistencyProof(text: string): ConsistencyProof {
  const code = "malformed_bundle";
  const fields = new Fields(parseStrictJson(text, code), { where: "proof", code }, [
    "first",
    "second",
    "first_sth",
    "second_sth",
    "consistency_path",
  ]);
  return {
    first: fields.count("first"),
    second: fields.count("second"),
    first_sth: readSignedTreeHead(fields, "first_sth"),
    second_sth: readSignedTreeHead(fields, "second_sth"),
    consistency_path: fields.hashes("consistency_path"),
  };
}

const MERKLE_PROOF = [
  "hash",
  "leaf_hash",
  "leaf_index",
  "tree_size",
  "inclusion_path",
  "root_hash",
  "batch_id",
] as const;

/** The members of a batch. */
export const BATCH = [
  "id",
  "network_id",
  "root_hash",
  "tree_size",
  "first_index",
  "attestation_count",
  "period_start",
  "period_end",
] as const;

function readSignedAttestation(fields: Fields): SignedAttestation {
  return {
    attestation: readAttestation(fields),
    round: readRoundPlace(fields),
    ...readSignatureSet(fields),
  };
}

function readBatchInclusion(bundle: Fields): BatchInclusion {
  const fields = bundle.object("batch_inclusion", ["batch", "merkle_proof", "sth"]);
  return {
    batch: readBatch(fields.object("batch", BATCH)),
    merkle_proof: readMerkleProof(fields.object("merkle_proof", MERKLE_PROOF)),
    sth: readSignedTreeHead(fields, "sth"),
  };
}

/** The batch whose members, those of {@linkcode BATCH}, are `fields`. */
export function readBatch(fields: Fields): Batch {
  return {
    id: fields.count("id"),
    network_id: fields.text("network_id"),
    root_hash: fields.hex("root_hash", HASH_LENGTH),
    tree_size: fields.count("tree_size"),
    first_index: fields.count("first_index"),
    attestation_count: fields.count("attestation_count"),
    period_start: fields.count("period_start"),
    period_end: fields.count("period_end"),
  };
}

function readLeafPath(fields: Fields): Omit<MerkleProof, "root_hash" | "batch_id"> {
  return {
    hash: fields.hex("hash", HASH_LENGTH),
    leaf_hash: fields.hex("leaf_hash", HASH_LENGTH),
    leaf_index: fields.count("leaf_index"),
    tree_size: fields.count("tree_size"),
    inclusion_path: fields.hashes("inclusion_path"),
  };
}

function readMerkleProof(fields: Fields): MerkleProof {
  return {
    ...readLeafPath(fields),
    root_hash: fields.hex("root_hash", HASH_LENGTH),
    batch_id: fields.count("batch_id"),
  };
}

function readCrossAnchor(bundle: Fields, value: JsonValue, place: string): CrossAnchor {
  const fields = bundle.within(value, place, [
    "witnessing_network",
    "tree_head",
    "consistency_path",
  ], { optional: SIGNATURE_MEMBERS });
  return {
    witnessing_network: fields.text("witnessing_network"),
    tree_head: readTreeHead(fields),
    consistency_path: fields.hashes("consistency_path"),
    ...readSignatureSet(fields),
  };
}
