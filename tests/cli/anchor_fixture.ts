/**
 * External anchors that verify, for commands: of a log in memory, in a Rekor log of tests.
 *
 * @module
 */

import type { ExternalAnchor } from "../../src/proof/format/external_anchor.ts";
import {
  firstLog,
  LOG_TIME,
  recordOf,
  type TestRekorLog,
} from "../gateway/anchors/rekor/test_log.ts";
import type { TestLog } from "../proof/verify/test_log.ts";

/** The time of the entry in the Rekor log. */
export const ANCHORED_AT = LOG_TIME;

/** The content of FILE in `--anchor-root rekor=FILE`. */
export const REKOR_ROOT = firstLog.pem();

/** The head of `size` of `log`, anchored in `rekor`. */
export function rekorAnchor(
  log: TestLog,
  heads: { readonly from: number; readonly size: number },
  rekor: TestRekorLog = firstLog,
): ExternalAnchor {
  const anchor = log.externalAnchor({ ...heads, timestamp: ANCHORED_AT - 1 });
  const proof = rekor.proof(recordOf(Uint8Array.fromHex(anchor.digest)));
  return { ...anchor, provider: "rekor", status: "confirmed", timestamp: ANCHORED_AT, proof };
}
