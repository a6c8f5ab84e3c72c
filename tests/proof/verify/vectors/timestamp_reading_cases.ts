/**
 * Time-stamp tokens that cannot be read (R1). The authority has signed whatever a case changes, where it
 * can.
 *
 * @module
 */

import { type Bytes, concat, fromHex, utf8 } from "../../../../src/base/bytes.ts";
import * as der from "../../timestamp/der.ts";
import {
  attribute,
  imprintOf,
  NOTHING,
  referenceV2,
  replyOf,
  signingCertificateOf,
  signingCertificateV2,
  type TestAuthority,
} from "../../timestamp/test_authority.ts";
import { issue, nameOf } from "../../timestamp/test_certificates.ts";
import { hashAlgorithm } from "../../timestamp/test_keys.ts";
import type { TestLog } from "../test_log.ts";
import { digest, ecKey } from "./authority_keys.ts";
import type { MakeCase } from "./timestamp_cases.ts";
import {
  AT,
  ATTACHED_PROOF,
  CONTENT,
  ENTRY,
  proofAttribute,
  replaced,
  stampBy,
  type StampChange,
  withLongLength,
  withMembers,
  withoutLength,
} from "./timestamp_tokens.ts";
import type { Vector } from "./vector.ts";

const DATA = "1.2.840.113549.1.7.1";

/** Values that are not DER, or beyond the limits of R1. */
const NOT_DER: readonly (readonly [string, Bytes])[] = [
  ["a boolean of 5", fromHex("010105")],
  ["an integer without a byte", fromHex("0200")],
  ["a bit string with 8 unused bits", fromHex("03020880")],
  ["a bit string whose unused bit is set", fromHex("03020101")],
  ["a bit string without a byte", fromHex("0300")],
  ["a null with a byte", fromHex("050100")],
  ["an identifier without a byte", fromHex("0600")],
  ["an identifier that ends within an arc", fromHex("06022a86")],
  ["an identifier with an arc that begins with a zero", fromHex("06032a8001")],
  ["an identifier of 65 bytes", der.value(0x06, new Uint8Array(65).fill(1))],
  ["a type that tokens do not have", fromHex("090100")],
  ["a constructed octet string", fromHex("24030401aa")],
  ["a tag number above 30", fromHex("1f1f00")],
  ["25 levels more", nested(25)],
  ["8,000 values more", der.sequence(...Array.from({ length: 8_000 }, () => der.none()))],
];

function nested(levels: number): Bytes {
  return levels === 0 ? der.none() : der.sequence(nested(levels - 1));
}

export async function malformedTokenCases(
  make: MakeCase,
  authority: TestAuthority,
  log: TestLog,
): Promise<Vector[]> {
  const stamp = (change?: StampChange) => stampBy(authority, log, change);
  const good = await stamp();
  const text = JSON.stringify(log.bundle(ENTRY["SHA-256"]));
  const old = await issue(ecKey("P-256", "old"), undefined, { subject: nameOf("Old"), version: 0 });
  const unsigned = (...attributes: readonly Bytes[]): StampChange => ({ unsigned: attributes });
  const many = Array.from({ length: 17 }, () => authority.signer.der);
  const sha256 = digest("SHA-256", utf8(CONTENT));
  const weakReference = der.sequence(
    hashAlgorithm("SHA-1"),
    der.octets(digest("SHA-1", authority.signer.der)),
  );
  const reference = await referenceV2(authority.signer);
  const referring = (signingCertificate: Bytes): StampChange => ({
    attributes: ({ contentType, messageDigest }) => [
      contentType,
      messageDigest,
      signingCertificate,
    ],
  });
  const accuracy = (...members: readonly Bytes[]): StampChange => ({
    info: { accuracy: der.sequence(...members) },
  });
  const extension = der.sequence(der.objectId("1.2.3.4"), der.octets(sha256));
  const extensions = (...all: readonly Bytes[]): StampChange => ({
    info: { extensions: der.explicit(1, ...all) },
  });
  const genTime = (value: Bytes): StampChange => ({ info: { genTime: value } });

  const further = (change: (der: Bytes) => Bytes): Bytes =>
    withMembers(good, AT.certificates, (all) => [...all, change(authority.intermediate.der)]);
  const newer = await issue(ecKey("P-256", "old"), undefined, {
    subject: nameOf("Old"),
    version: 1,
  });
  const moment = der.generalizedTime("20300101000000.5Z");
  const certificates: readonly (readonly [string, Bytes])[] = [
    [
      "a certificate with a further member",
      further((certificate) => withMembers(certificate, [], (all) => [...all, der.none()])),
    ],
    [
      "a certificate with a member after its extensions",
      further((certificate) => withMembers(certificate, [0], (all) => [...all, der.none()])),
    ],
    [
      "a certificate with three times",
      further((certificate) => withMembers(certificate, [0, 4], (all) => [...all, all[1]!])),
    ],
    [
      "a certificate that ends within a second",
      further((certificate) => replaced(certificate, [0, 4, 1], () => moment)),
    ],
    [
      "a certificate whose signature is not of whole bytes",
      further((certificate) => replaced(certificate, [2], () => der.bits(Uint8Array.of(0x80), 7))),
    ],
    ["a certificate of version 2", further(() => newer.der)],
  ];

  const bytes: readonly (readonly [string, Bytes])[] = [
    ["no byte", new Uint8Array()],
    ["a byte after it", concat(good, Uint8Array.of(0))],
    ["a missing byte", good.subarray(0, -1)],
    ["an indefinite length", withoutLength(good)],
    ["a length with a leading zero", withLongLength(good)],
    ["a long length below 128", replaced(good, [0], () => fromHex("0681092a864886f70d010702"))],
    ["a member after its content", withMembers(good, [], (all) => [...all, der.none()])],
    ["a member after its signers", withMembers(good, AT.signedData, (all) => [...all, der.set()])],
    [
      "a member after its unsigned attributes",
      withMembers(good, AT.signer, (all) => [
        ...all,
        der.none(),
      ]),
    ],
    ["a member after its TSTInfo", withMembers(good, AT.content, (all) => [...all, der.none()])],
    ["a member after the status of a reply", replyOf(0, [der.none()], good)],
    ...certificates,
    ["two signers", await stamp({ signerCount: 2 })],
    ["no signer", await stamp({ signerCount: 0 })],
    ["no signed attributes", await stamp({ hasNoAttributes: true })],
    [
      "a certificate that is none",
      withMembers(good, AT.certificates, (all) => [
        ...all,
        der.sequence(der.integer(1)),
      ]),
    ],
    ["a certificate of version 1", withMembers(good, AT.certificates, (all) => [...all, old.der])],
    ["17 certificates", await stamp({ certificates: many })],
    ["a reply that rejects", replyOf(2, [], NOTHING)],
    ["a reply that rejects, with a token", replyOf(2, [], good)],
    ["a reply that asks to wait", replyOf(3, [], NOTHING)],
    ["a reply that grants nothing", replyOf(0, [], NOTHING)],
    ["a reply with a text that is a number", replyOf(0, [der.sequence(der.integer(1))], good)],
    ["a reply with two tokens", withMembers(replyOf(0, [], good), [], (all) => [...all, good])],
  ];
  const changes: readonly (readonly [string, StampChange])[] = [
    ["another content type", { contentType: DATA }],
    ["another type of its content", { infoType: DATA }],
    ["version 2", { version: 2 }],
    ["a signer of version 3 without a key identifier", { signerVersion: 3 }],
    ["a signer of version 2", { signerVersion: 2 }],
    ["a digest algorithm that is not listed", { digestAlgorithms: [hashAlgorithm("SHA-512")] }],
    ["signed attributes out of order", {
      attributes: ({ contentType, messageDigest, signingCertificate }) => [
        signingCertificate,
        messageDigest,
        contentType,
      ],
      isUnordered: true,
    }],
    ["no content type", {
      attributes: ({ messageDigest, signingCertificate }) => [messageDigest, signingCertificate],
    }],
    ["another signed content type", {
      attributes: (attributes) => [
        attribute("1.2.840.113549.1.9.3", der.objectId(DATA)),
        attributes.messageDigest,
        attributes.signingCertificate,
      ],
    }],
    ["no message digest", {
      attributes: ({ contentType, signingCertificate }) => [contentType, signingCertificate],
    }],
    ["a message digest twice", {
      attributes: (attributes) => [
        ...Object.values(attributes),
        attribute("1.2.840.113549.1.9.4", der.octets(sha256)),
      ],
    }],
    ["no signing certificate", {
      attributes: ({ contentType, messageDigest }) => [contentType, messageDigest],
    }],
    ["a signing certificate attribute without a certificate", {
      attributes: ({ contentType, messageDigest }) => [
        contentType,
        messageDigest,
        signingCertificateV2(),
      ],
    }],
    ["an ESSCertIDv2 of SHA-1", {
      attributes: ({ contentType, messageDigest }) => [
        contentType,
        messageDigest,
        signingCertificateV2(weakReference),
      ],
    }],
    [
      "an ESSCertIDv2 with a further member",
      referring(
        signingCertificateV2(der.sequence(der.octets(sha256), der.none())),
      ),
    ],
    [
      "a signing certificate attribute with a further member",
      referring(
        signingCertificateOf(der.sequence(der.sequence(reference), der.sequence(), der.none())),
      ),
    ],
    ["a member after its last one in TSTInfo", { info: { extensions: der.none() } }],
    ["an imprint with a further member", {
      info: { imprint: der.sequence(hashAlgorithm("SHA-256"), der.octets(sha256), der.none()) },
    }],
    ["an accuracy with a further member", accuracy(der.integer(60), der.none())],
    [
      "another unsigned attribute with a further member",
      unsigned(
        proofAttribute(text),
        der.sequence(der.objectId("1.2.3.4"), der.set(), der.none()),
      ),
    ],
    ["a TSTInfo of version 2", { info: { version: der.integer(2) } }],
    ["a critical extension", {
      info: {
        extensions: der.explicit(
          1,
          der.sequence(der.objectId("1.2.3.4"), der.boolean(true), der.octets(utf8("x"))),
        ),
      },
    }],
    ["an imprint of SHA-1", {
      info: { imprint: imprintOf(digest("SHA-1", utf8(CONTENT)), hashAlgorithm("SHA-1")) },
    }],
    ["an imprint of another length", { info: { imprint: imprintOf(sha256.subarray(1)) } }],
    ["a time without seconds", genTime(der.generalizedTime("202611211200Z"))],
    ["a time with an offset", genTime(der.generalizedTime("20261121120000+0000"))],
    ["a fraction that ends with a zero", genTime(der.generalizedTime("20261121120000.50Z"))],
    ["a time on 30 February", genTime(der.generalizedTime("20260230120000Z"))],
    ["a UTCTime", genTime(der.utcTime("261121120000Z"))],
    ["a time before 1970", genTime(der.generalizedTime("19691231235959Z"))],
    ["an accuracy of 0 ms", accuracy(der.integer(60), der.implicit(0, Uint8Array.of(0)))],
    ["an accuracy of 1000 ms", accuracy(der.integer(59), der.implicit(0, fromHex("03e8")))],
    ["a negative accuracy", accuracy(der.value(0x02, Uint8Array.of(0xff)))],
    ["an integer that is not in its shortest form", {
      info: { serial: der.value(0x02, fromHex("0006123456789abcdef0")) },
    }],
    ["two proofs", unsigned(proofAttribute(text), proofAttribute(text))],
    [
      "a proof with two values",
      unsigned(withMembers(proofAttribute(text), [1], ([value]) => [
        value!,
        value!,
      ])),
    ],
    ["a proof without a value", unsigned(attribute(ATTACHED_PROOF))],
    ["a proof of version 2", unsigned(proofAttribute(text, { version: 2 }))],
    ["a proof with a further member", unsigned(proofAttribute(text, { more: [der.none()] }))],
    ["a proof that is only a text", unsigned(attribute(ATTACHED_PROOF, der.octets(utf8(text))))],
    [
      "a proof whose version has a leading zero",
      unsigned(
        replaced(proofAttribute(text), [1, 0, 0], () => fromHex("02020001")),
      ),
    ],
    ...NOT_DER.map(([name, value]) =>
      [
        `another unsigned attribute with ${name}`,
        unsigned(proofAttribute(text), attribute("1.2.3.4", value)),
      ] as const
    ),
    ["an accuracy above 32 bits", accuracy(der.integer(2n ** 32n))],
    ["a second 60", genTime(der.generalizedTime("20261121120060Z"))],
    ["an extension twice", extensions(extension, extension)],
    [
      "an extension that writes a default",
      extensions(
        der.sequence(der.objectId("1.2.3.4"), der.boolean(false), der.octets(sha256)),
      ),
    ],
    [
      "an extension with a further member",
      extensions(
        der.sequence(der.objectId("1.2.3.4"), der.octets(sha256), der.none()),
      ),
    ],
    ["a digest algorithm with a further member", {
      digestAlgorithms: [
        hashAlgorithm("SHA-256"),
        der.sequence(der.objectId("1.2.3.4"), der.none(), der.none()),
      ],
    }],
  ];
  const made = await Promise.all(
    changes.map(async ([name, change]) => [name, await stamp(change)] as const),
  );
  return [...bytes, ...made].map(([name, token]) =>
    make(`unreadable: ${name}`, token, { rules: ["R1"] })
  );
}
