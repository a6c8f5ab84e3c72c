import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { base64UrlOf, type Bytes, bytesOfBase64Url, concat } from "../../../src/base/bytes.ts";
import {
  encodeIssuerDirectory,
  parseIssuerDirectory,
} from "../../../src/proof/format/issuer_directory.ts";
import {
  challengeDigest,
  encodeToken,
  encodeTokenChallenge,
  encodeTokenText,
  parseToken,
  parseTokenChallenge,
  parseTokenText,
  spendOf,
  tokenInputOf,
  tokenKeyIdOf,
} from "../../../src/proof/format/privacy_pass.ts";
import {
  parseBlindSignature,
  parseTokenRequest,
} from "../../../src/proof/format/token_issuance.ts";
import { TYPE_2_VECTORS } from "../../gateway/tokens/published_vectors.ts";

const hex = (text: string) => Uint8Array.fromHex(text);
const ISSUANCES = TYPE_2_VECTORS.vectors;
/** A token of type 1, which is not supported: 146 bytes. */
const TYPE_1_TOKEN = Uint8Array.of(0, 1, ...new Uint8Array(144).fill(7));

function changed(bytes: Uint8Array, index: number, value: number): Bytes {
  const copy = bytes.slice();
  copy[index] = value;
  return copy;
}

Deno.test("published tokens: every member where RFC 9577 section 2.2 has it", () => {
  for (const vector of ISSUANCES) {
    const bytes = hex(vector.token);
    const token = parseToken(bytes);
    assert.equal(bytes.length, 354);
    assert.equal(token.nonce.toHex(), vector.nonce);
    assert.deepEqual(token.challengeDigest, challengeDigest(hex(vector.token_challenge)));
    assert.deepEqual(token.tokenKeyId, tokenKeyIdOf(hex(TYPE_2_VECTORS.pkS)));
    assert.deepEqual(encodeToken(token), bytes);
    assert.deepEqual(tokenInputOf(token), bytes.slice(0, 98));
    assert.deepEqual(concat(tokenInputOf(token), token.authenticator), bytes);
    const request = parseTokenRequest(hex(vector.token_request));
    assert.equal(request.truncatedTokenKeyId, token.tokenKeyId[31]);
  }
});

Deno.test("what is spent is the token without its authenticator", () => {
  const bytes = hex(TYPE_2_VECTORS.vectors[0]!.token);
  const spend = spendOf(parseToken(bytes));
  const expected = createHash("sha256").update(bytes.subarray(0, 98)).digest();
  assert.deepEqual(spend, new Uint8Array(expected));
  assert.deepEqual(spendOf(parseToken(changed(bytes, 353, bytes[353]! ^ 1))), spend);
  for (const index of [2, 33, 34, 65, 66, 97]) {
    assert.notDeepEqual(spendOf(parseToken(changed(bytes, index, bytes[index]! ^ 1))), spend);
  }
});

Deno.test("tokens of other types and lengths are refused", () => {
  for (const vector of [ISSUANCES[0]!]) {
    const bytes = hex(vector.token);
    const wrong = [
      TYPE_1_TOKEN,
      bytes.slice(1),
      bytes.slice(0, -1),
      concat(bytes, Uint8Array.of(0)),
      changed(bytes, 0, 1),
      changed(bytes, 1, 0),
      changed(bytes, 1, 1),
      changed(bytes, 1, 3),
      bytes.slice(0, 2),
      new Uint8Array(),
    ];
    for (const one of wrong) assert.throws(() => parseToken(one), { code: "token_invalid" });
    assert.ok(parseToken(bytes));
  }
});

Deno.test("the text of a token has all its padding or none, and one spelling", () => {
  for (const vector of [ISSUANCES[0]!]) {
    const token = parseToken(hex(vector.token));
    const text = encodeTokenText(token);
    assert.deepEqual(parseTokenText(text), token);
    assert.deepEqual(parseTokenText(hex(vector.token).toBase64({ alphabet: "base64url" })), token);
    const wrong = [
      `${text} `,
      ` ${text}`,
      `${text.slice(0, 40)}\n${text.slice(40)}`,
      `${text}=====`,
      text.slice(1),
      "",
      `${text.slice(0, 9)}+${text.slice(10)}`,
      `${text.slice(0, 9)}/${text.slice(10)}`,
      `${text.slice(0, 9)}é${text.slice(10)}`,
    ];
    for (const one of wrong) {
      assert.throws(() => parseTokenText(one), { code: "token_invalid" });
      // Tokens are as good as money: none of one stands in a message.
      assert.throws(() => parseTokenText(one), (error: Error) => !error.message.includes("AAI"));
    }
  }
});

Deno.test("base64url: the last character has no loose bits, padding is whole or absent", () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["", ""],
    ["_w", "ff"],
    ["_w==", "ff"],
    ["_w=", undefined],
    ["_x", undefined],
    ["__8", "ffff"],
    ["__8=", "ffff"],
    ["__8==", undefined],
    ["__9", undefined],
    ["____", "ffffff"],
    ["_", undefined],
    ["/w", undefined],
    ["_w\n", undefined],
    ["_ w", undefined],
  ];
  for (const [text, bytes] of cases) {
    assert.equal(bytesOfBase64Url(text)?.toHex(), bytes, JSON.stringify(text));
  }
  assert.equal(base64UrlOf(hex("ff")), "_w");
});

Deno.test("challenges: published ones, and each member wrong once", () => {
  for (const vector of ISSUANCES) {
    const bytes = hex(vector.token_challenge);
    assert.deepEqual(encodeTokenChallenge(parseTokenChallenge(bytes)), bytes);
  }
  const challenge = {
    issuerName: "issuer.example",
    originInfo: "log.example",
    redemptionContext: new Uint8Array(),
  };
  const bytes = encodeTokenChallenge(challenge);
  assert.equal(bytes.toHex(), `0002000e${hexOf("issuer.example")}00000b${hexOf("log.example")}`);
  assert.deepEqual(parseTokenChallenge(bytes), challenge);
  const wrong = [
    changed(bytes, 1, 0),
    changed(bytes, 1, 1),
    changed(bytes, 1, 3),
    changed(bytes, 0, 1),
    changed(bytes, 3, 13),
    changed(bytes, 3, 15),
    changed(bytes, 2, 0xff),
    changed(bytes, 4, 0x1f),
    changed(bytes, 4, 0x7f),
    changed(bytes, 4, 0xe9),
    changed(bytes, 18, 1),
    changed(bytes, 18, 32),
    changed(bytes, 18, 255),
    changed(bytes, 20, 10),
    changed(bytes, 20, 12),
    bytes.slice(0, -1),
    concat(bytes, Uint8Array.of(0)),
    hex("000200000000"),
    hex("0002"),
    new Uint8Array(),
  ];
  for (const [i, one] of wrong.entries()) {
    assert.throws(() => parseTokenChallenge(one), { code: "malformed_text" }, String(i));
  }
  for (const issuerName of ["", "é", "a\n", "a".repeat(65_536)]) {
    assert.throws(() => encodeTokenChallenge({ ...challenge, issuerName }), {
      code: "invalid_configuration",
    });
  }
});

function hexOf(text: string): string {
  return new TextEncoder().encode(text).toHex();
}

Deno.test("parseBlindSignature() accepts one length", () => {
  const signature = hex(ISSUANCES[0]!.token_response);
  assert.deepEqual(parseBlindSignature(signature), signature);
  for (const wrong of [new Uint8Array(), signature.slice(1), concat(signature, signature)]) {
    assert.throws(() => parseBlindSignature(wrong), { code: "issuer_refused" });
  }
});

Deno.test("a directory of somebody else: unknown members and types are passed over", () => {
  const key = (type: unknown, more = {}) => ({ "token-type": type, "token-key": "_w==", ...more });
  const text = JSON.stringify({
    "issuer-request-uri": "https://issuer.example/request",
    "issuer-policy-window": 86_400,
    "token-keys": [key(2, { "not-before": 5, version: "x" }), key(0xda7a), key(1)],
  });
  const directory = parseIssuerDirectory(text);
  assert.deepEqual(directory, {
    requestUri: "https://issuer.example/request",
    tokenKeys: [{ tokenKey: hex("ff"), notBefore: 5 }],
  });
  assert.deepEqual(parseIssuerDirectory(encodeIssuerDirectory(directory)), directory);
  // RFC 9578 section 4 requires padding.
  assert.match(encodeIssuerDirectory(directory), /"_w=="/);
  const wrong: unknown[] = [
    [],
    {},
    { "issuer-request-uri": "/", "token-keys": {} },
    { "issuer-request-uri": 1, "token-keys": [] },
    { "issuer-request-uri": "/", "token-keys": [key("2")] },
    { "issuer-request-uri": "/", "token-keys": [key(2, { "token-key": "+w" })] },
    { "issuer-request-uri": "/", "token-keys": [key(2, { "not-before": -1 })] },
    { "issuer-request-uri": "/", "token-keys": [{ "token-type": 2 }] },
    { "issuer-request-uri": "/", "token-keys": Array.from({ length: 65 }, () => key(2)) },
  ];
  for (const one of wrong) {
    assert.throws(() => parseIssuerDirectory(JSON.stringify(one)), { code: "issuer_refused" });
  }
});
