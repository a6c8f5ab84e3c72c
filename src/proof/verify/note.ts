/**
 * Verifies C2SP signed notes (c2sp.org/signed-note) and the checkpoints of a pinned network (K1 to
 * K10 of verification.md "Checks of the other resources").
 *
 * @module
 */

import { type Bytes, equalBytes, fromHex, utf8 } from "../../base/bytes.ts";
import { BLS_SIGNATURE_DST } from "../crypto/domains.ts";
import { verifyMlDsa } from "../crypto/ml_dsa.ts";
import { tryParse } from "../../base/errors.ts";
import { type AggregateKey, aggregateKey, splitAggregate } from "../format/aggregate_line.ts";
import { parseLogCheckpoint } from "../format/log_checkpoint.ts";
import { type Note, type NoteSignature, parseNote, splitCosignature } from "../format/note.ts";
import { NOTE_TYPE, type NoteKey, noteKeyId, parseVkey } from "../format/note_key.ts";
import { mlDsaKeysOf } from "../format/network.ts";
import { encodeSubtreeMessage } from "../format/subtree_cosignature.ts";
import {
  type CheckpointBody,
  cosignatureMessage,
  parseCheckpointBody,
} from "../format/tree_head.ts";
import { checkEnd, type FollowedNetwork, signersOfHead } from "./followed_network.ts";
import type { Failure, Outcome } from "./reasons.ts";
import type { SignatureCount, SigningNetwork } from "./threshold.ts";
import type { SignatureCrypto, VerifierCrypto } from "./verifier_crypto.ts";

/** A verified line. */
export interface VerifiedLine {
  readonly key: NoteKey;
  /** Time of a cosignature, Unix seconds; absent for a plain signature. */
  readonly timestamp?: number;
  /** The signers of an aggregate line: witness ids, ascending. */
  readonly signers?: readonly string[];
}

/** A key that can verify a line: of type 0x01, 0x04 or 0x06, or of all witnesses of a `bls` network. */
export type KnownKey = NoteKey | AggregateKey;

/** Whether a note is signed by a known key. */
export interface NoteResult extends Outcome {
  /** In the order of the note; one key may have several lines. Empty if the note is not valid. */
  readonly lines: readonly VerifiedLine[];
  /** Number of lines without a known key. They are ignored. */
  readonly unknown: number;
}

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
 * Verifies `note` under `keys`. A line of a known key that does not verify makes the whole note
 * invalid; other lines are ignored; at least one line must verify.
 */
export async function verifyNote(
  crypto: SignatureCrypto,
  keys: readonly KnownKey[],
  note: Note,
): Promise<NoteResult> {
  const named = keys.map((key) => ({ key, id: noteKeyId(key) }));
  const lines: VerifiedLine[] = [];
  let unknown = 0;
  for (const [i, line] of note.signatures.entries()) {
    const known = named.find(({ key, id }) => key.name === line.name && equalBytes(id, line.keyId));
    if (known === undefined) { // K5
      unknown++;
      continue;
    }
    const verified = await verifyLine(crypto, known.key, note.text, line);
    if (verified === undefined) { // K6
      const field = `signatures[${i}]`;
      return { valid: false, reason: "signature_invalid", field, lines: [], unknown };
    }
    lines.push(verified);
  }
  // K7
  if (lines.length === 0) return { valid: false, reason: "no_known_signature", lines, unknown };
  return { valid: true, lines, unknown };
}

async function verifyLine(
  crypto: SignatureCrypto,
  key: KnownKey,
  text: string,
  line: NoteSignature,
): Promise<VerifiedLine | undefined> {
  if ("witnesses" in key) return verifyAggregate(crypto, key, text, line);
  if (key.type === NOTE_TYPE.ed25519) {
    return await crypto.ed25519(key.publicKey, utf8(text), line.payload) ? { key } : undefined;
  }
  const cosignature = splitCosignature(line.payload);
  if (cosignature === undefined) return undefined;
  const { timestamp, signature } = cosignature;
  if (key.type === NOTE_TYPE.mlDsaCosignature) {
    const message = treeMessage(key.name, timestamp, text);
    const isValid = message && await verifyMlDsa(key.publicKey, message, signature);
    return isValid ? { key, timestamp } : undefined;
  }
  if (key.type !== NOTE_TYPE.cosignature) return undefined;
  const message = utf8(cosignatureMessage(timestamp, text));
  return await crypto.ed25519(key.publicKey, message, signature) ? { key, timestamp } : undefined;
}

/** What the cosigner `name` signs with ML-DSA-44 for the tree of a checkpoint; `undefined` for another text. */
function treeMessage(cosigner: string, timestamp: number, text: string): Bytes | undefined {
  return tryParse(() => {
    const { origin, size: end, root } = parseLogCheckpoint(text);
    return encodeSubtreeMessage({ cosigner, timestamp, origin, start: 0, end, root });
  });
}

function verifyAggregate(
  crypto: SignatureCrypto,
  key: AggregateKey,
  text: string,
  line: NoteSignature,
): VerifiedLine | undefined {
  const aggregate = splitAggregate(key, line.payload);
  if (aggregate === undefined) return undefined;
  const { timestamp, signature } = aggregate;
  const signers = aggregate.signers.map((place) => key.witnesses[place]!);
  const keys = signers.map(({ pubkey }) => fromHex(pubkey));
  const message = utf8(cosignatureMessage(timestamp, text));
  return crypto.bls.fastAggregateVerify(keys, message, signature, BLS_SIGNATURE_DST)
    ? { key, timestamp, signers: signers.map(({ id }) => id) }
    : undefined;
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
