/**
 * Explains errors to readers of the page, with their error codes.
 *
 * @module
 */

import { isIssuerAway } from "../client/issuer_client.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import { GatewayRefusal } from "../format/gateway_refusal.ts";

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
    "The gateway refused",
    "It answered with something else than what was asked for.",
  ],
  overloaded: [
    "The gateway is busy",
    "It has more to do than it can take. Try again in a moment.",
  ],
  shutting_down: ["The gateway is stopping", "It should be back soon. Try again in a moment."],
  standby: [
    "This gateway is a standby",
    "Another one takes the hashes of this log. Use its address, or try again in a moment.",
  ],
  storage_failed: [
    "The gateway cannot store",
    "It accepts nothing until its operator has mended its storage.",
  ],
  store_rolled_back: [
    "The gateway's store is an old copy",
    "Its witnesses remember a longer log. It accepts nothing until its operator has restored it.",
  ],
  witnesses_unavailable: [
    "The witnesses do not answer",
    "Too few of them can be reached. Try again later.",
  ],
  rate_limited: [
    "The gateway limits how much one client sends",
    "Wait until it takes more.",
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
    "This gateway takes new hashes with tokens only",
    "This page has none. Fetch some with `countersign token`, then use `countersign stamp`.",
  ],
  issuer_unreachable: [
    "The issuer of tokens does not answer",
    "This gateway takes new hashes with its tokens only. Try again in a moment.",
  ],
  issuer_refused: [
    "The issuer gives this page no tokens",
    "This gateway takes new hashes with tokens only. Fetch some with `countersign token` and an " +
    "API key, then use `countersign stamp`.",
  ],
  tokens_missing: [
    "This gateway takes new hashes with tokens only",
    "It names no issuer that this page could ask. Use `countersign token --issuer URL`, then " +
    "`countersign stamp`.",
  ],
  hash_unknown: [
    "This hash is not known here",
    "It was never submitted to this gateway, or it is another file's.",
  ],
  not_confirmed: [
    "Not signed yet",
    "The hash is accepted, and its witnesses have not signed it yet.",
  ],
  not_batched: ["Not in the log yet", "It is signed, and waits for the next batch."],
  batch_not_found: [
    "There is no such batch",
    "A batch's number is the size of the log at its end.",
  ],
  tree_size_not_published: [
    "No tree head of this size was published",
    "Only the sizes at which batches ended have one.",
  ],
  no_tree_head: ["The log is empty", "Its first tree head is published with the first batch."],
  malformed_hash: [
    "This is not a SHA-256 hash",
    "Such a hash is 64 digits of 0 to 9 and a to f.",
  ],
  malformed_bundle: [
    "This cannot be read",
    "It is not what a gateway answers, or it was changed on its way.",
  ],
  malformed_configuration: [
    "This is not a network's configuration",
    "Such a file is network.public.json, or the answer of a gateway at /v1/network.",
  ],
  invalid_configuration: [
    "This configuration cannot be used",
    "No set of signatures could ever be counted under it.",
  ],
  invalid_key: ["This configuration holds a key that cannot be used", "It must not be relied on."],
  body_too_large: ["The request is too large", "Send fewer hashes at once."],
  internal: ["The gateway failed", "This is a fault of the gateway, not of what you sent."],
  file_failed: ["The file cannot be read", "It was moved or changed while it was read."],
};

const OTHER: Words = ["Something failed", "Try again; if it stays so, tell the operator."];

/** The failure that `error` is shown as. */
export function failureText(error: unknown): FailureText {
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof GatewayRefusal) {
    const code = error.reason ?? "gateway_refused";
    const [title, advice] = WORDS[code] ?? OTHER;
    return { title, advice, code: error.reason ?? `HTTP ${error.status}`, detail };
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
