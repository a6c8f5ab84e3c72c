/**
 * Counts a set of signatures to the threshold (protocol.md "Signature schemes"). Server and client
 * count here, and
 * nowhere else.
 *
 * @module
 */

import { bytesOfHex } from "../bytes.ts";
import { BLS_SIGNATURE_DST } from "../crypto/domains.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import {
  type BlsSignatureSet,
  isEd25519Set,
  PUBLIC_KEY_LENGTH,
  SIGNATURE_LENGTH,
  type SignatureSet,
} from "../format/signature_set.ts";
import type { VerifyReason } from "./reasons.ts";
import type { SignatureCrypto } from "./verifier_crypto.ts";

/** Why a set does not meet the threshold. */
export type ThresholdReason = Extract<
  VerifyReason,
  | "scheme_mismatch"
  | "signer_duplicate"
  | "signers_unordered"
  | "signer_unknown"
  | "signature_invalid"
  | "threshold_not_met"
>;

/** How many signatures of a set count, and whose. */
export interface SignatureCount {
  /** Distinct configured witnesses that verify; 0 for an invalid set. */
  readonly verified: number;
  /** The network's threshold. */
  readonly required: number;
  /** Ids of the verified witnesses, ascending. */
  readonly signers: readonly string[];
  /** Ids that the configuration does not name: ignored in a list, and covered by nothing. */
  readonly unknown: readonly string[];
}

/** Whether a set meets the threshold. `reason` exactly when it does not. */
export interface ThresholdResult extends SignatureCount {
  readonly met: boolean;
  readonly reason?: ThresholdReason;
  /** The id that makes the set invalid. */
  readonly witness?: string;
}

/**
 * Counts the signatures of `set` over `message`. `network` is one that `checkNetwork` accepted:
 * distinct ids, distinct screened keys of proven possession, a threshold of at least 1.
 *
 * Strictly ascending ids are required of the shape itself (protocol.md "Resources"). One wrong
 * signature by a
 * configured witness makes the set invalid however many are right: nobody honest made it.
 */
export async function verifyThreshold(
  crypto: SignatureCrypto,
  network: NetworkConfiguration,
  message: Uint8Array,
  set: SignatureSet,
): Promise<ThresholdResult> {
  const isEd25519 = isEd25519Set(set);
  if (isEd25519 !== (network.signature_scheme === "ed25519")) {
    return uncounted(network, [], "scheme_mismatch");
  }
  const ids = isEd25519 ? set.signatures.map((entry) => entry.witness_id) : set.signers;
  const keys = new Map(network.witnesses.map((witness) => [witness.id, witness.pubkey]));
  const unknown = ids.filter((id) => !keys.has(id));
  const disorder = findDisorder(ids);
  if (disorder !== undefined) return uncounted(network, unknown, ...disorder);

  if (!isEd25519) {
    // Without its key the aggregate cannot be verified, whoever else is in it.
    if (unknown.length > 0) return uncounted(network, unknown, "signer_unknown", unknown[0]);
    if (ids.length > 0 && !verifiesTogether(crypto, ids.map((id) => keys.get(id)!), message, set)) {
      return uncounted(network, unknown, "signature_invalid");
    }
    return counted(network, ids, unknown);
  }
  const signers: string[] = [];
  for (const { witness_id: id, signature } of set.signatures) {
    const pubkey = keys.get(id);
    if (pubkey === undefined) continue;
    if (!await verifies(crypto, pubkey, message, signature)) {
      return uncounted(network, unknown, "signature_invalid", id);
    }
    signers.push(id);
  }
  return counted(network, signers, unknown);
}

/** The first id that breaks the strictly ascending order, a repeated one before any other. */
function findDisorder(
  ids: readonly string[],
): [ThresholdReason, string] | undefined {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) return ["signer_duplicate", id];
    seen.add(id);
  }
  const unordered = ids.find((id, i) => i > 0 && id < ids[i - 1]!);
  return unordered === undefined ? undefined : ["signers_unordered", unordered];
}

async function verifies(
  crypto: SignatureCrypto,
  pubkey: string,
  message: Uint8Array,
  signature: string,
): Promise<boolean> {
  const key = bytesOfHex(pubkey, PUBLIC_KEY_LENGTH.ed25519);
  const bytes = bytesOfHex(signature, SIGNATURE_LENGTH.ed25519);
  return key !== undefined && bytes !== undefined && await crypto.ed25519(key, message, bytes);
}

function verifiesTogether(
  crypto: SignatureCrypto,
  pubkeys: readonly string[],
  message: Uint8Array,
  set: BlsSignatureSet,
): boolean {
  const keys = pubkeys.map((pubkey) => bytesOfHex(pubkey, PUBLIC_KEY_LENGTH.bls));
  const signature = bytesOfHex(set.signature, SIGNATURE_LENGTH.bls);
  return signature !== undefined && keys.every((key) => key !== undefined) &&
    crypto.bls.fastAggregateVerify(keys, message, signature, BLS_SIGNATURE_DST);
}

function counted(
  network: NetworkConfiguration,
  signers: readonly string[],
  unknown: readonly string[],
): ThresholdResult {
  const met = signers.length >= network.threshold;
  return {
    met,
    verified: signers.length,
    required: network.threshold,
    signers,
    unknown,
    ...(!met && { reason: "threshold_not_met" }),
  };
}

function uncounted(
  network: NetworkConfiguration,
  unknown: readonly string[],
  reason: ThresholdReason,
  witness?: string,
): ThresholdResult {
  return {
    met: false,
    verified: 0,
    required: network.threshold,
    signers: [],
    unknown,
    reason,
    ...(witness !== undefined && { witness }),
  };
}
