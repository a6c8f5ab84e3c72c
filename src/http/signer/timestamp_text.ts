/**
 * The texts that the key of a time-stamp authority signs: the signed attributes of a token (RFC 5652
 * section 5.4, RFC 3161 section 2.4.2, RFC 5816), a DER SET. Without such a check, the key could be used to
 * sign certificates or requests for them.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { hasCode } from "../../base/errors.ts";
import { membersOf, objectIdentifierOf } from "../../proof/timestamp/asn1.ts";
import { readDer, TAG } from "../../proof/timestamp/der.ts";
import { ATTRIBUTE, TST_INFO } from "../../proof/timestamp/token.ts";

const WHAT = "signed attributes";
const ALLOWED: ReadonlySet<string> = new Set([
  ATTRIBUTE.contentType,
  ATTRIBUTE.messageDigest,
  ATTRIBUTE.signingCertificate,
  ATTRIBUTE.signingCertificateV2,
]);

/** True for the signed attributes of a time-stamp token. */
export function isTimestampText(message: Bytes): boolean {
  // Most texts of other keys end here, without an exception.
  if (message[0] !== TAG.set) return false;
  try {
    const attributes = readDer(message, WHAT).children.map((attribute) => {
      const [type, { children }] = membersOf(attribute, WHAT, "OID SET");
      return { type: objectIdentifierOf(type), children };
    });
    const contents = attributes.filter(({ type }) => type === ATTRIBUTE.contentType);
    const [value, ...others] = contents.flatMap(({ children }) => children);
    return attributes.every(({ type }) => ALLOWED.has(type)) &&
      value?.tag === TAG.objectIdentifier && objectIdentifierOf(value) === TST_INFO &&
      others.length === 0;
  } catch (error) {
    if (hasCode(error, "timestamp_refused")) return false;
    throw error;
  }
}
