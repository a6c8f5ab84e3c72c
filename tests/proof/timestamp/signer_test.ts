/**
 * Who signed a token, under which certificate and by which algorithm: one defect each is refused for
 * that defect, and the same tokens without it verify.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Bytes, concat } from "../../../src/base/bytes.ts";
import { readDer } from "../../../src/proof/timestamp/der.ts";
import * as der from "./der.ts";
import { assertFailed, authority, DIGEST, verdictOn } from "./fixture.ts";
import {
  attribute,
  referenceV2,
  signerExtensions,
  signingCertificateOf,
  signingCertificateV1,
  signingCertificateV2,
  TestAuthority,
  type TokenChange,
} from "./test_authority.ts";
import { EXTENSIONS, GENERAL_NAME, issue, nameOf } from "./test_certificates.ts";
import { pssAlgorithm, testKey } from "./test_keys.ts";

const { signer, intermediate, root } = authority;
/** The same name, serial number and key as the signer's, under another certificate. */
const twin = await issue(signer.key, intermediate, {
  subject: signer.subject,
  serial: 3,
  notAfter: "390101000000Z",
  extensions: signerExtensions(),
});
const rsa = await TestAuthority.create("RSA");
const subjectKey = Uint8Array.of(1, 2, 3);
const keyed = await issue(signer.key, intermediate, {
  subject: nameOf("Stamps"),
  serial: 9,
  extensions: [...signerExtensions(), EXTENSIONS.subjectKey(subjectKey)],
});

/** A change of the signing certificate attribute. */
async function referring(...attributes: readonly (Promise<Bytes> | Bytes)[]): Promise<TokenChange> {
  const found = await Promise.all(attributes);
  return {
    attributes: ({ contentType, messageDigest }) => [contentType, messageDigest, ...found],
  };
}

Deno.test("every form of the signing certificate attribute verifies", async () => {
  const full = await referenceV2(signer, { hash: "SHA-512" });
  for (
    const change of [
      await referring(signingCertificateV1(signer)),
      await referring(signingCertificateV1(signer), signingCertificateV2(full)),
      await referring(signingCertificateV2(await referenceV2(signer, { like: null }))),
      await referring(signingCertificateV2(full, await referenceV2(intermediate))),
      await referring(signingCertificateV1(signer, intermediate, root)),
    ]
  ) {
    assert.equal((await verdictOn(await authority.token(DIGEST, change))).status, "verified");
  }
});

type Defect = readonly [name: string, change: TokenChange, reason: RegExp];

const DEFECTS: readonly Defect[] = [
  ["a version that goes with a key", { signerVersion: 3 }, /version does not match its identifier/],
  [
    "a version that begins like one",
    { signerVersion: 256 },
    /version does not match its identifier/,
  ],
  [
    "a key that no certificate has",
    { signerId: der.implicit(0, subjectKey), signerVersion: 3 },
    /lacks its signer's certificate/,
  ],
  [
    "a number that no certificate has",
    { signerId: der.sequence(signer.issuer, der.integer(4)) },
    /lacks its signer's certificate/,
  ],
  ["no signed attributes", { hasNoAttributes: true }, /no signed attributes/],
  [
    "no content type",
    { attributes: ({ messageDigest, signingCertificate }) => [messageDigest, signingCertificate] },
    /attribute 1\.2\.840\.113549\.1\.9\.3 has no value/,
  ],
  [
    "no message digest",
    { attributes: ({ contentType, signingCertificate }) => [contentType, signingCertificate] },
    /attribute 1\.2\.840\.113549\.1\.9\.4 has no value/,
  ],
  [
    "no signing certificate",
    { attributes: ({ contentType, messageDigest }) => [contentType, messageDigest] },
    /no signing certificate attribute/,
  ],
  [
    "another content type in its attributes",
    {
      attributes: ({ messageDigest, signingCertificate }) => [
        attribute("1.2.840.113549.1.9.3", der.objectId("1.2.840.113549.1.7.1")),
        messageDigest,
        signingCertificate,
      ],
    },
    /signed content type is not TSTInfo/,
  ],
  [
    "another message digest",
    {
      attributes: ({ contentType, signingCertificate }) => [
        contentType,
        attribute("1.2.840.113549.1.9.4", der.octets(new Uint8Array(32))),
        signingCertificate,
      ],
    },
    /its message digest is wrong/,
  ],
  [
    "two message digests",
    {
      attributes: ({ contentType, signingCertificate }) => [
        contentType,
        attribute("1.2.840.113549.1.9.4", der.octets(DIGEST), der.octets(new Uint8Array(32))),
        signingCertificate,
      ],
    },
    /9\.4 has several values/,
  ],
  [
    "an attribute twice",
    {
      attributes: (good) => [
        ...Object.values(good),
        attribute("1.2.3.4", der.none()),
        attribute("1.2.3.4", der.integer(1)),
      ],
    },
    /attribute 1\.2\.3\.4 occurs twice/,
  ],
  [
    "the same attribute twice",
    { attributes: (good) => [...Object.values(good), good.contentType] },
    /not in ascending order/,
  ],
  [
    "a message digest that is none",
    {
      attributes: ({ contentType, signingCertificate }) => [
        contentType,
        attribute("1.2.840.113549.1.9.4", der.integer(1)),
        signingCertificate,
      ],
    },
    /message digest is invalid/,
  ],
  [
    "attributes in another order",
    {
      isUnordered: true,
      attributes: ({ contentType, messageDigest, signingCertificate }) => [
        signingCertificate,
        messageDigest,
        contentType,
      ],
    },
    /not in ascending order/,
  ],
  [
    "a signature algorithm of another key",
    { signatureAlgorithm: rsa.signer.key.algorithm },
    /not an RSA key/,
  ],
  [
    "a signature algorithm with another hash",
    { signatureAlgorithm: der.sequence(der.objectId("1.2.840.10045.4.3.4")) },
    /signed with SHA-512 but digested with SHA-256/,
  ],
  [
    "a signature with SHA-1",
    { signatureAlgorithm: der.sequence(der.objectId("1.2.840.10045.4.1")) },
    /1\.2\.840\.10045\.4\.1 is not RSA or ECDSA with SHA-256/,
  ],
  [
    "an algorithm with parameters",
    { signatureAlgorithm: der.sequence(der.objectId("1.2.840.10045.4.3.2"), der.none()) },
    /1\.2\.840\.10045\.4\.3\.2 has parameters/,
  ],
  [
    "a signature algorithm of Edwards curves",
    { hash: "SHA-512", signatureAlgorithm: der.sequence(der.objectId("1.3.101.112")) },
    /1\.3\.101\.112 is not RSA or ECDSA with SHA-256/,
  ],
  ["a message digest by SHA-1", { hash: "SHA-1" }, /is not SHA-256, SHA-384 or SHA-512/],
];

for (const [name, change, reason] of DEFECTS) {
  Deno.test(`a token with ${name} fails`, async () => {
    assertFailed(await verdictOn(await authority.token(DIGEST, change)), reason);
  });
}

Deno.test("a token that references another certificate fails", async () => {
  const v2 = (...references: readonly Bytes[]) => signingCertificateV2(...references);
  const good = await referenceV2(signer);
  const others: readonly (readonly [TokenChange, RegExp])[] = [
    [await referring(v2(await referenceV2(intermediate))), /names another certificate/],
    [await referring(v2(await referenceV2(twin))), /names another certificate/],
    [await referring(v2(await referenceV2(signer, { like: keyed }))), /names another certificate/],
    [await referring(v2(await referenceV2(intermediate), good)), /names another certificate/],
    [await referring(v2(good), signingCertificateV1(twin)), /names another certificate/],
    [await referring(v2()), /it names no certificate/],
    [await referring(v2(await referenceV2(signer, { hash: "SHA-1" }))), /is not SHA-256, SHA-384/],
    [await referring(v2(good, await referenceV2(twin))), /references a certificate off its path/],
    // Attributes of another shape.
    [await referring(signingCertificateOf(der.integer(1))), /its members are not/],
    [await referring(signingCertificateOf(der.sequence())), /its members are not/],
    [
      await referring(signingCertificateOf(der.sequence(der.sequence(good), der.none()))),
      /its members are not/,
    ],
    [
      await referring(
        signingCertificateOf(
          der.sequence(der.sequence(good), der.sequence(), der.sequence()),
        ),
      ),
      /its members are not/,
    ],
    [await referring(v2(der.sequence())), /its members are not/],
    [
      await referring(v2(der.sequence(der.octets(DIGEST), der.sequence(), der.none()))),
      /its members are not/,
    ],
    [
      await referring(v2(der.sequence(der.octets(DIGEST), der.sequence(der.sequence())))),
      /its members are not/,
    ],
  ];
  const names = (...members: readonly Bytes[]) => der.sequence(...members);
  const directory = GENERAL_NAME.directory(signer.issuer);
  for (
    const issuerSerial of [
      der.sequence(names(directory, directory), signer.serial),
      der.sequence(names(GENERAL_NAME.domain("tsa.example")), signer.serial),
      der.sequence(names(), signer.serial),
      der.sequence(names(directory), der.none()),
      der.sequence(names(directory), signer.serial, der.none()),
      der.sequence(names(directory)),
    ]
  ) {
    const reference = der.sequence(der.octets(DIGEST), issuerSerial);
    const change = await referring(v2(reference));
    assertFailed(
      await verdictOn(await authority.token(DIGEST, change)),
      /its members are not/,
    );
  }
  for (const [change, reason] of others) {
    assertFailed(await verdictOn(await authority.token(DIGEST, change)), reason);
  }
});

Deno.test("an RSA signer may take the hash of the digest algorithm", async () => {
  const plain = der.sequence(der.objectId("1.2.840.113549.1.1.1"), der.none());
  const token = await rsa.token(DIGEST, { signatureAlgorithm: plain });
  assert.equal((await verdictOn(token)).status, "verified");
  const sha1 = der.sequence(der.objectId("1.2.840.113549.1.1.5"), der.none());
  assertFailed(
    await verdictOn(await rsa.token(DIGEST, { signatureAlgorithm: sha1 })),
    /1\.2\.840\.113549\.1\.1\.5 is not RSA or ECDSA with SHA-256/,
  );
});

Deno.test("RSASSA-PSS uses one hash function and the stated salt length", async () => {
  const pss = await TestAuthority.create("RSA-PSS");
  assert.equal((await verdictOn(await pss.token(DIGEST))).status, "verified");
  for (
    const [algorithm, reason] of [
      [pssAlgorithm("SHA-256", "SHA-512", 32), /MGF1 does not use SHA-256/],
      [pssAlgorithm("SHA-256", "SHA-256", 31), /its signature is invalid/],
      [pssAlgorithm("SHA-512", "SHA-512", 32), /signed with SHA-512 but digested with SHA-256/],
      [pssAlgorithm("SHA-1", "SHA-1", 20), /is not SHA-256, SHA-384 or SHA-512/],
      [
        pssAlgorithm("SHA-256", "SHA-256", 32, { mask: "1.2.3" }),
        /mask generation 1\.2\.3 is not MGF1/,
      ],
      [pssAlgorithm("SHA-256", "SHA-256", 32, { trailer: 2 }), /has a trailer field/],
      [pssAlgorithm("SHA-256", "SHA-256", 20), /encodes a default/],
      [der.sequence(der.objectId("1.2.840.113549.1.1.10")), /RSASSA-PSS has no parameters/],
    ] as const
  ) {
    const token = await pss.token(DIGEST, { signatureAlgorithm: algorithm });
    assertFailed(await verdictOn(token), reason);
  }
});

Deno.test("an elliptic curve algorithm needs a key on a known curve", async () => {
  const ecdsa = der.sequence(der.objectId("1.2.840.10045.4.3.2"));
  assertFailed(
    await verdictOn(await rsa.token(DIGEST, { signatureAlgorithm: ecdsa })),
    /not on P-256, P-384 or P-521/,
  );
  // The last byte of the key is one of a coordinate.
  const spki = signer.key.spki.slice();
  spki[spki.length - 1]! ^= 1;
  const beside = await issue({ ...signer.key, spki }, intermediate, {
    subject: signer.subject,
    extensions: signerExtensions(),
  });
  assertFailed(
    await verdictOn(await authority.token(DIGEST, { signer: beside })),
    /the public key is invalid/,
  );
});

Deno.test("a key with explicit curve parameters, and one that is not an uncompressed point, are refused", async () => {
  const point = signer.key.spki.slice(-65);
  const curve = (parameters: Bytes) => der.sequence(der.objectId("1.2.840.10045.2.1"), parameters);
  const verdictWith = async (algorithm: Bytes, key: Bytes) => {
    const spki = der.sequence(algorithm, der.bits(key));
    const certificate = await issue({ ...signer.key, spki }, intermediate, {
      subject: signer.subject,
      extensions: signerExtensions(),
    });
    return await verdictOn(await authority.token(DIGEST, { signer: certificate }));
  };
  const named = curve(der.objectId("1.2.840.10045.3.1.7"));
  assert.equal((await verdictWith(named, point)).status, "verified");
  assertFailed(
    await verdictWith(curve(der.sequence(der.integer(1))), point),
    /not on P-256, P-384 or P-521/,
  );
  const sign = point.at(-1)! & 1;
  const compressed = concat(Uint8Array.of(0x02 | sign), point.subarray(1, 33));
  assertFailed(await verdictWith(named, compressed), /not an uncompressed point/);
  const hybrid = concat(Uint8Array.of(0x06 | sign), point.subarray(1));
  assertFailed(await verdictWith(named, hybrid), /not an uncompressed point/);
});

Deno.test("an ECDSA signature is two positive integers that fit the curve", async () => {
  const signedBy = async (change: (r: Bytes, s: Bytes) => Bytes) => {
    const sign = async (message: Bytes) => {
      const [r, s] = readDer(await signer.key.sign(message), "signature").children;
      return change(r!.bytes.slice(), s!.bytes.slice());
    };
    return await verdictOn(
      await authority.token(DIGEST, { signer: { ...signer, key: { ...signer.key, sign } } }),
    );
  };
  assert.equal((await signedBy((r, s) => der.sequence(r, s))).status, "verified");
  const tooLong = der.value(0x02, Uint8Array.of(1), new Uint8Array(32));
  const negative = (number: Bytes) => der.value(0x02, Uint8Array.of(0xff), number.slice(-32));
  for (
    const change of [
      (r: Bytes, s: Bytes) => der.set(r, s),
      (r: Bytes, s: Bytes) => der.sequence(r, s, s),
      (r: Bytes) => der.sequence(r),
      (r: Bytes, s: Bytes) => der.sequence(der.value(0x04, r.slice(2)), s),
      (_: Bytes, s: Bytes) => der.sequence(tooLong, s),
      (r: Bytes) => der.sequence(r, tooLong),
      (_: Bytes, s: Bytes) => der.sequence(der.value(0x02, Uint8Array.of(0x80)), s),
      (r: Bytes) => der.sequence(r, der.integer(0)),
    ]
  ) assertFailed(await signedBy(change), /its signature is invalid/);
  // Refused either as no DER or as no signature, by what bytes follow the sign.
  assertFailed(await signedBy((r, s) => der.sequence(negative(r), s)), /Cannot (read|verify)/);
});

Deno.test("a signer's RSA key of 1024 bits is refused", async () => {
  const weak = await TestAuthority.create("RSA-1024");
  assertFailed(await verdictOn(await weak.token(DIGEST)), /1024 bits is below 2048/);
});

Deno.test("a signature of another token or key fails", async () => {
  const other = await issue(await testKey("P-256", "another"), intermediate, {
    subject: signer.subject,
    serial: 3,
    extensions: signerExtensions(),
  });
  const forged = { ...signer, key: other.key };
  assertFailed(
    await verdictOn(await authority.token(DIGEST, { signer: forged })),
    /its signature is invalid/,
  );
});
