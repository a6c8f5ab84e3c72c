import assert from "node:assert/strict";
import { KeyCache } from "../../../src/proof/crypto/key_cache.ts";

Deno.test("KeyCache drops the least recently used key at its limit", () => {
  const cache = new KeyCache<string>(2);
  const [a, b, c] = [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)];
  assert.equal(cache.get(a), undefined);
  cache.set(a, "a");
  cache.set(b, "b");
  assert.deepEqual([cache.get(a.slice()), cache.get(b)], ["a", "b"]);
  cache.set(c, "c");
  assert.deepEqual([cache.get(a), cache.get(b), cache.get(c)], [undefined, "b", "c"]);
});
