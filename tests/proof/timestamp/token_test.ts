/**
 * Tokens with one defect each are refused for that defect, and the same tokens without it verify.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Bytes, concat } from "../../../src/base/bytes.ts";
import * as der from "./der.ts";
import { assertFailed, authority, DIGEST, verdictOn } from "./fixture.ts";
import {
  attribute,
  GEN_TIME,
  imprintOf,
  NOTHING,
  signerExtensions,
  type TokenChange,
} from "./test_authority.ts";
import { extension, EXTENSIONS, GENERAL_NAME, issue, nameOf } from "./test_certificates.ts";
import { hashAlgorithm } from "./test_keys.ts";

const { signer, intermediate, root } = authority;
/** The same name, serial number and key as the signer's, under another certificate. */
const twin = await issue(signer.key, intermediate, {
  subject: signer.subject,
  serial: 3,
  notAfter: "390101000000Z",
  extensions: signerExtensions(),
});
const subjectKey = Uint8Array.of(1, 2, 3);
const keyed = await issue(signer.key, intermediate, {
  subject: nameOf("Stamps"),
  serial: 9,
  extensions: [...signerExtensions(), EXTENSIONS.subjectKey(subjectKey)],
});
const named = await issue(signer.key, intermediate, {
  subject: nameOf("Stamps"),
  serial: 10,
  extensions: [
    ...signerExtensions(),
    EXTENSIONS.alternativeNames(GENERAL_NAME.domain("tsa.example")),
  ],
});
const strange = extension("1.2.3.4", der.none());
const critical = extension("1.2.3.4", der.none(), true);
const accuracy = (...members: readonly Bytes[]) => der.sequence(...members);
const byte = (...bytes: readonly number[]) => Uint8Array.from(bytes);

/** A token as it should be, in ways that authorities differ in. */
const GOOD: readonly (readonly [name: string, change: TokenChange, notAfter?: number])[] = [
  ["no change", {}],
  ["a whole accuracy", { info: { accuracy: accuracy(der.integer(2)) } }, GEN_TIME + 2],
  [
    "an accuracy of all parts",
    {
      info: {
        accuracy: accuracy(
          der.integer(1),
          der.implicit(0, byte(1)),
          der.implicit(1, byte(0x03, 0xe7)),
        ),
      },
    },
    GEN_TIME + 2,
  ],
  ["an empty accuracy", { info: { accuracy: accuracy() } }],
  [
    "a fraction of a second",
    { info: { genTime: der.generalizedTime("20261121120000.5Z") } },
    GEN_TIME + 1,
  ],
  [
    "a fraction finer than microseconds",
    { info: { genTime: der.generalizedTime("20261121120000.00000001Z") } },
    GEN_TIME + 1,
  ],
  [
    "fraction and accuracy that add up to a second",
    {
      info: {
        genTime: der.generalizedTime("20261121120000.25Z"),
        accuracy: accuracy(der.implicit(0, byte(0x02, 0xee))),
      },
    },
    GEN_TIME + 1,
  ],
  ["a nonce that nobody asks for", { info: { nonce: der.integer(2n ** 63n) } }],
  ["an ordering", { info: { ordering: der.boolean(true) } }],
  [
    "the authority's name",
    { info: { authority: der.explicit(0, GENERAL_NAME.directory(signer.subject)) } },
  ],
  [
    "an alternative name of the authority",
    {
      signer: named,
      info: { authority: der.explicit(0, GENERAL_NAME.domain("tsa.example")) },
    },
  ],
  ["an extension that is not critical", { info: { extensions: der.explicit(1, strange) } }],
  ["an imprint without parameters", {
    info: { imprint: imprintOf(DIGEST, der.sequence(der.objectId("2.16.840.1.101.3.4.2.1"))) },
  }],
  ["the root among the certificates", {
    certificates: [signer.der, intermediate.der, root.der],
  }],
  ["certificates in another order", { certificates: [intermediate.der, signer.der] }],
  ["another certificate of the same name and number", {
    certificates: [twin.der, signer.der, intermediate.der],
  }],
  ["a key in place of a name", {
    signer: keyed,
    signerId: der.implicit(0, subjectKey),
    signerVersion: 3,
  }],
  ["a digest algorithm without parameters in its list", {
    digestAlgorithms: [der.sequence(der.objectId("2.16.840.1.101.3.4.2.1"))],
  }],
  ["an unsigned attribute", { unsigned: [attribute("1.2.3.4", der.none())] }],
  ["more signed attributes", {
    attributes: (good) => [...Object.values(good), attribute("1.2.3.4", der.none())],
  }],
];

for (const [name, change, notAfter = GEN_TIME] of GOOD) {
  Deno.test(`a token with ${name} verifies`, async () => {
    assert.deepEqual(await verdictOn(await authority.token(DIGEST, change)), {
      status: "verified",
      notAfter,
      source: "RFC 3161 token of CN=Stamps",
    });
  });
}

type Defect = readonly [name: string, change: TokenChange, reason: RegExp];

const info = (parts: TokenChange["info"]): TokenChange => ({ info: parts ?? {} });
const time = (text: string) => info({ genTime: der.generalizedTime(text) });

const DEFECTS: readonly Defect[] = [
  // What is signed.
  ["another version", info({ version: der.integer(2) }), /unknown version/],
  ["another digest", info({ imprint: imprintOf(new Uint8Array(32)) }), /for another digest/],
  [
    "a digest of another algorithm",
    info({ imprint: imprintOf(DIGEST, hashAlgorithm("SHA-384")) }),
    /SHA-384 has another length/,
  ],
  [
    "a longer digest",
    info({ imprint: imprintOf(new Uint8Array(33)) }),
    /SHA-256 has another length/,
  ],
  [
    "a critical extension",
    info({ extensions: der.explicit(1, critical) }),
    /unknown critical extension 1\.2\.3\.4/,
  ],
  ["a time that is none", time("20260230120000Z"), /a time is invalid/],
  ["a time of another zone", time("20261121120000+0000"), /a time is invalid/],
  ["a time without seconds", time("202611211200Z"), /a time is invalid/],
  ["a fraction that ends in a zero", time("20261121120000.50Z"), /a time is invalid/],
  ["a leap second", time("20261231235960Z"), /a time is invalid/],
  ["a time before 1970", time("19691231235959Z"), /before 1970/],
  ["no time", info({ genTime: NOTHING }), /its members are not/],
  [
    "a negative accuracy",
    info({ accuracy: accuracy(der.value(0x02, byte(0xff))) }),
    /its accuracy is out of range/,
  ],
  [
    "an accuracy of 1,000 milliseconds",
    info({ accuracy: accuracy(der.implicit(0, byte(0x03, 0xe8))) }),
    /its accuracy is out of range/,
  ],
  [
    "an accuracy of no microseconds",
    info({ accuracy: accuracy(der.implicit(1, byte(0))) }),
    /its accuracy is out of range/,
  ],
  [
    "an accuracy beyond all numbers",
    info({ accuracy: accuracy(der.integer(2n ** 80n)) }),
    /an integer is out of range/,
  ],
  [
    "another name of the authority",
    info({ authority: der.explicit(0, GENERAL_NAME.directory(nameOf("Other"))) }),
    /authority's name is not in the signer's certificate/,
  ],
  [
    "more than a TSTInfo has",
    info({
      accuracy: accuracy(der.integer(1)),
      ordering: der.boolean(true),
      nonce: der.integer(1),
      authority: der.explicit(0, GENERAL_NAME.directory(signer.subject)),
      extensions: concat(der.explicit(1, strange), der.none()),
    }),
    /its members are not/,
  ],
  [
    "an extension that is none",
    info({ extensions: der.explicit(1, der.none()) }),
    /a list has a wrong type/,
  ],
  [
    "members in another order",
    info({ ordering: der.integer(1), nonce: der.boolean(true) }),
    /its members are not/,
  ],
  [
    "an extension that encodes a default",
    info({
      extensions: der.explicit(
        1,
        der.sequence(der.objectId("1.2.3.4"), der.boolean(false), der.octets(der.none())),
      ),
    }),
    /encodes a default/,
  ],
  [
    "an integer in a longer form",
    info({ accuracy: accuracy(der.implicit(0, byte(0, 5))) }),
    /an integer is out of range/,
  ],
  // The envelope.
  ["no info at all", { wrapped: () => NOTHING }, /no TSTInfo/],
  [
    "an info that is no octet string",
    { wrapped: (bytes) => der.explicit(0, bytes) },
    /no TSTInfo/,
  ],
  ["another content type", { contentType: "1.2.840.113549.1.7.3" }, /not signed data/],
  [
    "another type of what is signed",
    { infoType: "1.2.840.113549.1.9.16.1.5" },
    /no TSTInfo/,
  ],
  ["another version of its envelope", { version: 2 }, /not of version 1 or 3/],
  ["no signer", { signerCount: 0 }, /not exactly one signer/],
  ["two signers", { signerCount: 2 }, /not exactly one signer/],
  ["no certificates", { certificates: [] }, /lacks its signer's certificate/],
  [
    "certificates of others alone",
    { certificates: [intermediate.der, root.der] },
    /lacks its signer's certificate/,
  ],
  [
    "too many certificates",
    { certificates: Array<Bytes>(17).fill(signer.der) },
    /more than 16 certificates/,
  ],
  [
    "what is no certificate among them",
    { certificates: [signer.der, intermediate.der, der.sequence()] },
    /its members are not/,
  ],
  [
    "an attribute certificate",
    { certificates: [signer.der, intermediate.der, der.explicit(1, der.sequence())] },
    /a list has a wrong type/,
  ],
  [
    "a certificate of another format",
    {
      certificates: [
        signer.der,
        intermediate.der,
        der.explicit(3, der.objectId("1.2.3"), der.none()),
      ],
    },
    /a list has a wrong type/,
  ],
  ["no digest algorithm", { digestAlgorithms: [] }, /digest algorithm is not in the list/],
  [
    "another digest algorithm in its list",
    { digestAlgorithms: [hashAlgorithm("SHA-512")] },
    /digest algorithm is not in the list/,
  ],
];

for (const [name, change, reason] of DEFECTS) {
  Deno.test(`a token with ${name} fails`, async () => {
    assertFailed(await verdictOn(await authority.token(DIGEST, change)), reason);
  });
}

Deno.test("a token in an envelope of version 1 verifies, as openssl ts reads it", async () => {
  assert.equal((await verdictOn(await authority.token(DIGEST, { version: 1 }))).status, "verified");
});

Deno.test("bytes that are not DER and bytes after a token fail", async () => {
  const token = await authority.token(DIGEST);
  assert.equal((await verdictOn(token)).status, "verified");
  const longer = new Uint8Array([...token, 0]);
  assertFailed(await verdictOn(longer), /bytes follow the DER value/);
  assertFailed(await verdictOn(new Uint8Array()), /the input ends within a value/);
  assertFailed(await verdictOn(token.subarray(0, -1)), /a length exceeds its container/);
  // The same token with a length of one byte more than it needs, and with one of no end.
  const padded = new Uint8Array([0x30, 0x83, 0, ...token.subarray(2)]);
  assertFailed(await verdictOn(padded), /not in its shortest form/);
  const endless = new Uint8Array([0x30, 0x80, ...token.subarray(4), 0, 0]);
  assertFailed(await verdictOn(endless), /indefinite or oversized length/);
});
