/**
 * Parsers for the JSON bodies of a witness (protocol.md "Witness"). Unknown members and uppercase hex
 * are errors.
 *
 * @module
 */

import { HASH_LENGTH } from "../../bytes.ts";
import { Fields } from "../../format/fields.ts";
import { readBeacon } from "../../format/round.ts";
import { SIGNATURE_LENGTH } from "../../format/signature_set.ts";
import { parseStrictJson } from "../../format/strict_json.ts";
import type { CosignRequest, RoundRequest } from "../../witness/ports.ts";

const CODE = "malformed_request";

/** Parses the body of `POST /v1/sign`; `malformed_json` or `malformed_request`. */
export function readRoundRequest(text: string): RoundRequest {
  const fields = new Fields(
    parseStrictJson(text, "malformed_json"),
    { where: "round", code: CODE },
    ["network_id", "timestamp", "first_sequence", "hashes"],
    { optional: ["beacon"] },
  );
  return {
    networkId: fields.text("network_id"),
    timestamp: fields.integer("timestamp"),
    firstSequence: fields.integer("first_sequence"),
    digests: Uint8Array.fromHex(fields.hashes("hashes").join("")),
    beacon: (fields.value("beacon") ?? null) === null ? null : readBeacon(fields),
  };
}

/** Parses the body of `POST /v1/cosign`; `malformed_json` or `malformed_request`. */
export function readCosignRequest(text: string): CosignRequest {
  const fields = new Fields(
    parseStrictJson(text, "malformed_json"),
    { where: "cosign request", code: CODE },
    ["tree_head", "log_signature", "old_size", "consistency_path"],
  );
  const head = fields.object("tree_head", ["network_id", "tree_size", "timestamp", "root_hash"]);
  return {
    treeHead: {
      network_id: head.text("network_id"),
      tree_size: head.integer("tree_size"),
      timestamp: head.integer("timestamp"),
      root_hash: head.hex("root_hash", HASH_LENGTH),
    },
    logSignature: Uint8Array.fromHex(fields.hex("log_signature", SIGNATURE_LENGTH.ed25519)),
    oldSize: fields.integer("old_size"),
    consistencyPath: fields.hashes("consistency_path").map((hash) => Uint8Array.fromHex(hash)),
  };
}
