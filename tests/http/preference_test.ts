import assert from "node:assert/strict";
import fc from "fast-check";
import { MAX_WAIT_SECONDS } from "../../src/http/limits.ts";
import { matches } from "../../src/http/answer.ts";
import { codingFor } from "../../src/http/content_coding.ts";
import { waitSeconds } from "../../src/http/gateway/attestation_handlers.ts";

Deno.test("waitSeconds() reads a Prefer header of RFC 7240", () => {
  const cases: [string, number | undefined][] = [
    ["wait=0", 0],
    ["wait=1", 1],
    ["wait=29", 29],
    ["wait=30", 30],
    ["wait=31", 30],
    ["wait=99999999999999999999", 30],
    ["WAIT=5", 5],
    ["wait = 5", 5],
    [" \twait\t=\t5 ", 5],
    ['wait="5"', 5],
    ["wait=007", 7],
    ["respond-async, wait=10", 10],
    ["wait=10, respond-async", 10],
    ["wait=10;foo=bar", 10],
    ['wait=10; foo="a, wait=20" ; bar', 10],
    ['foo="wait=3", wait=4', 4],
    ['foo="\\", wait=3", wait=4', 4],
    ['foo; some="parameter, wait=2", wait=6', 6],
    [",, ,wait=5", 5],
    // Only the first of two is considered, even when it says nothing.
    ["wait=5, wait=9", 5],
    ["wait=x, wait=9", undefined],
    ["", undefined],
    ["wait", undefined],
    ["wait=", undefined],
    ['wait=""', undefined],
    ["wait=-1", undefined],
    ["wait=+1", undefined],
    ["wait=1.5", undefined],
    ["wait=1e1", undefined],
    ["waits=5", undefined],
    ["foo=wait=5", undefined],
    ['foo="wait=5', undefined],
    ["return=minimal; wait=5", undefined],
  ];
  for (const [header, seconds] of cases) assert.equal(waitSeconds(header), seconds, header);
  assert.equal(waitSeconds(null), undefined);
});

Deno.test("a list of more than 1,024 characters in a header field is ignored", () => {
  const commas = (text: string, length: number) => text.padStart(length, ",");
  assert.equal(waitSeconds(commas("wait=5", 1_024)), 5);
  assert.equal(waitSeconds(commas("wait=5", 1_025)), undefined);
  assert.equal(matches(commas('"x"', 1_024), '"x"'), true);
  assert.equal(matches(commas('"x"', 1_025), '"x"'), false);
  assert.equal(codingFor(commas("gzip", 1_024), ["gzip"]), "gzip");
  assert.equal(codingFor(commas("gzip", 1_025), ["gzip"]), undefined);
});

Deno.test("waitSeconds() returns undefined or 0 to 30 for any text, without long work", () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'wait=5"\\,; \t') }), (text) => {
    const seconds = waitSeconds(text);
    assert.ok(seconds === undefined || (seconds >= 0 && seconds <= MAX_WAIT_SECONDS));
  }));
  for (
    const hostile of [
      " ".repeat(240_000),
      ";".repeat(240_000),
      'a="' + "\\".repeat(240_000),
      "a;".repeat(180_000) + '"',
      "a;" + " ".repeat(240_000) + '"',
      "a" + " ".repeat(240_000) + '"',
      "a=" + " ".repeat(240_000) + ";",
      'a;"' + '\\"'.repeat(180_000),
      "a;" + '"x"'.repeat(80_000) + '"',
    ]
  ) {
    // What is not linear takes many seconds, each time; a linear one is held up now and then.
    let fastestMs = Infinity;
    for (let tries = 0; tries < 10 && fastestMs > 1_000; tries++) {
      const start = performance.now();
      waitSeconds(hostile);
      fastestMs = Math.min(fastestMs, performance.now() - start);
    }
    assert.ok(fastestMs <= 1_000, `${fastestMs} ms`);
  }
});
