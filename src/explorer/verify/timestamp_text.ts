/**
 * Verdicts on time-stamp tokens in plain English.
 *
 * @module
 */

import { hexOf } from "../../base/bytes.ts";
import { momentText } from "../../base/moment_text.ts";
import {
  type AuthorityFinding,
  TIMESTAMP_REASONS,
  type TimestampVerdict,
  TOKEN_ACCURACY_SECONDS,
} from "../../proof/timestamp/attested_token.ts";
import type { TimeStampInfo } from "../../proof/timestamp/tst_info.ts";
import type { FollowedNetwork } from "../../proof/verify/followed_network.ts";
import { isOfOtherNetwork } from "../../proof/verify/statement.ts";
import { unpinnedSentence, type VerdictSentence, verdictSentence } from "../verdict_text.ts";
import type { SuppliedToken } from "./supplied_file.ts";

/** A verdict on a token, and what it is about. */
export interface JudgedToken {
  readonly verdict: TimestampVerdict;
  /** Its configuration was used. */
  readonly network: FollowedNetwork;
  /** Name of the file that was compared with the token. */
  readonly fileName?: string | undefined;
  readonly isOtherFile: boolean;
}

const NOT_WITNESSED = "The token is signed by the authority, but not by the witnesses.";
const WORD_OF_AUTHORITY =
  "Whoever has the key of an authority can sign any time, also an earlier one.";

export function timestampSentence(
  { verdict, network, fileName, isOtherFile }: JudgedToken,
): VerdictSentence {
  const { valid, authority, proof } = verdict;
  if (authority.status === "refused") {
    return bad(TIMESTAMP_REASONS.authority_refused, `${authority.message}.`);
  }
  if (proof === undefined) {
    const note = `It carries no attestation, so its time is only the word of ${authority.subject}.`;
    return bad(NOT_WITNESSED, note, WORD_OF_AUTHORITY);
  }
  if (valid && isOtherFile) {
    return bad(
      `The token is genuine but belongs to another file: ${fileName} has changed, or the token ` +
        "was made for another file.",
    );
  }
  const { bundle, verdict: ofProof } = proof;
  const { attestation } = bundle.signed_attestation;
  const isForeign = isOfOtherNetwork({ attestation, network });
  if (valid || isForeign || !isContradiction(verdict)) {
    const judged = { bundle, verdict: ofProof, network, fileName, isOtherFile: false };
    const said = verdictSentence(judged);
    return valid ? { ...said, notes: [...said.notes, authorityText(authority)] } : said;
  }
  return bad(NOT_WITNESSED, contradictionText(verdict, attestation.timestamp), WORD_OF_AUTHORITY);
}

function bad(sentence: string, ...notes: readonly string[]): VerdictSentence {
  return { tone: "bad", sentence, notes };
}

/** The witnesses attested something else than the token states. */
function isContradiction({ proof, reason }: TimestampVerdict): boolean {
  return proof?.verdict.valid === true || reason === "hash_mismatch";
}

function contradictionText({ info, field }: TimestampVerdict, attested: number): string {
  switch (field) {
    case "gen_time":
      return `It states ${statedTime(info)}, but the witnesses attested this digest at ${
        momentText(attested)
      }.`;
    case "accuracy":
      return `Its accuracy is not the ${TOKEN_ACCURACY_SECONDS} s that the witnesses vouch for.`;
    case "serial_number":
      return "Its serial number is not that of the entry that the witnesses attested.";
    default:
      return "The proof in it is about another digest.";
  }
}

/** What is known of the authority of a valid token. */
export function authorityText(authority: AuthorityFinding): string {
  switch (authority.status) {
    case "verified":
      return `The authority ${authority.subject} signed it too, under a root certificate that you ` +
        "chose.";
    case "not_checked":
      return `An authority signed it too, and calls itself ${authority.subject}. This name was not ` +
        "checked against a root certificate.";
    case "refused":
      return `${authority.message}.`;
  }
}

/** "2026-01-01 00:00:00 UTC", with its fraction of a second if there is one. */
function statedTime({ genTime, fraction }: TimeStampInfo): string {
  const text = momentText(genTime);
  return fraction === 0 ? text : text.replace(" UTC", `.${decimals(fraction)} UTC`);
}

/** The time in the token, and its accuracy. */
export function statedTimeText(info: TimeStampInfo): string {
  const { accuracy } = info;
  return `${statedTime(info)}, ${
    accuracy === 0 ? "accuracy not stated" : `accurate to ${secondsText(accuracy)}`
  }`;
}

const MICROSECONDS = 1_000_000;

function secondsText(microseconds: number): string {
  const rest = microseconds % MICROSECONDS;
  const whole = Math.floor(microseconds / MICROSECONDS);
  return rest === 0 ? `${whole} s` : `${whole}.${decimals(rest)} s`;
}

function decimals(microseconds: number): string {
  return String(microseconds).padStart(6, "0").replace(/0+$/, "");
}

/** What is known of a token without a pin. */
export function unpinnedTimestamp(
  { token, bundle }: Pick<SuppliedToken, "token" | "bundle">,
  file?: { readonly name: string; readonly hash: string },
): VerdictSentence {
  const hash = hexOf(token.info.imprint.digest);
  if (bundle === undefined) {
    return bad(
      "No witnesses signed the token.",
      "It carries no attestation, so its time is only the word of its authority.",
      WORD_OF_AUTHORITY,
    );
  }
  const { network_id } = bundle.signed_attestation.attestation;
  return unpinnedSentence({ hash, network_id }, file, "token");
}
