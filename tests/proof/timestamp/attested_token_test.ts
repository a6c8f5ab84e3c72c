/**
 * Tokens with a proof: what the authority's key alone can sign, and what the verifier says of it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Bytes, concat, hexOf, utf8 } from "../../../src/base/bytes.ts";
import { hasCode } from "../../../src/base/errors.ts";
import { encodeDer, readDer, TAG } from "../../../src/proof/timestamp/der.ts";
import {
  isTimestamp,
  parseTimestamp,
  tokenIn,
  withProofIn,
} from "../../../src/proof/timestamp/attested_token.ts";
import { verifyTimestamp } from "../../../src/proof/timestamp/verify_timestamp.ts";
import { PROOF_ATTRIBUTE, withAttachedProof } from "../../../src/proof/timestamp/attached_proof.ts";
import { readCertificate } from "../../../src/proof/timestamp/certificate.ts";
import { encodeGranted, encodeRejection } from "../../../src/proof/timestamp/reply.ts";
import { AttestedNetwork, digestBy, rootOf, TIME } from "../../gateway/timestamping/fixture.ts";
import { nativeCrypto } from "../verify/test_network.ts";
import * as der from "./der.ts";
import { attribute, TestAuthority, type TokenChange } from "./test_authority.ts";
import { EXTENSIONS, issue, nameOf, TIME_STAMPING } from "./test_certificates.ts";
import { testKey } from "./test_keys.ts";

const CONTENT = utf8("some content");
const digest = await digestBy(CONTENT, "SHA-256");
const authority = await TestAuthority.create();
const roots = [rootOf(authority)];
const home = new AttestedNetwork();
const trust = { network: home.network.configuration, peers: [] };
const { bundle, sequence } = home.attest(hexOf(digest));

const INFO = {
  serial: der.integer(BigInt(sequence) << 64n | 7n),
  genTime: der.generalizedTime("20261121120000Z"),
  accuracy: der.sequence(der.integer(60)),
};

/** A token that the key of `authority` signs, whatever it states, with `proof`. */
async function signedToken(info: TokenChange["info"] = {}, proof = bundle): Promise<Bytes> {
  const token = await authority.token(digest, { info: { ...INFO, ...info } });
  return withAttachedProof(token, proof);
}

async function verdictOn(token: Bytes, expected = { digest, roots }) {
  const { valid, reason, field, authority: { status } } = await verifyTimestamp(
    nativeCrypto,
    trust,
    parseTimestamp(token),
    expected,
  );
  return { valid, reason, field, authority: status };
}

Deno.test("a token with its proof verifies", async () => {
  assert.deepEqual(await verdictOn(await signedToken()), {
    valid: true,
    reason: undefined,
    field: undefined,
    authority: "verified",
  });
});

/** What a thief of the authority's key can sign, with the proof of the genuine token. */
const FORGED: readonly (readonly [what: string, info: TokenChange["info"], field: string])[] = [
  ["an earlier time", { genTime: der.generalizedTime("20261121115959Z") }, "gen_time"],
  ["a later time", { genTime: der.generalizedTime("20261121120001Z") }, "gen_time"],
  ["a fraction of a second", { genTime: der.generalizedTime("20261121120000.5Z") }, "gen_time"],
  ["another accuracy", { accuracy: der.sequence(der.integer(1)) }, "accuracy"],
  ["no accuracy", { accuracy: new Uint8Array() }, "accuracy"],
  ["another sequence", { serial: der.integer(BigInt(sequence + 1) << 64n) }, "serial_number"],
  ["a small serial number", { serial: der.integer(7) }, "serial_number"],
  [
    "a negative serial number",
    { serial: der.value(0x02, Uint8Array.of(0x80)) },
    "serial_number",
  ],
];

for (const [what, info, field] of FORGED) {
  Deno.test(`the authority's signature of ${what} is not attested`, async () => {
    assert.deepEqual(await verdictOn(await signedToken(info)), {
      valid: false,
      reason: "field_mismatch",
      field,
      authority: "verified",
    });
  });
}

Deno.test("a token without a proof is not attested", async () => {
  const token = await authority.token(digest, { info: INFO });
  const { valid, reason, authority: status } = await verdictOn(token);
  assert.deepEqual([valid, reason, status], [false, "attestation_missing", "verified"]);
});

Deno.test("the proof of another content, and one of too few witnesses, do not count", async () => {
  const other = home.attest("a".repeat(64));
  const few = home.attest(hexOf(digest), TIME, [0]);
  assert.equal((await verdictOn(await signedToken({}, other.bundle))).reason, "hash_mismatch");
  const serial = der.integer(BigInt(few.sequence) << 64n);
  assert.equal(
    (await verdictOn(await signedToken({ serial }, few.bundle))).reason,
    "threshold_not_met",
  );
});

Deno.test("the content is compared first", async () => {
  const { reason, field } = await verdictOn(await signedToken(), {
    digest: new Uint8Array(32),
    roots,
  });
  assert.deepEqual([reason, field], ["hash_mismatch", "message_imprint"]);
});

Deno.test("a proof does not make up for a signature that is not the authority's", async () => {
  const token = await signedToken();
  const signature = readDer(token, "token").children[1]!.children[0]!.children.at(-1)!
    .children[0]!.children[5]!.contents;
  // A view of the token.
  signature[signature.length - 1]! ^= 1;
  const { reason, authority: status } = await verdictOn(token);
  assert.deepEqual([reason, status], ["authority_refused", "refused"]);
});

Deno.test("without a root the authority is not checked, and under another one it is refused", async () => {
  const token = await signedToken();
  assert.equal((await verdictOn(token, { digest, roots: [] })).authority, "not_checked");
  const other = await issue(await testKey("P-256", "other root"), undefined, {
    subject: nameOf("Root"),
    extensions: [EXTENSIONS.authority()],
  });
  const { reason } = await verdictOn(token, {
    digest,
    roots: [readCertificate(other.der, "root")],
  });
  assert.equal(reason, "authority_refused");
});

Deno.test("a certificate with a second purpose signs no token", async () => {
  const signer = await issue(await testKey("P-256", "two purposes"), authority.intermediate, {
    subject: nameOf("Two"),
    extensions: [EXTENSIONS.purposes([TIME_STAMPING, "1.3.6.1.5.5.7.3.3"])],
  });
  const token = await authority.token(digest, { info: INFO, signer });
  assert.equal((await verdictOn(withAttachedProof(token, bundle))).reason, "authority_refused");
});

const isRefused = (error: unknown) => hasCode(error, "timestamp_refused");

/** A proof in an attribute, with a version and any number of values. */
function proofAttribute(version: number, count: number): Bytes {
  const value = der.sequence(der.integer(version), der.octets(utf8(bundle)));
  return attribute(PROOF_ATTRIBUTE, ...Array<Bytes>(count).fill(value));
}

for (
  const [what, unsigned] of [
    ["version 2", [proofAttribute(2, 1)]],
    ["two values", [proofAttribute(1, 2)]],
    ["no value", [proofAttribute(1, 0)]],
    ["two attributes", [proofAttribute(1, 1), proofAttribute(1, 1)]],
    ["another structure", [attribute(PROOF_ATTRIBUTE, der.octets(utf8(bundle)))]],
  ] as const
) {
  Deno.test(`a proof in ${what} is unreadable`, async () => {
    const token = await authority.token(digest, { info: INFO, unsigned });
    assert.throws(() => parseTimestamp(token), isRefused);
  });
}

Deno.test("a proof replaces the one before, and other unsigned attributes stay", async () => {
  const other = attribute("1.2.3.4", der.integer(5));
  const token = await authority.token(digest, { info: INFO, unsigned: [other] });
  const once = withAttachedProof(token, "first");
  const twice = withAttachedProof(once, bundle);
  assert.ok(hexOf(twice).includes(hexOf(other)));
  assert.ok(!hexOf(twice).includes(hexOf(utf8("first"))));
  assert.equal((await verdictOn(twice)).valid, true);
  assert.deepEqual(withAttachedProof(twice, bundle), twice);
});

Deno.test("a reply and its token are read alike, and a reply stays a reply", async () => {
  const token = await signedToken();
  const reply = encodeGranted(token);
  for (const bytes of [token, reply]) {
    assert.ok(isTimestamp(bytes));
    assert.deepEqual(tokenIn(bytes), token);
    const replaced = withProofIn(bytes, "other");
    assert.deepEqual(tokenIn(replaced), withAttachedProof(token, "other"));
    assert.equal(tokenIn(replaced) === replaced, bytes === token);
  }
  const rejected = encodeRejection("badAlg", "The hash must be SHA-256");
  assert.ok(rejected[1]! < 0x80 && isTimestamp(rejected));
  assert.throws(() => parseTimestamp(rejected), /answered rejection, badAlg, The hash must/);
  for (const text of ["{}", "c2sp.org/tlog-proof@v1\n", "0 \n", "0b0d3 ", "0"]) {
    assert.equal(isTimestamp(utf8(text)), false);
  }
  assert.throws(() => parseTimestamp(concat(token, Uint8Array.of(0))), isRefused);
  assert.throws(() => parseTimestamp(encodeDer(TAG.sequence)), isRefused);
});

Deno.test("a damaged proof of a genuine token is no verdict but an error", async () => {
  const token = await signedToken({}, `${bundle} `.replace("{", "["));
  await assert.rejects(
    verdictOn(token),
    (error) => hasCode(error, "malformed_bundle"),
  );
});
