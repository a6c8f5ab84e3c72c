import assert from "node:assert/strict";
import { ApiKeyStore } from "../../src/explorer/api_key.ts";
import { MemoryStorage } from "./memory_storage.ts";

function answer(status: number, challenge?: string): Response {
  const headers = challenge === undefined ? {} : { "WWW-Authenticate": challenge };
  return new Response(null, { status, headers });
}

Deno.test("the page asks for a key only after a challenge for one", () => {
  const store = new ApiKeyStore(new MemoryStorage());
  store.answered(answer(200), undefined);
  store.answered(answer(401, 'PrivateToken challenge="x"'), undefined);
  store.answered(answer(403, 'Bearer realm="log"'), undefined);
  assert.equal(store.state.fault, undefined);
  store.answered(answer(401, 'Bearer realm="log"'), undefined);
  assert.equal(store.state.fault, "wanted");
});

Deno.test("a key lasts for the tab, until it is refused or forgotten", () => {
  const storage = new MemoryStorage();
  const store = new ApiKeyStore(storage);
  store.use("first");
  assert.deepEqual(store.state, { key: "first", fault: undefined, version: 1 });
  assert.equal(new ApiKeyStore(storage).state.key, "first");
  store.answered(answer(401, 'Bearer realm="log", error="invalid_token"'), "first");
  assert.equal(store.state.fault, "refused");
  store.use("second");
  // An answer to a request with the former key says nothing of this one.
  store.answered(answer(401, 'Bearer realm="log"'), "first");
  assert.deepEqual(store.state, { key: "second", fault: undefined, version: 2 });
  store.use("");
  assert.equal(store.state.key, undefined);
  assert.equal(storage.texts.size, 0);
});

Deno.test("each request carries the key, and the caller's headers", async () => {
  const seen: (readonly [string | null, string | null])[] = [];
  const before = globalThis.fetch;
  globalThis.fetch = (_, init) => {
    const headers = new Headers(init?.headers);
    seen.push([headers.get("Authorization"), headers.get("Accept")]);
    return Promise.resolve(answer(200));
  };
  try {
    const store = new ApiKeyStore(new MemoryStorage());
    await store.fetch("http://gateway.test/", { headers: { Accept: "a/b" } });
    store.use("key");
    await store.fetch("http://gateway.test/", { headers: { Accept: "a/b" } });
  } finally {
    globalThis.fetch = before;
  }
  assert.deepEqual(seen, [[null, "a/b"], ["Bearer key", "a/b"]]);
});
