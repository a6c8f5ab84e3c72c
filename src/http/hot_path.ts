/**
 * Recognises the requests that a gateway is asked most, from the method and the text of the URL
 * alone. Schema validation and middlewares would cost a third of what a submission costs.
 *
 * @module
 */

import { HASH_LENGTH } from "../bytes.ts";
import type { GatewayService } from "../gateway/service.ts";
import {
  ATTESTATIONS_PATH,
  BULK_PATH,
  readAttestation,
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
import type { AdmissionRules } from "./request_admission.ts";
import { pathStart } from "./request_path.ts";
import type { RequestContext } from "./request_context.ts";

const TILE_START = "/tile/";
const ENTRIES_START = "/tile/entries/";

/** Templates of the routes that are answered here, as the router registers them. */
const ROUTE = {
  attestation: `${ATTESTATIONS_PATH}/{hash}`,
  bundle: `${BUNDLE_PATH}/{hash}`,
  proof: `${PROOF_PATH}/{hash}`,
  tile: "/tile/{level}/{index}",
  entries: "/tile/entries/{index}",
} as const;

/**
 * The answer to a plain submission or look-up, to a bundle, proof or tile; `undefined` for what the
 * router has to answer.
 */
export function answerHot(
  service: GatewayService,
  context: RequestContext,
  rules?: AdmissionRules,
): Promise<Response> | undefined {
  const { request } = context;
  const { url, method } = request;
  const start = pathStart(url);
  if (method === "POST") {
    if (!url.startsWith(ATTESTATIONS_PATH, start)) return undefined;
    if (url.length - start === ATTESTATIONS_PATH.length) {
      context.route = ATTESTATIONS_PATH;
      return submitAttestation(service, context, rules);
    }
    if (url.length - start !== BULK_PATH.length || !url.startsWith(BULK_PATH, start)) {
      return undefined;
    }
    context.route = BULK_PATH;
    return submitBulk(service, context, rules);
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

/** The hash that stands after `path` and a slash as the rest of `url`. */
function hashAfter(path: string, url: string, start: number): string | undefined {
  const hashStart = start + path.length + 1;
  if (url.length !== hashStart + 2 * HASH_LENGTH) return undefined;
  if (!url.startsWith(path, start) || url[hashStart - 1] !== "/") return undefined;
  const hash = url.slice(hashStart);
  // A query, a fragment or a percent sign makes it another path: the router tells.
  return /^[0-9a-f]*$/.test(hash) ? hash : undefined;
}
