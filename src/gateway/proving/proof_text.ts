/**
 * Bundles and proofs (protocol.md "Resources"), written as JSON text directly. What all
 * attestations of a batch
 * share is given as text that was made once. Tests hold them equal to JSON.stringify.
 *
 * @module
 */

import type { AnchorTexts, KeptAnchors } from "./anchor_texts.ts";
import type { SignedTreeHead } from "../../format/tree_head.ts";
import type { ReadAttestation } from "./read_attestation.ts";
import { hashesJson } from "../intake/job.ts";

/** What the proofs under one published head share. */
export interface HeadTexts {
  /** JSON of the signed tree head. */
  readonly sth: string;
  /** Hex. */
  readonly root: string;
  /** JSON of the batch that the head closed; made when it is first asked for. */
  batch?: string;
  /** Whether the tiles were seen to hash to the root. */
  isProved: boolean;
  /** Of bundles whose batch the head closed. */
  readonly anchors: KeptAnchors;
}

/** The texts of a head. */
export function headTexts(sth: SignedTreeHead): HeadTexts {
  return { sth: JSON.stringify(sth), root: sth.tree_head.root_hash, isProved: false, anchors: {} };
}

/** JSON of the `MerkleProof` in the tree of `size` leaves. */
export function merkleProofJson(
  read: ReadAttestation,
  size: number,
  path: readonly string[],
  head: HeadTexts,
): string {
  return `${leafJson(read, size, path)},"root_hash":"${head.root}","batch_id":${size}}`;
}

/** JSON of the `InclusionProof` in the tree of `size` leaves. */
export function inclusionJson(
  read: ReadAttestation,
  size: number,
  path: readonly string[],
  head: HeadTexts,
): string {
  return `${leafJson(read, size, path)},"sth":${head.sth}}`;
}

/** JSON of the `BatchInclusion` that a Merkle proof, as JSON, completes. */
export function batchInclusionJson(batch: string, merkleProof: string, head: HeadTexts): string {
  return `{"batch":${batch},"merkle_proof":${merkleProof},"sth":${head.sth}}`;
}

/** JSON of the `ProofBundle`; `batchInclusion` is JSON, `null` for none. */
export function bundleJson(
  signedAttestation: string,
  batchInclusion: string,
  { crossAnchors, externalAnchors }: AnchorTexts,
): string {
  return `{"signed_attestation":${signedAttestation},"batch_inclusion":${batchInclusion},` +
    `"cross_anchors":${crossAnchors},"external_anchors":${externalAnchors}}`;
}

/** What both kinds of proof begin with; every text is hex. */
function leafJson(read: ReadAttestation, size: number, path: readonly string[]): string {
  return `{"hash":"${read.hash}","leaf_hash":"${read.leafHash}","leaf_index":${read.sequence},` +
    `"tree_size":${size},"inclusion_path":${hashesJson(path)}`;
}
