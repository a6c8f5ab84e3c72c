/**
 * Verifies a SignedAttestation (A1 to A5 of verification.md "Bundle: inputs, checks, results"):
 * rebuilds the leaf, follows the path to the round's root, rebuilds the round message and counts its
 * signatures.
 *
 * @module
 */

import { type Bytes, utf8 } from "../../base/bytes.ts";
import { type Attestation, encodeAttestation } from "../format/attestation.ts";
import type { SignedAttestation } from "../format/bundle.ts";
import { encodeRoundMessage, MAX_ROUND_SIZE } from "../format/round.ts";
import { type Hashing, leafHash } from "../crypto/hashing.ts";
import { type FollowedNetwork, signersOfLeaf } from "./followed_network.ts";
import { rootOfPath } from "./merkle_checks.ts";
import type { Failure } from "./reasons.ts";
import { rejectedUncounted, type SignedOutcome, signedOutcome } from "./signed_outcome.ts";
import { verifyThreshold } from "./threshold.ts";
import type { ThresholdCrypto } from "./verifier_crypto.ts";

/** Whether the threshold signed the attestation. */
export interface AttestationResult extends SignedOutcome {
  /** RFC 9162 leaf hash, 32 bytes; present if the threshold signed it, trusted or not. */
  readonly leafHash?: Bytes;
}

/** SHA-256(0x00 || text): the leaf of an attestation in its round and in the log. */
export function attestationLeaf(kernels: Hashing, attestation: Attestation): Bytes {
  return leafHash(kernels, utf8(encodeAttestation(attestation)));
}

/** Verifies `signed`, the result of `parseSignedAttestation`, against a pinned `network`. */
export async function verifySignedAttestation(
  crypto: ThresholdCrypto,
  network: FollowedNetwork,
  signed: SignedAttestation,
): Promise<AttestationResult> {
  const failure = checkPlace(network, signed);
  if (failure !== undefined) return rejectedUncounted(network, failure);

  const { attestation, round } = signed;
  const leaf = attestationLeaf(crypto.kernels, attestation);
  const root = rootOfPath(crypto.kernels, { ...round, leafHash: leaf }, round.inclusion_path);
  if (root === undefined) { // A4
    return rejectedUncounted(network, {
      reason: "round_path_invalid",
      field: "round.inclusion_path",
    });
  }
  // A5. The message contains size and root. Its timestamp is the attestation's.
  const message = encodeRoundMessage({
    network_id: network.id,
    timestamp: attestation.timestamp,
    size: round.size,
    root,
    beacon: round.beacon,
  });
  const signers = signersOfLeaf(network, attestation.sequence);
  if (signers === undefined) { // L14
    return rejectedUncounted(network, { reason: "log_ended", field: "attestation.sequence" });
  }
  const result = await verifyThreshold(crypto, signers, utf8(message), signed);
  // With signers that are not trusted any more, the leaf may still be in a tree that others signed.
  const isSigned = result.verified + (result.distrusted?.length ?? 0) >= result.required;
  return { ...signedOutcome(result), ...(isSigned && { leafHash: leaf }) };
}

function checkPlace(
  network: FollowedNetwork,
  { attestation, round }: SignedAttestation,
): Failure | undefined {
  if (attestation.network_id !== network.id) { // A1
    return { reason: "network_mismatch", field: "attestation.network_id" };
  }
  if (round.size < 1 || round.size > MAX_ROUND_SIZE) { // A2
    return { reason: "round_size_invalid", field: "round.size" };
  }
  // A3. The sequences of a round are consecutive, and its first is not negative.
  if (round.index >= round.size || round.index > attestation.sequence) {
    return { reason: "round_index_invalid", field: "round.index" };
  }
  return undefined;
}
