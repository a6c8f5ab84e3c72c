/**
 * A tree head, and the two texts of it that are signed. The log key signs the checkpoint body
 * (c2sp.org/tlog-checkpoint) as a note:
 *
 *     <network_id>
 *     <tree_size>
 *     <base64 root_hash>
 *
 * Witnesses sign the cosignature message (c2sp.org/tlog-cosignature):
 *
 *     cosignature/v1
 *     time <timestamp>
 *     <checkpoint body>
 *
 * The gateway proposes the time (protocol.md "Signed messages"): all witnesses of a `bls` network have to
 * sign the same message.
 *
 * @module
 */

import { base64Of, fromHex, HASH_LENGTH, hexOf, isCount, isHex } from "../../base/bytes.ts";
import { COSIGNATURE_DOMAIN } from "../crypto/domains.ts";
import { errorBuilder } from "../../base/errors.ts";
import { parseLogCheckpoint } from "./log_checkpoint.ts";
import { isNetworkId, NETWORK_ID } from "./names.ts";
import { count, HASH, hex, object, type Of, time } from "./schema.ts";
import { SIGNATURE_LENGTH, signed } from "./signature_set.ts";

const malformed = errorBuilder("malformed_text", "Cannot read tree head");

export const TREE_HEAD = object({
  network_id: NETWORK_ID,
  tree_size: count("Number of leaves").with({ example: 2 }),
  timestamp: time("Timestamp of the head"),
  root_hash: HASH,
}).named("TreeHead");

export const LOG_SIGNATURE = hex(
  SIGNATURE_LENGTH.ed25519,
  "The log key's Ed25519 signature over the checkpoint body",
);

const RECEIPT_SIGNATURE = hex(
  SIGNATURE_LENGTH.ed25519,
  "The log key's Ed25519 signature over the Sig_structure of this head's COSE receipts",
);

export const SIGNED_TREE_HEAD = signed("SignedTreeHead", {
  tree_head: TREE_HEAD,
  log_signature: LOG_SIGNATURE.optional(),
  receipt_signature: RECEIPT_SIGNATURE.optional(),
}, {
  description: "Size and root hash of the log at a time, cosigned by the threshold",
});

/** Size and root of the log at a time, with the member names of the wire. */
export type TreeHead = Of<typeof TREE_HEAD>;

/** A tree head with the witnesses' signatures over its cosignature message, and the log's if requested. */
export type SignedTreeHead = Of<typeof SIGNED_TREE_HEAD>;

/** A tree head without its time. */
export type CheckpointBody = Omit<TreeHead, "timestamp">;

/** The three lines of a checkpoint; `malformed_text` if a member is invalid. */
export function encodeCheckpointBody(head: CheckpointBody): string {
  if (!isNetworkId(head.network_id)) throw malformed("the origin is not a network id");
  if (!isCount(head.tree_size)) throw malformed("the tree size is not an integer in [0, 2^53)");
  if (!isHex(head.root_hash, HASH_LENGTH)) throw malformed("the root hash is not 32 bytes");
  const root = base64Of(fromHex(head.root_hash));
  return `${head.network_id}\n${head.tree_size}\n${root}\n`;
}

/** Parses a checkpoint body. `malformed_text` for any other text, and if there are extension lines. */
export function parseCheckpointBody(text: string): CheckpointBody {
  const { origin: network_id, size: tree_size, root, extensions } = parseLogCheckpoint(text);
  if (!isNetworkId(network_id)) throw malformed("the origin is not a network id");
  if (extensions.length > 0) throw malformed("it has extension lines");
  return { network_id, tree_size, root_hash: hexOf(root) };
}

/** The exact text that every witness signs for `head`. */
export function encodeCosignatureMessage(head: TreeHead): string {
  return cosignatureMessage(head.timestamp, encodeCheckpointBody(head));
}

/** The message that a cosigner signs for the whole `text` of a note. `timestamp` is in Unix seconds. */
export function cosignatureMessage(timestamp: number, text: string): string {
  if (!isCount(timestamp)) throw malformed("the time is not an integer in [0, 2^53)");
  return `${COSIGNATURE_DOMAIN}\ntime ${timestamp}\n${text}`;
}
