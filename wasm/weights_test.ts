/**
 * The weights of all sums of the BLS12-381 kernel: the whole scheme over a field that weighs.
 *
 * @module
 */

import assert from "node:assert/strict";
import { BLS_MODULES } from "./bls_modules.ts";
import { compileModule } from "./compile.ts";
import { curveConstants } from "./generate/constants.ts";
import { scalarWordsOfPair } from "./generate/scalar_writer.ts";
import { weighed, weighedField } from "./weighed_field.ts";

type Exports = Readonly<Record<string, (...operands: number[]) => number>>;

const ENTRY = `
export * from "./entry";
export {
  brokenRules, heaviestProductOf, heaviestSumOf, largestSumOf, pairAdd, pairFromWords, pairMul,
} from "./field";
`;

async function weighedKernel(): Promise<{ wasm: Exports; bytes: Uint8Array }> {
  const module = BLS_MODULES.find(({ name }) => name === "bls.scalar");
  assert.ok(module);
  const compiled = await compileModule({
    ...module,
    entry: "bls/weighed_entry.ts",
    generated: {
      ...module.generated,
      "bls/weighed_entry.ts": () => ENTRY,
      "bls/field.ts": weighedField,
      "bls/curve_constants.ts": () =>
        curveConstants((lane0, lane1) => weighed(scalarWordsOfPair(lane0, lane1))),
    },
  });
  const { instance } = await WebAssembly.instantiate(compiled.bytes);
  const memory = instance.exports["memory"] as WebAssembly.Memory;
  return { wasm: instance.exports as unknown as Exports, bytes: new Uint8Array(memory.buffer) };
}

const kernel = await weighedKernel();
const call = (name: string, ...operands: number[]) => kernel.wasm[name]!(...operands);

function put(region: string, bytes: Uint8Array): void {
  kernel.bytes.set(bytes, call(region));
}

function take(region: string, length: number): Uint8Array {
  return kernel.bytes.slice(call(region), call(region) + length);
}

function startMessage(message: string): void {
  const tag = new TextEncoder().encode("BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_");
  const bytes = new TextEncoder().encode(message);
  put("tagRegion", tag);
  put("messageRegion", bytes);
  call("startMessage", tag.length);
  call("appendMessage", bytes.length);
}

/** The key of secret 1, whose signatures are the messages' points: the generator of G2. */
const KEY = Uint8Array.fromHex(
  "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e" +
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8",
);

function putSignature(message: string): void {
  startMessage(message);
  call("hashToG1");
}

function checkAggregate(): void {
  const message = "one message";
  call("startKeySum");
  call("startSignatureSum");
  for (let signer = 0; signer < 3; signer++) {
    put("keyRegion", KEY);
    assert.equal(call("decodeKey"), 1);
    call("addKey");
    putSignature(message);
    assert.equal(call("addSignatures", 1), 1);
  }
  assert.equal(call("finishKeySum"), 1);
  assert.equal(call("finishSignatureSum"), 1);
  startMessage(message);
  assert.equal(call("verify"), 1);
  startMessage("another message");
  assert.equal(call("verify"), 0);
}

function checkSigning(fill: number): void {
  put("secretRegion", new Uint8Array(32).fill(fill));
  assert.equal(call("skToPk"), 1);
  assert.equal(call("decodeKey"), 1);
  startMessage("a message");
  put("secretRegion", new Uint8Array(32).fill(fill));
  assert.equal(call("sign"), 1);
  startMessage("a message");
  assert.equal(call("verify"), 1);
}

function checkCombination(count: number): void {
  for (let slot = 0; slot < count; slot++) {
    putSignature(`message ${slot}`);
    assert.equal(call("keepSignatures", slot, 1) & 1, 1);
    startMessage(`message ${slot}`);
    call("keepHash", slot);
  }
  assert.equal(call("finishSlots", count), 1);
  const slots = new Uint32Array(kernel.bytes.buffer, call("slotsRegion"), count);
  slots.forEach((_, i) => slots[i] = i);
  put("coefficientsRegion", Uint8Array.from({ length: 16 * count }, (_, i) => i * 73 + 11));
  put("keyRegion", KEY);
  assert.equal(call("decodeKey"), 1);
  call("startCombination");
  call("addGroup", count);
  assert.equal(call("combinationHolds"), 1);
}

Deno.test("every operation of the scheme stays within the weights of the field", () => {
  checkAggregate();
  for (const count of [1, 2, 40]) checkCombination(count);
  for (const fill of [1, 0x55, 0x6f]) checkSigning(fill);
  put("keyRegion", KEY);
  assert.equal(call("decodeKey"), 1);
  call("encodeKey");
  assert.deepEqual(take("keyRegion", 96), KEY);
  const names = ["heaviestProductOf", "heaviestSumOf", "largestSumOf"];
  const [product, sum, value] = names.map((name) => call(name));
  assert.equal(call("brokenRules"), 0, `${product}, ${sum} and ${value} found`);
  // Sums of sums occurred, so the elements had weights.
  assert.ok(product! >= 16 && sum! > 100 && value! > 20, `${product}, ${sum} and ${value} found`);
});

Deno.test("a product of sums that are too heavy breaks a rule of the field", () => {
  const [a, b] = [kernel.bytes.length - 512, kernel.bytes.length - 256];
  const before = call("brokenRules");
  call("pairFromWords", a, b, b);
  call("pairFromWords", b, b, b);
  for (let i = 1; i < 17; i++) call("pairAdd", a, a, b);
  assert.equal(call("brokenRules"), before);
  call("pairMul", b, a, b);
  assert.ok(call("brokenRules") > before);
});
