import assert from "node:assert/strict";
import { utf8 } from "../../../src/base/bytes.ts";
import { CountersignError } from "../../../src/base/errors.ts";
import { loadWasmBls } from "../../../src/proof/crypto/wasm_kernels.ts";

const TAG_LIMIT = 1024;

Deno.test("a tag that exceeds the module's region is refused before hashing", async () => {
  const bls = await loadWasmBls();
  assert.ok(bls);
  const longest = bls.hashToG1(utf8("message"), "t".repeat(TAG_LIMIT));
  assert.equal(longest.length, 48);
  assert.throws(
    () => bls.hashToG1(utf8("message"), "t".repeat(TAG_LIMIT + 1)),
    (error) => error instanceof CountersignError && error.code === "internal",
  );
  assert.deepEqual(bls.hashToG1(utf8("message"), "t".repeat(TAG_LIMIT)), longest);
});
