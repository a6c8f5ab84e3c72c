import assert from "node:assert/strict";
import { readLookUp } from "../../src/explorer/explore/look_up_text.ts";

const HASH = "ab".repeat(32);

Deno.test("readLookUp() leads to a proof, a batch or a position", () => {
  const proof = { page: "proof", hash: HASH };
  const batch = { page: "batch", id: 1234 };
  const position = { page: "position", index: 1234 };
  for (
    const [text, routes] of [
      [HASH, [proof]],
      [` ${HASH.toUpperCase()}\n`, [proof]],
      [`${HASH}  report.txt`, [proof]],
      [`SHA256 (report.txt) = ${HASH}`, [proof]],
      [`https://gateway.example/log/#/proof/${HASH}`, [proof]],
      ["http://127.0.0.1:8080/#/explore/batch/1234", [batch]],
      ["batch 1234", [batch]],
      ["Position 1,234", [position]],
      ["1,234", [batch, position]],
      ["0".repeat(64), [{ page: "proof", hash: "0".repeat(64) }]],
    ] as const
  ) assert.deepEqual(readLookUp(text), { routes }, text);
  assert.deepEqual(readLookUp("1,234", { hasBatches: false }), { routes: [position] });
});

Deno.test("readLookUp() explains what leads nowhere", () => {
  for (
    const [text, fault] of [
      ["", /^Enter a hash/],
      ["report.txt", /^A SHA-256 hash contains only/],
      [HASH.slice(1), /has 64 digits, this one has 63$/],
      ["12345678901234567890", /^A batch or a position is a number/],
      ["https://gateway.example/#/nowhere", /^This is not the address of a proof/],
    ] as const
  ) {
    const found = readLookUp(text);
    assert.match("fault" in found ? found.fault : "", fault, text);
  }
});
