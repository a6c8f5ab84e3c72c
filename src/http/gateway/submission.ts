/**
 * Parses the bodies of submissions. Nearly all bodies of `POST /v1/attestations` have one of two plain
 * forms:
 *
 *     {"hash":"<64 lowercase hex>"}
 *     {"hash":"<64 lowercase hex>","issuer_token":null | "<printable ASCII without " and \>"}
 *
 * They are parsed from bytes in a quarter of a microsecond; all others by the schema. A property test
 * requires equal results.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, isHex, utf8 } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import { malformedMember, parseBody } from "../body.ts";
import { BULK_LIMIT } from "../limits.ts";
import { BULK_SUBMISSION, SUBMISSION } from "../schema/submission_schema.ts";

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

const NO_DIGIT = 16;
/** Value of each lowercase hex digit by its character code. */
const HEX_VALUES = new Uint8Array(256).fill(NO_DIGIT);
for (const [value, code] of utf8("0123456789abcdef").entries()) HEX_VALUES[code] = value;

const decoder = new TextDecoder();

/** A hash to attest with its token. */
export interface ReadSubmission {
  /** 64 lowercase hex digits. */
  readonly hash: string;
  /** Not parsed yet; null without a token. */
  readonly token: string | null;
}

/**
 * The hash in a submission's body: `malformed_json`, `malformed_hash`, `malformed_request`.
 *
 * @returns 64 lowercase hex digits
 */
export function readSubmission(body: Uint8Array): string {
  return readPlainSubmission(body) ?? readAnySubmission(body).hash;
}

/** Like {@linkcode readSubmission}, but returns the token with the hash. */
export function readTokenSubmission(body: Uint8Array): ReadSubmission {
  const hash = readPlainSubmission(body);
  return hash === undefined ? readAnySubmission(body) : { hash, token: plainToken(body) };
}

/** The hash in a body of a plain form; `undefined` for other bodies, valid or not. */
export function readPlainSubmission(body: Uint8Array): string | undefined {
  if (!holdsAt(body, 0, BEFORE_HASH) || !hasPlainTail(body)) return undefined;
  for (let at = HASH_START; at < HASH_END; at++) {
    if (HEX_VALUES[body[at]!] === NO_DIGIT) return undefined;
  }
  return decoder.decode(body.subarray(HASH_START, HASH_END));
}

/** `Content-Length` of a body of the plain form without a token. */
export const SHORTEST_LENGTH = String(HASH_END + AFTER_HASH.length);

/**
 * {@linkcode readSubmission} for a body of {@linkcode SHORTEST_LENGTH} bytes that Deno decoded to text.
 * No other valid body is as short. Decoding loses invalid UTF-8 and a byte order mark.
 */
export function readShortest(text: string): string {
  const hash = text.slice(HASH_START, HASH_END);
  if (
    text.length === HASH_END + AFTER_HASH.length && text.startsWith('{"hash":"') &&
    text.endsWith('"}') && isHex(hash, HASH_LENGTH)
  ) return hash;
  const body = utf8(text);
  if (String(body.length) === SHORTEST_LENGTH) return readAnySubmission(body).hash;
  throw new CountersignError("malformed_json", "Cannot read JSON: not UTF-8");
}

/** Hash and token in any body that the schema accepts. */
export function readAnySubmission(body: Uint8Array): ReadSubmission {
  const { hash, issuer_token: token = null } = parseBody(body, SUBMISSION);
  return { hash, token };
}

/** The token in a body of a plain form. */
function plainToken(body: Uint8Array): string | null {
  // Out of bounds if the body ends with the hash.
  if (body[TOKEN_START] !== QUOTE) return null;
  return decoder.decode(body.subarray(TOKEN_START + 1, body.length - 2));
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

/** True if `body` has `text` at `offset`. */
function holdsAt(body: Uint8Array, offset: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (body[offset + i] !== text[i]) return false;
  return true;
}

const BEFORE_HASHES = utf8('{"hashes":[');
const AFTER_HASHES = utf8("]}");
const COMMA = 0x2c;
/** Bytes of a hash in quotes. */
const QUOTED_LENGTH = 2 * HASH_LENGTH + 2;

/** Hashes to attest with their tokens. */
export interface ReadBulk {
  /** Packed. */
  readonly digests: Bytes;
  /** One for each digest, not parsed yet; null without tokens. */
  readonly tokens: readonly (string | null)[] | null;
}

/**
 * Parses the body of a bulk submission: `malformed_json`, `malformed_hash`, `malformed_request`. Nearly
 * all bodies without tokens have the plain form `{"hashes":["<64 lowercase hex>",...]}`.
 */
export function readBulkSubmission(body: Uint8Array): ReadBulk {
  const digests = readPlainBulk(body);
  return digests === undefined ? readAnyBulk(body) : { digests, tokens: null };
}

/** The digests in a body of the plain form; `undefined` for other bodies, valid or not. */
export function readPlainBulk(body: Uint8Array): Bytes | undefined {
  const listLength = body.length - BEFORE_HASHES.length - AFTER_HASHES.length;
  const count = (listLength + 1) / (QUOTED_LENGTH + 1);
  if (!Number.isInteger(count) || count < 1 || count > BULK_LIMIT) return undefined;
  if (!holdsAt(body, 0, BEFORE_HASHES)) return undefined;
  if (!holdsAt(body, body.length - AFTER_HASHES.length, AFTER_HASHES)) return undefined;
  const digests = new Uint8Array(count * HASH_LENGTH);
  for (let i = 0, at = BEFORE_HASHES.length; i < count; i++, at += QUOTED_LENGTH + 1) {
    const end = at + QUOTED_LENGTH - 1;
    if (body[at] !== QUOTE || body[end] !== QUOTE) return undefined;
    if (i + 1 < count && body[end + 1] !== COMMA) return undefined;
    if (!readHex(body, at + 1, digests, i * HASH_LENGTH)) return undefined;
  }
  return digests;
}

/** Digests and tokens in any body that the schema accepts. */
export function readAnyBulk(body: Uint8Array): ReadBulk {
  const { hashes, issuer_tokens: tokens = null } = parseBody(body, BULK_SUBMISSION);
  if (tokens !== null && tokens.length !== hashes.length) throw malformedMember("issuer_tokens");
  return { digests: Uint8Array.fromHex(hashes.join("")), tokens };
}

/** Decodes the hex digest at `from` of `body`; false if there is none. */
function readHex(body: Uint8Array, from: number, digests: Uint8Array, to: number): boolean {
  for (let i = 0; i < HASH_LENGTH; i++) {
    const high = HEX_VALUES[body[from + 2 * i]!]!;
    const low = HEX_VALUES[body[from + 2 * i + 1]!]!;
    if (high === NO_DIGIT || low === NO_DIGIT) return false;
    digests[to + i] = 16 * high + low;
  }
  return true;
}
