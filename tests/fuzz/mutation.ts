/**
 * Damages valid inputs: their bytes, the words of a text and the values of a JSON text. Most results
 * are nearly valid, since a wholly wrong input is refused at its first byte.
 *
 * @module
 */

import { type Bytes, concat, utf8 } from "../../src/base/bytes.ts";
import type { Random } from "./random.ts";

/** Replaced by a lone surrogate, which UTF-8 cannot encode, in {@linkcode textOfInput}. */
const SURROGATE_MARK = "\uf8ff";

/** Length of an input after `pump()`. A quadratic reader takes seconds for it. */
const PUMPED_BYTES = 60_000;

/** Words that naive readers of numbers, names and lines mishandle. */
const WORDS: readonly string[] = [
  ..."\n\r\t\0 +-_=/.,:;\"\\{}[]%#?&'\u007f\u0085\u00a0\u2028\u0661\uff11\ufeff\u2014",
  "\r\n",
  "\n\n",
  "\n ",
  " \n",
  "\t\t",
  "\ufeff",
  SURROGATE_MARK,
  "\ud83d\ude00",
  "e\u0301",
  "-0",
  "+1",
  "01",
  "00",
  "1.0",
  "1e3",
  "1E400",
  "-1",
  "0x10",
  "1_000",
  "٣",
  "NaN",
  "Infinity",
  "2147483648",
  "4294967295",
  "4294967296",
  "9007199254740991",
  "9007199254740992",
  "18446744073709551615",
  "18446744073709551616",
  "9".repeat(400),
  "0".repeat(400),
  "null",
  "true",
  "none",
  "undefined",
  "__proto__",
  "constructor",
  "toString",
  "length",
  "HEAD",
  "OPTIONS",
  "POST",
  "GET",
  "PUT",
  "TRACE",
  "/tile/0/000",
  "chunked",
  "gzip",
  "../",
  "..%2f",
  "%00",
  "%ff",
  "%",
  "%2",
  "\\u0000",
  "\\ud800",
  "\\",
  '\\"',
  "//",
  "*",
  "AAAA",
  "AA==",
  "AAB=",
  "====",
  "a".repeat(300),
  "countersign/round/v1",
  "cosignature/v1",
];

/** Values that replace others. */
const VALUES: readonly string[] = [
  "null",
  "true",
  "false",
  "0",
  "-0",
  "1",
  "-1",
  "1.5",
  "1e999",
  "-1e-999",
  "01",
  "1e3",
  "9007199254740991",
  "9007199254740992",
  "9".repeat(400),
  "1.0",
  "0e0",
  '"0"',
  '""',
  '" "',
  "{}",
  "[]",
  "[[]]",
  "[null]",
  '{"__proto__":{"a":1}}',
  '{"toString":1}',
  '{"length":1}',
  '"\\ud800"',
  '"\\u0000"',
  '"\u2028"',
  '"\ufeff"',
  `"${"a".repeat(5_000)}"`,
  '"\\x"',
  `${"[".repeat(40)}${"]".repeat(40)}`,
  "[".repeat(5_000),
  '{"a":'.repeat(5_000),
  `[${"0,".repeat(2_000)}0]`,
  `"${"00".repeat(32)}"`,
  `"${"AB".repeat(32)}"`,
];

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes an input for a reader of texts. */
export function textOfInput(input: Uint8Array): string {
  return decoder.decode(input).replaceAll(SURROGATE_MARK, "\ud800");
}

/** Damages `input` one to four times; `others` are inputs of the same kind. */
export function mutate(random: Random, input: Bytes, others: readonly Bytes[]): Bytes {
  let mutated = input;
  for (let times = 1 + random.below(random.pick([1, 1, 2, 4])); times > 0; times--) {
    mutated = random.pick(MUTATIONS)(random, mutated, others);
  }
  return mutated;
}

type Mutation = (random: Random, input: Bytes, others: readonly Bytes[]) => Bytes;

const MUTATIONS: readonly Mutation[] = [
  flipBit,
  replaceByte,
  cut,
  cut,
  truncate,
  repeat,
  insertBytes,
  splice,
  pump,
  replaceWord,
  replaceWord,
  insertWord,
  insertWord,
  swapWords,
  changeCase,
  changeBase64,
  changeLineEnds,
  changeValue,
  changeValue,
  changeValue,
  repeatMember,
];

function flipBit(random: Random, input: Bytes): Bytes {
  return change(input, random.below(input.length), (byte) => byte ^ (1 << random.below(8)));
}

function replaceByte(random: Random, input: Bytes): Bytes {
  return change(input, random.below(input.length), () => random.pick([0, 0xff, 0x80, 0x7f, 0xc0]));
}

function cut(random: Random, input: Bytes): Bytes {
  const [start, end] = range(random, input.length);
  return concat(input.subarray(0, start), input.subarray(end));
}

function truncate(random: Random, input: Bytes): Bytes {
  return input.slice(0, random.below(input.length + 1));
}

function repeat(random: Random, input: Bytes): Bytes {
  const [start, end] = range(random, input.length);
  return concat(input.subarray(0, end), input.subarray(start));
}

function insertBytes(random: Random, input: Bytes): Bytes {
  return insert(input, random.below(input.length + 1), random.bytes(1 + random.below(8)));
}

function splice(random: Random, input: Bytes, others: readonly Bytes[]): Bytes {
  const other = random.pick(others);
  return concat(
    input.subarray(0, random.below(input.length + 1)),
    other.subarray(random.below(other.length + 1)),
  );
}

/**
 * Repeats a short piece until the input is long, then continues or ends in another character. A
 * reader of more than linear time shows at a long match that fails.
 */
function pump(random: Random, input: Bytes): Bytes {
  const start = random.below(input.length);
  const piece = random.once(2)
    ? input.slice(start, start + 1 + random.below(6))
    : utf8(random.pick(random.once(2) ? [" ", "\t", ",", ";", '"'] : WORDS));
  if (piece.length === 0) return input;
  const times = Math.floor(Math.max(0, PUMPED_BYTES - input.length) / piece.length);
  const pumped = new Uint8Array(times * piece.length);
  for (let i = 0; i < times; i++) pumped.set(piece, i * piece.length);
  if (random.once(2)) return insert(input, start, pumped);
  return concat(input.subarray(0, start), pumped, utf8(random.pick(['"', "!", "\0", "+", "x"])));
}

function replaceWord(random: Random, input: Bytes): Bytes {
  return changeText(input, (text) => {
    const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
    if (words.length === 0) return text;
    const { index, 0: word } = random.pick(words);
    return text.slice(0, index) + random.pick(WORDS) + text.slice(index + word.length);
  });
}

function insertWord(random: Random, input: Bytes): Bytes {
  return changeText(input, (text) => {
    const at = random.pick([0, text.length, random.below(text.length + 1)]);
    return text.slice(0, at) + random.pick(WORDS) + text.slice(at);
  });
}

function swapWords(random: Random, input: Bytes): Bytes {
  return changeText(input, (text) => {
    const parts = text.split(/([^\p{L}\p{N}]+)/u);
    const [a, b] = [random.below(parts.length), random.below(parts.length)];
    return parts.map((part, i) => i === a ? parts[b] : i === b ? parts[a] : part).join("");
  });
}

function changeCase(random: Random, input: Bytes): Bytes {
  return changeText(input, (text) => {
    const [start, end] = range(random, text.length);
    return text.slice(0, start) + text.slice(start, end).toUpperCase() + text.slice(end);
  });
}

/** Changes padding, the bits after the last byte, or the alphabet. */
function changeBase64(random: Random, input: Bytes): Bytes {
  return changeText(input, (text) => {
    const words = [...text.matchAll(/[A-Za-z0-9+/]{8,}={0,2}/g)];
    if (words.length === 0) return text;
    const { index, 0: word } = random.pick(words);
    const changed = random.pick([
      word.replace(/=+$/, ""),
      `${word}=`,
      word.replace(/.(?==*$)/, "B"),
      word.replaceAll("+", "-").replaceAll("/", "_"),
      word.replace(/^.{4}/, "$&\n"),
      word.slice(1),
    ]);
    return text.slice(0, index) + changed + text.slice(index + word.length);
  });
}

function changeLineEnds(random: Random, input: Bytes): Bytes {
  const end = random.pick(["\r\n", "\r", "\n", "\u2028", "\n\n", ""]);
  return changeText(
    input,
    (text) => random.once(2) ? text.replaceAll("\n", end) : text.replace(/\n?$/, end),
  );
}

/** Tokens of a JSON text: strings, numbers and words whole, everything else by the character. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|[A-Za-z0-9+.\-]+|[^]/g;

/** Replaces a string, number, literal or member name by another value. */
function changeValue(random: Random, input: Bytes): Bytes {
  return changeText(input, (text) => {
    const tokens = text.match(JSON_TOKEN) ?? [];
    const places = [...tokens.keys()].filter((i) => /^["A-Za-z0-9-]/.test(tokens[i]!));
    if (places.length === 0) return text;
    tokens[random.pick(places)] = random.pick(VALUES);
    return tokens.join("");
  });
}

/** Repeats a member, with the same value or another. */
function repeatMember(random: Random, input: Bytes): Bytes {
  return changeText(input, (text) => {
    const members = [...text.matchAll(/"[^"\\]*":/g)];
    if (members.length === 0) return text;
    const { index, 0: name } = random.pick(members);
    const spelt = random.once(3) ? name.replace(/^"(.)/, escapeFirst) : name;
    return `${text.slice(0, index)}${spelt}${random.pick(VALUES)},${text.slice(index)}`;
  });
}

function escapeFirst(_: string, character: string): string {
  return `"\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function changeText(input: Bytes, edit: (text: string) => string): Bytes {
  return encoder.encode(edit(decoder.decode(input)));
}

function change(input: Bytes, at: number, edit: (byte: number) => number): Bytes {
  const changed = input.slice();
  if (at < changed.length) changed[at] = edit(changed[at]!);
  return changed;
}

function insert(input: Bytes, at: number, piece: Uint8Array): Bytes {
  return concat(input.subarray(0, at), piece, input.subarray(at));
}

function range(random: Random, length: number): [start: number, end: number] {
  const start = random.below(length);
  const longest = random.once(4) ? length : 8;
  return [start, Math.min(length, start + 1 + random.below(longest))];
}
