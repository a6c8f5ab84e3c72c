/**
 * Parsers for the JSON bodies of a witness (protocol.md "Witness"). Unknown members and uppercase hex
 * are errors.
 *
 * @module
 */

import { NETWORK_ID } from "../../proof/format/names.ts";
import { BEACON } from "../../proof/format/round.ts";
import {
  COUNT,
  HASH,
  HASH_PATH,
  list,
  object,
  type Of,
  orNull,
  TEXT,
} from "../../proof/format/schema.ts";
import { SIGNER } from "../../proof/format/signature_set.ts";
import { parseStrictJson } from "../../proof/format/strict_json.ts";
import { SUCCESSION_LINK } from "../../proof/format/succession.ts";
import { LOG_SIGNATURE, TREE_HEAD } from "../../proof/format/tree_head.ts";
import type { Bytes } from "../../base/bytes.ts";
import type {
  CosignRequest,
  EpochBeginRequest,
  EpochEndRequest,
  RoundRequest,
} from "../../proof/format/witness_request.ts";

const CODE = "malformed_request";

/** Of either scheme: a signature of the wrong length vouches for nothing. */
const VOUCHERS = list(object({ witness_id: SIGNER, signature: TEXT }));

const ROUND_REQUEST = object({
  network_id: NETWORK_ID,
  timestamp: COUNT,
  first_sequence: COUNT,
  hashes: list(HASH),
  beacon: orNull(BEACON).optional(),
  epoch: COUNT.optional(),
  vouchers: VOUCHERS.optional(),
});

const ROUNDS_REQUEST = object({ from: COUNT });

const COSIGN_MEMBERS = {
  tree_head: TREE_HEAD,
  log_signature: LOG_SIGNATURE,
  old_size: COUNT,
  consistency_path: HASH_PATH,
  epoch: COUNT.optional(),
} as const;

const COSIGN_REQUEST = object(COSIGN_MEMBERS);

const EPOCH_END_REQUEST = object({
  ...COSIGN_MEMBERS,
  succession: HASH,
  attested_at: COUNT,
  inclusion_path: HASH_PATH,
});

const EPOCH_BEGIN_REQUEST = object({
  link: SUCCESSION_LINK,
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
    ...(round.epoch !== undefined && { epoch: round.epoch }),
    ...(round.vouchers !== undefined && { vouchers: round.vouchers }),
  };
}

/** Parses the body of `POST /v1/rounds`; `malformed_json` or `malformed_request`. */
export function readRoundsRequest(text: string): { readonly from: number } {
  const value = parseStrictJson(text, "malformed_json");
  return ROUNDS_REQUEST.parse(value, { where: "rounds request", code: CODE });
}

/** Parses the body of `POST /v1/cosign`; `malformed_json` or `malformed_request`. */
export function readCosignRequest(text: string): CosignRequest {
  const value = parseStrictJson(text, "malformed_json");
  return cosignRequestOf(COSIGN_REQUEST.parse(value, { where: "cosign request", code: CODE }));
}

/** Parses the body of `POST /v1/epoch-end`; `malformed_json` or `malformed_request`. */
export function readEpochEndRequest(text: string): EpochEndRequest {
  const value = parseStrictJson(text, "malformed_json");
  const request = EPOCH_END_REQUEST.parse(value, { where: "epoch end", code: CODE });
  return {
    ...cosignRequestOf(request),
    succession: request.succession,
    attestedAt: request.attested_at,
    inclusionPath: pathOf(request.inclusion_path),
  };
}

/** Parses the body of `POST /v1/epoch-begin`; `malformed_json` or `malformed_request`. */
export function readEpochBeginRequest(text: string): EpochBeginRequest {
  const value = parseStrictJson(text, "malformed_json");
  const request = EPOCH_BEGIN_REQUEST.parse(value, { where: "epoch begin", code: CODE });
  const { link, old_size: oldSize, consistency_path } = request;
  return { link, oldSize, consistencyPath: pathOf(consistency_path) };
}

function cosignRequestOf(request: Of<typeof COSIGN_REQUEST>): CosignRequest {
  return {
    treeHead: request.tree_head,
    logSignature: Uint8Array.fromHex(request.log_signature),
    oldSize: request.old_size,
    consistencyPath: pathOf(request.consistency_path),
    ...(request.epoch !== undefined && { epoch: request.epoch }),
  };
}

function pathOf(hashes: readonly string[]): Bytes[] {
  return hashes.map((hash) => Uint8Array.fromHex(hash));
}
