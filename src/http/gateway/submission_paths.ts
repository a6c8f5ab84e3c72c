/**
 * Paths that create attestations.
 *
 * @module
 */

import { ATTESTATIONS_PATH, BULK_PATH } from "./attestation_handlers.ts";
import { SIGSTORE_TIMESTAMP_PATH, TSA_PATH } from "./timestamp_routes.ts";

/** With `POST`, they charge for their work themselves, and a private gateway requires a key for them. */
export const SUBMISSION_PATHS: ReadonlySet<string> = new Set([
  ATTESTATIONS_PATH,
  BULK_PATH,
  TSA_PATH,
  SIGSTORE_TIMESTAMP_PATH,
]);
