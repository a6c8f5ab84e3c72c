/**
 * Published heads as resources: signed tree heads, and checkpoints.
 *
 * @module
 */

import { hexOf } from "../../bytes.ts";
import { encodeCheckpoint } from "../../format/checkpoint.ts";
import { mlDsaLogKey } from "../../format/network.ts";
import type { NoteSignature } from "../../format/note.ts";
import { cosignatureLine, encodeSignatureLine } from "../../format/note_writer.ts";
import { namedSignatures, type SthRecord } from "../../format/records.ts";
import type { SignedTreeHead } from "../../format/tree_head.ts";
import type { LogEpoch } from "../succession/epochs.ts";

/** The signed tree head of `record`, a head of `epoch`; `withLog` includes the log's signatures. */
export function signedHeadOf(
  { network, witnessIds }: LogEpoch,
  record: SthRecord,
  withLog: boolean,
): SignedTreeHead {
  return {
    tree_head: {
      network_id: network.id,
      tree_size: record.size,
      timestamp: record.timestamp,
      root_hash: hexOf(record.root),
    },
    ...namedSignatures(record.signatures, witnessIds),
    ...(withLog && logMembers(record)),
  };
}

function logMembers({ logSignature, receiptSignature: receipts }: SthRecord) {
  const log_signature = hexOf(logSignature);
  return { log_signature, ...(receipts && { receipt_signature: hexOf(receipts) }) };
}

/** The checkpoint of a head of `epoch`, whose network has a log key; lines of ML-DSA-44 keys are last. */
export function checkpointNote(epoch: LogEpoch, record: SthRecord): string {
  const note = encodeCheckpoint(epoch.network, signedHeadOf(epoch, record, true));
  return note + mlDsaLines(epoch, record).map(encodeSignatureLine).join("");
}

function mlDsaLines(
  { network, witnesses }: LogEpoch,
  { timestamp, mlDsa }: SthRecord,
): NoteSignature[] {
  if (mlDsa === undefined) return [];
  const signed = [
    { key: mlDsaLogKey(network), signature: mlDsa.log },
    ...mlDsa.witnesses.map(({ witness, signature }) => ({
      key: witnesses[witness]?.mlDsaKey,
      signature,
    })),
  ];
  return signed.flatMap(({ key, signature }) =>
    key === undefined || signature === undefined ? [] : [cosignatureLine(key, timestamp, signature)]
  );
}
