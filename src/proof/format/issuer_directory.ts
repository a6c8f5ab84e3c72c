/**
 * The directory of an issuer: the URL for token requests and the public keys (RFC 9578 section 4).
 * Clients use the first key whose `not-before` has passed.
 *
 *     {"issuer-request-uri": "/token-request",
 *      "token-keys": [{"token-type": 2, "token-key": "<base64url>", "not-before": 1766275200}]}
 *
 * @module
 */

import { toBase64 } from "../../base/builtins.ts";
import { type Bytes, bytesOfBase64Url } from "../../base/bytes.ts";
import { TOKEN_TYPE } from "./privacy_pass.ts";
import { COUNT, list, object, Schema, TEXT } from "./schema.ts";

const ISSUER_NAME_MAX_LENGTH = 255;
const ISSUER_NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[1-9][0-9]{0,4})?$/;

/** The path of every issuer's directory (RFC 9578 section 8.1). */
export const ISSUER_DIRECTORY_PATH = "/.well-known/private-token-issuer-directory";

/** A public key of an issuer. */
export interface DirectoryKey {
  /** SubjectPublicKeyInfo. */
  readonly tokenKey: Bytes;
  /** Unix seconds. The issuer signs with the key from this time on. */
  readonly notBefore?: number | undefined;
}

/** The directory of an issuer. */
export interface IssuerDirectory {
  /** Absolute, or relative to the directory's own URL. */
  readonly requestUri: string;
  /** The keys of type 2, preferred keys first. */
  readonly tokenKeys: readonly DirectoryKey[];
}

/** Directories with more keys are refused. */
export const MAX_DIRECTORY_KEYS = 64;
const MAX_VALUES = 1024;

const TYPED = object({ "token-type": COUNT }, "allowed");

const KEY: Schema<DirectoryKey> = object({
  "token-key": TEXT.map(bytesOfBase64Url, "base64url"),
  "not-before": COUNT.optional(),
}, "allowed").convert((key) => ({ tokenKey: key["token-key"], notBefore: key["not-before"] }));

const DIRECTORY = object({
  "issuer-request-uri": TEXT,
  "token-keys": list(
    new Schema((value, path, context) => {
      const { "token-type": type } = TYPED.read(value, path, context);
      return type === TOKEN_TYPE ? KEY.read(value, path, context) : undefined;
    }, KEY.describe),
    0,
    MAX_DIRECTORY_KEYS,
  ),
}, "allowed");

/** The JSON of `directory`. RFC 9578 section 4 requires padded keys. */
export function encodeIssuerDirectory({ requestUri, tokenKeys }: IssuerDirectory): string {
  return JSON.stringify({
    "issuer-request-uri": requestUri,
    "token-keys": tokenKeys.map(({ tokenKey, notBefore }) => ({
      "token-type": TOKEN_TYPE,
      "token-key": toBase64(tokenKey, "base64url"),
      "not-before": notBefore,
    })),
  });
}

/** Parses a directory; `issuer_refused`. Unknown members and keys of other types are ignored. */
export function parseIssuerDirectory(text: string): IssuerDirectory {
  const context = { where: "issuer directory", code: "issuer_refused" } as const;
  const directory = DIRECTORY.parseText(text, context, MAX_VALUES);
  return {
    requestUri: directory["issuer-request-uri"],
    tokenKeys: directory["token-keys"].filter((key) => key !== undefined),
  };
}

/**
 * True for an issuer name: a host, and a port unless it is 443 (`issuer_name` of RFC 9577 section
 * 2.1.1).
 */
export function isIssuerName(text: string): boolean {
  return text.length <= ISSUER_NAME_MAX_LENGTH && ISSUER_NAME.test(text);
}
