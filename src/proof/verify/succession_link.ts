/**
 * Verifies one succession of configurations by itself (L4 to L13 of verification.md "Succession"):
 * both configurations, every signature, and the end of the predecessor's epoch. Whether its
 * predecessor is trusted is another question: `followed_network.ts`.
 *
 * @module
 */

import { utf8 } from "../../base/bytes.ts";
import { leafHash } from "../crypto/hashing.ts";
import { tryParse } from "../../base/errors.ts";
import { encodeAttestation } from "../format/attestation.ts";
import { checkNetwork, NO_FEDERATION } from "../format/network_check.ts";
import type { WitnessSignature } from "../format/signature_set.ts";
import {
  encodeEpochEnd,
  encodeSuccession,
  type Succession,
  successionDigest,
  type SuccessionLink,
} from "../format/succession.ts";
import type { TrustCore } from "../format/trust_core.ts";
import { checkInclusion } from "./merkle_checks.ts";
import { type Failure, within } from "./reasons.ts";
import { verifies, verifiesAsLog } from "./threshold.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

/** L4 to L10: why the finished `succession` is not valid, if so. */
export async function verifySuccession(
  crypto: VerifierCrypto,
  succession: Succession,
): Promise<Failure | undefined> {
  const { predecessor, successor, signatures } = succession;
  const failure = await checkSuccession(crypto, succession);
  if (failure !== undefined) return failure;
  if (!meets(predecessor, signatures.predecessor)) { // L7
    return { reason: "threshold_not_met", field: "signatures.predecessor" };
  }
  if (predecessor.log_vkey !== undefined && signatures.log === undefined) { // L8
    return { reason: "log_signature_missing", field: "signatures.log" };
  }
  if (successor === null) return undefined;
  if (signatures.successor.length < successor.witnesses.length) { // L9
    return { reason: "successor_unsigned", field: "signatures.successor" };
  }
  return needsSuccessorLog(succession) && signatures.successor_log === undefined // L10
    ? { reason: "log_signature_missing", field: "signatures.successor_log" }
    : undefined;
}

/** True if the successor has a log key that is not the predecessor's. */
export function needsSuccessorLog({ predecessor, successor }: Succession): boolean {
  const vkey = successor?.log_vkey;
  return vkey !== undefined && vkey !== predecessor.log_vkey;
}

/** L4 to L6: why the configurations, or signatures that are there so far, are not valid. */
export async function checkSuccession(
  crypto: VerifierCrypto,
  succession: Succession,
): Promise<Failure | undefined> {
  const { predecessor, successor, signatures } = succession;
  const failure = checkCore(crypto, predecessor, "predecessor") ??
    (successor === null ? undefined : checkCore(crypto, successor, "successor") ??
      checkNeighbours(predecessor, successor));
  if (failure !== undefined) return failure;
  const message = utf8(encodeSuccession(succession));
  const { log, successor_log } = signatures;
  return await checkEach(crypto, predecessor, message, signatures.predecessor, "predecessor") ??
    await checkEach(crypto, successor, message, signatures.successor, "successor") ??
    await checkLogKey(crypto, predecessor.log_vkey, message, log, "log") ??
    await checkLogKey(
      crypto,
      needsSuccessorLog(succession) ? successor?.log_vkey : undefined,
      message,
      successor_log,
      "successor_log",
    );
}

/** L4 to L13: why `link` is not valid, if so. */
export async function verifyLink(
  crypto: VerifierCrypto,
  link: SuccessionLink,
): Promise<Failure | undefined> {
  const { predecessor, end } = link;
  const failure = await verifySuccession(crypto, link) ??
    within("end", { valid: false, ...checkEnd(crypto, link) });
  if (failure !== undefined) return failure;
  const message = utf8(encodeEpochEnd(link, end));
  const unsigned = await checkEach(crypto, predecessor, message, end.signatures, "end");
  if (unsigned !== undefined) return { ...unsigned, field: "end.signatures" };
  return meets(predecessor, end.signatures) // L13
    ? undefined
    : { reason: "threshold_not_met", field: "end.signatures" };
}

/** Whether a valid link satisfies L7 and L13 without the witnesses `distrusted`. */
export function standsWithout(
  { predecessor, signatures, end }: SuccessionLink,
  distrusted: readonly string[],
): boolean {
  return meets(predecessor, signatures.predecessor, distrusted) &&
    meets(predecessor, end.signatures, distrusted);
}

/** L11 and L12: the succession's digest is the last leaf of the tree with which the epoch ended. */
function checkEnd(crypto: VerifierCrypto, link: SuccessionLink): Failure | undefined {
  const { tree_size, root_hash, timestamp, inclusion_path } = link.end;
  if (tree_size <= link.tree_size) return { reason: "boundary_wrong", field: "tree_size" };
  const { id: network_id } = link.predecessor;
  const sequence = tree_size - 1;
  const hash = successionDigest(link);
  const leaf = utf8(encodeAttestation({ network_id, hash, timestamp, sequence }));
  const place = { leafHash: leafHash(crypto.kernels, leaf), index: sequence };
  return checkInclusion(crypto.kernels, place, inclusion_path, {
    network_id,
    tree_size,
    root_hash,
  });
}

/** L4. */
function checkCore(crypto: VerifierCrypto, core: TrustCore, field: string): Failure | undefined {
  if (2 * core.threshold <= core.witnesses.length) return { reason: "threshold_too_low", field };
  const isValid = tryParse(() => {
    checkNetwork({ ...core, federation: NO_FEDERATION }, crypto.bls);
    return true;
  });
  return isValid ? undefined : { reason: "core_invalid", field };
}

/** L5. */
function checkNeighbours(predecessor: TrustCore, successor: TrustCore): Failure | undefined {
  const isNext = successor.id === predecessor.id &&
    successor.epoch === predecessor.epoch + 1 &&
    successor.signature_scheme === predecessor.signature_scheme;
  return isNext ? undefined : { reason: "succession_unrelated", field: "successor" };
}

/** L6. Unlike in a set of a round or a head, a witness that is not configured is an error. */
async function checkEach(
  crypto: VerifierCrypto,
  core: TrustCore | null,
  message: Uint8Array,
  signatures: readonly WitnessSignature[],
  name: string,
): Promise<Failure | undefined> {
  const field = (i: number) => `signatures.${name}[${i}]`;
  for (const [i, { witness_id: id, signature }] of signatures.entries()) {
    if (i > 0 && id <= signatures[i - 1]!.witness_id) {
      return { reason: "signers_unordered", field: field(i) };
    }
    const witness = core?.witnesses.find((one) => one.id === id);
    if (core === null || witness === undefined) {
      return { reason: "signer_unknown", field: field(i) };
    }
    if (!await verifies(crypto, core.signature_scheme, witness.pubkey, message, signature)) {
      return { reason: "signature_invalid", field: field(i) };
    }
  }
  return undefined;
}

async function checkLogKey(
  crypto: VerifierCrypto,
  vkey: string | undefined,
  message: Uint8Array,
  signature: string | undefined,
  name: string,
): Promise<Failure | undefined> {
  if (signature === undefined) return undefined;
  const field = `signatures.${name}`;
  if (vkey === undefined) return { reason: "log_key_missing", field };
  return await verifiesAsLog(crypto, vkey, message, signature)
    ? undefined
    : { reason: "log_signature_invalid", field };
}

function meets(
  core: TrustCore,
  signatures: readonly WitnessSignature[],
  distrusted: readonly string[] = [],
): boolean {
  const counted = signatures.filter(({ witness_id: id }) => !distrusted.includes(id));
  return counted.length >= core.threshold;
}
