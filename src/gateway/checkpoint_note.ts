/**
 * The published checkpoint as a C2SP signed note: the log key's line first, then the witnesses'
 * cosignatures in the order of their ids (contract B6).
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { cosignatureLine, encodeNote, noteSignature } from "../format/note.ts";
import { NOTE_TYPE } from "../format/note_key.ts";
import { encodeCheckpointBody } from "../format/tree_head.ts";
import type { SthRecord } from "./ports.ts";
import type { PooledWitness } from "./witness_pool.ts";

/** The note of a head of the network `origin`. */
export function checkpointNote(
  origin: string,
  logPublicKey: Bytes,
  record: SthRecord,
  witnesses: readonly PooledWitness[],
): string {
  const text = encodeCheckpointBody({
    network_id: origin,
    tree_size: record.size,
    root_hash: record.root.toHex(),
  });
  const logKey = { name: origin, type: NOTE_TYPE.ed25519, publicKey: logPublicKey };
  return encodeNote({
    text,
    signatures: [
      noteSignature(logKey, record.logSignature),
      ...record.signatures.map(({ witness, signature }) => {
        const { id, publicKey } = witnesses[witness]!;
        const key = { name: id, type: NOTE_TYPE.cosignature, publicKey };
        return cosignatureLine(key, record.timestamp, signature);
      }),
    ],
  });
}
