/**
 * JSON (RFC 8259) read strictly: duplicate members are refused and only plain decimal integers
 * below 2^53 are numbers, so that two readers cannot see two values in one text. Objects have no
 * prototype. Depth is bounded, since the text is an attacker's.
 *
 * @module
 */

import { integerOf } from "../bytes.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";

declare global {
  interface JSON {
    /** ECMAScript, JSON.parse source text access: a value that JSON.stringify writes as `text`. */
    rawJSON(text: string): unknown;
  }
}

/** A number that is no plain decimal integer below 2^53: kept as text, equal to no integer. */
export class OtherNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** JSON.stringify writes it as it was read. */
  toJSON(): unknown {
    return JSON.rawJSON(this.text);
  }
}

export type JsonObject = { readonly [name: string]: JsonValue };
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | OtherNumber
  | readonly JsonValue[]
  | JsonObject;

const MAX_DEPTH = 32;
/** Messages quote no more than this of a name, which is an attacker's. */
const QUOTED_LENGTH = 40;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
// RFC 8259 section 7. One pattern for a whole string would overflow the engine's stack on a long one.
// deno-lint-ignore no-control-regex
const UNESCAPED = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** Decimal integers of at most so many digits are below 2^53. */
const SAFE_DIGITS = 15;

const ZERO = 0x30;
const NINE = 0x39;

/**
 * The value of `text`; refused with `code` when it is no JSON, has a duplicate member or holds more
 * than `maxValues` values.
 */
export function parseStrictJson(
  text: string,
  code: ErrorCode,
  maxValues = Infinity,
): JsonValue {
  return new Reader(text, code, maxValues).whole();
}

/** A cursor over one text. Owned by a single call. */
class Reader {
  readonly #text: string;
  readonly #code: ErrorCode;
  readonly #maxValues: number;
  #at = 0;
  #values = 0;

  constructor(text: string, code: ErrorCode, maxValues: number) {
    this.#text = text;
    this.#code = code;
    this.#maxValues = maxValues;
  }

  whole(): JsonValue {
    const value = this.#value(0);
    if (this.#at !== this.#text.length) throw this.#fault("nothing after the value");
    return value;
  }

  #value(depth: number): JsonValue {
    if (depth > MAX_DEPTH) throw this.#fault(`at most ${MAX_DEPTH} levels`);
    if (++this.#values > this.#maxValues) throw this.#fault(`at most ${this.#maxValues} values`);
    this.#skipSpace();
    const value = this.#bareValue(depth);
    this.#skipSpace();
    return value;
  }

  #bareValue(depth: number): JsonValue {
    switch (this.#text[this.#at]) {
      case "{":
        return this.#object(depth);
      case "[":
        return this.#list(depth);
      case '"':
        return this.#string();
      case "t":
        return this.#literal("true", true);
      case "f":
        return this.#literal("false", false);
      case "n":
        return this.#literal("null", null);
    }
    return this.#shortInteger() ?? this.#anyNumber();
  }

  #literal<T extends JsonValue>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#fault("a JSON value");
    this.#at += word.length;
    return value;
  }

  /** A plain integer of few digits, as nearly all numbers are; `undefined` for everything else. */
  #shortInteger(): number | undefined {
    const start = this.#at;
    let end = start;
    let value = 0;
    for (; end < start + SAFE_DIGITS; end++) {
      const code = this.#text.charCodeAt(end);
      if (!(code >= ZERO && code <= NINE)) break;
      value = 10 * value + code - ZERO;
    }
    const isLonger = "0123456789.eE".includes(this.#text[end] ?? " ");
    const hasLeadingZero = end > start + 1 && this.#text.charCodeAt(start) === ZERO;
    if (end === start || isLonger || hasLeadingZero) return undefined;
    this.#at = end;
    return value;
  }

  #anyNumber(): JsonValue {
    const digits = this.#match(NUMBER);
    if (digits === undefined) throw this.#fault("a JSON value");
    return integerOf(digits) ?? new OtherNumber(digits);
  }

  #object(depth: number): JsonObject {
    const members: Record<string, JsonValue> = Object.create(null);
    this.#at++;
    this.#skipSpace();
    if (this.#skip("}")) return members;
    do {
      this.#skipSpace();
      const name = this.#string();
      if (Object.hasOwn(members, name)) {
        throw this.#fault(`member ${JSON.stringify(name.slice(0, QUOTED_LENGTH))} once`);
      }
      this.#skipSpace();
      if (!this.#skip(":")) throw this.#fault("a colon after a member's name");
      members[name] = this.#value(depth + 1);
    } while (this.#skip(","));
    if (!this.#skip("}")) throw this.#fault("a comma or the end of an object");
    return members;
  }

  #list(depth: number): readonly JsonValue[] {
    const values: JsonValue[] = [];
    this.#at++;
    this.#skipSpace();
    if (this.#skip("]")) return values;
    do values.push(this.#value(depth + 1)); while (this.#skip(","));
    if (!this.#skip("]")) throw this.#fault("a comma or the end of a list");
    return values;
  }

  #string(): string {
    const start = this.#at;
    if (!this.#skip('"')) throw this.#fault("a string");
    UNESCAPED.lastIndex = this.#at;
    UNESCAPED.test(this.#text);
    const end = UNESCAPED.lastIndex;
    if (this.#text[end] === '"') {
      this.#at = end + 1;
      return this.#text.slice(start + 1, end);
    }
    do this.#match(UNESCAPED); while (this.#match(ESCAPE) !== undefined);
    if (!this.#skip('"')) throw this.#fault("the end of a string");
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #skipSpace(): void {
    for (;; this.#at++) {
      const character = this.#text[this.#at];
      if (
        character !== " " && character !== "\n" && character !== "\t" && character !== "\r"
      ) return;
    }
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #fault(required: string): CountersignError {
    return new CountersignError(
      this.#code,
      `Cannot read JSON: ${required} required, found otherwise at character ${this.#at}`,
    );
  }
}
