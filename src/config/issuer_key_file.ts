/**
 * Key files of an issuer of tokens.
 *
 * The private key is PKCS #8 in DER.
 *
 * @module
 */

import { base64UrlOf, bytesOfBase64Url } from "../base/bytes.ts";
import { COUNT, TEXT } from "../proof/format/schema.ts";
import { type IssuerSecret, tokenKeyOf } from "../gateway/tokens/issuer_key.ts";
import { readPrivateFile } from "./private_file.ts";
import { parseFile, settings } from "./settings.ts";

// Errors never quote the text: it may be a secret.
const ISSUER_KEY = settings({
  private_key: TEXT.map(bytesOfBase64Url, "base64url"),
  not_before: COUNT,
  not_after: COUNT,
}).map((key) => key.notBefore < key.notAfter ? key : undefined, "not_before before not_after")
  .convert((key): IssuerSecret => ({ ...key, tokenKey: tokenKeyOf(key.privateKey) }));

/** The text of a key file. */
export function encodeIssuerSecret(secret: IssuerSecret): string {
  return JSON.stringify({
    private_key: base64UrlOf(secret.privateKey),
    not_before: secret.notBefore,
    not_after: secret.notAfter,
  }) + "\n";
}

/** The key in the text of the file at `path`; `invalid_key`. */
export function parseIssuerSecret(text: string, path: string): IssuerSecret {
  return parseFile(ISSUER_KEY, text, path, { code: "invalid_key" });
}

/**
 * The key in the file at `path`. `configuration_missing` if there is no file, `file_failed` if it
 * cannot be read or others may read it, `invalid_key` if it is not a key.
 */
export async function readIssuerKeyFile(path: string): Promise<IssuerSecret> {
  return parseIssuerSecret(await readPrivateFile(path), path);
}
