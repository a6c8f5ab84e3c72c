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

import { HASH_LENGTH, isCount, isHex } from "../bytes.ts";
import { ROUND_DOMAIN } from "../crypto/domains.ts";
import { type Beacon, BEACON_SIGNATURE_LENGTH } from "../crypto/drand.ts";
import { errorBuilder } from "../errors.ts";
import type { Fields } from "./fields.ts";
import { isNetworkId } from "./names.ts";

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

/** The inclusion of an attestation in its round, as in a SignedAttestation. */
export interface RoundInclusion {
  readonly index: number;
  readonly size: number;
  /** RFC 9162 inclusion path from the leaf to the round's root, leaf to root, 64 hex each. */
  readonly inclusion_path: readonly string[];
  readonly beacon: Beacon | null;
}

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

/** Reads member `round` of a resource. */
export function readRoundInclusion(resource: Fields): RoundInclusion {
  const fields = resource.object("round", ["index", "size", "inclusion_path", "beacon"]);
  return {
    index: fields.integer("index"),
    size: fields.integer("size"),
    inclusion_path: fields.hashes("inclusion_path"),
    beacon: fields.value("beacon") === null ? null : readBeacon(fields),
  };
}

/** Reads member `beacon` of a resource. */
export function readBeacon(resource: Fields): Beacon {
  const fields = resource.object("beacon", ["chain_hash", "round", "signature"]);
  return {
    chain_hash: fields.hash("chain_hash"),
    round: fields.integer("round"),
    signature: fields.hex("signature", BEACON_SIGNATURE_LENGTH),
  };
}

function encodeBeacon(beacon: Beacon | null): string {
  if (beacon === null) return "none";
  if (
    !isHex(beacon.chain_hash, HASH_LENGTH) || !isCount(beacon.round) ||
    !isHex(beacon.signature, BEACON_SIGNATURE_LENGTH)
  ) throw malformed("malformed beacon");
  return `drand/${beacon.chain_hash}/${beacon.round}/${beacon.signature}`;
}
