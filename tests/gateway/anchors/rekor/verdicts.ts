/**
 * Verdicts on proofs that are changed in one place.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type JsonValue, parseStrictJson } from "../../../../src/proof/format/strict_json.ts";
import type { AnchorClaim, AnchorVerdict } from "../../../../src/gateway/anchors/ports.ts";
import { rekor } from "../../../../src/gateway/anchors/rekor/provider.ts";
import { DIGEST, firstLog, LOG_TIME, ORIGIN, secondLog, type TestRekorLog } from "./test_log.ts";

export const LOGS = [firstLog, secondLog] as const;

/** The verdict on a proof of `log`, in a claim that is changed. */
export function verdict(
  log: TestRekorLog,
  proof: JsonValue,
  change: Partial<AnchorClaim> = {},
): Promise<AnchorVerdict> {
  return rekor.verify({
    status: "confirmed",
    timestamp: LOG_TIME,
    digest: DIGEST,
    roots: [log.trustedRoot()],
    proof,
    ...change,
  });
}

/** `proof` with `change` made to its text, which has to change it. */
export function edited(proof: JsonValue, from: string | RegExp, to: string): JsonValue {
  const text = JSON.stringify(proof);
  const changed = text.replace(from, to);
  assert.notEqual(changed, text, `${from}`);
  return parseStrictJson(changed, "malformed_json");
}

/** The reason why something that the log did not sign is refused. */
export function unsigned(what: string): string {
  return `Cannot verify Rekor entry: ${ORIGIN} did not sign the ${what}`;
}
