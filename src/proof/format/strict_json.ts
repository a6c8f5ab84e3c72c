/**
 * A strict JSON reader (RFC 8259; J1, J2, J4 and J6 of verification.md "JSON"). Two readers never
 * see different values in one text: duplicate members are refused, and only decimal integers below
 * 2^53 become numbers. Objects have no prototype.
 *
 * @module
 */

import { integerOf } from "../../base/bytes.ts";
import { CountersignError, type ErrorCode } from "../../base/errors.ts";

/** ECMAScript, JSON.parse source text access: a value that JSON.stringify writes as `text`. */
const { rawJSON = (text: string) => text } = JSON as {
  readonly rawJSON?: (text: string) => unknown;
};

/** A number that is not an integer by J4: kept as text, equal to no integer. */
export class RawNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Makes JSON.stringify write the text that was read; as a string on an engine without rawJSON. */
  toJSON(): unknown {
    return rawJSON(this.text);
  }
}

export type JsonObject = { readonly [name: string]: JsonValue };
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | RawNumber
  | readonly JsonValue[]
  | JsonObject;

const MAX_DEPTH = 32;
const MAX_QUOTED_LENGTH = 40;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
// RFC 8259 section 7. One pattern for whole strings would overflow the engine's stack on long ones.
// deno-lint-ignore no-control-regex
const UNESCAPED = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** Decimal integers with at most this many digits are below 2^53. */
const SAFE_DIGITS = 15;

const BYTE_ORDER_MARK = "\ufeff";

const ZERO = 0x30;
const NINE = 0x39;

/**
 * Parses `text`. Throws `code` if it breaks a rule or holds more than `maxValues` values; the message
 * calls the text `what`.
 */
export function parseStrictJson(
  text: string,
  code: ErrorCode,
  maxValues = Infinity,
  what = "JSON",
): JsonValue {
  return new Reader(text, code, maxValues, what).read();
}

/** `name` for an error: in quotes, and cut, since an attacker chose it. */
export function quoted(name: string): string {
  return JSON.stringify(name.slice(0, MAX_QUOTED_LENGTH));
}

/** A cursor over one text. */
class Reader {
  readonly #text: string;
  readonly #code: ErrorCode;
  readonly #maxValues: number;
  readonly #what: string;
  #at = 0;
  #values = 0;

  constructor(text: string, code: ErrorCode, maxValues: number, what: string) {
    this.#text = text;
    this.#code = code;
    this.#maxValues = maxValues;
    this.#what = what;
  }

  read(): JsonValue {
    if (this.#text.startsWith(BYTE_ORDER_MARK)) {
      throw this.#error("a byte order mark (save it as UTF-8 without one)");
    }
    if (this.#text.slice(0, 2).includes("\0")) throw this.#error("UTF-16 (save it as UTF-8)");
    const value = this.#value(0);
    if (this.#at !== this.#text.length) throw this.#error("text after the value"); // J1
    return value;
  }

  #value(depth: number): JsonValue {
    if (depth > MAX_DEPTH) throw this.#error(`more than ${MAX_DEPTH} levels`); // J6
    if (++this.#values > this.#maxValues) throw this.#error(`more than ${this.#maxValues} values`);
    this.#skipSpace(); // J8
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
    if (!this.#text.startsWith(word, this.#at)) throw this.#error("not a JSON value");
    this.#at += word.length;
    return value;
  }

  /** The fast path for integers of few digits; `undefined` for anything else. */
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
    if (digits === undefined) throw this.#error("not a JSON value");
    return integerOf(digits) ?? new RawNumber(digits); // J4
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
        throw this.#error(`duplicate member ${quoted(name)}`); // J2
      }
      this.#skipSpace();
      if (!this.#skip(":")) throw this.#error(`no ":" after a member name`);
      members[name] = this.#value(depth + 1);
    } while (this.#skip(","));
    if (!this.#skip("}")) throw this.#error(`no "," or "}" after a member`);
    return members;
  }

  #list(depth: number): readonly JsonValue[] {
    const values: JsonValue[] = [];
    this.#at++;
    this.#skipSpace();
    if (this.#skip("]")) return values;
    do values.push(this.#value(depth + 1)); while (this.#skip(","));
    if (!this.#skip("]")) throw this.#error(`no "," or "]" after a list item`);
    return values;
  }

  #string(): string {
    const start = this.#at;
    if (!this.#skip('"')) throw this.#error("not a member name");
    UNESCAPED.lastIndex = this.#at;
    UNESCAPED.test(this.#text);
    const end = UNESCAPED.lastIndex;
    if (this.#text[end] === '"') {
      this.#at = end + 1;
      return this.#text.slice(start + 1, end);
    }
    do this.#match(UNESCAPED); while (this.#match(ESCAPE) !== undefined);
    if (!this.#skip('"')) throw this.#error("invalid or unterminated string");
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

  #error(reason: string): CountersignError {
    return new CountersignError(
      this.#code,
      `Cannot read ${this.#what}: ${reason} at character ${this.#at}`,
    );
  }
}
