/**
 * `api-key`: creates, lists and revokes the API keys of a private gateway, in the file that its
 * `network.json` names. A running gateway reads the file again.
 *
 * @module
 */

import { or } from "@optique/core/constructs";
import { unixSeconds } from "../base/clock.ts";
import {
  type ApiKeyEntry,
  encodeApiKeys,
  isKeyName,
  type KeyBudget,
  type KeyMembers,
  keyMembers,
  MAX_API_KEYS,
  parseApiKeys,
  readApiKeys,
} from "../config/api_keys.ts";
import { randomToken } from "../proof/crypto/secrets.ts";
import { CountersignError, errorBuilder } from "../base/errors.ts";
import type { Rate } from "../http/limits/token_buckets.ts";
import { replaceFile, textIfExists } from "../server/replaced_file.ts";
import { apiKeyDigest } from "../gateway/tokens/api_keys.ts";
import type { CommandContext } from "./command_context.ts";
import { defineSubcommand, namedCommand, type ValuesOf } from "./define_command.ts";
import { count, FILE, optional, positional, required, textValue } from "./options.ts";
import { tableLines, timeText } from "./output.ts";
import { withChangeLock } from "../server/change_lock.ts";

const usage = errorBuilder("usage", "Cannot create API key");

const DAY_SECONDS = 86_400;
const MOST = 1_000_000;
const MOST_DAYS = 36_500;
/** Hashes are no secrets, and the gateway may run as another user. */
const FILE_MODE = 0o644;

const file = required("--file", FILE, "File of the keys' hashes, which network.json names.");
const name = positional(textValue("NAME"), "Name of the key, for log and metrics.");

const newOptions = {
  name,
  file,
  days: optional(
    "--days",
    count("DAYS", 1, MOST_DAYS),
    "Days after which the key expires (default: never).",
  ),
  perSecond: optional(
    "--per-second",
    count("COUNT", 1, MOST),
    "New hashes that the key may add in a second, with --burst (default: as any client).",
  ),
  burst: optional("--burst", count("COUNT", 1, MOST), "New hashes that the key may add at once."),
  readsPerSecond: optional(
    "--reads-per-second",
    count("COUNT", 1, MOST),
    "Other requests in a second, with --reads-burst (default: as any client).",
  ),
  readsBurst: optional("--reads-burst", count("COUNT", 1, MOST), "Other requests at once."),
};

const create = defineSubcommand("api-key new", {
  brief: "Create a key and print it once",
  description:
    "Prints a new key once and stores its hash. Give it to its holder, who sets COUNTERSIGN_API_KEY or COUNTERSIGN_API_KEY_FILE.",
  options: newOptions,
  run: newApiKey,
});

const list = defineSubcommand("api-key list", {
  brief: "List the keys",
  options: { file },
  run: listApiKeys,
});

const revoke = defineSubcommand("api-key revoke", {
  brief: "Remove a key",
  description: "Removes a key. A running gateway refuses it within seconds.",
  options: { name, file },
  run: revokeApiKey,
});

export const apiKey = namedCommand("api-key", or(create, list, revoke));

async function newApiKey(
  options: ValuesOf<typeof newOptions>,
  { io, output, process: { clock } }: CommandContext,
): Promise<number> {
  const { name, days } = options;
  if (!isKeyName(name)) {
    throw usage(
      "its name must have 1 to 64 of A-Z a-z 0-9 . _ - and begin with a " +
        "letter or digit",
    );
  }
  const path = io.resolvePath(options.file);
  const rates: Partial<Record<KeyBudget, Rate>> = {
    ...rateOf("new_attestations", options.perSecond, options.burst),
    ...rateOf("reads", options.readsPerSecond, options.readsBurst),
  };
  const secret = randomToken();
  const notAfter = days === undefined ? undefined : unixSeconds(clock) + days * DAY_SECONDS;
  const entry: ApiKeyEntry = {
    name,
    sha256: apiKeyDigest(secret),
    rates,
    ...(notAfter !== undefined && { notAfter }),
  };
  await changeKeys(path, async () => {
    const text = await textIfExists(path);
    const keys = text === undefined ? [] : parseApiKeys(text, path);
    if (keys.some((key) => key.name === name)) {
      throw new CountersignError(
        "invalid_configuration",
        `Cannot create API key: ${path} has a key ${name}. Revoke it first, or choose another name`,
      );
    }
    if (keys.length >= MAX_API_KEYS) {
      throw new CountersignError(
        "invalid_configuration",
        `Cannot create API key: ${path} has ${keys.length}, the most that a gateway takes`,
      );
    }
    return [...keys, entry];
  });
  output.result({ ...keyMembers(entry), key: secret, file: path }, ({ key }) => [key]);
  output.note("The key is not shown again");
  return 0;
}

/** Replaces the keys in the file at `path`, one process at a time. */
async function changeKeys(
  path: string,
  change: () => Promise<readonly ApiKeyEntry[]>,
): Promise<void> {
  await withChangeLock(
    `${path}.lock`,
    async (confirm) => await replaceFile(path, encodeApiKeys(await change()), FILE_MODE, confirm),
  );
}

function rateOf(
  budget: KeyBudget,
  perSecond: number | undefined,
  burst: number | undefined,
): Partial<Record<KeyBudget, Rate>> {
  if (perSecond !== undefined && burst !== undefined) return { [budget]: { perSecond, burst } };
  if (perSecond === undefined && burst === undefined) return {};
  const prefix = budget === "reads" ? "--reads-" : "--";
  throw usage(`give both ${prefix}per-second and ${prefix}burst, or neither`);
}

async function listApiKeys(
  { file }: { readonly file: string },
  { io, output, process: { clock } }: CommandContext,
): Promise<number> {
  const keys = await readApiKeys(io.resolvePath(file));
  const now = unixSeconds(clock);
  output.result({
    keys: keys.map((key) => ({
      ...keyMembers(key),
      expired: key.notAfter !== undefined && now >= key.notAfter,
    })),
  }, ({ keys }) => keys.length === 0 ? ["No keys"] : keyTable(keys));
  return 0;
}

function keyTable(keys: readonly (KeyMembers & { readonly expired: boolean })[]): string[] {
  return tableLines(
    ["name", "expiry", "budgets"],
    keys.map(({ name, sha256: _, not_after, expired, ...rates }) => [
      name,
      not_after === undefined
        ? "never expires"
        : `${expired ? "expired" : "expires"} ${timeText(not_after)}`,
      Object.entries(rates).map(([budget, { per_second, burst }]) =>
        `${budget} ${per_second}/s, burst ${burst}`
      ).join("; "),
    ]),
  );
}

async function revokeApiKey(
  { name, file }: { readonly name: string; readonly file: string },
  { io, output }: CommandContext,
): Promise<number> {
  const path = io.resolvePath(file);
  await changeKeys(path, async () => {
    const keys = await readApiKeys(path);
    const kept = keys.filter((key) => key.name !== name);
    if (kept.length < keys.length) return kept;
    throw new CountersignError(
      "invalid_configuration",
      `Cannot revoke API key: ${path} has no key ${JSON.stringify(name)}`,
    );
  });
  output.result({ name, file: path }, ({ name }) => [`Revoked ${name}`]);
  return 0;
}
