/**
 * An attestation is a leaf of the log (protocol.md "Signed messages"):
 *
 *     countersign/attestation/v1
 *     <network_id>
 *     <hash, 64 lowercase hex>
 *     <timestamp, Unix seconds>
 *     <sequence>
 *
 * Five lines, each ended by a newline; nothing else is accepted. Its leaf hash,
 * SHA-256(0x00 || text), serves both its round and the log. `sequence` is its index in the log.
 *
 * @module
 */

import { HASH_LENGTH, integerOf, isCount, isHex } from "../../base/bytes.ts";
import { ATTESTATION_DOMAIN } from "../crypto/domains.ts";
import { errorBuilder } from "../../base/errors.ts";
import { isNetworkId, NETWORK_ID } from "./names.ts";
import { count, HASH, object, type Of, time } from "./schema.ts";

const malformed = errorBuilder("malformed_text", "Cannot read attestation");

export const ATTESTATION = object({
  hash: HASH,
  timestamp: time("Timestamp of the round"),
  network_id: NETWORK_ID,
  sequence: count("Order of acceptance, from 0; also the index of the leaf in the log"),
}).named("Attestation");

/** The content that witnesses sign for one hash, with the member names of the wire. */
export type Attestation = Of<typeof ATTESTATION>;

/** The exact text of `attestation`; `malformed_text` if a member is invalid. */
export function encodeAttestation(attestation: Attestation): string {
  const { network_id, hash, timestamp, sequence } = attestation;
  if (!isNetworkId(network_id)) throw malformed("network_id is not a valid C2SP origin");
  if (!isHex(hash, HASH_LENGTH)) throw malformed("hash is not 64 lowercase hex digits");
  if (!isCount(timestamp)) throw malformed("timestamp is not an integer in [0, 2^53)");
  if (!isCount(sequence)) throw malformed("sequence is not an integer in [0, 2^53)");
  return `${ATTESTATION_DOMAIN}\n${network_id}\n${hash}\n${timestamp}\n${sequence}\n`;
}

/** Parses the exact text of an attestation; `malformed_text`. */
export function parseAttestation(text: string): Attestation {
  const [domain, network_id = "", hash = "", timestamp = "", sequence = ""] = text.split("\n");
  if (domain !== ATTESTATION_DOMAIN) throw malformed("the first line is not the domain");
  const attestation = {
    hash,
    timestamp: integerOf(timestamp) ?? NaN,
    network_id,
    sequence: integerOf(sequence) ?? NaN,
  };
  // Re-encoding catches every other spelling: missing and further lines, "01", CRLF.
  if (encodeAttestation(attestation) !== text) throw malformed("the text is not canonical");
  return attestation;
}
