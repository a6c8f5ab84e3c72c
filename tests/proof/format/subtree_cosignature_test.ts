import assert from "node:assert/strict";
import {
  type CosignedSubtree,
  encodeSubtreeMessage,
  fitsSubtreeMessage,
} from "../../../src/proof/format/subtree_cosignature.ts";

const TREE: CosignedSubtree = {
  cosigner: "witness.example.com/w1",
  timestamp: 1_679_315_147,
  origin: "example.com/behind-the-sofa",
  start: 0,
  end: 20_852_163,
  root: new Uint8Array(32).fill(0xab),
};

Deno.test("the subtree message has the bytes that tlog-cosignature defines", () => {
  const expected = Uint8Array.from([
    ...new TextEncoder().encode("subtree/v1\n\0"),
    22,
    ...new TextEncoder().encode(TREE.cosigner),
    0,
    0,
    0,
    0,
    0x64,
    0x18,
    0x50,
    0xcb,
    27,
    ...new TextEncoder().encode(TREE.origin),
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0x01,
    0x3e,
    0x2d,
    0xc3,
    ...TREE.root,
  ]);
  assert.equal(expected.length, 12 + 23 + 8 + 28 + 8 + 8 + 32);
  assert.deepEqual(encodeSubtreeMessage(TREE), expected);
});

Deno.test("a subtree message with a start above 0 has no time", () => {
  const subtree = { ...TREE, start: 8, end: 16, timestamp: 0 };
  assert.equal(encodeSubtreeMessage(subtree).length, encodeSubtreeMessage(TREE).length);
  const refused = { code: "malformed_text" };
  assert.throws(() => encodeSubtreeMessage({ ...subtree, timestamp: 1 }), refused);
  assert.throws(() => encodeSubtreeMessage({ ...subtree, start: 17 }), refused);
  assert.throws(() => encodeSubtreeMessage({ ...TREE, timestamp: -1 }), refused);
  assert.throws(() => encodeSubtreeMessage({ ...TREE, root: new Uint8Array(31) }), refused);
});

Deno.test("names in a subtree message have 1 to 255 bytes of UTF-8", () => {
  for (const name of ["a", "a".repeat(255), "é".repeat(127)]) {
    assert(fitsSubtreeMessage(name));
    encodeSubtreeMessage({ ...TREE, origin: name, cosigner: name });
  }
  for (const name of ["", "a".repeat(256), "é".repeat(128)]) {
    assert(!fitsSubtreeMessage(name));
    const refused = { code: "malformed_text" };
    assert.throws(() => encodeSubtreeMessage({ ...TREE, origin: name }), refused);
    assert.throws(() => encodeSubtreeMessage({ ...TREE, cosigner: name }), refused);
  }
});
