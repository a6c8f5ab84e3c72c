/**
 * Bearer tokens and passwords: in a configuration, in a file that it names, or in a variable.
 *
 * @module
 */

import { type Schema, TEXT } from "../proof/format/schema.ts";
import { readPrivateFile } from "./private_file.ts";
import type { SecretSource } from "./settings.ts";
import { invalid } from "./validation.ts";

export interface SecretReading {
  /** An environment variable; `undefined` if unset or empty. */
  readonly env: (name: string) => string | undefined;
}

/**
 * The bearer token at `source`, without a file's last newline. `configuration_missing` or
 * `file_failed` if a file cannot be read or others may read it; `invalid_configuration` if a variable
 * is not set, or for an invalid token.
 */
export async function loadToken(source: SecretSource, reading: SecretReading): Promise<string> {
  return await loadSecret(source, reading, isToken, NOT_A_TOKEN);
}

/** The password at `source`; errors as {@linkcode loadToken}. */
export async function loadPassword(source: SecretSource, reading: SecretReading): Promise<string> {
  const isLine = (text: string) => text !== "" && !/[\0\r\n]/.test(text);
  return await loadSecret(source, reading, isLine, "it must be a password in one line");
}

async function loadSecret(
  source: SecretSource,
  reading: SecretReading,
  isValid: (text: string) => boolean,
  problem: string,
): Promise<string> {
  const where = source.kind === "file" ? `"${source.path}"` : `variable ${source.name}`;
  const text = source.kind === "file" ? await tokenFile(source.path) : reading.env(source.name);
  if (text === undefined) {
    throw invalid(
      where,
      "it is not set, or the program may not read it (start Deno with --allow-env=COUNTERSIGN_TOKEN_*)",
    );
  }
  // Errors never quote the text: it may be a mistyped secret.
  if (!isValid(text)) throw invalid(where, problem);
  return text;
}

async function tokenFile(path: string): Promise<string> {
  return (await readPrivateFile(path)).replace(/\r?\n$/, "");
}

/** RFC 6750 section 2.1, at a length that cannot be guessed. */
const TOKEN = /^[A-Za-z0-9._~+/-]{24,512}=*$/;
const NOT_A_TOKEN = "it must have 24 to 512 characters of A-Z a-z 0-9 . _ ~ + / -";

function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** A bearer token in a configuration. */
export function token(description: string): Schema<string> {
  return TEXT.convert((text, where) => {
    if (isToken(text)) return text;
    throw invalid(where, NOT_A_TOKEN);
  }).with({ description });
}
