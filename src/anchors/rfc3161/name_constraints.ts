/**
 * Name constraints (RFC 5280 section 4.2.1.10). The check enforces permitted subtrees of directory
 * names. It refuses what it cannot decide exactly, as the section asks: excluded directory names,
 * whose spelling a subject could vary, and every other form of name that both a constraint and a
 * certificate have.
 *
 * @module
 */

import { equalBytes } from "../../bytes.ts";
import { elementsOf, membersOf, nameAttributesOf } from "./asn1.ts";
import { alternativeNamesOf, extensionOf, unfit } from "./certificate_checks.ts";
import type { Certificate } from "./certificate.ts";
import { type DerValue, TAG } from "./der.ts";

const WHAT = "nameConstraints";
const DIRECTORY_NAME = TAG.constructed(4);
const EMAIL_NAME = TAG.primitive(1);
/** PKCS #9 emailAddress in a subject. Constraints on email names cover it. */
const EMAIL_ATTRIBUTE = "1.2.840.113549.1.9.1";

/** Throws if `issuer` constrains the names of a certificate of `below`. */
export function checkNameConstraints(issuer: Certificate, below: readonly Certificate[]): void {
  const constraints = extensionOf(issuer, "nameConstraints");
  if (constraints === undefined) return;
  const [permitted = [], excluded = []] = membersOf(constraints, WHAT, "[0]? [1]?").map(basesOf);
  const subtrees = permitted.filter(({ tag }) => tag === DIRECTORY_NAME);
  for (const certificate of below) {
    const names = namesOf(certificate);
    for (const { tag } of [...permitted, ...excluded]) {
      if (tag === DIRECTORY_NAME || !names.some((name) => name.tag === tag)) continue;
      throw unfit(certificate, "an issuer constrains another form of its names");
    }
    if (excluded.some(({ tag }) => tag === DIRECTORY_NAME)) {
      throw unfit(certificate, "an issuer excludes directory names");
    }
    const isOutside = names.some(({ directoryName }) =>
      directoryName && subtrees.length > 0 &&
      !subtrees.some(({ children }) => isWithin(directoryName, children[0]!))
    );
    if (isOutside) throw unfit(certificate, "an issuer does not permit its name");
  }
}

/** The base names of GeneralSubtrees. DER omits `minimum`; RFC 5280 forbids `maximum`. */
function basesOf(subtrees: DerValue | undefined): readonly DerValue[] {
  if (subtrees === undefined) return [];
  return elementsOf(subtrees, WHAT, TAG.sequence, subtrees.tag)
    .flatMap((subtree) => membersOf(subtree, WHAT, "ANY"));
}

/** A name of a certificate: its form, as the tag of a GeneralName. */
interface CertificateName {
  readonly tag: number;
  readonly directoryName?: DerValue;
}

/** The subject and the alternative names of a certificate. */
function namesOf(certificate: Certificate): readonly CertificateName[] {
  const { subject } = certificate;
  const hasEmail = nameAttributesOf(subject, "subject").some(({ type }) =>
    type === EMAIL_ATTRIBUTE
  );
  return [
    { tag: DIRECTORY_NAME, directoryName: subject },
    ...hasEmail ? [{ tag: EMAIL_NAME }] : [],
    ...alternativeNamesOf(certificate).map(({ tag, children: [name] }) =>
      tag === DIRECTORY_NAME && name ? { tag, directoryName: name } : { tag }
    ),
  ];
}

/** Reports whether `name` begins with all of `subtree`, byte for byte. */
function isWithin(name: DerValue, subtree: DerValue): boolean {
  return subtree.children.every(({ bytes }, i) => {
    const found = name.children[i];
    return found !== undefined && equalBytes(found.bytes, bytes);
  });
}
