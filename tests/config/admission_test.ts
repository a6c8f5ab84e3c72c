import assert from "node:assert/strict";
import { base64UrlOf } from "../../src/base/bytes.ts";
import {
  ADMISSION,
  type AdmissionConfiguration,
  followedIssuers,
  loadIssuers,
} from "../../src/config/admission.ts";
import { blindRsaKeyOf } from "../../src/proof/crypto/blind_rsa.ts";
import { tokenKeyIdOf } from "../../src/proof/format/privacy_pass.ts";
import { parseStrictJson } from "../../src/proof/format/strict_json.ts";

const CODE = "malformed_configuration";
const MALFORMED = "malformed_configuration";
const INVALID = "invalid_configuration";

/** Token keys: any odd number of 2,048 bits is accepted. */
const [A, B] = [0xa1, 0xb1].map((byte) => base64UrlOf(spkiOf(byte))) as [string, string];

function spkiOf(byte: number): Uint8Array {
  return blindRsaKeyOf(new Uint8Array(256).fill(byte)).spki;
}

function admissionOf(admission: unknown, insecure = false): AdmissionConfiguration {
  const value = parseStrictJson(JSON.stringify(admission), CODE);
  return ADMISSION.parse(value, { where: "file", code: CODE, insecure });
}

const publicIssuer = (members: Record<string, unknown> = {}) => ({
  name: "issuer.example",
  token_keys: [{ token_key: A }],
  ...members,
});
const required = (...issuers: unknown[]) => ({ mode: "token_required", issuers });
const followed = (members: Record<string, unknown> = {}) => ({
  name: "followed.example",
  url: "https://followed.example",
  follow: true,
  ...members,
});
const keyed = (...keys: unknown[]) => required(publicIssuer({ token_keys: keys }));

Deno.test("modes and issuers are read; issuers may be absent", () => {
  assert.deepEqual(admissionOf({ mode: "open" }), { mode: "open", issuers: [] });
  assert.equal(admissionOf({ mode: "open", issuers: [publicIssuer()] }).issuers.length, 1);
  const validity = { not_before: 5, not_after: 6 };
  const url = "https://issuer.example/tokens";
  const issuers = [
    publicIssuer({ url, token_keys: [{ token_key: A, ...validity }, { token_key: B }] }),
    publicIssuer({
      name: "localhost:8085",
      token_keys: [{ token_key: base64UrlOf(spkiOf(0xc1)) }],
    }),
  ];
  assert.deepEqual(admissionOf({ mode: "token_optional", issuers }), {
    mode: "token_optional",
    issuers: [
      {
        name: "issuer.example",
        url,
        tokenKeys: [{ tokenKey: A, notBefore: 5, notAfter: 6 }, { tokenKey: B }],
      },
      { name: "localhost:8085", tokenKeys: [{ tokenKey: base64UrlOf(spkiOf(0xc1)) }] },
    ],
  });
  // With padding, as in a directory, a key is the same.
  const padded = spkiOf(0xa1).toBase64({ alphabet: "base64url" });
  assert.deepEqual(admissionOf(keyed({ token_key: padded })), admissionOf(keyed({ token_key: A })));
  const http = required(publicIssuer({ url: "http://issuer.example" }));
  assert.equal(admissionOf(http, true).issuers[0]?.url, "http://issuer.example");
});

Deno.test("an admission without usable issuers, or with ambiguous ones, is refused", () => {
  const other = publicIssuer({ name: "other.example", token_keys: [{ token_key: B }] });
  const nine = Array.from({ length: 9 }, (_, i) => ({
    token_key: base64UrlOf(spkiOf(0x81 + 2 * i)),
  }));
  assert.ok(admissionOf(required(publicIssuer(), other)));
  assert.ok(admissionOf(keyed(...nine.slice(1))));
  assert.ok(admissionOf(required(followed(), publicIssuer({ token_keys: nine.slice(5) }))));
  assert.ok(admissionOf(required(followed(), followed({ name: "other.example" }))));
  const refused: [string, unknown][] = [
    [INVALID, { mode: "token_required" }],
    [INVALID, { mode: "token_optional", issuers: [] }],
    [INVALID, { mode: "closed" }],
    [INVALID, keyed()],
    [INVALID, keyed(...nine)],
    [INVALID, keyed({ token_key: A }, { token_key: A, not_after: 9 })],
    [INVALID, required(publicIssuer(), publicIssuer({ token_keys: [{ token_key: B }] }))],
    [INVALID, required(publicIssuer(), publicIssuer({ name: "other.example" }))],
    [INVALID, keyed({ token_key: A, not_before: 6, not_after: 6 })],
    [INVALID, keyed({ token_key: `${A}=` })],
    [INVALID, keyed({ token_key: A.replaceAll("_", "/") + " " })],
    ["invalid_key", keyed({ token_key: "AAAA" })],
    ["invalid_key", keyed({ token_key: base64UrlOf(spkiOf(0xa1).subarray(1)) })],
    [INVALID, required({ name: "issuer.example" })],
    [INVALID, required(publicIssuer({ url: "http://issuer.example" }))],
    [INVALID, required(followed({ url: "http://followed.example" }))],
    [MALFORMED, required(followed({ url: undefined }))],
    [INVALID, required(followed({ follow: false }))],
    [MALFORMED, required(followed({ follow: 1 }))],
    [INVALID, required(followed({ token_keys: [{ token_key: A }] }))],
    [INVALID, required(followed({ token_keys: [] }))],
    [INVALID, required(followed(), followed())],
    [INVALID, required(followed(), publicIssuer({ token_keys: nine.slice(4) }))],
    [INVALID, required(followed(), followed({ name: "other.example" }), publicIssuer())],
    [INVALID, required(publicIssuer({ url: "issuer.example" }))],
    ...[
      "",
      "é.example",
      "a b",
      "a.example:0",
      "a.example:123456",
      "-a",
      "a/b",
      '"',
      "a".repeat(256),
    ]
      .map((name): [string, unknown] => [INVALID, required(publicIssuer({ name }))]),
    [MALFORMED, required(publicIssuer({ name: 7 }))],
    [MALFORMED, required(publicIssuer({ keys: [] }))],
    [MALFORMED, keyed({ token_key: A, not_before: -1 })],
    [MALFORMED, keyed({ token_key: A, not_after: "9" })],
    [MALFORMED, keyed({ key: A })],
    [MALFORMED, keyed(A)],
    [MALFORMED, required("issuer.example")],
    [MALFORMED, { mode: "open", issuer: [] }],
    [MALFORMED, { mode: "token_required", issuers: publicIssuer() }],
    [MALFORMED, { issuers: [publicIssuer()] }],
    [MALFORMED, "open"],
    [MALFORMED, null],
  ];
  for (const [code, admission] of refused) {
    assert.throws(() => admissionOf(admission), { code }, JSON.stringify(admission));
  }
});

Deno.test("an issuer with `follow` is followed if tokens are accepted", () => {
  const issuers = [publicIssuer(), followed()];
  const admission = admissionOf(required(...issuers));
  const read = { name: "followed.example", url: "https://followed.example" };
  assert.deepEqual(followedIssuers(admission), [{ ...read, follow: true }]);
  assert.deepEqual(followedIssuers(admissionOf({ mode: "open", issuers })), []);
  const [shown, one] = loadIssuers(admission);
  assert.equal(shown?.keys.length, 1);
  assert.deepEqual(one, { ...read, keys: [] });
});

Deno.test("loadIssuers() returns the keys with their ids and times", () => {
  const [issuer] = loadIssuers(
    admissionOf(keyed({ token_key: A, not_before: 10, not_after: 20 }, { token_key: B })),
  );
  assert.deepEqual(
    issuer?.keys.map(({ id, publicKey, notBefore, notAfter }) => ({
      id,
      publicKey,
      notBefore,
      notAfter,
    })),
    [0xa1, 0xb1].map(spkiOf).map((spki, i) => ({
      id: tokenKeyIdOf(spki),
      publicKey: spki,
      notBefore: i === 0 ? 10 : undefined,
      notAfter: i === 0 ? 20 : undefined,
    })),
  );
});
