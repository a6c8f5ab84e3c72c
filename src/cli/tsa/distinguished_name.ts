/**
 * Names of certificates' subjects, as people write them (RFC 4514): `CN=Time stamps,O=Example,C=DE`.
 *
 * @module
 */

import { type Bytes, utf8 } from "../../base/bytes.ts";
import { errorBuilder } from "../../base/errors.ts";
import { encodeObjectIdentifier } from "../../proof/timestamp/asn1.ts";
import { encodeDer, TAG } from "../../proof/timestamp/der.ts";

/** With the longest value of each (RFC 5280 appendix A.1). */
const ATTRIBUTES: Readonly<Record<string, readonly [type: string, maxLength: number]>> = {
  CN: ["2.5.4.3", 64],
  OU: ["2.5.4.11", 64],
  O: ["2.5.4.10", 64],
  L: ["2.5.4.7", 128],
  ST: ["2.5.4.8", 128],
  C: ["2.5.4.6", 2],
};
const PRINTABLE_STRING = 0x13;

const usage = errorBuilder("usage", "Cannot use subject");

/** Parts between commas; a backslash quotes the characters that need it, and only these (section 2.4). */
const PARTS = /^(?:\\[ "#+,;<=>\\]|[^"+,;<>\\])+(?:,(?:\\[ "#+,;<=>\\]|[^"+,;<>\\])+)*$/;

/** DER of the Name that `text` says, its last attribute first; `usage`. */
export function encodeName(text: string): Bytes {
  if (!PARTS.test(text) || !/(?:^|,)\s*CN=/.test(text)) {
    throw usage(
      'it must have the form "CN=Time stamps,O=Example,C=DE", with a CN, and a backslash before each of ' +
        '" + , ; < > \\ in a value',
    );
  }
  const attributes = [...text.matchAll(/(?:\\.|[^,\\])+/gs)].map(([part]) => attributeOf(part));
  return encodeDer(TAG.sequence, ...attributes.reverse());
}

/** DER of a RelativeDistinguishedName. */
function attributeOf(part: string): Bytes {
  const [, name = "", escaped = ""] = /^\s*([A-Z]+)=(.*)$/s.exec(part) ?? [];
  const value = escaped.replaceAll(/\\(.)/gs, "$1").trim();
  const known = Object.hasOwn(ATTRIBUTES, name) ? ATTRIBUTES[name] : undefined;
  if (known === undefined) {
    throw usage(`"${part}" is not one of ${Object.keys(ATTRIBUTES).join(", ")} with a value`);
  }
  const [type, maxLength] = known;
  const isCountry = name === "C";
  if (isCountry && !/^[A-Z]{2}$/.test(value)) throw usage("C must be a country of two capitals");
  if (value.length < 1 || value.length > maxLength || /\p{Cc}/u.test(value)) {
    throw usage(`${name} must have 1 to ${maxLength} characters`);
  }
  return encodeDer(
    TAG.set,
    encodeDer(
      TAG.sequence,
      encodeObjectIdentifier(type),
      encodeDer(isCountry ? PRINTABLE_STRING : TAG.utf8String, utf8(value)),
    ),
  );
}
