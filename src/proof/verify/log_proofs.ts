/**
 * Verifies the proofs of the log routes against signed tree heads (P1 to P10 and N1 to N6 of
 * verification.md "Checks of the other resources").
 *
 * An inclusion proof has a `hash` and a `leaf_hash`. Only a SignedAttestation, from which the leaf is
 * rebuilt, proves that they belong together. Without one, a valid result proves only that the leaf
 * hash is in the log, and `hash` is unauthenticated.
 *
 * @module
 */

import { bytesOfHex, HASH_LENGTH, hexOf } from "../../base/bytes.ts";
import type { Hashing } from "../crypto/hashing.ts";
import type {
  ConsistencyProof,
  InclusionProof,
  MerkleProof,
  SignedAttestation,
} from "../format/bundle.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";
import { verifySignedAttestation } from "./attestation.ts";
import type { FollowedNetwork } from "./followed_network.ts";
import { checkInclusion, isPrefix } from "./merkle_checks.ts";
import { type Failure, firstMismatch, type Outcome, within } from "./reasons.ts";
import { type SignedOutcome, unlessFailed } from "./signed_outcome.ts";
import { verifySignedTreeHead } from "./tree_head.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

/** What the caller requested. */
export interface ExpectedInclusion {
  /** The requested hash, 64 lowercase hex. */
  readonly hash: string;
  /** The requested tree size. */
  readonly treeSize?: number;
  /** Binds `hash` to the leaf; it is verified too. */
  readonly signedAttestation?: SignedAttestation;
}

/** Whether a leaf is in a signed tree. The counted signatures are the tree head's. */
export interface InclusionResult extends SignedOutcome {
  /** Members of the proof that no signature covers: `hash`, if no attestation was given. */
  readonly unauthenticated: readonly string[];
}

/** Whether one signed tree is a prefix of another. */
export interface ConsistencyResult extends Outcome {
  readonly first: SignedOutcome;
  readonly second: SignedOutcome;
}

/** Verifies the answer of `GET /v1/log/proof`. */
export function verifyInclusionProof(
  crypto: VerifierCrypto,
  network: FollowedNetwork,
  proof: InclusionProof,
  expected: ExpectedInclusion,
): Promise<InclusionResult> {
  return verifyLeafIn(crypto, network, { proof, sth: proof.sth, expected });
}

/** Verifies the answer of `GET /v1/proof/{hash}` against the STH of its tree size. */
export async function verifyMerkleProof(
  crypto: VerifierCrypto,
  network: FollowedNetwork,
  { proof, sth }: { readonly proof: MerkleProof; readonly sth: SignedTreeHead },
  expected: ExpectedInclusion,
): Promise<InclusionResult> {
  const result = await verifyLeafIn(crypto, network, { proof, sth, expected });
  if (!result.valid) return result;
  const failure = firstMismatch([ // P9
    ["root_hash", proof.root_hash, sth.tree_head.root_hash],
    ["batch_id", proof.batch_id, sth.tree_head.tree_size],
  ]);
  return { ...unlessFailed(result, failure), unauthenticated: result.unauthenticated };
}

/**
 * Verifies the answer of `GET /v1/log/consistency` for the requested sizes: both heads meet the
 * threshold, and the first tree is a prefix of the second.
 */
export async function verifyConsistencyProof(
  crypto: VerifierCrypto,
  network: FollowedNetwork,
  proof: ConsistencyProof,
  expected: { readonly first: number; readonly second: number },
): Promise<ConsistencyResult> {
  const first = await verifySignedTreeHead(crypto, network, proof.first_sth); // N1
  const second = await verifySignedTreeHead(crypto, network, proof.second_sth); // N2
  const failure = within("first_sth", first) ?? within("second_sth", second) ??
    checkGrowthOf(crypto.kernels, proof, expected);
  return { valid: failure === undefined, ...failure, first, second };
}

async function verifyLeafIn(
  crypto: VerifierCrypto,
  network: FollowedNetwork,
  { proof, sth, expected }: {
    readonly proof: Omit<InclusionProof, "sth">;
    readonly sth: SignedTreeHead;
    readonly expected: ExpectedInclusion;
  },
): Promise<InclusionResult> {
  const head = sth.tree_head;
  const counted = await verifySignedTreeHead(crypto, network, sth); // P1
  const leafHash = bytesOfHex(proof.leaf_hash, HASH_LENGTH) ?? new Uint8Array();
  const leaf = { leafHash, index: proof.leaf_index };
  const failure = within("sth", counted) ?? checkExpected(proof, expected) ??
    firstMismatch([["tree_size", proof.tree_size, head.tree_size]]) ?? // P4
    checkInclusion(crypto.kernels, leaf, proof.inclusion_path, head) ??
    await checkBinding(crypto, network, proof, expected.signedAttestation);
  return {
    ...unlessFailed(counted, failure),
    unauthenticated: expected.signedAttestation === undefined ? ["hash"] : [],
  };
}

/** P2 and P3. */
function checkExpected(
  proof: Omit<InclusionProof, "sth">,
  expected: ExpectedInclusion,
): Failure | undefined {
  if (proof.hash !== expected.hash) return { reason: "hash_mismatch", field: "hash" };
  if (expected.treeSize !== undefined && proof.tree_size !== expected.treeSize) {
    return { reason: "tree_size_mismatch", field: "tree_size" };
  }
  return undefined;
}

/** P7 and P8. */
async function checkBinding(
  crypto: VerifierCrypto,
  network: FollowedNetwork,
  proof: Omit<InclusionProof, "sth">,
  signed: SignedAttestation | undefined,
): Promise<Failure | undefined> {
  if (signed === undefined) return undefined;
  const result = await verifySignedAttestation(crypto, network, signed);
  if (!result.valid) return within("signed_attestation", result);
  return firstMismatch([
    ["hash", proof.hash, signed.attestation.hash],
    ["leaf_index", proof.leaf_index, signed.attestation.sequence],
    ["leaf_hash", proof.leaf_hash, hexOf(result.leafHash ?? new Uint8Array())],
  ]);
}

/** N3, N4 and N5. */
function checkGrowthOf(
  kernels: Hashing,
  proof: ConsistencyProof,
  expected: { readonly first: number; readonly second: number },
): Failure | undefined {
  const first = proof.first_sth.tree_head;
  const second = proof.second_sth.tree_head;
  if (proof.first !== expected.first) return { reason: "tree_size_mismatch", field: "first" };
  if (proof.second !== expected.second) return { reason: "tree_size_mismatch", field: "second" };
  return firstMismatch([
    ["first", proof.first, first.tree_size],
    ["second", proof.second, second.tree_size],
  ]) ?? (isPrefix(kernels, first, second, proof.consistency_path)
    ? undefined
    : { reason: "consistency_invalid", field: "consistency_path" });
}
