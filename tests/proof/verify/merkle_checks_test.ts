import assert from "node:assert/strict";
import { portableKernels as kernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { decodePath, isPrefix, rootOfPath } from "../../../src/proof/verify/merkle_checks.ts";
import { makeLog, TestNetwork } from "./fixture.ts";

const log = makeLog(new TestNetwork("net.example/merkle"));
const HASH = log.leafHash(0);
// A path that was not parsed may contain anything.
const NO_HASHES = ["", "00", HASH.toUpperCase(), `${HASH}00`, ` ${HASH}`, "g".repeat(64)];

Deno.test("a path must consist of hashes in lowercase hex", () => {
  assert.deepEqual(decodePath([]), []);
  assert.deepEqual(decodePath([HASH])?.map((hash) => hash.toHex()), [HASH]);
  for (const text of NO_HASHES) {
    assert.equal(decodePath([text]), undefined, text);
    assert.equal(decodePath([HASH, text, HASH]), undefined, text);
  }
});

Deno.test("a path leads to the root, or is refused", () => {
  const leaf = { leafHash: Uint8Array.fromHex(log.leafHash(7)), index: 7, size: 12 };
  const path = log.inclusionPath(7, 12);
  assert.equal(rootOfPath(kernels, leaf, path), log.head(12, 0).root_hash);
  for (const text of NO_HASHES) {
    assert.equal(rootOfPath(kernels, leaf, path.with(0, text)), undefined);
  }
});

Deno.test("a prefix is proved by hashes in lowercase hex only", () => {
  const [first, second] = [log.head(9, 0), log.head(12, 0)];
  const path = log.consistencyPath(9, 12);
  assert.equal(isPrefix(kernels, first, second, path), true);
  for (const root_hash of NO_HASHES) {
    assert.equal(isPrefix(kernels, { ...first, root_hash }, second, path), false);
    assert.equal(isPrefix(kernels, first, { ...second, root_hash }, path), false);
    assert.equal(isPrefix(kernels, first, second, path.with(0, root_hash)), false);
    const same = { ...first, root_hash };
    assert.equal(isPrefix(kernels, same, same, []), false);
  }
});
