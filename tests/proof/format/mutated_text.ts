/**
 * Random small damage to a text: what a parser of signed texts must either refuse or take for what
 * it then says.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { CountersignError, type ErrorCode } from "../../../src/base/errors.ts";

/** Characters that lenient parsers trip over: signs, digits of other scripts, spaces, line ends. */
const PIECES = [
  ..."\n\r\t 0123456789abcdefABCDEF+-_=/.,:;\u2014\u0000\u007f\u0085\u00a0\u2028\u0661\uff11\ufeff",
  "\n\n",
  "\r\n",
  "01",
  "-0",
  "1e3",
  "9007199254740992",
  "\ud800",
  "none",
];

/** One edit: at `at` of the text, scaled from [0, 1), `cut` characters give way to `piece`. */
interface Edit {
  readonly at: number;
  readonly cut: number;
  readonly piece: string;
}

function apply(text: string, { at, cut, piece }: Edit): string {
  const start = Math.floor(at * (text.length + 1));
  return text.slice(0, start) + piece + text.slice(start + cut);
}

/** Texts of `whole`, each with one to three edits, every other one a digit for a character. */
export function damaged(whole: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const at = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const digit = fc.record({
    at,
    cut: fc.constant(1),
    piece: fc.constantFrom(..."0123456789abcdefABCDEF"),
  });
  const any = fc.record({ at, cut: fc.nat(3), piece: fc.constantFrom("", ...PIECES) });
  const edits = fc.array(fc.oneof(digit, any), { minLength: 1, maxLength: 3 });
  return fc.tuple(whole, edits).map(([text, list]) => list.reduce(apply, text));
}

/** Asserts that `parse` refuses `text` with `code`, or reads what `encode` spells as `text` again. */
export function assertCanonical<T>(
  text: string,
  parse: (text: string) => T,
  encode: (value: T) => string,
  code: ErrorCode,
): void {
  let value;
  try {
    value = parse(text);
  } catch (error) {
    assert(error instanceof CountersignError, `${error} on ${JSON.stringify(text)}`);
    assert.equal(error.code, code);
    return;
  }
  assert.equal(encode(value), text);
}

/** Asserts that `parse` refuses each of `texts` with `code`. */
export function assertRefused(
  texts: readonly string[],
  parse: (text: string) => unknown,
  code: ErrorCode,
): void {
  for (const text of texts) {
    assert.throws(
      () => parse(text),
      (error) => error instanceof CountersignError && error.code === code,
      JSON.stringify(text),
    );
  }
}
