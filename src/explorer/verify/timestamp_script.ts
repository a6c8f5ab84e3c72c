/**
 * Reads and judges time-stamp tokens. It is built as a script of its own, `timestamps.js`, which the
 * page loads when a token is chosen. Such a script has a copy of the class of errors, so that it answers
 * faults as texts.
 *
 * @module
 */

import { type Bytes, hexOf } from "../../base/bytes.ts";
import { expectedError } from "../../base/errors.ts";
import { encodeObjectIdentifier } from "../../proof/timestamp/asn1.ts";
import { parseTimestamp } from "../../proof/timestamp/attested_token.ts";
import { type Certificate, readRoots } from "../../proof/timestamp/certificate.ts";
import { type TimeStampToken, TST_INFO } from "../../proof/timestamp/token.ts";

export { judgeTimestamp } from "../../proof/timestamp/attested_token.ts";
export { attestedHash } from "../../proof/timestamp/message_imprint.ts";

/** Why a file cannot be used. */
export interface Fault {
  readonly fault: string;
}

/** Other files in DER begin like a token. Only a token has the type of its content, whatever is wrong. */
export interface TokenFault extends Fault {
  readonly isToken: boolean;
}

const TST_INFO_HEX = hexOf(encodeObjectIdentifier(TST_INFO));

export function readTokenFile(bytes: Bytes): { readonly token: TimeStampToken } | TokenFault {
  try {
    return { token: parseTimestamp(bytes) };
  } catch (error) {
    const isToken = hexOf(bytes).includes(TST_INFO_HEX);
    return { fault: expectedError(error).message, isToken };
  }
}

export function readRootsFile(
  bytes: Bytes,
): { readonly certificates: readonly Certificate[] } | Fault {
  try {
    return { certificates: readRoots(bytes) };
  } catch (error) {
    return { fault: expectedError(error).message };
  }
}
