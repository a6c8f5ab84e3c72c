import assert from "node:assert/strict";
import { p384 } from "@noble/curves/nist.js";
import { type Bytes, concat, utf8 } from "../../src/bytes.ts";
import {
  loadVoprf,
  VOPRF_ELEMENT_LENGTH,
  VOPRF_OUTPUT_LENGTH,
  VOPRF_SCALAR_LENGTH,
} from "../../src/crypto/voprf.ts";
import { parseToken, tokenInputOf } from "../../src/format/privacy_pass.ts";
import { parseEvaluation, parseTokenRequest } from "../../src/format/token_issuance.ts";
import { TYPE_1_VECTORS, VOPRF_VECTORS } from "../issuer/published_vectors.ts";

const voprf = await loadVoprf();
const hex = (text: string) => Uint8Array.fromHex(text);

/** Random bytes that the suite maps to `scalar`: it takes them modulo n - 1, and adds one. */
function randomFor(scalar: string): (length?: number) => Bytes {
  return (length = 72) => {
    const less = (BigInt(`0x${scalar}`) - 1n).toString(16);
    return hex(less.padStart(2 * length, "0"));
  };
}

const keys = {
  privateKey: hex(VOPRF_VECTORS.secret_key),
  publicKey: hex(VOPRF_VECTORS.public_key),
};
const input = utf8("an input");

/** `bytes` with one bit of byte `index` turned. */
function turned(bytes: Uint8Array, index: number): Bytes {
  const copy = bytes.slice();
  copy.set([copy.at(index)! ^ 1], index < 0 ? copy.length + index : index);
  return copy;
}

Deno.test("vectors of RFC 9497 appendix A.4.2", () => {
  assert.equal(VOPRF_VECTORS.vectors.length, 2);
  assert.deepEqual(voprf.publicKeyOf(keys.privateKey), keys.publicKey);
  for (const vector of VOPRF_VECTORS.vectors) {
    const given = hex(vector.input);
    const blinding = voprf.blind(given, randomFor(vector.blind));
    assert.equal(blinding.blinded.toHex(), vector.blinded);
    const random = randomFor(vector.proof_random);
    const evaluation = voprf.blindEvaluate(keys, blinding.blinded, random);
    assert.equal(evaluation.evaluated.toHex(), vector.evaluated);
    assert.equal(evaluation.proof.toHex(), vector.proof);
    const output = voprf.finalize(given, blinding, keys.publicKey, evaluation);
    assert.equal(output.toHex(), vector.output);
    assert.ok(voprf.isOutput(keys.privateKey, given, output));
  }
});

Deno.test("vectors of RFC 9578 appendix A.1", () => {
  assert.equal(TYPE_1_VECTORS.length, 5);
  for (const vector of TYPE_1_VECTORS) {
    const [privateKey, publicKey] = [hex(vector.skS), hex(vector.pkS)];
    assert.deepEqual(voprf.publicKeyOf(privateKey), publicKey);
    const token = parseToken(hex(vector.token));
    const given = tokenInputOf(token);
    const blinding = voprf.blind(given, randomFor(vector.blind));
    assert.deepEqual(
      blinding.blinded,
      parseTokenRequest(hex(vector.token_request)).blindedMessage,
    );
    const evaluation = parseEvaluation(hex(vector.token_response));
    assert.deepEqual(voprf.finalize(given, blinding, publicKey, evaluation), token.authenticator);
    assert.ok(voprf.isOutput(privateKey, given, token.authenticator));
  }
});

Deno.test("an output of another input or key, and whatever is none, is refused", () => {
  const blinding = voprf.blind(input);
  const evaluation = voprf.blindEvaluate(keys, blinding.blinded);
  const output = voprf.finalize(input, blinding, keys.publicKey, evaluation);
  assert.ok(voprf.isOutput(keys.privateKey, input, output));
  assert.ok(!voprf.isOutput(keys.privateKey, utf8("another"), output));
  assert.ok(!voprf.isOutput(voprf.generateKeyPair().privateKey, input, output));
  for (const index of [0, 23, VOPRF_OUTPUT_LENGTH - 1]) {
    assert.ok(!voprf.isOutput(keys.privateKey, input, turned(output, index)));
  }
  for (const length of [0, VOPRF_OUTPUT_LENGTH - 1, VOPRF_OUTPUT_LENGTH + 1]) {
    assert.ok(!voprf.isOutput(keys.privateKey, input, new Uint8Array(length)));
  }
});

Deno.test("an evaluation without a proof under the very key is refused", () => {
  const blinding = voprf.blind(input);
  const evaluation = voprf.blindEvaluate(keys, blinding.blinded);
  const { evaluated, proof } = evaluation;
  const other = voprf.generateKeyPair();
  const elsewhere = voprf.blind(input);
  const wrong = [
    { evaluated, proof: turned(proof, 0) },
    { evaluated, proof: turned(proof, -1) },
    { evaluated, proof: proof.subarray(1) },
    { evaluated: turned(evaluated, 0), proof },
    { evaluated: evaluated.subarray(1), proof },
    { evaluated: blinding.blinded, proof },
    voprf.blindEvaluate(other, blinding.blinded),
    voprf.blindEvaluate(keys, elsewhere.blinded),
  ];
  for (const one of wrong) {
    assert.throws(() => voprf.finalize(input, blinding, keys.publicKey, one), {
      code: "issuer_refused",
    });
  }
  assert.throws(() => voprf.finalize(input, blinding, other.publicKey, evaluation), {
    code: "issuer_refused",
  });
});

Deno.test("elements are compressed points of the curve, and not the identity", () => {
  const { blinded } = voprf.blind(input);
  assert.deepEqual(voprf.checkPublicKey(keys.publicKey), keys.publicKey);
  // The other point of the same x, which is an element, comes first.
  assert.ok(voprf.checkPublicKey(turned(blinded, 0)));
  const identity = Uint8Array.of(0);
  const offCurve = new Uint8Array(VOPRF_ELEMENT_LENGTH).fill(0xff);
  // A point in the encoding that is not one of this suite.
  const uncompressed = p384.Point.BASE.toBytes(false).slice();
  const wrong = [
    identity,
    new Uint8Array(VOPRF_ELEMENT_LENGTH),
    offCurve,
    uncompressed,
    blinded.subarray(1),
    concat(blinded, Uint8Array.of(0)),
    new Uint8Array(),
    concat(Uint8Array.of(0x05), blinded.subarray(1)),
  ];
  for (const [i, bytes] of wrong.entries()) {
    assert.throws(() => voprf.checkPublicKey(bytes), { code: "invalid_key" }, String(i));
    assert.throws(() => voprf.blindEvaluate(keys, bytes), { code: "token_request_refused" });
  }
});

Deno.test("private keys are scalars in [1, n)", () => {
  const order = "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf" +
    "581a0db248b0a77aecec196accc52973";
  assert.ok(voprf.publicKeyOf(hex("01".padStart(2 * VOPRF_SCALAR_LENGTH, "0"))));
  assert.ok(voprf.publicKeyOf(hex(order.replace(/3$/, "2"))));
  const wrong = [
    hex("00".repeat(48)),
    hex(order),
    hex("ff".repeat(48)),
    hex("01"),
    new Uint8Array(),
  ];
  for (const [i, bytes] of wrong.entries()) {
    assert.throws(() => voprf.publicKeyOf(bytes), { code: "invalid_key" }, String(i));
  }
});
