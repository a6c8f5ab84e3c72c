/**
 * Published heads as resources: signed tree heads, and checkpoints.
 *
 * @module
 */

import { hexOf } from "../../bytes.ts";
import { encodeCheckpoint } from "../../format/checkpoint.ts";
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

/** The checkpoint of a head of `epoch`, whose network has a log key. */
export function checkpointNote(epoch: LogEpoch, record: SthRecord): string {
  return encodeCheckpoint(epoch.network, signedHeadOf(epoch, record, true));
}
