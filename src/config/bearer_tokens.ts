/**
 * Bearer tokens and passwords: in a configuration, in a file that it names, or in a variable.
 *
 *     "<name>_file": "path relative to the configuration"   or   "<name>_env": "COUNTERSIGN_TOKEN_..."
 *
 * @module
 */

import type { Fields } from "../proof/format/fields.ts";
import { type Members, optional } from "./members.ts";
import { readPrivateFile } from "./private_file.ts";
import { invalid } from "./validation.ts";

/**
 * The variables that a configuration may name. Permissions are granted for this prefix, so a
 * configuration cannot make the program read any other variable.
 */
const VARIABLE = /^COUNTERSIGN_TOKEN_[A-Z0-9_]{1,64}$/;

export type SecretSource =
  /** Absolute path. */
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "environment"; readonly name: string };

export interface SecretReading {
  /** An environment variable; `undefined` if unset or empty. */
  readonly env: (name: string) => string | undefined;
}

/** The members that may name the source of secret `name`, which is `what`. */
export function secretMembers(name: string, what: string): Members {
  return {
    [`${name}_file`]: optional("path", `File that holds ${what}.`),
    [`${name}_env`]: optional(
      "name",
      `Variable COUNTERSIGN_TOKEN_... that holds it, instead of a file.`,
    ),
  };
}

/** The source of secret `name`, `undefined` if absent; `invalid_configuration`. */
export function readSecretSource(
  fields: Fields,
  name: string,
  pathOf: (path: string) => string,
): SecretSource | undefined {
  const [inFile, inEnvironment] = [`${name}_file`, `${name}_env`];
  if (fields.has(inFile) && fields.has(inEnvironment)) {
    throw invalid(fields.where, `it has both ${inFile} and ${inEnvironment}`);
  }
  if (fields.has(inFile)) return { kind: "file", path: pathOf(fields.text(inFile)) };
  if (!fields.has(inEnvironment)) return undefined;
  const variable = fields.text(inEnvironment);
  if (VARIABLE.test(variable)) return { kind: "environment", name: variable };
  throw invalid(
    fields.where,
    `${inEnvironment} must be COUNTERSIGN_TOKEN_ and up to 64 capitals, digits and underscores`,
  );
}

/** The source of secret `name`; `invalid_configuration` if absent. */
export function requireSecretSource(
  fields: Fields,
  name: string,
  pathOf: (path: string) => string,
): SecretSource {
  const source = readSecretSource(fields, name, pathOf);
  if (source !== undefined) return source;
  throw invalid(fields.where, `it needs ${name}_file or ${name}_env`);
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

/** The member `token`; `invalid_configuration` if it is not a bearer token, or too short. */
export function readToken(fields: Fields): string {
  const token = fields.text("token");
  if (!isToken(token)) throw invalid(`token of ${fields.where}`, NOT_A_TOKEN);
  return token;
}
