/**
 * What the tests of time-stamp tokens share: one digest, one authority, and verdicts on tokens.
 *
 * @module
 */

import assert from "node:assert/strict";
import { base64Of, type Bytes, utf8 } from "../../../src/base/bytes.ts";
import type { AnchorClaim, AnchorVerdict } from "../../../src/gateway/anchors/ports.ts";
import { rfc3161 } from "../../../src/gateway/anchors/rfc3161/provider.ts";
import { portableKernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { type JsonValue, parseStrictJson } from "../../../src/proof/format/strict_json.ts";
import { GEN_TIME, TestAuthority } from "./test_authority.ts";
import { pemOf } from "./test_certificates.ts";

/** What is anchored. */
export const DIGEST = portableKernels.sha256(utf8("a checkpoint"));

/** The authority of most tests. */
export const authority = await TestAuthority.create();

/** The proof that holds `token`, as a strict parser gives it. */
export function proofOf(token: Bytes): JsonValue {
  return parseStrictJson(JSON.stringify({ token: base64Of(token) }), "malformed_bundle");
}

/** The verdict on `token`, by default with the root of {@linkcode authority}. */
export async function verdictOn(
  token: Bytes,
  change: Partial<AnchorClaim> = {},
): Promise<AnchorVerdict> {
  return await rfc3161.verify({
    status: "confirmed",
    timestamp: GEN_TIME,
    proof: proofOf(token),
    digest: DIGEST,
    roots: [pemOf(authority.root)],
    ...change,
  });
}

/** Requires that a verdict says `failed`, with that reason. */
export function assertFailed(verdict: AnchorVerdict, reason: RegExp): void {
  assert.equal(verdict.status, "failed", JSON.stringify(verdict));
  assert.match(verdict.status === "failed" ? verdict.reason : "", reason);
}
