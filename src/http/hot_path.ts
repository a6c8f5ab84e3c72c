/**
 * Recognises the two requests that a gateway is asked most, from the method and the text of the URL
 * alone. Schema validation and middlewares would cost a third of what a submission costs.
 *
 * @module
 */

import { HASH_LENGTH } from "../bytes.ts";
import type { GatewayService } from "../gateway/service.ts";
import { ATTESTATIONS_PATH, readAttestation, submitAttestation } from "./attestation_handlers.ts";
import { pathStart } from "./request_path.ts";

const HASH_START = ATTESTATIONS_PATH.length + 1;
const READ_LENGTH = HASH_START + 2 * HASH_LENGTH;

/** The answer to a plain submission or look-up; `undefined` for what the router has to answer. */
export function answerHot(
  service: GatewayService,
  request: Request,
): Promise<Response> | undefined {
  const { url, method } = request;
  const start = pathStart(url);
  if (!url.startsWith(ATTESTATIONS_PATH, start)) return undefined;
  const length = url.length - start;
  if (method === "POST") {
    return length === ATTESTATIONS_PATH.length ? submitAttestation(service, request) : undefined;
  }
  if (method !== "GET" || length !== READ_LENGTH || url[start + HASH_START - 1] !== "/") {
    return undefined;
  }
  const hash = url.slice(start + HASH_START);
  // A query, a fragment or a percent sign makes it another path: the router tells.
  return /^[0-9a-f]*$/.test(hash) ? readAttestation(service, hash, request) : undefined;
}
