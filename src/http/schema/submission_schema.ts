/**
 * Schemas of submissions (protocol.md "Routes", "Requests"). The gateway ignores unknown members of a
 * request.
 *
 * @module
 */

import { HASH, list, object, orNull, TEXT } from "../../proof/format/schema.ts";
import { BULK_LIMIT } from "../limits.ts";

const ISSUER_TOKEN = orNull(TEXT).with({
  description: "Privacy Pass token (RFC 9577 section 2.2) in base64url, padded or unpadded, or " +
    "null. Ignored for known hashes and if the gateway accepts no tokens (`GET /v1/admission`)",
  example: null,
});

export const SUBMISSION = object({ hash: HASH, issuer_token: ISSUER_TOKEN.optional() }, "allowed")
  .named("Submission");

export const BULK_SUBMISSION = object({
  hashes: list(HASH, 1, BULK_LIMIT),
  issuer_tokens: orNull(list(ISSUER_TOKEN, 0, BULK_LIMIT)).with({
    description: "Null, or a list with one token or null for each hash",
    example: [null],
  }).optional(),
}, "allowed").named("BulkSubmission");
