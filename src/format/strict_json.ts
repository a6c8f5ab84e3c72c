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
const SPACE = /[ \t\n\r]*/y;
const LITERALS: readonly (readonly [string, JsonValue])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

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
    this.#match(SPACE);
    const value = this.#bareValue(depth);
    this.#match(SPACE);
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
    }
    for (const [word, value] of LITERALS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    const digits = this.#match(NUMBER);
    if (digits === undefined) throw this.#fault("a JSON value");
    return integerOf(digits) ?? new OtherNumber(digits);
  }

  #object(depth: number): JsonObject {
    const members: Record<string, JsonValue> = Object.create(null);
    this.#at++;
    this.#match(SPACE);
    if (this.#skip("}")) return members;
    do {
      this.#match(SPACE);
      const name = this.#string();
      if (Object.hasOwn(members, name)) {
        throw this.#fault(`member ${JSON.stringify(name.slice(0, QUOTED_LENGTH))} once`);
      }
      this.#match(SPACE);
      if (!this.#skip(":")) throw this.#fault("a colon after a member's name");
      members[name] = this.#value(depth + 1);
    } while (this.#skip(","));
    if (!this.#skip("}")) throw this.#fault("a comma or the end of an object");
    return members;
  }

  #list(depth: number): readonly JsonValue[] {
    const values: JsonValue[] = [];
    this.#at++;
    this.#match(SPACE);
    if (this.#skip("]")) return values;
    do values.push(this.#value(depth + 1)); while (this.#skip(","));
    if (!this.#skip("]")) throw this.#fault("a comma or the end of a list");
    return values;
  }

  #string(): string {
    const start = this.#at;
    if (!this.#skip('"')) throw this.#fault("a string");
    do this.#match(UNESCAPED); while (this.#match(ESCAPE) !== undefined);
    if (!this.#skip('"')) throw this.#fault("the end of a string");
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
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
