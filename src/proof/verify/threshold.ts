/**
 * Verifies a set of signatures and compares their number with the threshold (verification.md
 * "Signatures").
 *
 * @module
 */

import { bytesOfHex, hexOf } from "../../base/bytes.ts";
import { BLS_SIGNATURE_DST } from "../crypto/domains.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { parseVkey } from "../format/note_key.ts";
import {
  type BlsSignatureSet,
  isEd25519Set,
  PUBLIC_KEY_LENGTH,
  SIGNATURE_LENGTH,
  type SignatureScheme,
  type SignatureSet,
} from "../format/signature_set.ts";
import type { VerifyReason } from "./reasons.ts";
import type { SignatureCrypto } from "./verifier_crypto.ts";

/** Who signs at a place in the log. */
export type SigningNetwork = NetworkConfiguration & {
  /** Their signatures are verified and do not count. */
  readonly distrusted?: readonly string[];
};

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

/** The signatures of a set that count. */
export interface SignatureCount {
  /** Number of distinct configured witnesses whose signatures verify; 0 for an invalid set. */
  readonly verified: number;
  /** The network's threshold. */
  readonly required: number;
  /** Ids of the verified witnesses, ascending. */
  readonly signers: readonly string[];
  /** Ids that are not configured. In a list they are ignored and unauthenticated (S8). */
  readonly unknown: readonly string[];
  /** Ids whose signatures verify, and which the verifier does not trust there. Absent if none. */
  readonly distrusted?: readonly string[];
  /** Number of the epoch whose witnesses these are. Absent in the first. */
  readonly epoch?: number;
}

/** Whether a set meets the threshold. It has a reason exactly when it does not. */
export interface ThresholdResult extends SignatureCount {
  readonly met: boolean;
  readonly reason?: ThresholdReason;
  /** The id that makes the set invalid. */
  readonly witness?: string;
}

/**
 * Verifies the signatures of `set` over `message`. `checkNetwork` has accepted `network`: ids and
 * keys are distinct, keys are valid, possession of `bls` keys is proven, the threshold is at least 1.
 *
 * One wrong signature by a configured witness makes the whole set invalid, even if enough others are
 * right: no honest gateway shows such a set.
 */
export async function verifyThreshold(
  crypto: SignatureCrypto,
  network: SigningNetwork,
  message: Uint8Array,
  set: SignatureSet,
): Promise<ThresholdResult> {
  const isEd25519 = isEd25519Set(set);
  if (isEd25519 !== (network.signature_scheme === "ed25519")) { // S2
    return uncounted(network, [], "scheme_mismatch");
  }
  const ids = isEd25519 ? set.signatures.map((entry) => entry.witness_id) : set.signers;
  const keys = new Map(network.witnesses.map((witness) => [witness.id, witness.pubkey]));
  const unknown = ids.filter((id) => !keys.has(id));
  const disorder = findDisorder(ids);
  if (disorder !== undefined) return uncounted(network, unknown, ...disorder);

  if (!isEd25519) {
    // S5: without the key of each signer the aggregate cannot be verified.
    if (unknown.length > 0) return uncounted(network, unknown, "signer_unknown", unknown[0]);
    if (ids.length > 0 && !verifiesTogether(crypto, ids.map((id) => keys.get(id)!), message, set)) {
      return uncounted(network, unknown, "signature_invalid"); // S6
    }
    return counted(network, ids, unknown);
  }
  const signers: string[] = [];
  for (const { witness_id: id, signature } of set.signatures) {
    const pubkey = keys.get(id);
    if (pubkey === undefined) continue; // S8
    if (!await verifies(crypto, "ed25519", pubkey, message, signature)) {
      return uncounted(network, unknown, "signature_invalid", id); // S6
    }
    signers.push(id);
  }
  return counted(network, signers, unknown);
}

/** The first repeated id (S3), else the first id that is not in ascending order (S4). */
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

/** Whether `signature` is of the witness with key `pubkey`, alone. */
export async function verifies(
  crypto: SignatureCrypto,
  scheme: SignatureScheme,
  pubkey: string,
  message: Uint8Array,
  signature: string,
): Promise<boolean> {
  const key = bytesOfHex(pubkey, PUBLIC_KEY_LENGTH[scheme]);
  const bytes = bytesOfHex(signature, SIGNATURE_LENGTH[scheme]);
  if (key === undefined || bytes === undefined) return false;
  return scheme === "ed25519"
    ? await crypto.ed25519(key, message, bytes)
    : crypto.bls.fastAggregateVerify([key], message, bytes, BLS_SIGNATURE_DST);
}

/** Whether `signature` is of the log with key `vkey`. */
export function verifiesAsLog(
  crypto: SignatureCrypto,
  vkey: string,
  message: Uint8Array,
  signature: string,
): Promise<boolean> {
  return verifies(crypto, "ed25519", hexOf(parseVkey(vkey).publicKey), message, signature);
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
  network: SigningNetwork,
  verified: readonly string[],
  unknown: readonly string[],
): ThresholdResult {
  const signers = verified.filter((id) => !network.distrusted?.includes(id)); // S11
  const distrusted = verified.filter((id) => network.distrusted?.includes(id));
  const met = signers.length >= network.threshold; // S7
  return {
    met,
    ...(network.epoch && { epoch: network.epoch }),
    verified: signers.length,
    required: network.threshold,
    signers,
    unknown,
    ...(distrusted.length > 0 && { distrusted }),
    ...(!met && { reason: "threshold_not_met" }),
  };
}

function uncounted(
  network: SigningNetwork,
  unknown: readonly string[],
  reason: ThresholdReason,
  witness?: string,
): ThresholdResult {
  const none = counted(network, [], unknown); // A threshold is at least 1.
  return { ...none, reason, ...(witness !== undefined && { witness }) };
}
