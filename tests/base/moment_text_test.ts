import assert from "node:assert/strict";
import { momentText } from "../../src/base/moment_text.ts";

Deno.test("momentText() writes UTC, and a number beyond the range of dates", () => {
  assert.equal(momentText(1_766_275_200), "2025-12-21 00:00:00 UTC");
  assert.equal(momentText(2 ** 53 - 1), "9007199254740991 s");
});
