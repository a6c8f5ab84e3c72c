/**
 * Tokens that were fetched and not yet spent: `tokens/<name>.json` beside the pins, 0600, with the
 * name of the network as {@linkcode fileNameOf} has it. Whoever reads or writes one holds the lock
 * beside it, so that no two processes take the same token; a file is replaced by rename, so that a
 * crash leaves what was there before or what is there after.
 *
 *     {"tokens": [{"token": "<base64url>", "not_after": 1766275200} ...]}
 *
 * @module
 */

import { join } from "node:path";
import { type Clock, unixSeconds } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import { Fields } from "../format/fields.ts";
import { parseTokenText } from "../format/privacy_pass.ts";
import { parseStrictJson } from "../format/strict_json.ts";
import { awaitLock } from "../storage/lock_file.ts";
import { makeFolder } from "./new_files.ts";
import { replaceFile } from "./replaced_file.ts";
import { fileNameOf } from "./trust_folder.ts";

/** A token, which whoever has it may spend. */
export interface SuppliedToken {
  /** As `issuer_token` of a submission has it. Never printed, never logged. */
  readonly token: string;
  /** Unix seconds from which it is taken no more; absent when its key has no end. */
  readonly notAfter?: number;
}

const FOLDER = "tokens";
/** The name of a network's file: what {@linkcode fileNameOf} makes, and nothing that is half written. */
const SUPPLY_FILE = /^((?:[a-z0-9-]|%[2-7][0-9a-f])(?:[a-z0-9.-]|%[2-7][0-9a-f])*)\.json$/;

const FILE_MODE = 0o600;
const CODE = "malformed_configuration";

/** The ids of the networks that there is a supply for below `home`, ascending. `file_failed`. */
export async function suppliedNetworks(home: string): Promise<readonly string[]> {
  const ids = [];
  try {
    for await (const { name } of Deno.readDir(join(home, FOLDER))) {
      const [, encoded] = SUPPLY_FILE.exec(name) ?? [];
      if (encoded !== undefined) ids.push(decodeURIComponent(encoded));
    }
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw unreadable(join(home, FOLDER), cause);
  }
  return ids.toSorted();
}

function unreadable(path: string, cause: unknown): CountersignError {
  const found = cause instanceof Error ? cause.name : "otherwise";
  return new CountersignError(
    "file_failed",
    `Cannot read "${path}": a readable file required, found ${found}`,
    { cause },
  );
}

/** The unspent tokens for one network, in the order in which they were fetched. */
export class TokenSupply {
  readonly #folder: string;
  readonly #name: string;
  readonly #clock: Clock;

  /** `home` is the folder of pins and heads, which need not exist. */
  constructor(home: string, networkId: string, clock: Clock) {
    this.#folder = join(home, FOLDER);
    this.#name = fileNameOf(networkId);
    this.#clock = clock;
  }

  /** How many can be spent now. */
  async count(): Promise<number> {
    return (await this.#change((tokens) => ({ kept: tokens, answer: tokens }))).length;
  }

  /** Takes the oldest `count` tokens, or as many as there are: they are no longer in the file. */
  take(count: number): Promise<readonly SuppliedToken[]> {
    return this.#change((tokens) => ({
      kept: tokens.slice(count),
      answer: tokens.slice(0, count),
    }));
  }

  /** Puts back, before all others, what was taken and is known not to be spent. */
  async giveBack(returned: readonly SuppliedToken[]): Promise<void> {
    await this.#change((tokens) => ({ kept: [...returned, ...tokens], answer: [] }));
  }

  /** Adds what was fetched. Durable when it returns. */
  async add(fetched: readonly SuppliedToken[]): Promise<void> {
    await this.#change((tokens) => ({ kept: [...tokens, ...fetched], answer: [] }));
  }

  /** Reads, lets `change` decide what stays, and writes that. Tokens that ended are dropped. */
  async #change(
    change: (tokens: readonly SuppliedToken[]) => {
      readonly kept: readonly SuppliedToken[];
      readonly answer: readonly SuppliedToken[];
    },
  ): Promise<readonly SuppliedToken[]> {
    await makeFolder(this.#folder);
    const lock = await awaitLock(join(this.#folder, `${this.#name}.lock`));
    try {
      const stored = await this.#read();
      const now = unixSeconds(this.#clock);
      const current = stored.filter(({ notAfter = Infinity }) => now < notAfter);
      const { kept, answer } = change(current);
      const isChanged = kept.length !== stored.length || kept.some((one, i) => one !== stored[i]);
      if (isChanged) await this.#write(kept);
      return answer;
    } finally {
      lock.release();
    }
  }

  get #path(): string {
    return join(this.#folder, `${this.#name}.json`);
  }

  async #read(): Promise<readonly SuppliedToken[]> {
    let text;
    try {
      text = await Deno.readTextFile(this.#path);
    } catch (cause) {
      if (cause instanceof Deno.errors.NotFound) return [];
      throw unreadable(this.#path, cause);
    }
    return parseTokenSupply(text, this.#path);
  }

  async #write(tokens: readonly SuppliedToken[]): Promise<void> {
    const members = tokens.map(({ token, notAfter }) => ({
      token,
      ...(notAfter !== undefined && { not_after: notAfter }),
    }));
    await replaceFile(this.#path, `${JSON.stringify({ tokens: members })}\n`, FILE_MODE);
  }
}

/**
 * The tokens of the text of a supply in the file at `path`; `malformed_configuration`, `token_invalid`.
 */
export function parseTokenSupply(text: string, path: string): readonly SuppliedToken[] {
  const context = { where: path, code: CODE } as const;
  const fields = new Fields(parseStrictJson(text, CODE), context, ["tokens"]);
  return fields.list("tokens").map((entry, index) => {
    const member = fields.within(entry, `tokens[${index}]`, ["token"], { optional: ["not_after"] });
    const token = member.text("token");
    parseTokenText(token);
    return member.has("not_after") ? { token, notAfter: member.count("not_after") } : { token };
  });
}
