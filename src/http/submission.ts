/**
 * Reads the body of `POST /v1/attestations`. Nearly all of them are one of two plain spellings:
 *
 *     {"hash":"<64 lowercase hex>"}
 *     {"hash":"<64 lowercase hex>","issuer_token":null | "<printable ASCII without " and \>"}
 *
 * which are read from the bytes in a quarter of a microsecond; every other spelling goes the general
 * way. A property test holds the two equal.
 *
 * @module
 */

import { HASH_LENGTH, isHex, utf8 } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import { parseBody } from "./body.ts";
import { Submission } from "./schema/job.ts";

const BEFORE_HASH = utf8('{"hash":"');
const AFTER_HASH = utf8('"}');
const BEFORE_TOKEN = utf8('","issuer_token":');
const NULL_TOKEN = utf8("null}");

const HASH_START = BEFORE_HASH.length;
const HASH_END = HASH_START + 2 * HASH_LENGTH;
const TOKEN_START = HASH_END + BEFORE_TOKEN.length;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const CLOSING_BRACE = 0x7d;
const SPACE = 0x20;
const TILDE = 0x7e;

/** 1 for the character code of each lowercase hex digit. */
const HEX_DIGITS = new Uint8Array(256);
for (const code of utf8("0123456789abcdef")) HEX_DIGITS[code] = 1;

const decoder = new TextDecoder();

/**
 * The hash in a submission's body: `malformed_json`, `malformed_hash`, `malformed_request`.
 *
 * @returns 64 lowercase hex digits
 */
export function readSubmission(body: Uint8Array): string {
  return readPlainSubmission(body) ?? readAnySubmission(body);
}

/** The hash in a plainly spelt body; `undefined` for every other one, right or wrong. */
export function readPlainSubmission(body: Uint8Array): string | undefined {
  if (!holdsAt(body, 0, BEFORE_HASH) || !hasPlainTail(body)) return undefined;
  for (let at = HASH_START; at < HASH_END; at++) if (HEX_DIGITS[body[at]!] !== 1) return undefined;
  return decoder.decode(body.subarray(HASH_START, HASH_END));
}

/** The value of `Content-Length` of a body that is a hash, plainly spelt, and nothing else. */
export const SHORTEST_LENGTH = String(HASH_END + AFTER_HASH.length);

/**
 * {@linkcode readSubmission} of a body of {@linkcode SHORTEST_LENGTH} bytes, as Deno has read it as
 * text. No other right body is as short; of one that is wrong, what was no UTF-8 or stood behind a
 * byte order mark is gone from the text.
 */
export function readShortest(text: string): string {
  const hash = text.slice(HASH_START, HASH_END);
  if (
    text.length === HASH_END + AFTER_HASH.length && text.startsWith('{"hash":"') &&
    text.endsWith('"}') && isHex(hash, HASH_LENGTH)
  ) return hash;
  const body = utf8(text);
  if (String(body.length) === SHORTEST_LENGTH) return readAnySubmission(body);
  throw new CountersignError("malformed_json", "Cannot read JSON: UTF-8 required, found otherwise");
}

/** The hash in any body that the schema accepts. */
export function readAnySubmission(body: Uint8Array): string {
  return parseBody(body, Submission).hash;
}

function hasPlainTail(body: Uint8Array): boolean {
  if (body.length === HASH_END + AFTER_HASH.length) return holdsAt(body, HASH_END, AFTER_HASH);
  if (!holdsAt(body, HASH_END, BEFORE_TOKEN)) return false;
  const { length } = body;
  if (length === TOKEN_START + NULL_TOKEN.length && holdsAt(body, TOKEN_START, NULL_TOKEN)) {
    return true;
  }
  const end = length - 2;
  if (end <= TOKEN_START || body[TOKEN_START] !== QUOTE) return false;
  if (body[end] !== QUOTE || body[end + 1] !== CLOSING_BRACE) return false;
  for (let at = TOKEN_START + 1; at < end; at++) {
    const code = body[at]!;
    if (code < SPACE || code > TILDE || code === QUOTE || code === BACKSLASH) return false;
  }
  return true;
}

/** True when `text` stands at `offset` of `body`. */
function holdsAt(body: Uint8Array, offset: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (body[offset + i] !== text[i]) return false;
  return true;
}
