/**
 * Finds secrets in what was printed or logged, in every form in which one can come to light.
 *
 * @module
 */

import { base64Of, utf8 } from "../../src/base/bytes.ts";

/** The forms of `secret`: itself, and encodings of its characters. */
export function formsOf(secret: string): string[] {
  const base64 = base64Of(utf8(secret)).replace(/=+$/, "");
  const url = base64.replaceAll("+", "-").replaceAll("/", "_");
  return [secret, encodeURIComponent(secret), utf8(secret).toHex(), base64, url];
}

/** The secrets that `text` holds in any form. */
export function secretsIn(text: string, secrets: readonly string[]): string[] {
  const lower = text.toLowerCase();
  return secrets.filter((secret) =>
    formsOf(secret).some((form) => lower.includes(form.toLowerCase()))
  );
}
