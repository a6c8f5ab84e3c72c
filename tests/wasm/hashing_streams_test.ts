import assert from "node:assert/strict";
import fc from "fast-check";
import { pattern, sha256 } from "../proof/crypto/kernels_implementations.ts";
import { HASHING_MODULES, instantiate, moduleBytes } from "./hashing_modules.ts";

/** A message in parts through a fresh instance. */
function streamOf(name: string) {
  const wasm = instantiate(moduleBytes(name));
  const bytes = new Uint8Array(wasm.memory.buffer);
  return (...parts: readonly Uint8Array[]): Uint8Array => {
    wasm.startMessage();
    for (const part of parts) {
      bytes.set(part, wasm.inputRegion());
      wasm.appendInput(part.length);
    }
    wasm.finishMessage();
    return bytes.slice(wasm.nodesRegion(), wasm.nodesRegion() + 32);
  };
}

for (const name of HASHING_MODULES) {
  Deno.test(`${name}: a message in two parts of up to 200 bytes each has the digest of the whole`, () => {
    const hash = streamOf(name);
    const message = pattern(400);
    const digests = Array.from({ length: 401 }, (_, i) => sha256(message.subarray(0, i)));
    let splits = 0;
    for (let first = 0; first <= 200; first++) {
      for (let second = 0; second <= 200; second++) {
        const end = first + second;
        const digest = hash(message.subarray(0, first), message.subarray(first, end));
        assert.ok(Buffer.compare(digest, digests[end]!) === 0, `${first} and ${second} bytes`);
        splits++;
      }
    }
    assert.equal(splits, 201 * 201);
  });

  Deno.test(`${name}: a message in any parts has the digest of the whole`, () => {
    const hash = streamOf(name);
    const parts = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 });
    fc.assert(
      fc.property(parts, (parts) => {
        assert.deepEqual(hash(...parts), sha256(...parts));
      }),
      { numRuns: 300 },
    );
  });

  Deno.test(`${name}: a message continues from a copied state`, () => {
    const wasm = instantiate(moduleBytes(name));
    const bytes = new Uint8Array(wasm.memory.buffer);
    const [start, length] = [wasm.streamRegion(), wasm.streamBytes()];
    const append = (part: Uint8Array) => {
      bytes.set(part, wasm.inputRegion());
      wasm.appendInput(part.length);
    };
    wasm.startMessage();
    append(pattern(100));
    const kept = bytes.slice(start, start + length);
    wasm.startMessage();
    append(pattern(77, 5));
    wasm.finishMessage();
    bytes.set(kept, start);
    append(pattern(50, 9));
    wasm.finishMessage();
    assert.deepEqual(
      bytes.slice(wasm.nodesRegion(), wasm.nodesRegion() + 32),
      sha256(pattern(100), pattern(50, 9)),
    );
  });

  Deno.test(`${name}: a size beyond its region traps`, () => {
    const wasm = instantiate(moduleBytes(name));
    const { RuntimeError } = WebAssembly;
    const leaves = wasm.leafLimit() + 1;
    assert.throws(() => wasm.appendInput(wasm.inputBytes() + 1), RuntimeError);
    assert.throws(() => wasm.leafHashes(leaves), RuntimeError);
    assert.throws(() => wasm.treeLevel(leaves, 1), RuntimeError);
    assert.throws(() => wasm.treeLevels(leaves), RuntimeError);
    assert.throws(() => wasm.numberedLeafHashes(leaves, 0, 0, 0, 0), RuntimeError);
    assert.throws(
      () => wasm.numberedLeafHashes(1, 0, wasm.pieceLimit() + 1, 0, 0),
      RuntimeError,
    );
    assert.throws(() => wasm.inclusionPaths(wasm.roundLimit() + 1), RuntimeError);
    new Uint32Array(wasm.memory.buffer, wasm.endsRegion(), 1)[0] = wasm.inputBytes() + 1;
    assert.throws(() => wasm.leafHashes(1), RuntimeError);
  });
}
