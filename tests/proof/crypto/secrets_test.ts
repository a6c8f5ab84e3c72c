import fc from "fast-check";
import assert from "node:assert/strict";
import { equalSecrets, randomToken } from "../../../src/proof/crypto/secrets.ts";

Deno.test("equalSecrets() agrees with equality of texts", () => {
  const texts = fc.string({ unit: "grapheme", maxLength: 40 });
  fc.assert(fc.property(texts, texts, (a, b) => {
    assert.equal(equalSecrets(a, b), a === b);
    assert.ok(equalSecrets(a, `${a}`));
    assert.equal(equalSecrets(a, `${a}.`), false);
    assert.equal(equalSecrets(a, `.${a}`), false);
  }));
});

Deno.test("equalSecrets() compares texts of different lengths, empty ones included", () => {
  assert.ok(equalSecrets("", ""));
  assert.equal(equalSecrets("", "a"), false);
  assert.equal(equalSecrets("token", "Token"), false);
  assert.equal(equalSecrets("token", "token\0"), false);
});

Deno.test("randomToken() returns 43 base64url characters, different each time", () => {
  const tokens = new Set(Array.from({ length: 100 }, randomToken));
  assert.equal(tokens.size, 100);
  for (const token of tokens) assert.match(token, /^[A-Za-z0-9_-]{43}$/);
});
