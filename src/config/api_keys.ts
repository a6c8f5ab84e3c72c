/**
 * API keys of a private gateway. The member `api_keys` of `network.json` names their file and the routes
 * that need one.
 *
 * The file has the hash of each key. A key is 256 random bits, which nobody can guess from its SHA-256:
 * the slow hashes and salts that passwords need would only cost time at each request.
 *
 * @module
 */

import { HASH_LENGTH } from "../base/bytes.ts";
import { hex, object, type Of, TEXT, time } from "../proof/format/schema.ts";
import { RATE } from "./client_budgets.ts";
import { atMost, choice, parseFile, path, settings } from "./settings.ts";
import { readTextFile } from "./text_file.ts";
import { invalid } from "./validation.ts";

/** `submissions`: new and repeated hashes; `all`: every route for clients except `/health`. */
const KEYED_ROUTES = ["submissions", "all"] as const;
export type KeyedRoutes = typeof KEYED_ROUTES[number];

/** The member `api_keys` of `network.json`. */
export const API_KEYS = settings({
  file: path("File of the keys' hashes; `api-key new` makes it."),
  routes: choice(
    KEYED_ROUTES,
    "Routes that need a key: submissions only, or all client routes except `/health`.",
  ),
});

export type ApiKeySettings = Of<typeof API_KEYS>;

/** Bounds the labels of metrics. */
export const MAX_API_KEYS = 1_000;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const API_KEY = object({
  name: TEXT.convert((name, where) => {
    if (isKeyName(name)) return name;
    throw invalid(
      where,
      "it must have 1 to 64 of A-Z a-z 0-9 . _ - and begin with a letter or digit",
    );
  }).with({
    description: "Name of the key, for log and metrics: at most 64 of A-Za-z0-9._-.",
  }),
  sha256: hex(HASH_LENGTH, "SHA-256 of the key."),
  not_after: time("When the key expires").optional(),
  new_attestations: RATE.with({
    description: "Budget of the key for new hashes, in place of that of `limits`.",
  }).optional(),
  reads: RATE.with({
    description: "Budget of the key for all other requests, in place of that of `limits`.",
  }).optional(),
}).convert(({ name, sha256, not_after: notAfter, ...rates }) => ({
  name,
  sha256,
  ...(notAfter !== undefined && { notAfter }),
  /** Budgets in place of those of `limits`, by their names there. */
  rates,
}));

/** One key of the file. */
export type ApiKeyEntry = Of<typeof API_KEY>;
export type KeyBudget = keyof ApiKeyEntry["rates"];

/** The file that `api_keys` names. */
export const API_KEY_FILE = object({ keys: atMost(MAX_API_KEYS, API_KEY, "The keys.") });

/** The keys in JSON `text`, read from `file`. `malformed_configuration`, `invalid_configuration`. */
export function parseApiKeys(text: string, file: string): readonly ApiKeyEntry[] {
  const { keys } = parseFile(API_KEY_FILE, text, file);
  for (const member of ["name", "sha256"] as const) {
    if (new Set(keys.map((key) => key[member])).size === keys.length) continue;
    throw invalid(file, `two keys have the same ${member}`);
  }
  return keys;
}

/** The keys in the file at `path`; errors also as `readTextFile`. */
export async function readApiKeys(path: string): Promise<readonly ApiKeyEntry[]> {
  return parseApiKeys(await readTextFile(path), path);
}

/** True for the name of a key. */
export function isKeyName(name: string): boolean {
  return NAME.test(name);
}

/** The text of the file of `keys`, which {@linkcode parseApiKeys} reads. */
export function encodeApiKeys(keys: readonly ApiKeyEntry[]): string {
  return `${JSON.stringify({ keys: keys.map(keyMembers) }, undefined, 2)}\n`;
}

/** A key as the file has it. */
export interface KeyMembers extends
  Partial<
    Record<KeyBudget, { readonly per_second: number; readonly burst: number }>
  > {
  readonly name: string;
  readonly sha256: string;
  readonly not_after?: number;
}

/** The members of a key in the file. */
export function keyMembers(
  { name, sha256, notAfter, rates }: ApiKeyEntry,
): KeyMembers {
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
