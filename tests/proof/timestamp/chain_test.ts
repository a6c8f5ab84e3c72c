/**
 * Chains with one defect each are refused for that defect, and the same chains without it hold.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Bytes } from "../../../src/base/bytes.ts";
import * as der from "./der.ts";
import { assertFailed } from "./fixture.ts";
import { signerExtensions } from "./test_authority.ts";
import {
  DIGITAL_SIGNATURE,
  extension,
  EXTENSIONS,
  GENERAL_NAME,
  KEY_CERT_SIGN,
  nameOf,
  TIME_STAMPING,
} from "./test_certificates.ts";
import { AUTHORITY, type ChainChange, chainOf, verdictOf } from "./test_chain.ts";

const CODE_SIGNING = "1.3.6.1.5.5.7.3.3";
const ANY_PURPOSE = "2.5.29.37.0";
const critical = extension("1.2.3.4", der.none(), true);

const { keyUsage, purposes, authority: basic, nameConstraints, alternativeNames } = EXTENSIONS;
const usual = keyUsage(DIGITAL_SIGNATURE);
const stamping = purposes([TIME_STAMPING]);
const extended = (...more: readonly Bytes[]) => ({ extensions: [...AUTHORITY, ...more] });
const signing = (...more: readonly Bytes[]) => ({ extensions: [...signerExtensions(), ...more] });
const directory = (name: Bytes) => GENERAL_NAME.directory(name);
/** A Name of the organization alone, which begins every other name here. */
const organization = der.sequence(
  der.set(der.sequence(der.objectId("2.5.4.10"), der.text("Test"))),
);
const key = (...bytes: readonly number[]) => Uint8Array.from(bytes);
/** The organization, an address, and nothing else. */
const addressed = der.sequence(
  der.set(der.sequence(der.objectId("1.2.840.113549.1.9.1"), der.text("a@tsa.example"))),
);

const GOOD: readonly (readonly [name: string, change: ChainChange])[] = [
  ["no change", {}],
  ["a path length that just suffices", {
    root: { extensions: [basic(1), keyUsage(KEY_CERT_SIGN)] },
    intermediate: { extensions: [basic(0), keyUsage(KEY_CERT_SIGN)] },
  }],
  ["no key usage", {
    root: { extensions: [basic()] },
    intermediate: { extensions: [basic()] },
    signer: { extensions: [stamping] },
  }],
  ["the key usage nonRepudiation", { signer: { extensions: [keyUsage(0xc0), stamping] } }],
  ["authorities for time stamping", { intermediate: extended(stamping) }],
  ["authorities for every purpose", { intermediate: extended(purposes([ANY_PURPOSE], false)) }],
  ["validity that ends in that second", { signer: { notAfter: "261121120000Z" } }],
  ["validity that begins in that second", { signer: { notBefore: "261121120000Z" } }],
  ["key identifiers", {
    root: extended(EXTENSIONS.subjectKey(key(1))),
    intermediate: extended(EXTENSIONS.authorityKey(key(1)), EXTENSIONS.subjectKey(key(2))),
    signer: signing(EXTENSIONS.authorityKey(key(2))),
  }],
  ["a key identifier of the issuer alone", {
    intermediate: extended(EXTENSIONS.subjectKey(key(2))),
  }],
  ["a key identifier of the signer's issuer alone", {
    signer: signing(EXTENSIONS.authorityKey(key(2))),
  }],
  ["critical policies", {
    signer: signing(
      extension("2.5.29.32", der.sequence(der.sequence(der.objectId("1.2.3"))), true),
    ),
  }],
  ["permitted names", { root: extended(nameConstraints([directory(organization)])) }],
  ["one of two permitted names", {
    root: extended(nameConstraints([directory(nameOf("Other")), directory(organization)])),
  }],
  ["constraints on names that nobody has", {
    root: extended(nameConstraints([GENERAL_NAME.domain("a")], [GENERAL_NAME.address("b")])),
  }],
  ["an extension that nobody knows", { signer: signing(extension("1.2.3.4", der.none())) }],
];

for (const [name, change] of GOOD) {
  Deno.test(`a chain with ${name} holds`, async () => {
    const verdict = await verdictOf(await chainOf(change));
    assert.equal(verdict.status, "verified", JSON.stringify(verdict));
  });
}

const DEFECTS: readonly (readonly [name: string, change: ChainChange, reason: RegExp])[] = [
  // The signer.
  ["no purpose", { signer: { extensions: [usual] } }, /no critical extended key usage/],
  [
    "a purpose that is not critical",
    { signer: { extensions: [usual, purposes([TIME_STAMPING], false)] } },
    /no critical extended key usage/,
  ],
  [
    "another purpose",
    { signer: { extensions: [usual, purposes([CODE_SIGNING])] } },
    /time stamping is not its only purpose: 1\.3\.6\.1\.5\.5\.7\.3\.3$/,
  ],
  [
    "two purposes",
    { signer: { extensions: [usual, purposes([TIME_STAMPING, CODE_SIGNING])] } },
    /time stamping is not its only purpose/,
  ],
  [
    "every purpose",
    { signer: { extensions: [usual, purposes([ANY_PURPOSE])] } },
    /time stamping is not its only purpose/,
  ],
  [
    "a key usage without signing",
    { signer: { extensions: [keyUsage(0x20), stamping] } },
    /signing is not its only key usage/,
  ],
  [
    "a key usage beside signing",
    { signer: { extensions: [keyUsage(0x84), stamping] } },
    /signing is not its only key usage/,
  ],
  [
    "a signer that was not valid any more",
    { signer: { notAfter: "261121115959Z" } },
    /CN=Stamps: it had expired at the token's time/,
  ],
  [
    "a signer that was not valid yet",
    { signer: { notBefore: "261121120001Z" } },
    /CN=Stamps: it was not valid yet at the token's time/,
  ],
  [
    "a key usage of three bytes",
    {
      signer: {
        extensions: [extension("2.5.29.15", der.bits(key(0x80, 0, 1)), true), stamping],
      },
    },
    /not a bit string of at most 16 bits/,
  ],
  [
    "a key usage that is none",
    { signer: { extensions: [extension("2.5.29.15", der.octets(key(0x80)), true), stamping] } },
    /not a bit string of at most 16 bits/,
  ],
  [
    "a critical extension of the signer",
    { signer: signing(critical) },
    /unknown critical extension 1\.2\.3\.4/,
  ],
  ["an extension twice", { signer: signing(usual) }, /extension 2\.5\.29\.15 occurs twice/],
  ["a signer of version 1", { signer: { version: 0, extensions: [] } }, /not of version 3/],
  [
    "a time that is none",
    { signer: { notAfter: "401301000000Z" } },
    /a time is invalid/,
  ],
  [
    "alternative names that are a SET",
    {
      signer: signing(
        extension("2.5.29.17", der.value(0x31, GENERAL_NAME.domain("tsa.example"))),
      ),
    },
    /CN=Stamps: its alternative names are invalid/,
  ],
  [
    "a key identifier of its issuer that is none",
    { signer: signing(extension("2.5.29.35", der.none())) },
    /Cannot read authorityKeyIdentifier/,
  ],
  // Its issuer.
  [
    "an issuer that is no authority",
    { intermediate: { extensions: [keyUsage(KEY_CERT_SIGN)] } },
    /CN=Intermediate: it is not a certificate authority/,
  ],
  [
    "an issuer that says it is none",
    { intermediate: { extensions: [basic(undefined, false), keyUsage(KEY_CERT_SIGN)] } },
    /CN=Intermediate: it is not a certificate authority/,
  ],
  [
    "an issuer without keyCertSign",
    { intermediate: { extensions: [basic(), keyUsage(0x02)] } },
    /CN=Intermediate: its key usage lacks keyCertSign/,
  ],
  [
    "an issuer for another purpose",
    { intermediate: extended(purposes([CODE_SIGNING], false)) },
    /CN=Intermediate: time stamping is not among its purposes/,
  ],
  [
    "an issuer without any purpose",
    { intermediate: extended(purposes([], false)) },
    /CN=Intermediate: time stamping is not among its purposes/,
  ],
  [
    "a negative path length",
    {
      intermediate: {
        extensions: [
          extension("2.5.29.19", der.sequence(der.boolean(true), der.value(0x02, key(0xff))), true),
        ],
      },
    },
    /CN=Intermediate: its path length is below 0/,
  ],
  [
    "an issuer that was not valid any more",
    { intermediate: { notAfter: "261121115959Z" } },
    /CN=Intermediate: it had expired/,
  ],
  [
    "a critical extension of the issuer",
    { intermediate: extended(critical) },
    /unknown critical extension 1\.2\.3\.4/,
  ],
  [
    "a required policy",
    { intermediate: extended(extension("2.5.29.36", der.sequence(), true)) },
    /unknown critical extension 2\.5\.29\.36/,
  ],
  [
    "another key identifier",
    {
      intermediate: extended(EXTENSIONS.subjectKey(key(2))),
      signer: signing(EXTENSIONS.authorityKey(key(3))),
    },
    /CN=Stamps: no issuer leads to a root/,
  ],
  // The root.
  [
    "a root that was not valid any more",
    { root: { notAfter: "261121115959Z" } },
    /CN=Root: it had expired/,
  ],
  [
    "a root that is no authority",
    { root: { extensions: [] } },
    /CN=Root: it is not a certificate authority/,
  ],
  [
    "a path that is too long",
    { root: { extensions: [basic(0), keyUsage(KEY_CERT_SIGN)] } },
    /CN=Root: its path length is below 1/,
  ],
  [
    "a path length beyond all numbers",
    { root: { extensions: [basic(2 ** 80)] } },
    /path length: an integer is out of range/,
  ],
  // Names.
  [
    "a name that is not permitted",
    { root: extended(nameConstraints([directory(nameOf("Intermediate"))])) },
    /CN=Stamps: an issuer does not permit its name/,
  ],
  [
    "an alternative name that is not permitted",
    {
      root: extended(nameConstraints([directory(organization)])),
      signer: signing(alternativeNames(directory(addressed))),
    },
    /CN=Stamps: an issuer does not permit its name/,
  ],
  [
    "excluded directory names",
    { root: extended(nameConstraints([], [directory(nameOf("Other"))])) },
    /an issuer excludes directory names/,
  ],
  [
    "a permitted name without a Name",
    { root: extended(nameConstraints([der.explicit(4)])) },
    /Cannot read nameConstraints/,
  ],
  [
    "a constrained name of another form",
    {
      root: extended(nameConstraints([GENERAL_NAME.domain("example")])),
      signer: signing(alternativeNames(GENERAL_NAME.domain("tsa.example"))),
    },
    /CN=Stamps: an issuer constrains another form of its names/,
  ],
  [
    "a constrained address in its subject",
    {
      root: extended(nameConstraints([], [GENERAL_NAME.address("tsa.example")])),
      signer: { subject: addressed, extensions: signerExtensions() },
    },
    /an issuer constrains another form of its names/,
  ],
];

for (const [name, change, reason] of DEFECTS) {
  Deno.test(`a chain with ${name} fails`, async () => {
    assertFailed(await verdictOf(await chainOf(change)), reason);
  });
}
