/**
 * The published checkpoint as a C2SP signed note (protocol.md "C2SP read interface"): the log key's line,
 * then the witnesses' cosignatures in the order of their ids, or one line with their aggregate.
 *
 * @module
 */

import { aggregateKey } from "../../format/aggregate_line.ts";
import { aggregateLine } from "../../format/note_writer.ts";
import type { NetworkConfiguration } from "../../format/network.ts";
import { type NoteSignature } from "../../format/note.ts";
import { cosignatureLine, encodeNote, noteSignature } from "../../format/note_writer.ts";
import { NOTE_TYPE } from "../../format/note_key.ts";
import type { SthRecord } from "../../format/records.ts";
import { encodeCheckpointBody } from "../../format/tree_head.ts";
import type { IndexedWitness } from "../signing/witness_pool.ts";
import type { LogEpoch } from "../succession/epochs.ts";

/** The note of a head of `epoch`, whose network has a log key. */
export function checkpointNote(
  { network, witnesses, logPublicKey }: LogEpoch,
  record: SthRecord,
): string {
  const text = encodeCheckpointBody({
    network_id: network.id,
    tree_size: record.size,
    root_hash: record.root.toHex(),
  });
  const logKey = { name: network.id, type: NOTE_TYPE.ed25519, publicKey: logPublicKey! };
  return encodeNote({
    text,
    signatures: [
      noteSignature(logKey, record.logSignature),
      ...witnessLines(network, record, witnesses),
    ],
  });
}

function witnessLines(
  network: NetworkConfiguration,
  { timestamp, signatures }: SthRecord,
  indexed: readonly IndexedWitness[],
): NoteSignature[] {
  if ("witnesses" in signatures) {
    const { witnesses: signers, signature } = signatures;
    return [aggregateLine(aggregateKey(network), { timestamp, signers, signature })];
  }
  return signatures.map(({ witness, signature }) => {
    const { id: name, publicKey } = indexed[witness]!;
    return cosignatureLine({ name, type: NOTE_TYPE.cosignature, publicKey }, timestamp, signature);
  });
}
