/**
 * Name constraints (RFC 5280 section 4.2.1.10). Of directory names, permitted subtrees are
 * enforced. What cannot be decided exactly is refused, as the section asks for: an excluded
 * directory name, whose spelling a subject could vary, and any other form of name that both a
 * constraint and a certificate have.
 *
 * @module
 */

import { NameConstraints } from "pkijs";
import { equalBytes } from "../../bytes.ts";
import { EXTENSION, unfit } from "./certificate_checks.ts";
import type { Certificate } from "./certificate.ts";
import { type DerValue, readDer, TAG } from "./der.ts";
import { readPki } from "./pki.ts";

const WHAT = "name constraints";
const DIRECTORY_NAME = TAG.constructed(4);
const EMAIL_NAME = TAG.primitive(1);
/** PKCS #9 emailAddress, which a constraint on addresses covers in a subject as well. */
const EMAIL_ATTRIBUTE = Uint8Array.fromHex("06092a864886f70d010901");

/** Refuses a certificate of `below` whose names `issuer` may not vouch for. */
export function checkNameConstraints(issuer: Certificate, below: readonly Certificate[]): void {
  const extension = issuer.extensions.get(EXTENSION.nameConstraints);
  if (extension === undefined) return;
  const { der } = readPki(NameConstraints, extension.value, WHAT);
  const bases = (place: number) =>
    der.children.filter(({ tag }) => tag === TAG.constructed(place))
      .flatMap(({ children }) => children.map((subtree) => subtree.children[0]!));
  const permitted = bases(0);
  const excluded = bases(1);
  for (const certificate of below) {
    const names = namesOf(certificate);
    for (const { tag } of [...permitted, ...excluded]) {
      if (tag === DIRECTORY_NAME || !names.some((name) => name.tag === tag)) continue;
      throw unfit(certificate, "names without constraints", "constrained ones of other forms");
    }
    if (excluded.some(({ tag }) => tag === DIRECTORY_NAME)) {
      throw unfit(certificate, "no excluded directory names above it", "some");
    }
    const subtrees = permitted.filter(({ tag }) => tag === DIRECTORY_NAME);
    const outside = names.find(({ directoryName }) =>
      directoryName && subtrees.length > 0 &&
      !subtrees.some(({ children }) => isWithin(directoryName, children[0]!))
    );
    if (outside) throw unfit(certificate, "a permitted name", "one outside of its issuer's");
  }
}

/** A name that a certificate has: its form, as the tag of a GeneralName. */
interface CertificateName {
  readonly tag: number;
  readonly directoryName?: DerValue;
}

/** Subject and alternative names. */
function namesOf({ subject, extensions }: Certificate): readonly CertificateName[] {
  const subjectName = readDer(subject, "subject");
  const attributes = subjectName.children.flatMap(({ children }) => children);
  const hasAddress = attributes.some(({ children: [type] }) =>
    type && equalBytes(type.bytes, EMAIL_ATTRIBUTE)
  );
  const alternative = extensions.get(EXTENSION.subjectAltName);
  const others = alternative ? readDer(alternative.value, "alternative names").children : [];
  return [
    { tag: DIRECTORY_NAME, directoryName: subjectName },
    ...hasAddress ? [{ tag: EMAIL_NAME }] : [],
    ...others.map(({ tag, children: [name] }) =>
      tag === DIRECTORY_NAME && name ? { tag, directoryName: name } : { tag }
    ),
  ];
}

/** True when `name` begins with all of `subtree`, byte for byte. */
function isWithin(name: DerValue, subtree: DerValue): boolean {
  return subtree.children.every(({ bytes }, place) => {
    const found = name.children[place];
    return found !== undefined && equalBytes(found.bytes, bytes);
  });
}
