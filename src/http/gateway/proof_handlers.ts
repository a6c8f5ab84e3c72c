/**
 * Reads bundles, proofs and tiles. The handlers take parsed paths, so that `hot_path.ts` can call them
 * without the router, which calls the same functions.
 *
 * @module
 */

import { gzipSync } from "node:zlib";
import { type Bytes, HASH_LENGTH } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import type { GatewayService } from "../../gateway/gateway_service.ts";
import { parseTilePath } from "../../proof/merkle/tile.ts";
import {
  addFields,
  type Answer,
  BYTES_MEDIA_TYPE,
  COSE_MEDIA_TYPE,
  frequentFields,
  type HeaderField,
  JSON_MEDIA_TYPE,
  jsonResponse,
  TEXT_MEDIA_TYPE,
} from "../answer.ts";
import { chargeStoredRound, requireHash } from "./attestation_handlers.ts";
import { codingFor } from "../content_coding.ts";
import type { RequestContext } from "../request_context.ts";
import { whenReady } from "../../base/when_ready.ts";
import { readsOfBytes } from "../work_cost.ts";

export const BUNDLE_PATH = "/v1/bundle";
export const PROOF_PATH = "/v1/proof";

/** Bytes of an entry in an entry bundle, for a network id of usual length. */
const ENTRY_BYTES = 128;

/**
 * A full bundle takes 140 microseconds and shrinks to a third; the default level takes 1.7 times as
 * long and saves 3 percent more. The bytes before compression are charged, which is more than the
 * time and the sent bytes together.
 */
const ENTRIES_GZIP = { level: 2 };

const NEVER_CACHED = frequentFields("never");
const TEXT_INIT = { headers: { "content-type": TEXT_MEDIA_TYPE } };
const COSE_INIT = { headers: { "content-type": COSE_MEDIA_TYPE } };
const LASTING_BYTES: readonly HeaderField[] = [
  ["content-type", BYTES_MEDIA_TYPE],
  ...frequentFields("immutable"),
];
const LASTING_ENTRIES: readonly HeaderField[] = [...LASTING_BYTES, ["vary", "Accept-Encoding"]];
const LASTING_GZIPPED_ENTRIES: readonly HeaderField[] = [
  ...LASTING_ENTRIES,
  ["content-encoding", "gzip"],
];

/** `GET /v1/bundle/{hash}`: as JSON, or for clients that ask for it a tlog-proof or a COSE receipt. */
export function readBundle(
  service: GatewayService,
  hash: string,
  context: RequestContext,
  withLog = false,
): Response | Promise<Response> {
  const charge = chargeStoredRound(context);
  const accept = context.request.headers.get("accept");
  if (accept?.startsWith("text/plain") || accept?.startsWith(COSE_MEDIA_TYPE)) {
    const isText = accept.startsWith("text/plain");
    const proof: Promise<string | Bytes> = isText
      ? service.proofs.tlogProof(requireHash(hash), charge)
      : service.proofs.coseReceipt(requireHash(hash), charge);
    return proof.then((proof) => {
      context.chargeAnswer(proof.length);
      return addFields(new Response(proof, isText ? TEXT_INIT : COSE_INIT), NEVER_CACHED);
    });
  }
  const bundle = service.proofs.bundle(requireHash(hash), charge, withLog);
  return whenReady(bundle, (bundle) => {
    context.chargeAnswer(bundle.length);
    return jsonResponse(bundle, NEVER_CACHED);
  });
}

/** `GET /v1/proof/{hash}`. */
export function readMerkleProof(
  service: GatewayService,
  hash: string,
  context: RequestContext,
): Response | Promise<Response> {
  const proof = service.proofs.merkleProof(requireHash(hash), chargeStoredRound(context));
  return whenReady(proof, (proof) => jsonResponse(proof, NEVER_CACHED));
}

/** `GET /v1/log/proof?hash=&tree_size=`. */
export async function readInclusion(
  service: GatewayService,
  { hash, tree_size }: { readonly hash: string; readonly tree_size: number },
  context: RequestContext,
): Promise<Answer> {
  const charge = chargeStoredRound(context);
  const proof = await service.proofs.inclusion(requireHash(hash), tree_size, charge);
  return { body: proof, mediaType: JSON_MEDIA_TYPE };
}

/**
 * The tile or entry bundle at `path` (c2sp.org/tlog-tiles). Entries are compressed for clients that
 * accept it; hashes do not compress.
 */
export function readTile(
  service: GatewayService,
  path: string,
  context: RequestContext,
): Response | Promise<Response> {
  const address = parseTilePath(path.slice(1));
  const hasEntries = address?.level === "entries";
  if (address !== undefined) {
    const bytesOfOne = hasEntries ? ENTRY_BYTES : HASH_LENGTH;
    // One read was charged on entry.
    context.charge(readsOfBytes(address.width * bytesOfOne) - 1);
  }
  const body = address &&
    (address.level === "entries"
      ? service.log.entries(address.index, address.width)
      : service.log.tile(address.level, address.index, address.width));
  return whenReady(body, (body) => {
    if (body === undefined) {
      throw new CountersignError(
        "tile_not_found",
        "Unknown tile: no published tree has a tile at this path",
      );
    }
    if (!hasEntries) return addFields(new Response(body), LASTING_BYTES);
    const accepted = context.request.headers.get("accept-encoding");
    return codingFor(accepted, ["gzip"]) === undefined
      ? addFields(new Response(body), LASTING_ENTRIES)
      : addFields(
        new Response(new Uint8Array(gzipSync(body, ENTRIES_GZIP))),
        LASTING_GZIPPED_ENTRIES,
      );
  });
}
