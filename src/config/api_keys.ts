/**
 * API keys of a private gateway. The member `api_keys` of `network.json` names their file and the routes
 * that need one:
 *
 *     "api_keys": {"file": "api-keys.json", "routes": "submissions" | "all"}
 *
 * The file has the hash of each key. A key is 256 random bits, which nobody can guess from its SHA-256:
 * the slow hashes and salts that passwords need would only cost time at each request.
 *
 *     {"keys": [{"name", "sha256", "not_after"?, "new_attestations"?: {"per_second", "burst"},
 *                "reads"?: {...}}]}
 *
 * @module
 */

import { HASH_LENGTH } from "../bytes.ts";
import { Fields } from "../format/fields.ts";
import type { Rate } from "../limits/token_buckets.ts";
import { RATE_MEMBERS, rateOf } from "./gateway_limits.ts";
import { type Members, namesOf, optional, required } from "./members.ts";
import { readTextFile } from "./text_file.ts";
import { invalid, namingFile } from "./validation.ts";

/** `submissions`: new and repeated hashes; `all`: every route for clients except `/health`. */
const KEYED_ROUTES = ["submissions", "all"] as const;
export type KeyedRoutes = typeof KEYED_ROUTES[number];

/** The member `api_keys`. */
export interface ApiKeySettings {
  /** Absolute path. */
  readonly file: string;
  readonly routes: KeyedRoutes;
}

/** One key of the file. */
export interface ApiKeyEntry {
  readonly name: string;
  /** Lowercase hex. */
  readonly sha256: string;
  /** Unix seconds from which the key is refused. */
  readonly notAfter?: number;
  /** Budgets in place of those of `limits`, by their names there. */
  readonly rates: Readonly<Partial<Record<KeyBudget, Rate>>>;
}

const KEY_BUDGETS = ["new_attestations", "reads"] as const;
export type KeyBudget = typeof KEY_BUDGETS[number];

/** Bounds the labels of metrics. */
export const MAX_API_KEYS = 1_000;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Members of the object `api_keys` of `network.json`. */
export const API_KEYS_MEMBERS: Members = {
  file: required("path", "File of the keys' hashes; `api-key new` makes it."),
  routes: required(
    KEYED_ROUTES.join(", "),
    "Routes that need a key: submissions only, or all client routes except `/health`.",
  ),
};

const KEY_MEMBERS: Members = {
  name: required("text", "Name of the key, for log and metrics: at most 64 of A-Za-z0-9._-."),
  sha256: required("64 hex digits", "SHA-256 of the key."),
  not_after: optional("Unix seconds", "When the key expires."),
  new_attestations: optional("object", "Budget of the key for new hashes.", {
    standard: "that of `limits`",
    members: RATE_MEMBERS,
  }),
  reads: optional("object", "Budget of the key for all other requests.", {
    standard: "that of `limits`",
    members: RATE_MEMBERS,
  }),
};

/** Members of the file that `api_keys` names. */
export const API_KEY_FILE_MEMBERS: Members = {
  keys: required(`list of at most ${MAX_API_KEYS} objects`, "The keys.", KEY_MEMBERS),
};

/** The member `api_keys`, `undefined` if absent. `malformed_configuration`, `invalid_configuration`. */
export function readApiKeySettings(
  network: Fields,
  pathOf: (path: string) => string,
): ApiKeySettings | undefined {
  if (!network.has("api_keys")) return undefined;
  const fields = network.object("api_keys", ...namesOf(API_KEYS_MEMBERS));
  const text = fields.text("routes");
  const routes = KEYED_ROUTES.find((known) => known === text);
  if (routes === undefined) {
    throw invalid("api_keys", `routes must be one of ${KEYED_ROUTES.join(", ")}`);
  }
  return { file: pathOf(fields.text("file")), routes };
}

/** The keys in JSON `text`, read from `file`. `malformed_configuration`, `invalid_configuration`. */
export function parseApiKeys(text: string, file: string): readonly ApiKeyEntry[] {
  return namingFile(file, () => {
    const where = { where: file, code: "malformed_configuration" } as const;
    const fields = Fields.parse(text, where, ...namesOf(API_KEY_FILE_MEMBERS));
    const entries = fields.list("keys");
    if (entries.length > MAX_API_KEYS) throw invalid(file, `it has more than ${MAX_API_KEYS} keys`);
    const keys = entries.map((entry, i) =>
      readKey(fields.within(entry, `keys[${i}]`, ...namesOf(KEY_MEMBERS)))
    );
    for (const member of ["name", "sha256"] as const) {
      if (new Set(keys.map((key) => key[member])).size === keys.length) continue;
      throw invalid(file, `two keys have the same ${member}`);
    }
    return keys;
  });
}

/** The keys in the file at `path`; errors also as `readTextFile`. */
export async function readApiKeys(path: string): Promise<readonly ApiKeyEntry[]> {
  return parseApiKeys(await readTextFile(path), path);
}

function readKey(fields: Fields): ApiKeyEntry {
  const name = fields.text("name");
  if (!isKeyName(name)) {
    throw invalid(
      fields.where,
      "name must have 1 to 64 of A-Z a-z 0-9 . _ - and begin with a letter or digit",
    );
  }
  const rates = KEY_BUDGETS.filter((budget) => fields.has(budget)).map((budget) =>
    [budget, rateOf(fields.object(budget, ...namesOf(RATE_MEMBERS)))] as const
  );
  return {
    name,
    sha256: fields.hex("sha256", HASH_LENGTH),
    ...(fields.has("not_after") && { notAfter: fields.integer("not_after") }),
    rates: Object.fromEntries(rates),
  };
}

/** True for the name of a key. */
export function isKeyName(name: string): boolean {
  return NAME.test(name);
}

/** The text of the file of `keys`, which {@linkcode parseApiKeys} reads. */
export function encodeApiKeys(keys: readonly ApiKeyEntry[]): string {
  return `${JSON.stringify({ keys: keys.map(keyMembers) }, undefined, 2)}\n`;
}

/** The members of a key in the file. */
export function keyMembers(
  { name, sha256, notAfter, rates }: ApiKeyEntry,
): Readonly<Record<string, unknown>> {
  const budgets = Object.entries(rates).map(([budget, { perSecond, burst }]) =>
    [budget, { per_second: perSecond, burst }] as const
  );
  return {
    name,
    sha256,
    ...(notAfter !== undefined && { not_after: notAfter }),
    ...Object.fromEntries(budgets),
  };
}
