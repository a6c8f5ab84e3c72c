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
import type { Visit } from "./visit.ts";

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
  visit: Visit,
  rules?: AdmissionRules,
): Promise<Response> | undefined {
  const { request } = visit;
  const { url, method } = request;
  const start = pathStart(url);
  if (method === "POST") {
    if (!url.startsWith(ATTESTATIONS_PATH, start)) return undefined;
    if (url.length - start === ATTESTATIONS_PATH.length) {
      visit.route = ATTESTATIONS_PATH;
      return submitAttestation(service, visit, rules);
    }
    if (url.length - start !== BULK_PATH.length || !url.startsWith(BULK_PATH, start)) {
      return undefined;
    }
    visit.route = BULK_PATH;
    return submitBulk(service, visit, rules);
  }
  if (method !== "GET") return undefined;
  let hash: string | undefined;
  if ((hash = hashAfter(ATTESTATIONS_PATH, url, start)) !== undefined) {
    visit.route = ROUTE.attestation;
    return readAttestation(service, hash, visit);
  }
  if ((hash = hashAfter(BUNDLE_PATH, url, start)) !== undefined) {
    visit.route = ROUTE.bundle;
    return readBundle(service, hash, visit);
  }
  if ((hash = hashAfter(PROOF_PATH, url, start)) !== undefined) {
    visit.route = ROUTE.proof;
    return readMerkleProof(service, hash, visit);
  }
  if (!url.startsWith(TILE_START, start) || /[?#]/.test(url)) return undefined;
  visit.route = url.startsWith(ENTRIES_START, start) ? ROUTE.entries : ROUTE.tile;
  return readTile(service, url.slice(start), visit);
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
