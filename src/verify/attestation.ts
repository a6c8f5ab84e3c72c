/**
 * Verifies a SignedAttestation (protocol.md "Resources"): rebuild the text, hash the leaf, follow
 * the path to
 * the round's root, rebuild the round's message, count the signatures.
 *
 * @module
 */

import { type Bytes, utf8 } from "../bytes.ts";
import { type Attestation, encodeAttestation } from "../format/attestation.ts";
import type { SignedAttestation } from "../format/bundle.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { encodeRoundMessage, MAX_ROUND_SIZE } from "../format/round.ts";
import { type Hashing, leafHash } from "../crypto/hashing.ts";
import { rootOfPath } from "./merkle_checks.ts";
import type { Failure } from "./reasons.ts";
import { rejectedUncounted, type SignedOutcome, signedOutcome } from "./signed_outcome.ts";
import { verifyThreshold } from "./threshold.ts";
import type { ThresholdCrypto } from "./verifier_crypto.ts";

/** Whether the threshold signed the attestation. */
export interface AttestationResult extends SignedOutcome {
  /** Its RFC 9162 leaf hash, 32 bytes; only when valid. */
  readonly leafHash?: Bytes;
}

/** SHA-256(0x00 || text): what the round and the log hold of an attestation. */
export function attestationLeaf(kernels: Hashing, attestation: Attestation): Bytes {
  return leafHash(kernels, utf8(encodeAttestation(attestation)));
}

/** Verifies `signed`, as `parseSignedAttestation` makes it, against a pinned `network`. */
export async function verifySignedAttestation(
  crypto: ThresholdCrypto,
  network: NetworkConfiguration,
  signed: SignedAttestation,
): Promise<AttestationResult> {
  const failure = checkPlace(network, signed);
  if (failure !== undefined) return rejectedUncounted(network, failure);

  const { attestation, round } = signed;
  const leaf = attestationLeaf(crypto.kernels, attestation);
  const root = rootOfPath(crypto.kernels, { ...round, leafHash: leaf }, round.inclusion_path);
  if (root === undefined) {
    return rejectedUncounted(network, {
      reason: "round_path_invalid",
      field: "round.inclusion_path",
    });
  }
  // The message fixes size and root; the timestamp is the attestation's own, so it is signed twice.
  const message = encodeRoundMessage({
    network_id: network.id,
    timestamp: attestation.timestamp,
    size: round.size,
    root,
    beacon: round.beacon,
  });
  const result = await verifyThreshold(crypto, network, utf8(message), signed);
  return { ...signedOutcome(result), ...(result.met && { leafHash: leaf }) };
}

function checkPlace(
  network: NetworkConfiguration,
  { attestation, round }: SignedAttestation,
): Failure | undefined {
  if (attestation.network_id !== network.id) {
    return { reason: "network_mismatch", field: "attestation.network_id" };
  }
  if (round.size < 1 || round.size > MAX_ROUND_SIZE) {
    return { reason: "round_size_invalid", field: "round.size" };
  }
  // A round's sequences are consecutive from its first, which is not negative.
  if (round.index >= round.size || round.index > attestation.sequence) {
    return { reason: "round_index_invalid", field: "round.index" };
  }
  return undefined;
}
