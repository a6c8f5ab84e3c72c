import assert from "node:assert/strict";
import { encodePem, parsePem } from "../../../src/proof/format/pem.ts";

const block = (length: number, label = "PUBLIC KEY") => ({
  label,
  bytes: Uint8Array.from({ length }, (_, i) => i),
});

Deno.test("a block has lines of 64 characters", () => {
  const text = "-----BEGIN PUBLIC KEY-----\n" +
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4v\n" +
    "MA==\n-----END PUBLIC KEY-----\n";
  assert.equal(encodePem(block(49)), text);
  assert.equal(encodePem(block(48)), text.replace("MA==\n", ""));
  assert.deepEqual(parsePem(text), [block(49)]);
});

Deno.test("blocks stand among explanations, with either end of line", () => {
  const blocks = [block(1), block(200, "CERTIFICATE"), block(48)];
  const text = blocks.map((one) => `Subject: one\n${encodePem(one)}`).join("\n");
  assert.deepEqual(parsePem(text), blocks);
  assert.deepEqual(parsePem(text.replaceAll("\n", "\r\n")), blocks);
  assert.deepEqual(parsePem("no block"), []);
});

Deno.test("a damaged block is refused, beside whole ones too", () => {
  const whole = encodePem(block(70));
  const damages: readonly (readonly [string, string])[] = [
    ["-----END PUBLIC KEY-----", "-----END PRIVATE KEY-----"],
    ["-----END PUBLIC KEY-----", ""],
    ["AAEC", "AA*C"],
    ["AAEC", "AAE"],
    ["RQ==", "RR=="],
    ["RQ==", "RQ"],
    ["PUBLIC", "public"],
  ];
  for (const [from, to] of damages) {
    const damaged = whole.replace(from, to);
    assert.notEqual(damaged, whole);
    for (const text of [damaged, whole + damaged, damaged + whole]) {
      assert.throws(() => parsePem(text), { code: "malformed_text" }, `${from} ${to}`);
    }
  }
  const empty = "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n";
  assert.throws(() => parsePem(empty), { code: "malformed_text" });
  assert.throws(() => parsePem(empty, "invalid_key"), { code: "invalid_key" });
});
