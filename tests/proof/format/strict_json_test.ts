import assert from "node:assert/strict";
import fc from "fast-check";
import { CountersignError, hasCode } from "../../../src/base/errors.ts";
import {
  type JsonValue,
  parseStrictJson,
  RawNumber,
} from "../../../src/proof/format/strict_json.ts";
import { IS_LONG } from "../../long_runs.ts";
import { assertRefused, damaged } from "./mutated_text.ts";

function parse(text: string): JsonValue {
  return parseStrictJson(text, "malformed_json");
}

/** `value` as JSON.parse would have it: plain objects, and JavaScript's numbers. */
function plain(value: JsonValue): unknown {
  if (value instanceof RawNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, plain(member)]);
  return Object.fromEntries(members);
}

/** Asserts that what is accepted means what JSON.parse takes it for; answers whether it was. */
function agrees(text: string): boolean {
  let value;
  try {
    value = parse(text);
  } catch (error) {
    assert(error instanceof CountersignError, `${error} on ${JSON.stringify(text)}`);
    return false;
  }
  assert.deepEqual(plain(value), JSON.parse(text), text);
  return true;
}

Deno.test("whatever JSON.stringify writes is read as JSON.parse reads it", () => {
  const values = fc.jsonValue({ depthSize: "medium", stringUnit: "binary" });
  fc.assert(
    fc.property(values, fc.nat(4), (value, indent) => {
      assert(agrees(JSON.stringify(value, undefined, indent)));
    }),
    { numRuns: IS_LONG ? 100 : 30 },
  );
});

Deno.test("a damaged text that is accepted means what JSON.parse takes it for", () => {
  const texts = fc.json({ depthSize: "medium" });
  const pieces = ["{", "}", "[", "]", ",", ":", '"', "\\", "\\u00", "null", "true", "-", ".", "e"];
  const cut = fc.tuple(texts, fc.nat(), fc.constantFrom(...pieces)).map(([text, at, piece]) => {
    const split = at % (text.length + 1);
    return text.slice(0, split) + piece + text.slice(split);
  });
  fc.assert(fc.property(fc.oneof(damaged(texts), cut), (text) => void agrees(text)), {
    numRuns: IS_LONG ? 5000 : 1500,
  });
});

/** How many members the objects of `value` have, at every depth. */
function memberCount(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, inner) => sum + memberCount(inner), own);
}

Deno.test("of what JSON.parse accepts, duplicate members alone are refused", () => {
  const doubled = fc.jsonValue({ maxDepth: 2 }).map((value) =>
    `{"a":${JSON.stringify(value)},"\\u0061":1}`
  );
  const texts = fc.oneof(damaged(fc.json({ maxDepth: 3 })), doubled);
  fc.assert(
    fc.property(texts, (text) => {
      let value;
      try {
        value = JSON.parse(text);
      } catch {
        return;
      }
      // JSON.parse keeps the last of two members, so that fewer are left than there are colons.
      const colons = text.replace(/"(?:[^"\\]|\\.)*"/g, "").split(":").length - 1;
      assert.equal(agrees(text), memberCount(value) === colons, text);
    }),
    { numRuns: IS_LONG ? 3000 : 1000 },
  );
});

Deno.test("what is no JSON is refused", () => {
  const refused = [
    "",
    " ",
    "nul",
    "nulll",
    "True",
    "undefined",
    "NaN",
    "Infinity",
    "-Infinity",
    "'a'",
    "{a:1}",
    "{'a':1}",
    '{"a":1,}',
    '{,"a":1}',
    '{"a"}',
    '{"a":}',
    '{"a" 1}',
    '{"a":1 "b":2}',
    "[1,]",
    "[,1]",
    "[1 2]",
    "[",
    "{",
    "]",
    "1 2",
    "{}{}",
    "01",
    "-01",
    "00",
    "+1",
    "1.",
    ".5",
    "-",
    "1e",
    "1e+",
    "0x10",
    "1_000",
    "1n",
    '"',
    '"a',
    '"\\',
    '"\\x41"',
    '"\\u12"',
    '"\\u12g4"',
    '"\\u{41}"',
    '"\\\n"',
    '"a\nb"',
    '"a\tb"',
    '"a\u0000b"',
    '"a\u001fb"',
    "\ufeff{}",
    "\u00a0{}",
    "\v1",
    "// comment\n1",
    "/* */1",
    "1//",
  ];
  assertRefused(refused, parse, "malformed_json");
  for (const text of refused) assert.throws(() => JSON.parse(text), SyntaxError, text);
});

Deno.test("what is JSON, if oddly spelt, is read", () => {
  const odd = [
    " \t\r\n1 \t\r\n",
    "\u2028".replace("\u2028", '"\u2028"'),
    '"\u007f"',
    '"\\u0000\\u001F\\uD83D\\ude00\\/\\b\\f\\n\\r\\t\\"\\\\"',
    '"\\ud800"',
    '[[],{},[{}],""," "]',
    '{"":{"":""}}',
    '{"a":[],"A":[]}',
  ];
  for (const text of odd) assert(agrees(text), text);
});

Deno.test("a member twice is refused, however its name is spelt and wherever it stands", () => {
  const refused = [
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"a":3}',
    '{"a":1,"\\u0061":1}',
    '{"\\u0061":1,"\\u0061":1}',
    '{"\\/":1,"/":1}',
    '{"":1,"":2}',
    '[{"x":{"a":1,"a":1}}]',
    '{"__proto__":1,"__proto__":1}',
    '{"\\u005f_proto__":1,"__proto__":1}',
    '{"constructor":1,"constructor":1}',
    '{"1":1,"1":1}',
    '{"\\ud83d\\ude00":1,"\u{1f600}":1}',
  ];
  assertRefused(refused, parse, "malformed_json");
  // The same names in objects of their own are no duplicates; nor are two Unicode normal forms.
  assert(agrees('[{"a":1},{"a":1}]'));
  assert(agrees('{"a":{"a":{"a":1}}}'));
  assert(agrees('{"\u00e9":1,"e\u0301":1}'));
});

Deno.test("only plain decimal integers below 2^53 are numbers", () => {
  for (const text of ["0", "7", "10", "9007199254740991"]) assert.equal(parse(text), Number(text));
  const others = [
    "-0",
    "-1",
    "1.0",
    "0.0",
    "1e3",
    "1E3",
    "1e0",
    "10e-1",
    "0e0",
    "9007199254740992",
    "9007199254740993",
    "99999999999999999999",
    "1e400",
  ];
  for (const text of others) {
    const value = parse(text);
    assert(value instanceof RawNumber, text);
    assert.equal(value.text, text);
  }
});

Deno.test("a member called __proto__ is a member, and touches no prototype", () => {
  const value = parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
  assert(typeof value === "object" && value !== null);
  assert.equal(Object.getPrototypeOf(value), null);
  assert.deepEqual(Object.keys(value), ["__proto__", "constructor"]);
  assert(!("polluted" in {}));
  assert(!("polluted" in value));
});

Deno.test("values nest 32 levels deep and no deeper", () => {
  const nested = (open: string, close: string, depth: number) =>
    open.repeat(depth) + "1" + close.repeat(depth);
  assert(agrees(nested("[", "]", 32)));
  assert(agrees(nested('{"a":', "}", 32)));
  const refused = [33, 1000, 1_000_000].flatMap((depth) => [
    nested("[", "]", depth),
    nested('{"a":', "}", depth),
    "[".repeat(depth),
  ]);
  for (const text of refused) {
    assert.throws(() => parse(text), CountersignError, text.slice(0, 40));
  }
});

Deno.test("texts of megabytes are read, or refused, without exhausting the stack", () => {
  const count = 4_000_000;
  const escapes = `"${"\\n".repeat(count)}"`;
  assert.equal(parse(escapes), "\n".repeat(count));
  assert.equal(parse(`"${"a".repeat(count)}"`), "a".repeat(count));
  assert(parse("1".repeat(count)) instanceof RawNumber);
  assert.equal(parse(`${" ".repeat(count)}1`), 1);
  for (const text of [escapes.slice(0, -1), `${escapes.slice(0, -1)}\n"`]) {
    assert.throws(() => parse(text), CountersignError);
  }
});

Deno.test("a message quotes little of what was sent", () => {
  const name = "x".repeat(10_000);
  assert.throws(() => parse(`{"${name}":1,"${name}":1}`), (error) => {
    assert(error instanceof CountersignError);
    assert(error.message.length < 200);
    return true;
  });
});

Deno.test("a text of more values than its reader wants is refused", () => {
  const text = '{"a":[1,{}],"b":null}';
  assert.deepEqual(Object.keys(parseStrictJson(text, "malformed_json", 5) ?? {}), ["a", "b"]);
  assert.throws(
    () => parseStrictJson(text, "malformed_json", 4),
    (error) => hasCode(error, "malformed_json"),
  );
});

Deno.test("numbers that are no plain integers are written as they were read", () => {
  const text = '{"a":[1.50,-1E+3,9007199254740993],"b":7}';
  assert.equal(JSON.stringify(parse(text)), text);
});
