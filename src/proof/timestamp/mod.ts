/**
 * Verifies time-stamp tokens (RFC 3161) that carry a bundle, offline and in browsers: the authority's
 * signature, and the attestation of the same content at the same time. `countersign/verify` has the rest.
 *
 *     const token = parseTimestamp(bytes);
 *     const verdict = await verifyTimestamp(await portableCrypto(), trust, token, { digest, roots });
 *
 * `digest` is that of the content by `token.info.imprint.hash`.
 *
 * @module
 */

export {
  type AuthorityFinding,
  isTimestamp,
  parseTimestamp,
  TIMESTAMP_REASONS,
  type TimestampExpectation,
  type TimestampReason,
  type TimestampVerdict,
  withProofIn,
} from "./attested_token.ts";
export { type Certificate, readRoots } from "./certificate.ts";
export { type MessageImprint } from "./message_imprint.ts";
export type { TimeStampToken } from "./token.ts";
export type { TimeStampInfo } from "./tst_info.ts";
export { verifyTimestamp } from "./verify_timestamp.ts";
