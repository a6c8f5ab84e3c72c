/**
 * Bearer tokens in configurations.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { Fields } from "../format/fields.ts";

/** RFC 6750 section 2.1, at a length that cannot be guessed. */
const TOKEN = /^[A-Za-z0-9._~+/-]{24,512}=*$/;

/** Whether `text` is a bearer token that cannot be guessed. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The member `token`; `invalid_configuration` when it is no bearer token, or a short one. */
export function readToken(fields: Fields): string {
  const token = fields.text("token");
  if (!isToken(token)) {
    throw new CountersignError(
      "invalid_configuration",
      `Cannot use ${fields.where}: a bearer token of at least 24 characters required, found another text`,
    );
  }
  return token;
}
