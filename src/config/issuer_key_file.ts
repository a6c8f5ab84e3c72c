/**
 * Key files of an issuer of tokens.
 *
 *     {"private_key": "<base64url>", "not_before": 1766275200, "not_after": ...}
 *
 * The private key is PKCS #8 in DER.
 *
 * @module
 */

import { base64UrlOf, bytesOfBase64Url } from "../base/bytes.ts";
import { CountersignError } from "../base/errors.ts";
import { Fields } from "../proof/format/fields.ts";
import { type IssuerSecret, tokenKeyOf } from "../gateway/tokens/issuer_key.ts";
import { readPrivateFile } from "./private_file.ts";

const CODE = "invalid_key";
const MEMBERS = ["private_key", "not_before", "not_after"];

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
  const fields = Fields.parse(text, { where: path, code: CODE }, MEMBERS);
  const privateKey = bytesOfBase64Url(fields.text("private_key"));
  const [notBefore, notAfter] = [fields.integer("not_before"), fields.integer("not_after")];
  // Errors never quote the text: it may be a secret.
  if (privateKey === undefined) throw refused(path, "private_key is not base64url");
  if (notBefore >= notAfter) throw refused(path, "not_before must be earlier than not_after");
  return { privateKey, tokenKey: tokenKeyOf(privateKey), notBefore, notAfter };
}

/**
 * The key in the file at `path`. `configuration_missing` if there is no file, `file_failed` if it
 * cannot be read or others may read it, `invalid_key` if it is not a key.
 */
export async function readIssuerKeyFile(path: string): Promise<IssuerSecret> {
  return parseIssuerSecret(await readPrivateFile(path), path);
}

function refused(path: string, problem: string): CountersignError {
  return new CountersignError(CODE, `Cannot use issuer key file "${path}": ${problem}`);
}
