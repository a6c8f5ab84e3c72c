/**
 * Secrets that a configuration names and does not hold: in a file, or in a variable of the
 * environment.
 *
 *     "<name>_file": "path relative to the configuration"   or   "<name>_env": "COUNTERSIGN_TOKEN_..."
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { Fields } from "../format/fields.ts";
import { readPrivateFile } from "./private_file.ts";
import { isToken } from "./token.ts";

/**
 * The variables that a configuration may name: permissions are given to this prefix, so that a
 * configuration cannot have the program read any other.
 */
const VARIABLE = /^COUNTERSIGN_TOKEN_[A-Z0-9_]{1,64}$/;

/** Where a secret is. */
export type SecretSource =
  /** Absolute path. */
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "environment"; readonly name: string };

/** What loading secrets may touch. */
export interface SecretReading {
  /** A variable of the environment; `undefined` when unset or empty. */
  readonly env: (name: string) => string | undefined;
}

/** The members of a secret called `name`. */
export function secretMembers(name: string): readonly string[] {
  return [`${name}_file`, `${name}_env`];
}

/** Where the secret called `name` is, `undefined` when nothing says; `invalid_configuration`. */
export function readSecretSource(
  fields: Fields,
  name: string,
  pathOf: (path: string) => string,
): SecretSource | undefined {
  const [inFile, inEnvironment] = secretMembers(name) as [string, string];
  if (fields.has(inFile) && fields.has(inEnvironment)) {
    throw invalid(fields.where, `either ${inFile} or ${inEnvironment}`, "both");
  }
  if (fields.has(inFile)) return { kind: "file", path: pathOf(fields.text(inFile)) };
  if (!fields.has(inEnvironment)) return undefined;
  const variable = fields.text(inEnvironment);
  if (VARIABLE.test(variable)) return { kind: "environment", name: variable };
  throw invalid(
    fields.where,
    `a name such as COUNTERSIGN_TOKEN_PEER in ${inEnvironment}, with that beginning, capitals, ` +
      "digits and underscores,",
    "another",
  );
}

/**
 * The bearer token at `source`, without the newline that ends a file. `configuration_missing` or
 * `file_failed` for a file that cannot be read or that others may read, `invalid_configuration` for a
 * variable that is not set and for what is no token.
 */
export async function loadToken(source: SecretSource, reading: SecretReading): Promise<string> {
  const where = source.kind === "file" ? `"${source.path}"` : `variable ${source.name}`;
  const text = source.kind === "file" ? await tokenFile(source.path) : reading.env(source.name);
  if (text === undefined) {
    throw invalid(
      where,
      "a bearer token in it, set where the gateway is started and readable for it " +
        "(deno run --allow-env=COUNTERSIGN_TOKEN_*),",
      "none",
    );
  }
  // Never quoted: it may be a token with a typing error.
  if (!isToken(text)) {
    throw invalid(where, "a bearer token of at least 24 characters", "another text");
  }
  return text;
}

async function tokenFile(path: string): Promise<string> {
  return (await readPrivateFile(path)).replace(/\r?\n$/, "");
}

function invalid(where: string, required: string, found: string): CountersignError {
  return new CountersignError(
    "invalid_configuration",
    `Cannot use ${where}: ${required} required, found ${found}`,
  );
}
