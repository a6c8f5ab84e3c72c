/**
 * Replies and tokens of a time-stamp authority.
 *
 * @module
 */

import assert from "node:assert/strict";
import { readTokenProof } from "../../src/gateway/anchors/rfc3161/provider.ts";
import { readCertificate, readRoots } from "../../src/proof/timestamp/certificate.ts";
import { type DerValue, encodeDer, readDer, unreadable } from "../../src/proof/timestamp/der.ts";
import { readAttachedProof } from "../../src/proof/timestamp/attached_proof.ts";
import { parseTimestamp } from "../../src/proof/timestamp/attested_token.ts";
import { verifyTimestamp } from "../../src/proof/timestamp/verify_timestamp.ts";
import { readReply } from "../../src/proof/timestamp/reply.ts";
import { readRequest } from "../../src/proof/timestamp/request.ts";
import { readSigningCertificate, readToken } from "../../src/proof/timestamp/token.ts";
import { readTimeStampInfo } from "../../src/proof/timestamp/tst_info.ts";
import { verifyToken } from "../../src/proof/timestamp/verify.ts";
import { type Bytes, concat } from "../../src/base/bytes.ts";
import { parseStrictJson } from "../../src/proof/format/strict_json.ts";
import * as der from "../proof/timestamp/der.ts";
import { authority, DIGEST } from "../proof/timestamp/fixture.ts";
import {
  GEN_TIME,
  referenceV2,
  replyOf,
  signingCertificateV1,
  signingCertificateV2,
} from "../proof/timestamp/test_authority.ts";
import { GENERAL_NAME, pemOf } from "../proof/timestamp/test_certificates.ts";
import { AttestedNetwork, requestOf, TIME } from "../gateway/timestamping/fixture.ts";
import { withAttachedProof } from "../../src/proof/timestamp/attached_proof.ts";
import { attribute, imprintOf } from "../proof/timestamp/test_authority.ts";
import { nativeCrypto } from "../proof/verify/test_network.ts";
import { ofText, type Target } from "./engine.ts";

const CODES = ["timestamp_refused"] as const;
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
const home = new AttestedNetwork();
const attested = home.attest(DIGEST.toHex(), TIME);
const provenToken = withAttachedProof(
  await authority.token(DIGEST, {
    info: {
      serial: der.integer(BigInt(attested.sequence) << 64n | 9n),
      accuracy: der.sequence(der.integer(60)),
    },
  }),
  attested.bundle,
);
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
    covers: ["proof/timestamp/der.ts#readDer"],
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
    covers: ["proof/timestamp/certificate.ts#readCertificate"],
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
    covers: ["proof/timestamp/token.ts#readSigningCertificate"],
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
    covers: ["proof/timestamp/tst_info.ts#readTimeStampInfo"],
    codes: CODES,
    seeds: infos,
    read(input) {
      const { imprint: { digest }, genTime, notAfter, nonce } = readTimeStampInfo(input);
      assert.ok(contains(input, digest) && (!nonce || contains(input, nonce)));
      assert.ok(Number.isSafeInteger(notAfter) && genTime >= 0 && genTime <= notAfter);
    },
  },
  {
    name: "verifyToken",
    covers: [
      "proof/timestamp/token.ts#readToken",
      "proof/timestamp/verify.ts#verifyToken",
    ],
    codes: CODES,
    seeds: [token, fullToken],
    share: 0.4,
    // The other certificates of a token are unsigned. No other change verifies.
    async read(input) {
      const verified = await verifyToken(readToken(input), {
        imprint: { hash: "SHA-256", digest: DIGEST },
      });
      assert.deepEqual(verified.signer.der, signer.der);
      assert.equal(verified.token.info.genTime, GEN_TIME);
      assert.ok(infos.some((info) => contains(info, verified.token.content)));
    },
  },
  {
    name: "readRequest",
    covers: ["proof/timestamp/request.ts#readRequest"],
    codes: CODES,
    seeds: [
      requestOf(imprintOf(DIGEST)),
      requestOf(imprintOf(DIGEST), { nonce: 2n ** 64n, policy: "1.2.3", certReq: false }),
    ],
    read(input) {
      const { imprint, nonce } = readRequest(input);
      assert.ok(contains(input, imprint.bytes) && (!nonce || contains(input, nonce)));
    },
  },
  {
    name: "readAttachedProof",
    covers: ["proof/timestamp/attached_proof.ts#readAttachedProof"],
    codes: CODES,
    seeds: [attribute("1.2.3", der.sequence(der.integer(1), der.octets(DIGEST)))],
    read(input) {
      const values = readDer(input, "attribute").children[1];
      if (values !== undefined) assert.ok(contains(input, readAttachedProof(values)));
      else throw unreadable("attribute", "no values");
    },
  },
  {
    name: "verifyTimestamp",
    covers: [
      "proof/timestamp/attested_token.ts#parseTimestamp",
      "proof/timestamp/verify_timestamp.ts#verifyTimestamp",
    ],
    codes: [...CODES, "malformed_bundle"],
    seeds: [provenToken, replyOf(0, [], provenToken)],
    share: 0.2,
    // Nothing that is signed changes without making the token invalid.
    async read(input) {
      const read = parseTimestamp(input);
      const trust = { network: home.network.configuration, peers: [] };
      const { valid, info, proof } = await verifyTimestamp(nativeCrypto, trust, read, {
        digest: DIGEST,
      });
      if (!valid) throw unreadable("token", "it does not verify");
      assert.equal(info.genTime, TIME);
      assert.equal(proof!.bundle.signed_attestation.attestation.sequence, attested.sequence);
    },
  },
  {
    name: "readReply",
    covers: ["proof/timestamp/reply.ts#readReply"],
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
    covers: ["proof/timestamp/certificate.ts#readRoots"],
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
