/**
 * The first entry of a log that continues a frozen one: SHA-256 of a text that names the frozen log's
 * last head (protocol.md "Succession").
 *
 *     countersign/previous-log/v1
 *     <network_id of the frozen log>
 *     <its tree size>
 *     <its root, hex>
 *
 * @module
 */

import { HASH_LENGTH, hexOf, isCount, isHex, utf8 } from "../../base/bytes.ts";
import { PREVIOUS_LOG_DOMAIN } from "../crypto/domains.ts";
import { sha256 } from "../crypto/hashing.ts";
import { errorBuilder } from "../../base/errors.ts";
import { isNetworkId } from "./names.ts";
import type { CheckpointBody } from "./tree_head.ts";

const malformed = errorBuilder("malformed_text", "Cannot name the previous log");

/** The exact text that names a frozen log's last head. */
export function encodePreviousLog({ network_id, tree_size, root_hash }: CheckpointBody): string {
  if (!isNetworkId(network_id)) throw malformed("the network id is not a valid C2SP origin");
  if (!isCount(tree_size)) throw malformed("the tree size is not an integer in [0, 2^53)");
  if (!isHex(root_hash, HASH_LENGTH)) throw malformed("the root hash is not 32 bytes");
  return `${PREVIOUS_LOG_DOMAIN}\n${network_id}\n${tree_size}\n${root_hash}\n`;
}

/** SHA-256 in hex of the text: the first entry of the next log. */
export function previousLogDigest(head: CheckpointBody): string {
  return hexOf(sha256(utf8(encodePreviousLog(head))));
}
