/**
 * The checkpoint of a signed tree head as a C2SP signed note (protocol.md "C2SP read interface"): the
 * log key's line, then the witnesses' cosignatures in the order of their ids, or one line with their
 * aggregate.
 *
 * @module
 */

import { fromHex } from "../../base/bytes.ts";
import { errorBuilder } from "../../base/errors.ts";
import { aggregateKey } from "./aggregate_line.ts";
import type { NetworkConfiguration } from "./network.ts";
import type { NoteSignature } from "./note.ts";
import { NOTE_TYPE, parseVkey } from "./note_key.ts";
import { aggregateLine, cosignatureLine, encodeNote, noteSignature } from "./note_writer.ts";
import { isEd25519Set } from "./signature_set.ts";
import { encodeCheckpointBody, type SignedTreeHead } from "./tree_head.ts";

const incomplete = errorBuilder("malformed_text", "Cannot write checkpoint");

/**
 * The checkpoint of `sth`, a verified head of `network`; `malformed_text` if there is no signature or
 * no key of the log. Signatures of witnesses that are not configured are left out.
 */
export function encodeCheckpoint(network: NetworkConfiguration, sth: SignedTreeHead): string {
  const { tree_head, log_signature } = sth;
  if (network.log_vkey === undefined) throw incomplete("the configuration has no log key");
  if (log_signature === undefined) {
    throw incomplete(
      "the tree head has no signature of the log (/v1/bundle has it with log_signature=true)",
    );
  }
  const logLine = noteSignature(parseVkey(network.log_vkey), fromHex(log_signature));
  const signatures = [logLine, ...witnessLines(network, sth)];
  return encodeNote({ text: encodeCheckpointBody(tree_head), signatures });
}

function witnessLines(network: NetworkConfiguration, sth: SignedTreeHead): NoteSignature[] {
  const { timestamp } = sth.tree_head;
  if (!isEd25519Set(sth)) {
    const key = aggregateKey(network);
    const signers = sth.signers.map((id) =>
      key.witnesses.findIndex((witness) => witness.id === id)
    );
    return [aggregateLine(key, { timestamp, signers, signature: fromHex(sth.signature) })];
  }
  const keys = new Map(network.witnesses.map(({ id, pubkey }) => [id, pubkey]));
  return sth.signatures.flatMap(({ witness_id: name, signature }) => {
    const pubkey = keys.get(name);
    if (pubkey === undefined) return [];
    const key = { name, type: NOTE_TYPE.cosignature, publicKey: fromHex(pubkey) };
    return [cosignatureLine(key, timestamp, fromHex(signature))];
  });
}
