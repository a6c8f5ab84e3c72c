import assert from "node:assert/strict";
import { utf8 } from "../../src/base/bytes.ts";
import { readRequestHead } from "../../src/http/events/request_head.ts";

/** A head with one field, whose line is `field`. */
function headWith(field: string): Request | undefined {
  return readRequestHead(utf8(`GET / HTTP/1.1\r\nHost: log.example\r\n${field}\r\n\r\n`));
}

Deno.test("tabs and spaces around a value are dropped", () => {
  for (const value of ["a b", " a b", "a b ", "\t a b \t"]) {
    assert.equal(headWith(`X:${value}`)?.headers.get("X"), "a b");
  }
  assert.equal(headWith("X: \t")?.headers.get("X"), "");
  assert.equal(headWith("X: a\x01"), undefined);
});

Deno.test("a head of many blanks is read in linear time", () => {
  // A pattern that backtracks takes a minute over the first.
  const blanks = " ".repeat(3_000);
  const startMs = performance.now();
  assert.equal(headWith(`X:${blanks}\x01`), undefined);
  assert.equal(headWith(`X:a${blanks}b`)?.headers.get("X")?.length, 3_002);
  assert.equal(headWith(`X: a${blanks}b`)?.headers.get("X")?.length, 3_002);
  assert.ok(performance.now() - startMs < 10_000);
});
