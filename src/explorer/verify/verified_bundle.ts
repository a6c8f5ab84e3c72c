/**
 * Verifies a bundle in this browser and computes the details that the page shows.
 *
 * @module
 */

import { hexOf } from "../../base/bytes.ts";
import type { ProofBundle } from "../../proof/format/bundle.ts";
import type { CryptoSuite } from "../../proof/crypto/crypto_suite.ts";
import { attestationLeaf, type Trust, type Verdict, verifyBundle } from "../../proof/verify/mod.ts";
import { type PathStep, pathSteps } from "./proof_path.ts";
import { type WitnessRow, witnessRows } from "./witness_rows.ts";

/** The path of one tree. */
export interface TreePath {
  readonly tree: "log" | "round";
  readonly index: number;
  readonly size: number;
  readonly steps: readonly PathStep[];
  readonly isVerified: boolean;
}

/** What the page shows of a bundle below its verdict. */
export interface BundleDetails {
  readonly witnesses: readonly WitnessRow[];
  /** Lowercase hex. */
  readonly leafHash: string;
  readonly paths: readonly TreePath[];
}

/** A verdict with its details. */
export interface VerifiedBundle extends BundleDetails {
  /** The verdict on the proof alone, without its file. */
  readonly verdict: Verdict;
  /** The proof is about another hash than the expected one. */
  readonly isOtherFile: boolean;
}

/** @param hash of the content to compare with, 64 lowercase hex */
export async function verifiedBundle(
  crypto: CryptoSuite,
  trust: Trust,
  bundle: ProofBundle,
  hash: string | undefined,
): Promise<VerifiedBundle> {
  const verdict = await verifyBundle(crypto, trust, bundle, {});
  const isOtherFile = hash !== undefined && hash !== bundle.signed_attestation.attestation.hash;
  return { verdict, isOtherFile, ...bundleDetails(crypto, trust, bundle, verdict) };
}

export function bundleDetails(
  crypto: CryptoSuite,
  trust: Trust,
  bundle: ProofBundle,
  verdict: Verdict,
): BundleDetails {
  const leafHash = attestationLeaf(crypto.kernels, bundle.signed_attestation.attestation);
  return {
    witnesses: witnessRows(trust.network, bundle, verdict),
    leafHash: hexOf(leafHash),
    paths: treePaths(crypto, bundle, { verdict, leafHash }),
  };
}

function treePaths(
  { kernels }: CryptoSuite,
  { signed_attestation: signed, batch_inclusion: inclusion }: ProofBundle,
  { verdict: { layers }, leafHash }: { readonly verdict: Verdict; readonly leafHash: Uint8Array },
): readonly TreePath[] {
  const paths: TreePath[] = [];
  if (inclusion !== null) {
    const index = signed.attestation.sequence;
    const size = inclusion.sth.tree_head.tree_size;
    const path = inclusion.merkle_proof.inclusion_path;
    const steps = pathSteps(kernels, { leafHash, index, size, path });
    const isVerified = layers.batch.status === "verified";
    paths.push({ tree: "log", index, size, steps, isVerified });
  }
  // A round of one has no path.
  if (signed.round.size > 1) {
    const { index, size, inclusion_path: path } = signed.round;
    const steps = pathSteps(kernels, { leafHash, index, size, path });
    const isVerified = layers.attestation.status === "verified";
    paths.push({ tree: "round", index, size, steps, isVerified });
  }
  return paths;
}
