/**
 * The member `timestamping` of `network.json`: the key and the certificates of the time-stamp authority
 * (RFC 3161) that the gateway is.
 *
 * @module
 */

import { type Of, TEXT } from "../proof/format/schema.ts";
import { path, settings } from "./settings.ts";
import { invalid } from "./validation.ts";

const POLICY = /^[0-2]\.[1-3]?[0-9](?:\.(?:0|[1-9][0-9]*))+$/;
const MAX_POLICY_LENGTH = 100;
/** Parsers in Go refuse a token with a larger arc. */
const MAX_ARC = 2 ** 31 - 1;

/** The member `timestamping` of `network.json`. */
export const TIMESTAMPING = settings({
  key_file: path(
    "Private key of the authority: PKCS#8 in PEM, or a file that says where the key is (signer.md).",
  ),
  certificates_file: path(
    "Its certificates in PEM: that of the key first, each followed by its issuer's.",
  ),
  policy: TEXT.convert((text, where) => {
    const isPolicy = text.length <= MAX_POLICY_LENGTH && POLICY.test(text) &&
      text.split(".").every((arc) => Number(arc) <= MAX_ARC);
    if (isPolicy) return text;
    throw invalid(
      where,
      "it must be an object identifier such as 1.3.6.1.4.1.99999.1, of at most " +
        `${MAX_POLICY_LENGTH} characters and with numbers up to ${MAX_ARC}`,
    );
  }).with({
    title: "object identifier",
    description: "Policy of its tokens, instead of the one in protocol.md.",
  }).optional(),
});

export type TimestampingSettings = Of<typeof TIMESTAMPING>;
