/**
 * Certificates of a test authority, with every field adjustable.
 *
 * @module
 */

import { type Bytes, utf8 } from "../../../src/base/bytes.ts";
import * as der from "./der.ts";
import { signedSequence, type TestKey } from "./test_keys.ts";

/** A Name of one common name, below an organization. */
export function nameOf(commonName: string, organization = "Test"): Bytes {
  const attribute = (type: string, value: string) =>
    der.set(der.sequence(der.objectId(type), der.text(value)));
  return der.sequence(attribute("2.5.4.10", organization), attribute("2.5.4.3", commonName));
}

/** DER of an extension, of any identifier. */
export function extension(id: string, contents: Bytes, critical = false): Bytes {
  const flag = critical ? [der.boolean(true)] : [];
  return der.sequence(der.objectId(id), ...flag, der.octets(contents));
}

export const EXTENSIONS = {
  authority: (pathLength?: number, isAuthority = true) =>
    extension(
      "2.5.29.19",
      der.sequence(
        ...isAuthority ? [der.boolean(true)] : [],
        ...pathLength === undefined ? [] : [der.integer(pathLength)],
      ),
      true,
    ),
  /** `bits` as in the first byte of the bit string. */
  keyUsage(bits: number) {
    let unused = 0;
    while (unused < 7 && !(bits & (1 << unused))) unused++;
    return extension("2.5.29.15", der.bits(Uint8Array.of(bits), unused), true);
  },
  purposes: (ids: readonly string[], critical = true) =>
    extension("2.5.29.37", der.sequence(...ids.map(der.objectId)), critical),
  subjectKey: (id: Bytes) => extension("2.5.29.14", der.octets(id)),
  authorityKey: (id: Bytes) => extension("2.5.29.35", der.sequence(der.implicit(0, id))),
  alternativeNames: (...names: readonly Bytes[]) => extension("2.5.29.17", der.sequence(...names)),
  /** GeneralNames that are permitted, and that are excluded. */
  nameConstraints(permitted: readonly Bytes[], excluded: readonly Bytes[] = []) {
    const trees = (number: number, names: readonly Bytes[]) =>
      names.length === 0 ? [] : [der.explicit(number, ...names.map((name) => der.sequence(name)))];
    const contents = der.sequence(...trees(0, permitted), ...trees(1, excluded));
    return extension("2.5.29.30", contents, true);
  },
} as const;

export const GENERAL_NAME = {
  directory: (name: Bytes) => der.explicit(4, name),
  domain: (name: string) => der.implicit(2, utf8(name)),
  address: (name: string) => der.implicit(1, utf8(name)),
} as const;

export const TIME_STAMPING = "1.3.6.1.5.5.7.3.8";
export const KEY_CERT_SIGN = 0x04;
export const DIGITAL_SIGNATURE = 0x80;

/** What a certificate says. Times as UTCTime has them. */
export interface CertificateParts {
  readonly version: number;
  readonly serial: number;
  readonly subject: Bytes;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly extensions: readonly Bytes[];
  /** DER of the signed AlgorithmIdentifier, where it is not that of the issuer's key. */
  readonly signedAlgorithm?: Bytes;
}

/** A certificate with its key. */
export interface TestCertificate {
  readonly der: Bytes;
  readonly subject: Bytes;
  readonly issuer: Bytes;
  readonly serial: Bytes;
  readonly key: TestKey;
}

/** A certificate for `key` by `issuer`; by itself where there is none. */
export async function issue(
  key: TestKey,
  issuer: Pick<TestCertificate, "subject" | "key"> | undefined,
  parts: Partial<CertificateParts> & Pick<CertificateParts, "subject">,
): Promise<TestCertificate> {
  const { version = 2, serial = 1, subject, extensions = [] } = parts;
  const { notBefore = "200101000000Z", notAfter = "400101000000Z" } = parts;
  const by = issuer ?? { subject, key };
  const number = der.integer(serial);
  const signed = der.sequence(
    ...version === 0 ? [] : [der.explicit(0, der.integer(version))],
    number,
    parts.signedAlgorithm ?? by.key.algorithm,
    by.subject,
    der.sequence(der.utcTime(notBefore), der.utcTime(notAfter)),
    subject,
    key.spki,
    ...extensions.length === 0 ? [] : [der.explicit(3, der.sequence(...extensions))],
  );
  return {
    der: await signedSequence(by.key, signed),
    subject,
    issuer: by.subject,
    serial: number,
    key,
  };
}

/** PEM of certificates, as files of them are. */
export function pemOf(...certificates: readonly TestCertificate[]): Bytes {
  const blocks = certificates.map((certificate) => {
    const lines = certificate.der.toBase64().match(/.{1,64}/g)!.join("\n");
    return `A certificate:\n-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
  });
  return utf8(blocks.join("\n"));
}
