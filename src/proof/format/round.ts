/**
 * A round is 1 to 512 attestations with consecutive sequences and one timestamp, signed together.
 * The signed message (protocol.md "Signed messages"):
 *
 *     countersign/round/v1
 *     <network_id>
 *     <timestamp>
 *     <size, the number of attestations>
 *     <root, 64 lowercase hex: the RFC 9162 tree hash of the round's leaves in sequence order>
 *     <beacon: `none`, or drand/<chain hash>/<round>/<signature, 96 hex>>
 *
 * @module
 */

import { HASH_LENGTH, isCount, isHex } from "../../base/bytes.ts";
import { ROUND_DOMAIN } from "../crypto/domains.ts";
import { type Beacon, BEACON_SIGNATURE_LENGTH } from "../crypto/drand.ts";
import { errorBuilder } from "../../base/errors.ts";
import { isNetworkId } from "./names.ts";
import { count, HASH, HASH_PATH, hex, object, type Of, orNull, type Schema } from "./schema.ts";

export type { Beacon } from "../crypto/drand.ts";

const malformed = errorBuilder("malformed_text", "Cannot write round message");

/** Maximum number of attestations in a round. */
export const MAX_ROUND_SIZE = 512;

/** The signed message of a round. */
export interface RoundMessage {
  readonly network_id: string;
  readonly timestamp: number;
  readonly size: number;
  /** 64 lowercase hex. */
  readonly root: string;
  readonly beacon: Beacon | null;
}

export const BEACON: Schema<Beacon> = object({
  chain_hash: HASH,
  round: count("Round of the beacon"),
  signature: hex(BEACON_SIGNATURE_LENGTH, "Signature of the beacon over that round"),
}).named("Beacon", {
  description: "Public drand randomness: the round was signed after the beacon was published",
});

export const ROUND_INCLUSION = object({
  index: count("Index of the attestation in the round").with({ maximum: MAX_ROUND_SIZE - 1 }),
  size: count("Number of attestations").with({ minimum: 1, maximum: MAX_ROUND_SIZE }),
  inclusion_path: HASH_PATH,
  beacon: orNull(BEACON),
}).named("RoundInclusion", {
  description:
    "Position of the attestation in its round, and its inclusion path to the round's root",
});

/** Position of an attestation in its round. */
export type RoundInclusion = Of<typeof ROUND_INCLUSION>;

/** The exact text that witnesses sign; `malformed_text` if a member is invalid. */
export function encodeRoundMessage(message: RoundMessage): string {
  const { network_id, timestamp, size, root, beacon } = message;
  if (!isNetworkId(network_id)) throw malformed("network_id is not a valid C2SP origin");
  if (!isCount(timestamp)) throw malformed("timestamp is not an integer in [0, 2^53)");
  if (!isCount(size) || size < 1 || size > MAX_ROUND_SIZE) {
    throw malformed(`size is not an integer from 1 to ${MAX_ROUND_SIZE}`);
  }
  if (!isHex(root, HASH_LENGTH)) throw malformed("root is not 64 lowercase hex digits");
  return `${ROUND_DOMAIN}\n${network_id}\n${timestamp}\n${size}\n${root}\n${
    encodeBeacon(beacon)
  }\n`;
}

function encodeBeacon(beacon: Beacon | null): string {
  if (beacon === null) return "none";
  if (
    !isHex(beacon.chain_hash, HASH_LENGTH) || !isCount(beacon.round) ||
    !isHex(beacon.signature, BEACON_SIGNATURE_LENGTH)
  ) throw malformed("malformed beacon");
  return `drand/${beacon.chain_hash}/${beacon.round}/${beacon.signature}`;
}
