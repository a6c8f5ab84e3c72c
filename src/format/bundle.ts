/**
 * The resources that a verifier reads: SignedAttestation, signed tree head, ProofBundle and the
 * proofs of the log routes (protocol.md "Resources"). Known members only, all required, no
 * duplicates.
 * Hashes are 64 lowercase hex, signatures lowercase hex, times Unix seconds.
 *
 * @module
 */

import type { ErrorCode } from "../errors.ts";
import { type Attestation, readAttestation } from "./attestation.ts";
import { EXTERNAL_ANCHOR, type ExternalAnchor, readExternalAnchor } from "./external_anchor.ts";
import { Fields, type OfShape } from "./fields.ts";
import { readRoundInclusion, type RoundInclusion } from "./round.ts";
import { readSignatureSet, SIGNATURE_MEMBERS, type SignatureSet } from "./signature_set.ts";
import { type JsonValue, parseStrictJson } from "./strict_json.ts";
import {
  readSignedTreeHead,
  readTreeHead,
  readTreeHeadAndSignatures,
  SIGNED_TREE_HEAD,
  type SignedTreeHead,
  type TreeHead,
} from "./tree_head.ts";

export type { ExternalAnchor };

/** A threshold-signed attestation and its place in the round that was signed. */
export type SignedAttestation =
  & { readonly attestation: Attestation; readonly round: RoundInclusion }
  & SignatureSet;

const BATCH_SHAPE = {
  /** The closing tree size. */
  id: "integer",
  network_id: "text",
  root_hash: "hash",
  tree_size: "integer",
  first_index: "integer",
  attestation_count: "integer",
  period_start: "integer",
  period_end: "integer",
} as const;

/** The members of a batch. */
export const BATCH: readonly string[] = Object.keys(BATCH_SHAPE);

/** The growth of the log between two consecutive published STHs. */
export type Batch = OfShape<typeof BATCH_SHAPE>;

const LEAF_PATH = {
  hash: "hash",
  leaf_hash: "hash",
  leaf_index: "integer",
  tree_size: "integer",
  inclusion_path: "hashes",
} as const;

const MERKLE_PROOF = { ...LEAF_PATH, root_hash: "hash", batch_id: "integer" } as const;

/** The answer of `GET /v1/proof/{hash}`. */
export type MerkleProof = OfShape<typeof MERKLE_PROOF>;

/** The answer of `GET /v1/log/proof`. */
export type InclusionProof = OfShape<typeof LEAF_PATH> & { readonly sth: SignedTreeHead };

const SIGNED_ATTESTATION = [["attestation", "round"], { optional: SIGNATURE_MEMBERS }] as const;
const CROSS_ANCHOR = [
  ["witnessing_network", "tree_head", "consistency_path"],
  { optional: SIGNATURE_MEMBERS },
] as const;

const SIZES = { first: "integer", second: "integer" } as const;

/** The answer of `GET /v1/log/consistency`. */
export type ConsistencyProof = OfShape<typeof SIZES> & {
  readonly first_sth: SignedTreeHead;
  readonly second_sth: SignedTreeHead;
  readonly consistency_path: readonly string[];
};

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
  const context = { where: "signed attestation", code };
  return readSignedAttestation(new Fields(value, context, ...SIGNED_ATTESTATION));
}

/** The ProofBundle of JSON `text`; `malformed_bundle`. */
export function parseBundle(text: string): ProofBundle {
  const fields = Fields.parse(
    text,
    { where: "bundle", code: "malformed_bundle" },
    ["signed_attestation", "batch_inclusion", "cross_anchors", "external_anchors"],
  );
  return {
    signed_attestation: readSignedAttestation(
      fields.object("signed_attestation", ...SIGNED_ATTESTATION),
    ),
    batch_inclusion: fields.value("batch_inclusion") === null ? null : readBatchInclusion(fields),
    cross_anchors: fields.objects("cross_anchors", ...CROSS_ANCHOR).map(readCrossAnchor),
    external_anchors: fields.objects("external_anchors", ...EXTERNAL_ANCHOR)
      .map(readExternalAnchor),
  };
}

/** The signed tree head of JSON `text`; `malformed_bundle`. */
export function parseSignedTreeHead(text: string): SignedTreeHead {
  const context = { where: "sth", code: "malformed_bundle" } as const;
  return readTreeHeadAndSignatures(Fields.parse(text, context, ...SIGNED_TREE_HEAD));
}

/** The proof of JSON `text` as `GET /v1/proof/{hash}` answers it; `malformed_bundle`. */
export function parseMerkleProof(text: string): MerkleProof {
  return proofFields(text, Object.keys(MERKLE_PROOF)).read(MERKLE_PROOF);
}

/** The proof of JSON `text` as `GET /v1/log/proof` answers it; `malformed_bundle`. */
export function parseInclusionProof(text: string): InclusionProof {
  const fields = proofFields(text, [...Object.keys(LEAF_PATH), "sth"]);
  return { ...fields.read(LEAF_PATH), sth: readSignedTreeHead(fields, "sth") };
}

/** The proof of JSON `text` as `GET /v1/log/consistency` answers it; `malformed_bundle`. */
export function parseConsistencyProof(text: string): ConsistencyProof {
  const fields = proofFields(text, [
    "first",
    "second",
    "first_sth",
    "second_sth",
    "consistency_path",
  ]);
  return {
    ...fields.read(SIZES),
    first_sth: readSignedTreeHead(fields, "first_sth"),
    second_sth: readSignedTreeHead(fields, "second_sth"),
    consistency_path: fields.hashes("consistency_path"),
  };
}

function proofFields(text: string, members: readonly string[]): Fields {
  return Fields.parse(text, { where: "proof", code: "malformed_bundle" }, members);
}

function readSignedAttestation(fields: Fields): SignedAttestation {
  return {
    attestation: readAttestation(fields),
    round: readRoundInclusion(fields),
    ...readSignatureSet(fields),
  };
}

function readBatchInclusion(bundle: Fields): BatchInclusion {
  const fields = bundle.object("batch_inclusion", ["batch", "merkle_proof", "sth"]);
  return {
    batch: fields.record("batch", BATCH_SHAPE),
    merkle_proof: fields.record("merkle_proof", MERKLE_PROOF),
    sth: readSignedTreeHead(fields, "sth"),
  };
}

/** The batch whose members, those of {@linkcode BATCH}, are `fields`. */
export function readBatch(fields: Fields): Batch {
  return fields.read(BATCH_SHAPE);
}

function readCrossAnchor(fields: Fields): CrossAnchor {
  return {
    witnessing_network: fields.text("witnessing_network"),
    tree_head: readTreeHead(fields),
    consistency_path: fields.hashes("consistency_path"),
    ...readSignatureSet(fields),
  };
}
