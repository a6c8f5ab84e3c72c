/**
 * The directory of an issuer: where it answers token requests, and its public keys (RFC 9578
 * section 4). The first key that has begun is preferred.
 *
 *     {"issuer-request-uri": "/token-request",
 *      "token-keys": [{"token-type": 2, "token-key": "<base64url>", "not-before": 1766275200}]}
 *
 * @module
 */

import { type Bytes } from "../bytes.ts";
import { bytesOfBase64Url } from "./base64url.ts";
import { CountersignError } from "../errors.ts";
import { Fields } from "./fields.ts";
import { TOKEN_TYPE } from "./privacy_pass.ts";
import { parseStrictJson } from "./strict_json.ts";

const ISSUER_NAME_MAX_LENGTH = 255;
const ISSUER_NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[1-9][0-9]{0,4})?$/;

/** Where every issuer has its directory (RFC 9578 section 8.1). */
export const ISSUER_DIRECTORY_PATH = "/.well-known/private-token-issuer-directory";

/** A public key of an issuer. */
export interface DirectoryKey {
  /** SubjectPublicKeyInfo. */
  readonly tokenKey: Bytes;
  /** Unix seconds from which the issuer signs with it; `undefined` for always. */
  readonly notBefore?: number;
}

/** See the module. */
export interface IssuerDirectory {
  /** Absolute, or relative to the directory's own URL. */
  readonly requestUri: string;
  /** The keys of type 2, the preferred ones first. */
  readonly tokenKeys: readonly DirectoryKey[];
}

/** Keys beyond so many are refused: a directory is a stranger's. */
export const MAX_DIRECTORY_KEYS = 64;
const MAX_VALUES = 1024;

/** The JSON of `directory`. Keys have their padding, as RFC 9578 section 4 wants it. */
export function encodeIssuerDirectory({ requestUri, tokenKeys }: IssuerDirectory): string {
  return JSON.stringify({
    "issuer-request-uri": requestUri,
    "token-keys": tokenKeys.map(({ tokenKey, notBefore }) => ({
      "token-type": TOKEN_TYPE,
      "token-key": tokenKey.toBase64({ alphabet: "base64url" }),
      ...(notBefore === undefined ? {} : { "not-before": notBefore }),
    })),
  });
}

/**
 * The directory that `text` says; `issuer_refused` for what is none. Unknown members and keys of
 * other types are left out.
 */
export function parseIssuerDirectory(text: string): IssuerDirectory {
  const context = { where: "issuer directory", code: "issuer_refused" } as const;
  const value = parseStrictJson(text, context.code, MAX_VALUES);
  const fields = new Fields(value, context, ["issuer-request-uri", "token-keys"], {
    ignoreUnknown: true,
  });
  const entries = fields.list("token-keys");
  if (entries.length > MAX_DIRECTORY_KEYS) {
    throw new CountersignError(
      context.code,
      `Cannot read issuer directory: at most ${MAX_DIRECTORY_KEYS} keys required, found ${entries.length}`,
    );
  }
  const tokenKeys = entries.flatMap((entry, index) => {
    const key = fields.within(entry, `token-keys[${index}]`, ["token-type", "token-key"], {
      ignoreUnknown: true,
    });
    return key.integer("token-type") === TOKEN_TYPE ? [readKey(key)] : [];
  });
  return { requestUri: fields.text("issuer-request-uri"), tokenKeys };
}

function readKey(key: Fields): DirectoryKey {
  const tokenKey = bytesOfBase64Url(key.text("token-key"));
  if (tokenKey === undefined) {
    throw new CountersignError(
      key.code,
      `Cannot read ${key.where}: base64url in token-key required, found another text`,
    );
  }
  return key.has("not-before") ? { tokenKey, notBefore: key.integer("not-before") } : { tokenKey };
}

/**
 * True for the `issuer_name` of a token challenge, which is a server name (RFC 9577 section 2.1.1): a
 * host, and a port where it is not 443.
 */
export function isIssuerName(text: string): boolean {
  return text.length <= ISSUER_NAME_MAX_LENGTH && ISSUER_NAME.test(text);
}
