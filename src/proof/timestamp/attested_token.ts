/**
 * Judges a time-stamp token together with the proof that it carries (verification.md "Time-stamp
 * tokens"): the authority signed it, and a threshold of witnesses attested the same imprint at the same
 * time. Whoever has only the authority's key can sign an earlier time, but not attest it.
 *
 * @module
 */

import { type Bytes, equalBytes, hexOf } from "../../base/bytes.ts";
import { hasCode } from "../../base/errors.ts";
import type { Attestation } from "../format/attestation.ts";
import type { ProofBundle } from "../format/bundle.ts";
import { MAX_SECONDS_BEHIND } from "../format/witness_request.ts";
import { VERIFY_REASONS, type VerifyReason } from "../verify/reasons.ts";
import type { Verdict } from "../verify/verdict.ts";
import { withAttachedProof } from "./attached_proof.ts";
import type { Certificate } from "./certificate.ts";
import { readDer, TAG } from "./der.ts";
import { encodeGranted, readReply } from "./reply.ts";
import { readToken, type TimeStampToken } from "./token.ts";
import type { TimeStampInfo } from "./tst_info.ts";
import { requireRoot, verifyToken } from "./verify.ts";

/** Why a token is not verified, in addition to the reasons for its bundle. */
export const TIMESTAMP_REASONS = {
  ...VERIFY_REASONS,
  authority_refused: "The signature or a certificate of its authority does not verify.",
  attestation_missing: "It is signed by the authority, but not by the witnesses.",
} as const;

export type TimestampReason = VerifyReason | keyof typeof TIMESTAMP_REASONS;

/** Seconds by which the time of a token may differ from the witnesses' clocks. */
export const TOKEN_ACCURACY_SECONDS = MAX_SECONDS_BEHIND;

/** The lower bits of a serial number, which are random; those above them are the sequence. */
export const SERIAL_RANDOM_BITS = 64;

export interface TimestampExpectation {
  /** The digest of the content by the hash function of the token's imprint. */
  readonly digest?: Bytes | undefined;
  /** The certificates of which one has to vouch for the authority; its certificate alone counts if empty. */
  readonly roots?: readonly Certificate[];
}

/** `not_checked`: the signature verifies, and no root was given. */
export type AuthorityFinding =
  | { readonly status: "verified" | "not_checked"; readonly subject: string }
  | { readonly status: "refused"; readonly message: string };

export interface TimestampFailure {
  readonly reason: TimestampReason;
  /** The member of the token, or of the bundle, that failed the check. */
  readonly field?: string;
}

/** It has a reason exactly when it is not valid. */
export interface TimestampVerdict extends Partial<TimestampFailure> {
  readonly valid: boolean;
  readonly info: TimeStampInfo;
  readonly authority: AuthorityFinding;
  /** Absent if the token carries none. */
  readonly proof?: { readonly bundle: ProofBundle; readonly verdict: Verdict };
}

/** The DER of the token in `bytes`: a reply that grants one, or the token itself; `timestamp_refused`. */
export function tokenIn(bytes: Bytes): Bytes {
  const { children: [first] } = readDer(bytes, "time-stamp token");
  return first?.tag === TAG.sequence ? readReply(bytes) : bytes;
}

/** `bytes` with the proof `bundle` in its token, in place of any other; a reply stays one. */
export function withProofIn(bytes: Bytes, bundle: string): Bytes {
  const token = tokenIn(bytes);
  const replaced = withAttachedProof(token, bundle);
  return token === bytes ? replaced : encodeGranted(replaced);
}

/** Whether `bytes` may be a token or a reply; no text and no COSE receipt begins like them. */
export function isTimestamp(bytes: Uint8Array): boolean {
  if (bytes[0] !== TAG.sequence) return false;
  // Only a reply without a token is short: a sequence in a sequence, and the status.
  return bytes[1]! >= 0x80 || bytes[2] === TAG.sequence && bytes[4] === TAG.integer;
}

/** Reads the token in a file; `timestamp_refused`. */
export function parseTimestamp(bytes: Bytes): TimeStampToken {
  return readToken(tokenIn(bytes));
}

/** The verdict on `token` and its `proof`, which was verified for the hash that is attested for its imprint. */
export async function judgeTimestamp(
  token: TimeStampToken,
  proof: TimestampVerdict["proof"],
  { digest, roots = [] }: TimestampExpectation = {},
): Promise<TimestampVerdict> {
  const { info } = token;
  const authority = await checkAuthority(token, roots);
  // R2; reading was R1 and R6.
  const isOther = digest !== undefined && !equalBytes(digest, info.imprint.digest);
  const failure = isOther
    ? { reason: "hash_mismatch", field: "message_imprint" } as const
    : authorityFailure(authority) ?? attestationFailure(token, proof?.bundle, proof?.verdict);
  return { valid: failure === undefined, ...failure, info, authority, ...(proof && { proof }) };
}

/** Rules R3 and R4. */
function authorityFailure(authority: AuthorityFinding): TimestampFailure | undefined {
  return authority.status === "refused" ? { reason: "authority_refused" } : undefined;
}

/** Rules R5, R7 and R8: why the witnesses did not attest what `token` states. */
function attestationFailure(
  { info }: TimeStampToken,
  bundle: ProofBundle | undefined,
  verdict: Verdict | undefined,
): TimestampFailure | undefined {
  if (bundle === undefined || verdict === undefined) return { reason: "attestation_missing" };
  if (!verdict.valid) {
    const { reason, field } = verdict.layers.attestation;
    return { reason: reason!, ...(field !== undefined && { field }) };
  }
  const field = differingField(info, bundle.signed_attestation.attestation);
  return field === undefined ? undefined : { reason: "field_mismatch", field };
}

/** Whether the authority signed `token`, and one of `roots` vouches for it, if there are any. */
async function checkAuthority(
  token: TimeStampToken,
  roots: readonly Certificate[],
): Promise<AuthorityFinding> {
  try {
    const verified = await verifyToken(token, {});
    if (roots.length > 0) await requireRoot(verified, roots);
    const { subjectText: subject } = verified.signer;
    return { status: roots.length > 0 ? "verified" : "not_checked", subject };
  } catch (error) {
    if (!hasCode(error, "timestamp_refused")) throw error;
    return { status: "refused", message: error.message };
  }
}

/** The field of the token that contradicts the attestation of its imprint (R8). */
function differingField(
  { genTime, fraction, accuracy, serial }: TimeStampInfo,
  { timestamp, sequence }: Attestation,
): string | undefined {
  if (genTime !== timestamp || fraction !== 0) return "gen_time";
  if (accuracy !== TOKEN_ACCURACY_SECONDS * 1_000_000) return "accuracy";
  const number = serial[0]! < 0x80 ? BigInt(`0x${hexOf(serial)}`) : -1n;
  return number >> BigInt(SERIAL_RANDOM_BITS) === BigInt(sequence) ? undefined : "serial_number";
}
