/**
 * Parsers for the JSON bodies of a witness (protocol.md "Witness"). Unknown members and uppercase hex
 * are errors.
 *
 * @module
 */

import { LOG_SIGNATURE } from "../../format/federation.ts";
import { NETWORK_ID } from "../../format/names.ts";
import { BEACON } from "../../format/round.ts";
import { COUNT, HASH, HASH_PATH, list, object, orNull } from "../../format/schema.ts";
import { parseStrictJson } from "../../format/strict_json.ts";
import { TREE_HEAD } from "../../format/tree_head.ts";
import type { CosignRequest, RoundRequest } from "../../witness/ports.ts";

const CODE = "malformed_request";

const ROUND_REQUEST = object({
  network_id: NETWORK_ID,
  timestamp: COUNT,
  first_sequence: COUNT,
  hashes: list(HASH),
  beacon: orNull(BEACON).optional(),
});

const COSIGN_REQUEST = object({
  tree_head: TREE_HEAD,
  log_signature: LOG_SIGNATURE,
  old_size: COUNT,
  consistency_path: HASH_PATH,
});

/** Parses the body of `POST /v1/sign`; `malformed_json` or `malformed_request`. */
export function readRoundRequest(text: string): RoundRequest {
  const value = parseStrictJson(text, "malformed_json");
  const round = ROUND_REQUEST.parse(value, { where: "round", code: CODE });
  return {
    networkId: round.network_id,
    timestamp: round.timestamp,
    firstSequence: round.first_sequence,
    digests: Uint8Array.fromHex(round.hashes.join("")),
    beacon: round.beacon ?? null,
  };
}

/** Parses the body of `POST /v1/cosign`; `malformed_json` or `malformed_request`. */
export function readCosignRequest(text: string): CosignRequest {
  const value = parseStrictJson(text, "malformed_json");
  const request = COSIGN_REQUEST.parse(value, { where: "cosign request", code: CODE });
  return {
    treeHead: request.tree_head,
    logSignature: Uint8Array.fromHex(request.log_signature),
    oldSize: request.old_size,
    consistencyPath: request.consistency_path.map((hash) => Uint8Array.fromHex(hash)),
  };
}
