/**
 * The signed tree head in a checkpoint. Its cosignatures have one time, while the lines of a checkpoint
 * may have several; a checkpoint that a gateway writes has one.
 *
 * @module
 */

import { equalBytes, fromHex, hexOf } from "../../base/bytes.ts";
import { logSignatureIn } from "../../client/remembered_head.ts";
import type { CryptoSuite } from "../../proof/crypto/crypto_suite.ts";
import { aggregateKey, splitAggregate } from "../../proof/format/aggregate_line.ts";
import type { Contradiction, LoggedTreeHead } from "../../proof/format/federation.ts";
import type { LogHistories } from "../../proof/format/log_histories.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import {
  type Note,
  type NoteSignature,
  parseNote,
  splitCosignature,
} from "../../proof/format/note.ts";
import { NOTE_TYPE, type NoteKey, noteKeyId } from "../../proof/format/note_key.ts";
import type { SignatureSet, WitnessSignature } from "../../proof/format/signature_set.ts";
import { parseCheckpointBody, type SignedTreeHead } from "../../proof/format/tree_head.ts";
import { verifyContradiction } from "../../proof/verify/contradiction.ts";
import { type FollowedNetwork, signersOfHead } from "../../proof/verify/followed_network.ts";
import { verifySignedTreeHead } from "../../proof/verify/tree_head.ts";

/** Signatures over the cosignature message of one time. */
interface TimedSignatures {
  /** Unix seconds. */
  readonly timestamp: number;
  readonly set: SignatureSet;
}

/**
 * The tree head of checkpoint `text` with the signatures of the threshold over its latest such time;
 * `undefined` if no time has them. `malformed_text` for a text that is not a checkpoint of a network.
 */
export async function signedHeadIn(
  crypto: CryptoSuite,
  network: FollowedNetwork,
  text: string,
): Promise<SignedTreeHead | undefined> {
  const note = parseNote(text);
  const body = parseCheckpointBody(note.text);
  const signers = signersOfHead(network, body.tree_size);
  if (signers === undefined) return undefined;
  const candidates = signers.signature_scheme === "bls"
    ? aggregatesIn(signers, note)
    : cosignaturesIn(signers, note);
  for (const { timestamp, set } of candidates.toSorted((a, b) => b.timestamp - a.timestamp)) {
    const sth = { tree_head: { ...body, timestamp }, ...set };
    if ((await verifySignedTreeHead(crypto, network, sth)).valid) return sth;
  }
  return undefined;
}

/** The contradiction between two checkpoints; `undefined` unless it verifies. */
export async function contradictionIn(
  crypto: CryptoSuite,
  network: FollowedNetwork,
  { origin, foundAt, path, ...notes }: LogHistories,
): Promise<Contradiction | undefined> {
  const first = await loggedHeadIn(crypto, network, notes.first);
  const second = await loggedHeadIn(crypto, network, notes.second);
  if (first === undefined || second === undefined) return undefined;
  const contradiction = { origin, foundAt, first, second, path };
  const { valid } = await verifyContradiction(crypto, network, contradiction);
  return valid ? contradiction : undefined;
}

async function loggedHeadIn(
  crypto: CryptoSuite,
  network: FollowedNetwork,
  text: string,
): Promise<LoggedTreeHead | undefined> {
  const sth = await signedHeadIn(crypto, network, text);
  const logSignature = sth && await logSignatureIn(crypto, network, sth.tree_head, text);
  return sth && logSignature && { sth, logSignature };
}

function cosignaturesIn(network: NetworkConfiguration, note: Note): TimedSignatures[] {
  const byTime = new Map<number, WitnessSignature[]>();
  // Ascending, as in a signature set.
  for (const { id, pubkey } of network.witnesses.toSorted((a, b) => a.id < b.id ? -1 : 1)) {
    const publicKey = fromHex(pubkey);
    const times = new Set<number>();
    for (const line of linesOf({ name: id, type: NOTE_TYPE.cosignature, publicKey }, note)) {
      const timed = splitCosignature(line.payload);
      if (timed === undefined || times.has(timed.timestamp)) continue;
      times.add(timed.timestamp);
      const signatures = byTime.get(timed.timestamp) ?? [];
      signatures.push({ witness_id: id, signature: hexOf(timed.signature) });
      byTime.set(timed.timestamp, signatures);
    }
  }
  return [...byTime].map(([timestamp, signatures]) => ({ timestamp, set: { signatures } }));
}

function aggregatesIn(network: NetworkConfiguration, note: Note): TimedSignatures[] {
  const key = aggregateKey(network);
  return linesOf(key, note).map(({ payload }) => splitAggregate(key, payload))
    .filter((aggregate) => aggregate !== undefined)
    .map(({ timestamp, signers, signature }) => ({
      timestamp,
      set: {
        signature: hexOf(signature),
        signers: signers.map((index) => key.witnesses[index]!.id),
      },
    }));
}

/** The lines that claim to be of `key`. */
function linesOf(key: NoteKey, { signatures }: Note): NoteSignature[] {
  const id = noteKeyId(key);
  return signatures.filter(({ name, keyId }) => name === key.name && equalBytes(keyId, id));
}
