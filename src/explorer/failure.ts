/**
 * Explains errors to readers of the page, with their error codes.
 *
 * @module
 */

import { isIssuerAway } from "../client/issuer_client.ts";
import { CountersignError, type ErrorCode } from "../base/errors.ts";
import { GatewayRefusal } from "../proof/format/gateway_refusal.ts";
import { PartNotLoaded } from "./page_part.ts";

/** One failure as the page shows it. */
export interface FailureText {
  /** A short sentence without a final period. */
  readonly title: string;
  /** What it means for the reader, and what to do. */
  readonly advice: string;
  /** The error code (protocol.md "Errors"); absent for other errors. */
  readonly code: string;
  /** The original message. It is untrusted if the gateway sent it. */
  readonly detail: string;
}

type Words = readonly [title: string, advice: string];

const WORDS: Partial<Record<ErrorCode, Words>> = {
  gateway_unreachable: [
    "The gateway does not answer",
    "Your connection or the gateway is down. Nothing that was accepted is lost.",
  ],
  gateway_refused: [
    "The gateway gave no usable answer",
    "Try again. If it happens again, tell its operator.",
  ],
  overloaded: [
    "The gateway is busy",
    "It has too many requests at the moment. Try again in a few seconds.",
  ],
  shutting_down: [
    "The gateway is stopping",
    "It is being restarted or replaced. Try again in a minute.",
  ],
  standby: [
    "This gateway is a standby",
    "Another gateway takes the hashes of this log. Use its address, or try again in a minute.",
  ],
  storage_failed: [
    "The gateway cannot write to its storage",
    "It accepts no hashes until its operator has repaired the storage. Proofs can still be read.",
  ],
  store_rolled_back: [
    "The gateway's store is an old copy",
    "Its witnesses remember a longer log. It accepts nothing until its operator has restored it.",
  ],
  witnesses_unavailable: [
    "The witnesses do not answer",
    "Too few of them answer to sign a hash. Try again later.",
  ],
  rate_limited: [
    "You have reached this gateway's limit for one client",
    "The page waits and continues. You can leave it open.",
  ],
  api_key_required: [
    "This gateway is private",
    "It answers only requests with an API key of its operator. Enter yours above.",
  ],
  api_key_refused: [
    "The gateway does not accept this API key",
    "It is unknown, revoked or expired. Enter another one, or ask the gateway's operator.",
  ],
  token_required: [
    "This gateway accepts new hashes only with tokens",
    "This page has no tokens. Fetch some with `countersign token`, then use `countersign stamp`.",
  ],
  issuer_unreachable: [
    "The issuer of tokens does not answer",
    "This gateway accepts new hashes only with tokens of this issuer. Try again in a moment.",
  ],
  issuer_refused: [
    "The issuer gives this page no tokens",
    "This gateway accepts new hashes only with tokens. Fetch some with `countersign token` and an " +
    "API key, then use `countersign stamp`.",
  ],
  tokens_missing: [
    "This gateway accepts new hashes only with tokens",
    "It names no issuer of tokens. Use `countersign token --issuer URL`, then " +
    "`countersign stamp`.",
  ],
  hash_unknown: [
    "This gateway does not know the hash",
    "Nobody submitted it here. Check that it is the hash of the right file, or stamp it.",
  ],
  not_confirmed: [
    "Not signed yet",
    "The gateway has accepted the hash. The witnesses have not signed it yet.",
  ],
  not_batched: ["Not in the log yet", "The hash is signed; the next batch adds it to the log."],
  batch_not_found: [
    "There is no such batch",
    "A batch's number is the size of the log at its end.",
  ],
  tree_size_not_published: [
    "No tree head of this size was published",
    "Only the sizes at which a batch ended have a tree head.",
  ],
  no_tree_head: ["The log is empty", "Its first tree head is published with the first batch."],
  malformed_hash: [
    "This is not a SHA-256 hash",
    "A SHA-256 hash has 64 digits from 0 to 9 and a to f.",
  ],
  malformed_bundle: [
    "The answer or file cannot be read",
    "It is damaged, or of another kind. Fetch it again.",
  ],
  timestamp_refused: [
    "This time-stamp token cannot be used",
    "It is damaged, or its authority refused to stamp. Choose the file as the authority sent it, or " +
    "ask for a new token.",
  ],
  malformed_configuration: [
    "This is not a network's configuration",
    "Choose network.public.json from the network's operator, or the answer of /v1/network.",
  ],
  invalid_configuration: [
    "This configuration cannot be used",
    "No signatures could meet its threshold. Ask the operator for a correct file.",
  ],
  invalid_key: [
    "A key in this configuration is invalid",
    "Do not use the file. Ask the operator for a correct one.",
  ],
  body_too_large: ["The request is too large", "Send fewer hashes at once."],
  internal: [
    "The gateway failed",
    "This is a fault of the gateway, not of your request. Try again, then tell its operator.",
  ],
  file_failed: [
    "The file cannot be read",
    "It was moved or changed during the reading. Choose it again.",
  ],
};

const NOT_LOADED: Words = [
  "A part of this page was not loaded",
  "The gateway did not deliver it. Nothing was sent. Try again when the gateway answers, or reload " +
  "the page.",
];

const OTHER: Words = [
  "Something failed",
  "Try again. If it happens again, tell the gateway's operator the code below.",
];

/** The failure that `error` is shown as. */
export function failureText(error: unknown): FailureText {
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof GatewayRefusal) {
    const code = error.reason ?? "gateway_refused";
    const [title, advice] = WORDS[code] ?? OTHER;
    return { title, advice, code: error.reason ?? `HTTP ${error.status}`, detail };
  }
  if (error instanceof PartNotLoaded) {
    const [title, advice] = NOT_LOADED;
    return { title, advice, code: "page_incomplete", detail };
  }
  if (isIssuerAway(error)) {
    const [title, advice] = WORDS.issuer_unreachable!;
    return { title, advice, code: "issuer_unreachable", detail };
  }
  if (error instanceof CountersignError) {
    const [title, advice] = WORDS[error.code] ?? OTHER;
    return { title, advice, code: error.code, detail };
  }
  return { title: OTHER[0], advice: OTHER[1], code: "internal", detail };
}
