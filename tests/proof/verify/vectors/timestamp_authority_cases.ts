/**
 * Time-stamp tokens whose authority is refused: by its signature or certificate (R3), or because no path
 * leads to a root (R4).
 *
 * @module
 */

import { type Bytes, utf8 } from "../../../../src/base/bytes.ts";
import * as der from "../../timestamp/der.ts";
import {
  attribute,
  referenceV2,
  signerExtensions,
  signingCertificateV2,
  type TokenChange,
} from "../../timestamp/test_authority.ts";
import {
  DIGITAL_SIGNATURE,
  extension,
  EXTENSIONS,
  GENERAL_NAME,
  issue,
  KEY_CERT_SIGN,
  nameOf,
  type TestCertificate,
  TIME_STAMPING,
} from "../../timestamp/test_certificates.ts";
import { pssAlgorithm } from "../../timestamp/test_keys.ts";
import type { TestLog } from "../test_log.ts";
import { digest, ecKey, ed25519Key, rsaKey } from "./authority_keys.ts";
import type { MakeCase } from "./timestamp_cases.ts";
import {
  AT,
  authorityOf,
  flipped,
  generalizedTime,
  type PartsChange,
  pem,
  replaced,
  STAMP_TIME,
  stampBy,
  type StampChange,
  withMembers,
} from "./timestamp_tokens.ts";
import type { Vector } from "./vector.ts";

const CODE_SIGNING = "1.3.6.1.5.5.7.3.3";
const MINUS_ONE = Uint8Array.of(0xff);
const AUTHORITY = [EXTENSIONS.authority(), EXTENSIONS.keyUsage(KEY_CERT_SIGN)];

/** `seconds` as UTCTime has them. */
function utcTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(2, 19).replaceAll(/[-:T]/g, "")}Z`;
}

export async function refusedTokenCases(make: MakeCase, log: TestLog): Promise<Vector[]> {
  return [...await signatureCases(make, log), ...await pathCases(make, log)];
}

async function signatureCases(make: MakeCase, log: TestLog): Promise<Vector[]> {
  const authority = await authorityOf();
  const { root, intermediate, signer } = authority;
  const good = await stampBy(authority, log);
  const twin = await issue(signer.key, intermediate, {
    subject: nameOf("Twin"),
    serial: 9,
    extensions: signerExtensions(),
  });
  const stamp = (change: StampChange) => stampBy(authority, log, change);
  const of = async (part: PartsChange, change?: StampChange) =>
    await stampBy(await authorityOf({ signer: part }), log, change);
  const referring = (reference: Bytes): StampChange => ({
    attributes: ({ contentType, messageDigest }) => [
      contentType,
      messageDigest,
      signingCertificateV2(reference),
    ],
  });
  const ofPss = (signatureAlgorithm: Bytes): Promise<Bytes> =>
    of({ key: rsaKey("RSA-PSS") }, { signatureAlgorithm });
  const purposes = (...more: readonly Bytes[]): PartsChange => ({ extensions: more });
  const digestBy = (hash: "SHA-1" | "SHA-512"): TokenChange => ({ hash });

  const tokens: readonly (readonly [string, Bytes | Promise<Bytes>])[] = [
    [
      "a wrong bit in its signature",
      replaced(good, AT.signature, ({ contents }) => der.octets(flipped(contents.slice()))),
    ],
    ["a signature that is not DER", replaced(good, AT.signature, () => der.octets(utf8("none")))],
    [
      "a signature with a third number",
      replaced(
        good,
        AT.signature,
        ({ contents }) =>
          der.octets(withMembers(contents.slice(), [], (all) => [...all, der.integer(1)])),
      ),
    ],
    ["a time that was changed afterwards", withTime(good, STAMP_TIME, STAMP_TIME - 60)],
    [
      "a wrong message digest",
      stamp({
        attributes: ({ contentType, signingCertificate }) => [
          contentType,
          attribute("1.2.840.113549.1.9.4", der.octets(digest("SHA-256", utf8("other")))),
          signingCertificate,
        ],
      }),
    ],
    ["no certificate", stamp({ certificates: [] })],
    ["only its issuer's certificate", stamp({ certificates: [intermediate.der] })],
    ["the certificate of another with its key", stamp({ certificates: [twin.der] })],
    [
      "an ESSCertIDv2 of another certificate",
      stamp({
        ...referring(await referenceV2(twin)),
        certificates: [signer.der, twin.der, intermediate.der],
      }),
    ],
    [
      "an ESSCertIDv2 with another issuer and serial number",
      stamp(
        referring(await referenceV2(signer, { like: twin })),
      ),
    ],
    [
      "another authority's name",
      stamp({
        info: { authority: der.explicit(0, GENERAL_NAME.directory(nameOf("Other"))) },
      }),
    ],
    ["a digest of SHA-1", stamp(digestBy("SHA-1"))],
    ["a digest of SHA-512 and a signature of SHA-256", stamp(digestBy("SHA-512"))],
    [
      "the algorithm of RSA and a key of ECDSA",
      stamp({
        signatureAlgorithm: rsaKey("RSA").algorithm,
      }),
    ],
    [
      "parameters in the algorithm of ECDSA",
      stamp({
        signatureAlgorithm: der.sequence(der.objectId("1.2.840.10045.4.3.2"), der.none()),
      }),
    ],
    [
      "parameters in the algorithm of RSA",
      of({ key: rsaKey("RSA") }, {
        signatureAlgorithm: der.sequence(der.objectId("1.2.840.113549.1.1.11"), der.sequence()),
      }),
    ],
    ["a key of Ed25519", of({ key: ed25519Key("tsa") })],
    ["an RSA key of 1024 bits", of({ key: rsaKey("RSA", "SHA-256", 1024) })],
    [
      "RSASSA-PSS without parameters",
      ofPss(
        der.sequence(der.objectId("1.2.840.113549.1.1.10")),
      ),
    ],
    ["RSASSA-PSS with two hash functions", ofPss(pssAlgorithm("SHA-256", "SHA-384", 32))],
    [
      "RSASSA-PSS with another length of the salt",
      ofPss(pssAlgorithm("SHA-256", "SHA-256", 20 + 1)),
    ],
    [
      "RSASSA-PSS with the default length of the salt written",
      of({
        key: rsaKey("RSA-PSS", "SHA-256", 2048, 20),
      }),
    ],
    [
      "RSASSA-PSS with a default that is written",
      ofPss(
        pssAlgorithm("SHA-256", "SHA-256", 32, { trailer: 1 }),
      ),
    ],
    [
      "an extended key usage that is not critical",
      of(
        purposes(EXTENSIONS.purposes([TIME_STAMPING], false)),
      ),
    ],
    ["a second purpose", of(purposes(EXTENSIONS.purposes([TIME_STAMPING, CODE_SIGNING])))],
    ["another purpose", of(purposes(EXTENSIONS.purposes([CODE_SIGNING])))],
    ["any purpose", of(purposes(EXTENSIONS.purposes(["2.5.29.37.0"])))],
    ["no extended key usage", of(purposes(EXTENSIONS.keyUsage(DIGITAL_SIGNATURE)))],
    [
      "a key that also signs certificates",
      of(purposes(
        EXTENSIONS.purposes([TIME_STAMPING]),
        EXTENSIONS.keyUsage(DIGITAL_SIGNATURE | KEY_CERT_SIGN),
      )),
    ],
    [
      "a key usage of three bytes",
      of(purposes(
        EXTENSIONS.purposes([TIME_STAMPING]),
        extension("2.5.29.15", der.bits(Uint8Array.of(DIGITAL_SIGNATURE, 0, 1)), true),
      )),
    ],
    [
      "an unknown critical extension",
      of(purposes(
        ...signerExtensions(),
        extension("1.2.3.4", der.none(), true),
      )),
    ],
    ["a certificate that expired a second before", of({ notAfter: utcTime(STAMP_TIME - 1) })],
    ["a certificate that is valid a second later", of({ notBefore: utcTime(STAMP_TIME + 1) })],
  ];
  const bounds: readonly (readonly [string, Promise<Bytes>])[] = [
    ["a certificate that expires at its time", of({ notAfter: utcTime(STAMP_TIME) })],
    ["a certificate that is valid from its time on", of({ notBefore: utcTime(STAMP_TIME) })],
    ["a certificate without a key usage", of(purposes(EXTENSIONS.purposes([TIME_STAMPING])))],
  ];
  const roots = [pem(root)];
  return [
    ...await Promise.all(
      tokens.map(async ([name, token]) =>
        make(`refused: ${name}`, await token, { roots, rules: ["R3"] })
      ),
    ),
    make(
      "refused without roots: a wrong bit in its signature",
      replaced(
        good,
        AT.signature,
        ({ contents }) => der.octets(flipped(contents.slice())),
      ),
      { roots: [] },
    ),
    ...await Promise.all(bounds.map(async ([name, token]) => make(`with ${name}`, await token))),
  ];
}

/** `token` with another time, and without another signature. */
function withTime(token: Bytes, from: number, to: number): Bytes {
  const [before, after] = [generalizedTime(from), generalizedTime(to)].map((time) => time.toHex());
  return Uint8Array.fromHex(token.toHex().replace(before!, after!));
}

async function pathCases(make: MakeCase, log: TestLog): Promise<Vector[]> {
  const authority = await authorityOf();
  const good = await stampBy(authority, log);
  const { root, intermediate, signer } = authority;
  const other = await authorityOf({ root: { key: ecKey("P-256", "other root") } });
  const changed = async (parts: Parameters<typeof authorityOf>[0], change?: StampChange) => {
    const chain = await authorityOf(parts);
    return { token: await stampBy(chain, log, change), roots: [pem(chain.root)] };
  };
  const issuer = (...extensions: readonly Bytes[]) => changed({ intermediate: { extensions } });
  const twoBelow = [EXTENSIONS.authority(0), EXTENSIONS.keyUsage(KEY_CERT_SIGN)];
  const expired = { notAfter: utcTime(STAMP_TIME - 1) };
  const cases: readonly (readonly [string, { token: Bytes; roots: readonly string[] }])[] = [
    ["another root of the same name", { token: good, roots: [pem(other.root)] }],
    ["no certificate of its issuer", {
      token: await stampBy(authority, log, { certificates: [signer.der] }),
      roots: [pem(root)],
    }],
    ["its own certificate as the root", { token: good, roots: [pem(signer)] }],
    ["an issuer that expired before its time", await changed({ intermediate: expired })],
    ["a root that expired before its time", await changed({ root: expired })],
    ["an issuer that is no authority", await issuer(...signerExtensions())],
    [
      "an issuer that is no authority by its constraints",
      await issuer(
        EXTENSIONS.authority(undefined, false),
      ),
    ],
    [
      "an issuer with a further basic constraint",
      await issuer(
        extension("2.5.29.19", der.sequence(der.boolean(true), der.integer(0), der.none()), true),
        EXTENSIONS.keyUsage(KEY_CERT_SIGN),
      ),
    ],
    [
      "an issuer whose key may not sign certificates",
      await issuer(
        EXTENSIONS.authority(0),
        EXTENSIONS.keyUsage(DIGITAL_SIGNATURE),
      ),
    ],
    [
      "an issuer of another purpose",
      await issuer(
        ...AUTHORITY,
        EXTENSIONS.purposes([CODE_SIGNING]),
      ),
    ],
    [
      "an issuer with an unknown critical extension",
      await issuer(
        ...AUTHORITY,
        extension("1.2.3.4", der.none(), true),
      ),
    ],
    [
      "an issuer with a negative path length",
      await issuer(
        extension("2.5.29.19", der.sequence(der.boolean(true), der.value(0x02, MINUS_ONE)), true),
        EXTENSIONS.keyUsage(KEY_CERT_SIGN),
      ),
    ],
    ["an issuer without any purpose", await issuer(...AUTHORITY, EXTENSIONS.purposes([]))],
    ["a root with a path length of 0", await changed({ root: { extensions: twoBelow } })],
    [
      "an issuer with an RSA key of 1024 bits",
      await changed({
        intermediate: { key: rsaKey("RSA", "SHA-256", 1024) },
      }),
    ],
    ["a certificate that its issuer did not sign", await forgedLeaf(log)],
    [
      "a further ESSCertIDv2 that is not on the path",
      await changed({}, {
        attributes: ({ contentType, messageDigest }) => [
          contentType,
          messageDigest,
          signingCertificateV2(referenceTo(signer.der), referenceTo(other.intermediate.der)),
        ],
      }),
    ],
  ];
  return [
    ...cases.map(([name, { token, roots }]) =>
      make(`refused: ${name}`, token, { roots, rules: ["R4"] })
    ),
    make("under its issuer as the root", good, { roots: [pem(intermediate)] }),
    make(
      "beside an issuer of a stranger, whose name constraints have no name",
      await stampBy(authority, log, {
        certificates: [signer.der, await strangersIssuer(intermediate), intermediate.der],
      }),
      { roots: [pem(root)] },
    ),
    make(
      "with an issuer of any purpose",
      ...entries(await issuer(...AUTHORITY, EXTENSIONS.purposes(["2.5.29.37.0"]))),
    ),
  ];
}

/** An ESSCertIDv2 of the default hash function. */
function referenceTo(certificate: Bytes): Bytes {
  return der.sequence(der.octets(digest("SHA-256", certificate)));
}

function entries({ token, roots }: { token: Bytes; roots: readonly string[] }) {
  return [token, { roots }] as const;
}

/** A certificate with the names of a true one, which its issuer did not sign. */
async function strangersIssuer({ subject, issuer }: TestCertificate): Promise<Bytes> {
  const key = ecKey("P-256", "stranger");
  const { der: bytes } = await issue(key, { subject: issuer, key }, {
    subject,
    serial: 99,
    extensions: [...AUTHORITY, EXTENSIONS.nameConstraints([der.explicit(4)])],
  });
  return bytes;
}

/** A token under a certificate that names an issuer which did not sign it. */
async function forgedLeaf(log: TestLog) {
  const genuine = await authorityOf();
  const forger = await authorityOf({ intermediate: { key: ecKey("P-256", "forger") } });
  const token = await stampBy(forger, log, {
    certificates: [forger.signer.der, genuine.intermediate.der],
  });
  return { token, roots: [pem(genuine.root)] };
}
