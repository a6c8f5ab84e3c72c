/**
 * Bearer tokens: in a configuration, in a file that it names, or in an environment variable.
 *
 *     "<name>_file": "path relative to the configuration"   or   "<name>_env": "COUNTERSIGN_TOKEN_..."
 *
 * @module
 */

import type { Fields } from "../format/fields.ts";
import { readPrivateFile } from "./private_file.ts";
import { invalid } from "./validation.ts";

/**
 * The variables that a configuration may name. Permissions are granted for this prefix, so a
 * configuration cannot make the program read any other variable.
 */
const VARIABLE = /^COUNTERSIGN_TOKEN_[A-Z0-9_]{1,64}$/;

/** The source of a secret. */
export type SecretSource =
  /** Absolute path. */
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "environment"; readonly name: string };

export interface SecretReading {
  /** An environment variable; `undefined` if unset or empty. */
  readonly env: (name: string) => string | undefined;
}

/** The members that may name the source of secret `name`. */
export function secretMembers(name: string): readonly string[] {
  return [`${name}_file`, `${name}_env`];
}

/** The source of secret `name`, `undefined` if absent; `invalid_configuration`. */
export function readSecretSource(
  fields: Fields,
  name: string,
  pathOf: (path: string) => string,
): SecretSource | undefined {
  const [inFile, inEnvironment] = secretMembers(name) as [string, string];
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

/**
 * The bearer token at `source`, without a file's last newline. `configuration_missing` or
 * `file_failed` if a file cannot be read or others may read it; `invalid_configuration` if a variable
 * is not set, or for an invalid token.
 */
export async function loadToken(source: SecretSource, reading: SecretReading): Promise<string> {
  const where = source.kind === "file" ? `"${source.path}"` : `variable ${source.name}`;
  const text = source.kind === "file" ? await tokenFile(source.path) : reading.env(source.name);
  if (text === undefined) {
    throw invalid(
      where,
      "it is not set, or the gateway may not read it (deno run --allow-env=COUNTERSIGN_TOKEN_*)",
    );
  }
  // Errors never quote the text: it may be a mistyped token.
  if (!isToken(text)) {
    throw invalid(where, NOT_A_TOKEN);
  }
  return text;
}

async function tokenFile(path: string): Promise<string> {
  return (await readPrivateFile(path)).replace(/\r?\n$/, "");
}

/** RFC 6750 section 2.1, at a length that cannot be guessed. */
const TOKEN = /^[A-Za-z0-9._~+/-]{24,512}=*$/;
const NOT_A_TOKEN = "it must be a bearer token of at least 24 characters";

function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The member `token`; `invalid_configuration` if it is not a bearer token, or too short. */
export function readToken(fields: Fields): string {
  const token = fields.text("token");
  if (!isToken(token)) throw invalid(`token of ${fields.where}`, NOT_A_TOKEN);
  return token;
}
