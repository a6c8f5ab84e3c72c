/**
 * Controls of the fuzzing engine: it finds the fault of each faulty reader.
 *
 * @module
 */

import assert from "node:assert/strict";
import process from "node:process";
import { utf8 } from "../../src/base/bytes.ts";
import { CountersignError } from "../../src/base/errors.ts";
import { feed, fuzz, ofText, type Outcome, reportOf, type Target } from "./engine.ts";
import { mutate, textOfInput } from "./mutation.ts";
import { Random } from "./random.ts";

const SEED = 1;
const INPUTS = 1_000;
/** Inputs with one wrong character are one in a thousand. */
const MORE_INPUTS = 4_000;

/** A target that reads texts like `size 12`. */
function reader(read: (text: string) => unknown): Target {
  return {
    name: "control",
    covers: [],
    codes: ["malformed_text"],
    seeds: ["size 12"],
    read: ofText(read),
  };
}

function malformed(code: "malformed_text" | "malformed_json" = "malformed_text"): CountersignError {
  return new CountersignError(code, "Cannot read text");
}

/** The reader without a fault. */
function strict(text: string): void {
  if (!/^size (0|[1-9][0-9]{0,14})$/.test(text) || text.endsWith("\n")) throw malformed();
}

async function problemsOf(read: (text: string) => unknown, inputs = INPUTS): Promise<string> {
  const { faults } = await fuzz(reader(read), SEED, inputs);
  return faults.map(reportOf).join("\n");
}

Deno.test("fuzz() finds no fault in a strict reader and repeats with its seed", async () => {
  assert.equal(await problemsOf(strict), "");
  const [first, again, other] = await Promise.all(
    [1, 1, 2].map((seed) => fuzz(reader(strict), seed, INPUTS)),
  );
  assert.deepEqual(first, again);
  assert.notDeepEqual(first!.refused, other!.refused);
  assert.ok(first!.accepted > 1 && first!.refused.get("malformed_text")! > 100);
});

Deno.test("fuzz() finds foreign errors, foreign codes and refused seeds", async () => {
  const typeError = await problemsOf((text) => text.split(" ")[1]!.length);
  assert.match(typeError, /TypeError/);
  const thrown = await problemsOf((text) => {
    if (text.includes("\0")) throw "a text";
    strict(text);
  });
  assert.match(thrown, /thrown: a text/);
  const otherCode = await problemsOf((text) => {
    if (text.startsWith("\ufeff")) throw malformed("malformed_json");
    strict(text);
  });
  assert.match(otherCode, /refused with malformed_json/);
  assert.match(await problemsOf(() => Promise.reject(malformed())), /a valid input is refused/);
});

Deno.test("fuzz() finds readers that are lenient in one point", async () => {
  const lenient: Record<string, (text: string) => number> = {
    "signs and exponents": (text) => /^size /.test(text) ? Number(text.slice(5)) : NaN,
    "leading zeros": (text) => /^size [0-9]{1,15}$/.test(text) ? Number(text.slice(5)) : NaN,
    "a line end": (text) =>
      /^size (0|[1-9][0-9]{0,14})\n?$/.test(text) ? parseInt(text.slice(5)) : NaN,
    "rounding": (text) => /^size (0|[1-9][0-9]*)$/.test(text) ? Number(text.slice(5)) : NaN,
    "case": (text) => /^size (0|[1-9][0-9]{0,14})$/i.test(text) ? Number(text.slice(5)) : NaN,
  };
  for (const [what, read] of Object.entries(lenient)) {
    const found = await problemsOf((text) => {
      const size = read(text);
      if (Number.isNaN(size)) throw malformed();
      assert.equal(`size ${size}`, text);
    }, MORE_INPUTS);
    assert.notEqual(found, "", what);
  }
});

Deno.test("feed() finds a slow reader, and mutate() makes long inputs", async () => {
  const outcome: Outcome = { tried: 0, accepted: 0, refused: new Map(), faults: [] };
  const slow = reader(() => {
    const start = process.cpuUsage();
    while (process.cpuUsage(start).user < 60_000);
  });
  assert.equal(await feed(slow, utf8("size 12"), outcome, 50), "fault");
  assert.match(outcome.faults[0]!.problem, /^takes [1-9][0-9]+ ms$/);

  const random = new Random(SEED);
  const seed = utf8("size 12");
  const lengths = Array.from({ length: 300 }, () => mutate(random, seed, [seed]).length);
  assert.ok(lengths.some((length) => length > 50_000));
  assert.ok(lengths.every((length) => length < 500_000));
});

Deno.test("mutate() makes every kind of damage to JSON", () => {
  const random = new Random(SEED);
  const json = utf8('{"name":"AAECAwQFBgc=","size":12}');
  const texts = Array.from({ length: 12_000 }, () => textOfInput(mutate(random, json, [json])));
  const needed: readonly [string, RegExp][] = [
    ["a byte order mark", /^\ufeff/],
    ["a NUL", /\0/],
    ["a lone surrogate", /\ud800/],
    ["bytes that are no UTF-8", /\ufffd/],
    ["a member twice", /"size":[^,]*,"size":12/],
    ["a member twice, spelt otherwise", /"\\u0073ize":[^,]*,"size":12/],
    ["deep nesting", /\[{1000}/],
    ["a number beyond doubles", /:1e999/],
    ["minus zero", /:-0\b/],
    ["a leading zero", /:01\b/],
    ["padding that is missing", /"AAECAwQFBgc"/],
    ["bits beyond the last byte", /"AAECAwQFBgB="/],
    ["a prototype", /"__proto__"/],
    ["an end that is missing", /^\{"name":"AAECAwQFBgc=","size":12$/],
    ["another case", /"AAECAWQF|"AAECAWQFBGC="|"NAME"/],
    ["a carriage return", /\r/],
  ];
  for (const [what, pattern] of needed) {
    assert.ok(texts.some((text) => pattern.test(text)), `no input has ${what}`);
  }
});
