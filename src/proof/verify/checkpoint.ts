/**
 * Verifies the checkpoints of a pinned network (K1 to K10 of verification.md "Checks of the other
 * resources").
 *
 * @module
 */

import { fromHex } from "../../base/bytes.ts";
import { aggregateKey } from "../format/aggregate_line.ts";
import { mlDsaKeysOf } from "../format/network_check.ts";
import { parseNote } from "../format/note.ts";
import { NOTE_TYPE, parseVkey } from "../format/note_key.ts";
import { type CheckpointBody, parseCheckpointBody } from "../format/tree_head.ts";
import { checkEnd, type FollowedNetwork, signersOfHead } from "./followed_network.ts";
import { type KnownKey, type VerifiedLine, verifyNote } from "./note.ts";
import type { Failure, Outcome } from "./reasons.ts";
import type { SignatureCount, SigningNetwork } from "./threshold.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

/** Whether the log signed a checkpoint and its witnesses meet the threshold. */
export interface CheckpointResult extends Outcome, Omit<SignatureCount, "unknown"> {
  readonly head: CheckpointBody;
  /** Each verified witness's latest time, ascending by id. Times may differ between witnesses. */
  readonly cosigners: readonly { readonly id: string; readonly timestamp: number }[];
  /** Signers with a verified ML-DSA-44 key; absent if there are none. */
  readonly mlDsa?: {
    readonly log: boolean;
    /** Ids of witnesses, ascending. */
    readonly witnesses: readonly string[];
  };
}

/**
 * Verifies a checkpoint of `GET /checkpoint` against a pinned `network`: the log's signature and the
 * cosignatures of at least the threshold of witnesses. The cosignatures may have different times.
 *
 * @throws CountersignError `malformed_text` if `text` is not a note with a canonical checkpoint body.
 * Extension lines are refused, because a cosignature in a tree head does not cover them.
 */
export async function verifyCheckpoint(
  crypto: VerifierCrypto,
  network: FollowedNetwork,
  text: string,
): Promise<CheckpointResult> {
  const note = parseNote(text); // K1
  const head = parseCheckpointBody(note.text); // K2
  const none = { head, verified: 0, required: network.threshold, signers: [], cosigners: [] };
  const signing = signersOfHead(network, head.tree_size);
  if (signing === undefined) { // L14
    return { valid: false, reason: "log_ended", field: "tree_size", ...none };
  }
  const early = checkVerifiable(signing, head);
  if (early !== undefined) return { valid: false, ...early, ...none };

  const result = await verifyNote(crypto, keysOf(signing), note);
  if (!result.valid) {
    const { valid, reason, field } = result;
    return { valid, ...none, ...(reason && { reason }), ...(field && { field }) };
  }
  const cosigners = latestCosigners(result.lines)
    .filter(({ id }) => !signing.distrusted?.includes(id));
  const counted = {
    head,
    verified: cosigners.length,
    required: signing.threshold,
    ...(signing.epoch && { epoch: signing.epoch }),
    signers: cosigners.map(({ id }) => id),
    cosigners,
    ...mlDsaSigners(signing, result.lines),
  };
  if (!result.lines.some(({ key }) => key.type === NOTE_TYPE.ed25519)) { // K8
    return { valid: false, reason: "log_signature_missing", ...counted };
  }
  if (cosigners.length < signing.threshold) { // K9
    return { valid: false, reason: "threshold_not_met", ...counted };
  }
  const fork = checkEnd(network, head); // L15
  return { valid: fork === undefined, ...fork, ...counted };
}

/** K3 and K4. */
function checkVerifiable(
  network: SigningNetwork,
  head: CheckpointBody,
): Failure | undefined {
  if (head.network_id !== network.id) return { reason: "network_mismatch", field: "origin" };
  return network.log_vkey === undefined ? { reason: "log_key_missing" } : undefined;
}

/** The log key, the only one of type 0x01, the witnesses' keys, and the ML-DSA-44 keys of both. */
function keysOf(network: SigningNetwork): KnownKey[] {
  const witnesses: KnownKey[] = network.signature_scheme === "bls"
    ? [aggregateKey(network)]
    : network.witnesses.map(({ id, pubkey }) => ({
      name: id,
      type: NOTE_TYPE.cosignature,
      publicKey: fromHex(pubkey),
    }));
  const logKeys = network.log_vkey === undefined ? [] : [parseVkey(network.log_vkey)];
  return [...logKeys, ...witnesses, ...mlDsaKeysOf(network)];
}

function mlDsaSigners(
  { id }: SigningNetwork,
  lines: readonly VerifiedLine[],
): Pick<CheckpointResult, "mlDsa"> {
  const names = new Set(
    lines.filter(({ key }) => key.type === NOTE_TYPE.mlDsaCosignature).map(({ key }) => key.name),
  );
  if (names.size === 0) return {};
  const log = names.delete(id);
  return { mlDsa: { log, witnesses: [...names].sort() } };
}

/** Each cosigner once, with the latest time of its lines. Lines of ML-DSA-44 keys do not count. */
function latestCosigners(lines: readonly VerifiedLine[]): { id: string; timestamp: number }[] {
  const latest = new Map<string, number>();
  for (const { key, timestamp, signers = [key.name] } of lines) {
    if (timestamp === undefined || key.type === NOTE_TYPE.mlDsaCosignature) continue;
    for (const id of signers) latest.set(id, Math.max(timestamp, latest.get(id) ?? 0));
  }
  return [...latest].map(([id, timestamp]) => ({ id, timestamp }))
    .sort((a, b) => a.id < b.id ? -1 : 1);
}
