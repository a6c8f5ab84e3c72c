/**
 * Replies and tokens of a time-stamp authority.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readReply, readTokenProof } from "../../src/gateway/anchors/rfc3161/provider.ts";
import { readCertificate, readRoots } from "../../src/gateway/anchors/rfc3161/certificate.ts";
import { type DerValue, encodeDer, readDer } from "../../src/gateway/anchors/rfc3161/der.ts";
import { readSigningCertificate, readToken } from "../../src/gateway/anchors/rfc3161/token.ts";
import { readTimeStampInfo } from "../../src/gateway/anchors/rfc3161/tst_info.ts";
import { verifyToken } from "../../src/gateway/anchors/rfc3161/verify.ts";
import { type Bytes, concat } from "../../src/base/bytes.ts";
import { parseStrictJson } from "../../src/proof/format/strict_json.ts";
import * as der from "../gateway/anchors/rfc3161/der.ts";
import { authority, DIGEST } from "../gateway/anchors/rfc3161/fixture.ts";
import {
  GEN_TIME,
  referenceV2,
  replyOf,
  signingCertificateV1,
  signingCertificateV2,
} from "../gateway/anchors/rfc3161/test_authority.ts";
import { GENERAL_NAME, pemOf } from "../gateway/anchors/rfc3161/test_certificates.ts";
import { ofText, type Target } from "./engine.ts";

const CODES = ["anchor_refused"] as const;
const { root, intermediate, signer } = authority;

const token = await authority.token(DIGEST);
const fullToken = await authority.token(DIGEST, {
  certificates: [signer.der, intermediate.der, root.der],
  info: {
    accuracy: der.sequence(der.integer(1), der.implicit(0, Uint8Array.of(5))),
    ordering: der.boolean(true),
    nonce: der.integer(5),
    authority: der.explicit(0, GENERAL_NAME.directory(signer.subject)),
  },
});
const infos = [token, fullToken].map((each) => readToken(each).content);
/** The value of an attribute, which is a type and a set. */
const valueOf = (attribute: Bytes): Bytes =>
  readDer(attribute, "attribute").children[1]!.contents.slice();
const references = [
  valueOf(signingCertificateV2(await referenceV2(signer), await referenceV2(intermediate))),
  valueOf(signingCertificateV2(await referenceV2(signer, { hash: "SHA-512", like: null }))),
] as const;

/** Requires that a value is the one encoding of what was read. */
function assertEncoded({ tag, bytes, contents, children }: DerValue): void {
  assert.deepEqual(encodeDer(tag, contents), bytes);
  if (children.length > 0) assert.deepEqual(concat(...children.map((c) => c.bytes)), contents);
  for (const child of children) assertEncoded(child);
}

function contains(whole: Bytes, part: Bytes): boolean {
  return whole.toHex().includes(part.toHex());
}

/** Readers of time-stamp tokens and of what stands around them. */
export const RFC3161_TARGETS: readonly Target[] = [
  {
    name: "readDer",
    covers: ["gateway/anchors/rfc3161/der.ts#readDer"],
    codes: CODES,
    seeds: [
      token,
      ...infos,
      root.der,
      der.none(),
      der.integer(2n ** 70n),
      der.bits(Uint8Array.of(0xf8), 3),
    ],
    read(input) {
      const value = readDer(input, "input");
      assert.deepEqual(value.bytes, input);
      assertEncoded(value);
    },
  },
  {
    name: "readCertificate",
    covers: ["gateway/anchors/rfc3161/certificate.ts#readCertificate"],
    codes: CODES,
    seeds: [root.der, intermediate.der, signer.der],
    share: 0.5,
    read(input) {
      const found = readCertificate(input, "input");
      assert.deepEqual(found.der, input);
      assert.ok(Number.isSafeInteger(found.notBefore) && Number.isSafeInteger(found.notAfter));
      const { signed, issuer, subject, publicKey, signature } = found;
      for (const part of [issuer, subject.bytes, publicKey.spki]) assert.ok(contains(signed, part));
      assert.ok(contains(input, concat(signed)) && contains(input, signature));
    },
  },
  {
    name: "readSigningCertificate",
    covers: ["gateway/anchors/rfc3161/token.ts#readSigningCertificate"],
    codes: CODES,
    seeds: references,
    read(input) {
      for (const { digest, issuerSerial } of readSigningCertificate(input, 2)) {
        assert.ok(contains(input, digest));
        if (issuerSerial) assert.ok(contains(input, issuerSerial.issuer));
      }
    },
  },
  {
    name: "readSigningCertificate of SHA-1",
    covers: [],
    codes: CODES,
    seeds: [valueOf(await signingCertificateV1(signer, intermediate))],
    read(input) {
      for (const { hash, digest } of readSigningCertificate(input, 1)) {
        assert.ok(hash === "SHA-1" && contains(input, digest));
      }
    },
  },
  {
    name: "readTimeStampInfo",
    covers: ["gateway/anchors/rfc3161/tst_info.ts#readTimeStampInfo"],
    codes: CODES,
    seeds: infos,
    read(input) {
      const { digest, genTime, notAfter, nonce } = readTimeStampInfo(input);
      assert.ok(contains(input, digest) && (!nonce || contains(input, nonce)));
      assert.ok(Number.isSafeInteger(notAfter) && genTime >= 0 && genTime <= notAfter);
    },
  },
  {
    name: "verifyToken",
    covers: [
      "gateway/anchors/rfc3161/token.ts#readToken",
      "gateway/anchors/rfc3161/verify.ts#verifyToken",
    ],
    codes: CODES,
    seeds: [token, fullToken],
    share: 0.4,
    // The other certificates of a token are unsigned. No other change verifies.
    async read(input) {
      const verified = await verifyToken(input, { digest: DIGEST });
      assert.deepEqual(verified.signer.der, signer.der);
      assert.equal(verified.token.info.genTime, GEN_TIME);
      assert.ok(infos.some((info) => contains(info, verified.token.content)));
    },
  },
  {
    name: "readReply",
    covers: ["gateway/anchors/rfc3161/provider.ts#readReply"],
    codes: CODES,
    seeds: [
      replyOf(0, [], token),
      replyOf(1, [der.sequence(der.text("changed"))], fullToken),
    ],
    share: 0.4,
    read(input) {
      assert.ok(contains(input, readReply(input)));
    },
  },
  {
    name: "readRoots",
    covers: ["gateway/anchors/rfc3161/certificate.ts#readRoots"],
    codes: ["invalid_configuration"],
    seeds: [pemOf(root, intermediate), root.der],
    share: 0.4,
    read(input) {
      assert.ok(readRoots(input).length > 0);
    },
  },
  {
    name: "readTokenProof",
    covers: ["gateway/anchors/rfc3161/provider.ts#readTokenProof"],
    codes: ["malformed_json", "anchor_refused"],
    seeds: [JSON.stringify({ token: token.toBase64() })],
    read: ofText((text) => {
      const found = readTokenProof(parseStrictJson(text, "malformed_json"));
      assert.equal(found.toBase64(), (JSON.parse(text) as { token: string }).token);
    }),
  },
];
