/**
 * Tokens of our authority, read by pkijs and by our verifier, and requests that are rejected.
 *
 * @module
 */

import assert from "node:assert/strict";
import { SignedData, TimeStampResp, TSTInfo } from "pkijs";
import { type Bytes, concat, equalBytes, hexOf, utf8 } from "../../../src/base/bytes.ts";
import { TimestampAuthority } from "../../../src/gateway/timestamping/timestamp_authority.ts";
import type { CertificateChain } from "../../../src/gateway/timestamping/timestamp_signer.ts";
import type { Certificate } from "../../../src/proof/timestamp/certificate.ts";
import { parseTimestamp } from "../../../src/proof/timestamp/attested_token.ts";
import { verifyTimestamp } from "../../../src/proof/timestamp/verify_timestamp.ts";
import { ATTESTED_POLICY } from "../../../src/proof/timestamp/attached_proof.ts";
import { portableKernels as kernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { FakeClock } from "../../fake_clock.ts";
import * as der from "../../proof/timestamp/der.ts";
import { extension } from "../../proof/timestamp/test_certificates.ts";
import { imprintOf, TestAuthority } from "../../proof/timestamp/test_authority.ts";
import { hashAlgorithm, type TestHash } from "../../proof/timestamp/test_keys.ts";
import { nativeCrypto } from "../../proof/verify/test_network.ts";
import {
  AttestedNetwork,
  authorityOf,
  digestBy,
  identityOf,
  imprintOfContent,
  requestOf,
  rootOf,
  TIME,
  tokenFor,
} from "./fixture.ts";

const CONTENT = utf8("some content");
const test = await TestAuthority.create();
const authority = authorityOf(identityOf(test));
const home = new AttestedNetwork();
const trust = { network: home.network.configuration, peers: [] };
const attest = (hash: string) => home.attest(hash);

for (const hash of ["SHA-256", "SHA-384", "SHA-512"] as const) {
  for (const kind of ["P-256", "RSA"] as const) {
    Deno.test(`a token of ${hash} by ${kind} verifies with its proof`, async () => {
      const by = await TestAuthority.create(kind);
      const request = requestOf(await imprintOfContent(CONTENT, hash), { nonce: 2n ** 63n });
      const token = await tokenFor(authorityOf(identityOf(by, kind)), request, attest);
      const digest = await digestBy(CONTENT, hash);
      const roots = [rootOf(by)];
      const verdict = await verifyTimestamp(nativeCrypto, trust, parseTimestamp(token), {
        digest,
        roots,
      });
      assert.deepEqual(
        [verdict.valid, verdict.authority, verdict.proof?.verdict.level],
        [true, { status: "verified", subject: "CN=Stamps" }, "basic"],
      );
      assert.equal(verdict.info.genTime, TIME);
      assert.equal(verdict.info.policy, ATTESTED_POLICY);
    });
  }
}

Deno.test("the attested hash of a SHA-512 imprint is that of its DigestInfo, whatever its parameters", async () => {
  const digest = await digestBy(CONTENT, "SHA-512");
  // RFC 8017 section 9.2, note 1.
  const info = concat(Uint8Array.fromHex("3051300d060960864801650304020305000440"), digest);
  const expected = hexOf(kernels.sha256(info));
  const withoutNull = der.sequence(der.objectId("2.16.840.1.101.3.4.2.3"));
  for (const algorithm of [hashAlgorithm("SHA-512"), withoutNull]) {
    const accepted = authority.accept(requestOf(imprintOf(digest, algorithm)));
    assert.equal("hash" in accepted && accepted.hash, expected);
  }
});

/** The reply to a request, as pkijs reads it. */
async function replyTo(request: Bytes): Promise<TimeStampResp> {
  const accepted = authority.accept(request);
  const reply = "hash" in accepted
    ? await authority.grant(accepted, attest(accepted.hash))
    : accepted;
  return TimeStampResp.fromBER(reply.bytes);
}

Deno.test("pkijs reads imprint, nonce, serial, time and accuracy, and verifies the signature", async () => {
  const imprint = await imprintOfContent(CONTENT);
  const { status, timeStampToken } = await replyTo(requestOf(imprint, { nonce: 5n }));
  assert.equal(status.status, 0);
  const signed = new SignedData({ schema: timeStampToken!.content });
  const info = TSTInfo.fromBER(signed.encapContentInfo.eContent!.getValue());
  assert.deepEqual(new Uint8Array(info.messageImprint.toSchema().toBER()), imprint);
  assert.equal(info.nonce!.toBigInt(), 5n);
  assert.equal(info.serialNumber.toBigInt() >> 64n, BigInt(home.log.size - 1));
  assert.equal(info.genTime.getTime(), TIME * 1000);
  assert.equal(info.accuracy!.seconds, 60);
  // DER omits the default.
  assert.ok(!info.ordering);
  const { signatureVerified } = await signed.verify({
    signer: 0,
    data: CONTENT.slice().buffer,
    extendedMode: true,
  });
  assert.equal(signatureVerified, true);
});

Deno.test("without certReq a token has no certificate, and without a nonce none", async () => {
  const request = requestOf(await imprintOfContent(CONTENT), { certReq: false });
  const { timeStampToken } = await replyTo(request);
  const signed = new SignedData({ schema: timeStampToken!.content });
  assert.equal(signed.certificates, undefined);
  const info = TSTInfo.fromBER(signed.encapContentInfo.eContent!.getValue());
  assert.equal(info.nonce, undefined);
});

Deno.test("a repeated request gets a token of its own for the same entry", async () => {
  const accepted = authority.accept(requestOf(await imprintOfContent(CONTENT)));
  assert.ok("hash" in accepted);
  const attested = attest(accepted.hash);
  const [one, other] = await Promise.all([1, 2].map(() => authority.grant(accepted, attested)));
  const serials = [one!, other!].map(({ bytes }) => hexOf(parseTimestamp(bytes).info.serial));
  assert.notEqual(serials[0], serials[1]);
  assert.equal(serials[0]!.slice(0, -16), serials[1]!.slice(0, -16));
});

Deno.test("the certificates are in the order of DER, as rfc3161-client demands, without the root", async () => {
  // A longer certificate than its issuer's.
  const by = await TestAuthority.create("RSA");
  const identity = identityOf(by, "RSA");
  const [signer, intermediate] = identity.certificates;
  const root = rootOf(by);
  const chains: [CertificateChain, Certificate[]][] = [
    [[signer, intermediate!, root], [intermediate!, signer]],
    [[signer, root], [signer]],
    // A root that signs tokens itself.
    [[root], [root]],
  ];
  for (const [certificates, sent] of chains) {
    const authority = authorityOf({ ...identity, certificates });
    const token = await tokenFor(authority, requestOf(await imprint()), attest);
    const found = parseTimestamp(token).certificates.map(({ der }) => hexOf(der));
    assert.deepEqual(found, sent.map(({ der }) => hexOf(der)));
    assert.deepEqual(found, found.toSorted());
  }
});

/** Bits of PKIFailureInfo (RFC 3161 section 2.4.2). */
const FAILURES: readonly (readonly [what: string, bit: number, request: Bytes])[] = [
  ["no bytes", 5, new Uint8Array()],
  ["bytes that are not DER", 5, utf8("GET / HTTP/1.1")],
  ["bytes after the request", 5, concat(requestOf(await imprint()), Uint8Array.of(0))],
  ["another structure", 5, der.sequence(der.integer(1))],
  ["an imprint of another structure", 5, requestOf(der.sequence(der.octets(CONTENT)))],
  ["version 2", 2, requestOf(await imprint(), { version: 2 })],
  ["SHA-1", 0, requestOf(await imprint("SHA-1"))],
  [
    "an unknown hash",
    0,
    requestOf(der.sequence(der.sequence(der.objectId("1.2.3")), der.octets(CONTENT))),
  ],
  ["a digest that is too short", 5, requestOf(imprintOf(new Uint8Array(31)))],
  [
    "a digest of another length",
    5,
    requestOf(imprintOf(new Uint8Array(32), hashAlgorithm("SHA-512"))),
  ],
  ["another policy", 15, requestOf(await imprint(), { policy: "1.2.3.4" })],
  ["an extension", 16, requestOf(await imprint(), { extensions: extension("1.2.3", CONTENT) })],
];

async function imprint(hash: TestHash = "SHA-256"): Promise<Bytes> {
  return await imprintOfContent(CONTENT, hash);
}

for (const [what, bit, request] of FAILURES) {
  Deno.test(`a request with ${what} is rejected with bit ${bit}`, async () => {
    const { status, timeStampToken } = await replyTo(request);
    assert.equal(status.status, 2);
    assert.equal(timeStampToken, undefined);
    const bits = status.failInfo!.valueBlock.valueHexView;
    assert.equal(bits[bit >> 3]! & 0x80 >> (bit & 7), 0x80 >> (bit & 7));
    assert.equal(bits.reduce((sum, octet) => sum + octet, 0), 0x80 >> (bit & 7));
    assert.ok(status.statusStrings![0]!.valueBlock.value.length > 10);
  });
}

Deno.test("the policy of the authority may be asked for", async () => {
  const { status } = await replyTo(requestOf(await imprint(), { policy: ATTESTED_POLICY }));
  assert.equal(status.status, 0);
});

/** The text for people in a rejection. */
function textIn(bytes: Bytes): string {
  return TimeStampResp.fromBER(bytes).status.statusStrings![0]!.valueBlock.value;
}

Deno.test("what was attested before the certificate was valid gets no token, nor does anything after it", async () => {
  const accepted = authority.accept(requestOf(await imprint()));
  assert.ok("hash" in accepted);
  const early = await authority.grant(accepted, {
    ...attest(accepted.hash),
    timestamp: 1_500_000_000,
  });
  assert.equal(early.isGranted, false);
  const { failInfo } = TimeStampResp.fromBER(early.bytes).status;
  assert.ok(equalBytes(failInfo!.valueBlock.valueHexView, Uint8Array.of(0, 2)));
  assert.match(
    textIn(early.bytes),
    /^This content was attested at 2017-07-14 .* the certificate of CN=Stamps is not valid before 20/,
  );
  // 2040-01-01, after the certificates of the test: the last round before their end may be late.
  const end = 2_208_988_801;
  const tooLate = await authority.grant(accepted, { ...attest(accepted.hash), timestamp: end });
  assert.equal(tooLate.isGranted, false);
  // Before anything is attested.
  for (const now of [1_500_000_000, end]) {
    const rejected = authorityOf(identityOf(test), now).accept(requestOf(await imprint()));
    assert.ok("isGranted" in rejected && !rejected.isGranted);
    const why = now === end ? /CN=Stamps expired at 20/ : /CN=Stamps is not valid before 20/;
    assert.match(textIn(rejected.bytes), why);
  }
});

Deno.test("a signer that fails rejects, and no token is granted", async () => {
  const identity = identityOf(test);
  const failing = new TimestampAuthority({
    identity: {
      ...identity,
      signer: { ...identity.signer, sign: () => Promise.reject(new Error("away")) },
    },
    kernels,
    clock: new FakeClock(TIME),
  });
  const accepted = failing.accept(requestOf(await imprint()));
  assert.ok("hash" in accepted);
  await assert.rejects(failing.grant(accepted, attest(accepted.hash)), /away/);
});
