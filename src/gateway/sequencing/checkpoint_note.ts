/**
 * Published heads as resources: signed tree heads, and checkpoints.
 *
 * @module
 */

import { hexOf } from "../../base/bytes.ts";
import { encodeCheckpoint } from "../../proof/format/checkpoint.ts";
import { mlDsaLogKey } from "../../proof/format/network_check.ts";
import { encodeVkey } from "../../proof/format/note_key.ts";
import { cosignatureLine, encodeSignatureLine, withLines } from "../../proof/format/note_writer.ts";
import { namedSignatures, type SthRecord, type WitnessLine } from "../../proof/format/records.ts";
import type { SignedTreeHead } from "../../proof/format/tree_head.ts";
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
    ...(withLog && {
      log_signature: hexOf(record.logSignature),
      receipt_signature: hexOf(record.receiptSignature),
    }),
  };
}

/**
 * The checkpoint of a head of `epoch`, whose network has a log key. Lines of ML-DSA-44 keys follow, then
 * those of `stored` by other keys.
 */
export function checkpointNote(
  epoch: LogEpoch,
  record: SthRecord,
  stored: readonly WitnessLine[] = [],
): string {
  const note = encodeCheckpoint(epoch.network, signedHeadOf(epoch, record, true));
  const own = mlDsaLines(epoch, record);
  return withLines(note, [...own, ...stored.filter((one) => !own.some(isBySameKey(one)))]);
}

const isBySameKey = ({ vkey }: WitnessLine) => (other: WitnessLine) => other.vkey === vkey;

function mlDsaLines(
  { network, witnesses }: LogEpoch,
  { timestamp, mlDsa }: SthRecord,
): WitnessLine[] {
  if (mlDsa === undefined) return [];
  const signed = [
    { key: mlDsaLogKey(network), signature: mlDsa.log },
    ...mlDsa.witnesses.map(({ witness, signature }) => ({
      key: witnesses[witness]?.mlDsaKey,
      signature,
    })),
  ];
  return signed.flatMap(({ key, signature }) => {
    if (key === undefined || signature === undefined) return [];
    const line = encodeSignatureLine(cosignatureLine(key, timestamp, signature));
    return [{ vkey: encodeVkey(key), line }];
  });
}
