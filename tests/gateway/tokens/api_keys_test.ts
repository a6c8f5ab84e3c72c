import assert from "node:assert/strict";
import { apiKeyDigest, ApiKeys } from "../../../src/gateway/tokens/api_keys.ts";

const HOUR = 3_600_000;

Deno.test("a key starts with the tokens of a day and refills evenly", () => {
  const keys = new ApiKeys([{ name: "a", sha256: apiKeyDigest("key"), perDay: 24 }], 0);
  const take = (nowMs: number) => keys.budgetOf("key").take(nowMs);
  for (let i = 0; i < 24; i++) assert.equal(take(0), 0);
  assert.equal(take(0), 3600);
  assert.equal(take(HOUR - 1500), 2);
  assert.equal(take(HOUR), 0);
  assert.equal(take(HOUR), 3600);
  // Set back, the clock gives nothing; and a week gives no more than a day.
  assert.equal(take(0), 3600);
  for (let i = 0; i < 24; i++) assert.equal(take(200 * HOUR), 0);
  assert.ok(take(200 * HOUR) > 0);
});

Deno.test("each key has a separate budget, unlimited without perDay", () => {
  const keys = new ApiKeys([
    { name: "a", sha256: apiKeyDigest("one"), perDay: 1 },
    { name: "b", sha256: apiKeyDigest("two"), perDay: 1 },
    { name: "c", sha256: apiKeyDigest("three") },
  ], 0);
  assert.equal(keys.budgetOf("one").take(0), 0);
  assert.ok(keys.budgetOf("one").take(0) > 0);
  assert.equal(keys.budgetOf("two").take(0), 0);
  for (let i = 0; i < 1000; i++) assert.equal(keys.budgetOf("three").take(0), 0);
});

Deno.test("budgetOf() refuses unknown keys, including the hash of a key", () => {
  const sha256 = apiKeyDigest("key");
  const keys = new ApiKeys([{ name: "a", sha256 }], 0);
  for (const text of ["", "ke", "keys", "KEY", sha256]) {
    assert.throws(() => keys.budgetOf(text), { code: "token_refused" });
  }
  assert.ok(keys.hasKeys && !new ApiKeys([], 0).hasKeys);
});
