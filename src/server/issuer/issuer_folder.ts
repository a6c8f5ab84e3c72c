/**
 * The folder of an issuer: its configuration, and a file for each key.
 *
 *     issuer.json                  see `config/issuer_node.ts`
 *     keys/<16 hex>.json           key ID; see `config/issuer_key_file.ts`
 *     lock                         held by the process that issues
 *
 * Each key is one file, renamed into place and never changed: a crash during a rotation leaves the old
 * keys, with or without the new one. All files are 0600.
 *
 * @module
 */

import { join } from "node:path";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import { encodeIssuerSecret, readIssuerKeyFile } from "../../config/issuer_key_file.ts";
import { type IssuerNode, parseIssuerNode } from "../../config/issuer_node.ts";
import { readTextFile } from "../../config/text_file.ts";
import { CountersignError } from "../../base/errors.ts";
import { tokenKeyIdOf } from "../../proof/format/privacy_pass.ts";
import type { ApiKey } from "../../gateway/tokens/api_keys.ts";
import {
  generateIssuerSecret,
  type IssuerKey,
  issuerKeyOf,
  type IssuerSecret,
  truncatedIdOf,
} from "../../gateway/tokens/issuer_key.ts";
import { type KeyPeriod, lasting, missingPeriod } from "../../gateway/tokens/key_schedule.ts";
import { makeFolder } from "../files.ts";
import { replaceFile } from "../replaced_file.ts";

const FILE_MODE = 0o600;

const KEY_FILE = /^[0-9a-f]{16}\.json$/;
/** Incomplete key files after a crash. */
const UNFINISHED = /^\.[0-9a-f]{16}\.json\./;

/** The defaults of a new issuer. Work of 20 bits takes some tenths of a second. */
const NEW_ISSUER = {
  rotation: { lifetime_seconds: 30 * 86_400, overlap_seconds: 7 * 86_400 },
  api_keys: [],
  work: { bits: 20 },
} as const;

export const issuerFile = (folder: string): string => join(folder, "issuer.json");

/** The running issuer holds this lock. */
export const issuerLockFile = (folder: string): string => join(folder, "lock");

/** The key files in `folder`, ascending. */
export async function keyFiles(folder: string): Promise<readonly string[]> {
  const files = [];
  // The folder is missing if the operator wrote the configuration.
  await makeFolder(keyFolder(folder));
  for await (const { name } of Deno.readDir(keyFolder(folder))) {
    if (KEY_FILE.test(name)) files.push(join(keyFolder(folder), name));
  }
  return files.toSorted();
}

/** Creates the configuration of a new issuer. The caller has checked that there is none. */
export async function createIssuer(
  folder: string,
  { name, url }: { readonly name: string; readonly url?: string },
): Promise<void> {
  await makeFolder(keyFolder(folder));
  const members = { name, ...(url !== undefined && { url }), ...NEW_ISSUER };
  const text = `${JSON.stringify(members, undefined, 2)}\n`;
  parseIssuerNode(text, issuerFile(folder));
  await replaceFile(issuerFile(folder), text, FILE_MODE);
}

/** Adds an API key to the configuration; `invalid_configuration` if the name is in use. */
export async function addApiKey(folder: string, { name, sha256, perDay }: ApiKey): Promise<void> {
  const file = issuerFile(folder);
  const members: Record<string, unknown> = JSON.parse(await readTextFile(file));
  const added = { name, sha256, ...(perDay !== undefined && { per_day: perDay }) };
  const apiKeys = Array.isArray(members["api_keys"]) ? [...members["api_keys"], added] : [added];
  const text = `${JSON.stringify({ ...members, api_keys: apiKeys }, undefined, 2)}\n`;
  parseIssuerNode(text, file);
  await replaceFile(file, text, FILE_MODE);
}

/** The configuration of the issuer in `folder`; `configuration_missing` if there is none. */
export async function readIssuer(folder: string): Promise<IssuerNode> {
  const file = issuerFile(folder);
  return parseIssuerNode(await readTextFile(file), file);
}

/** All keys in `folder`. A damaged key is an error, never skipped. */
export async function readKeys(
  folder: string,
): Promise<readonly IssuerSecret[]> {
  const files = await keyFiles(folder);
  const secrets = await Promise.all(files.map((file) => readIssuerKeyFile(file)));
  for (const [i, secret] of secrets.entries()) {
    if (files[i] === pathOf(folder, secret)) continue;
    throw new CountersignError(
      "invalid_key",
      `Cannot use issuer key file "${files[i]}": it holds another key than its name says`,
    );
  }
  return secrets;
}

/**
 * Creates a key for `period`, durable when it returns. Its truncated ID (one byte, by which token
 * requests name their key) differs from those of `others`.
 */
export async function addKey(
  folder: string,
  period: KeyPeriod,
  others: readonly IssuerSecret[],
): Promise<IssuerSecret> {
  const taken = new Set(others.map((key) => truncatedIdOf(key.tokenKey)));
  let secret;
  do secret = await generateIssuerSecret(period); while (
    taken.has(truncatedIdOf(secret.tokenKey))
  );
  await makeFolder(keyFolder(folder));
  await replaceFile(pathOf(folder, secret), encodeIssuerSecret(secret), FILE_MODE);
  return secret;
}

function keyFolder(folder: string): string {
  return join(folder, "keys");
}

function pathOf(folder: string, { tokenKey }: IssuerSecret): string {
  const id = tokenKeyIdOf(tokenKey).subarray(0, 8).toHex();
  return join(keyFolder(folder), `${id}.json`);
}

/** The caller holds the lock of the folder. */
export interface IssuerKeysOptions {
  readonly folder: string;
  readonly node: IssuerNode;
  readonly clock: Clock;
}

/** The keys of a running issuer, created and removed on the schedule of `gateway/tokens/key_schedule.ts`. */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  #secrets: readonly IssuerSecret[];

  private constructor(options: IssuerKeysOptions, secrets: readonly IssuerSecret[]) {
    this.#options = options;
    this.#secrets = secrets;
  }

  /** Reads the keys of the folder. `invalid_key`, `file_failed`. */
  static async open(options: IssuerKeysOptions): Promise<IssuerKeys> {
    const { folder } = options;
    await makeFolder(keyFolder(folder));
    // A crash may leave incomplete files.
    for await (const { name } of Deno.readDir(keyFolder(folder))) {
      if (UNFINISHED.test(name)) await Deno.remove(join(keyFolder(folder), name));
    }
    return new IssuerKeys(options, await readKeys(folder));
  }

  /**
   * Creates the missing key, if any, and removes expired keys. With `early` it creates the next key
   * whatever the age of the current one. `file_failed`.
   */
  async rotate({ early = false } = {}): Promise<void> {
    const { folder, node, clock } = this.#options;
    const now = unixSeconds(clock);
    const period = missingPeriod(this.#secrets, { rotation: node.rotation, now, early });
    if (period !== undefined) {
      this.#secrets = [...this.#secrets, await addKey(folder, period, this.#secrets)];
    }
    // After their successors are durable.
    const kept = lasting(this.#secrets, now);
    for (const secret of this.#secrets) {
      if (!kept.includes(secret)) await Deno.remove(pathOf(folder, secret));
    }
    this.#secrets = kept;
  }

  /** The keys, ready to issue. */
  ready(): readonly IssuerKey[] {
    return this.#secrets.map(issuerKeyOf);
  }
}
