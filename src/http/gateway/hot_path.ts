/**
 * Answers the most frequent requests by method and URL without the router, whose schema validation and
 * middleware would add a third to the cost of a submission.
 *
 * @module
 */

import { HASH_LENGTH } from "../../base/bytes.ts";
import {
  ATTESTATIONS_PATH,
  BULK_PATH,
  readAttestation,
  type SubmissionParts,
  submitAttestation,
  submitBulk,
} from "./attestation_handlers.ts";
import {
  BUNDLE_PATH,
  PROOF_PATH,
  readBundle,
  readMerkleProof,
  readTile,
} from "./proof_handlers.ts";
import { pathStart } from "../request_path.ts";
import type { RequestContext } from "../request_context.ts";

const TILE_START = "/tile/";
const ENTRIES_START = "/tile/entries/";

/** Templates of the routes, as the router registers them. */
const ROUTE = {
  attestation: `${ATTESTATIONS_PATH}/{hash}`,
  bundle: `${BUNDLE_PATH}/{hash}`,
  proof: `${PROOF_PATH}/{hash}`,
  tile: "/tile/{level}/{index}",
  entries: "/tile/entries/{index}",
} as const;

/**
 * Answers submissions, look-ups, bundles, proofs and tiles; `undefined` for all other requests. Without a
 * promise if all data is in memory; then errors are thrown.
 */
export function answerHot(
  submissions: SubmissionParts,
  context: RequestContext,
): Response | Promise<Response> | undefined {
  const { service } = submissions;
  const { url, method } = context.request;
  const start = pathStart(url);
  if (method === "POST") {
    if (!url.startsWith(ATTESTATIONS_PATH, start)) return undefined;
    if (url.length - start === ATTESTATIONS_PATH.length) {
      context.route = ATTESTATIONS_PATH;
      return submitAttestation(submissions, context);
    }
    if (url.length - start !== BULK_PATH.length || !url.startsWith(BULK_PATH, start)) {
      return undefined;
    }
    context.route = BULK_PATH;
    return submitBulk(submissions, context);
  }
  if (method !== "GET") return undefined;
  let hash: string | undefined;
  if ((hash = hashAfter(ATTESTATIONS_PATH, url, start)) !== undefined) {
    context.route = ROUTE.attestation;
    return readAttestation(service, hash, context);
  }
  if ((hash = hashAfter(BUNDLE_PATH, url, start)) !== undefined) {
    context.route = ROUTE.bundle;
    return readBundle(service, hash, context);
  }
  if ((hash = hashAfter(PROOF_PATH, url, start)) !== undefined) {
    context.route = ROUTE.proof;
    return readMerkleProof(service, hash, context);
  }
  if (!url.startsWith(TILE_START, start) || /[?#]/.test(url)) return undefined;
  context.route = url.startsWith(ENTRIES_START, start) ? ROUTE.entries : ROUTE.tile;
  return readTile(service, url.slice(start), context);
}

/** The hash in a `url` that ends with `path`, a slash and a hash. */
function hashAfter(path: string, url: string, start: number): string | undefined {
  const hashStart = start + path.length + 1;
  if (url.length !== hashStart + 2 * HASH_LENGTH) return undefined;
  if (!url.startsWith(path, start) || url[hashStart - 1] !== "/") return undefined;
  const hash = url.slice(hashStart);
  // The router handles queries, fragments and percent-encodings.
  return /^[0-9a-f]*$/.test(hash) ? hash : undefined;
}
