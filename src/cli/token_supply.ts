/**
 * Unspent tokens. Every access holds a lock, so that no two processes take the same token. A file is
 * replaced by rename, so that a crash leaves the old or the new text.
 *
 * @module
 */

import type { GatewayRecord } from "./gateway_record.ts";
import { join } from "node:path";
import type { SuppliedToken, TokenStore } from "../client/token_spender.ts";
import { type Clock, unixSeconds } from "../base/clock.ts";
import { CountersignError } from "../base/errors.ts";
import { makeFolder } from "../server/files.ts";
import { replaceFile, textIfExists } from "../server/replaced_file.ts";
import { withChangeLock } from "../server/change_lock.ts";
import {
  encodeTokenSupply,
  parseTokenSupply,
  supplyFileName,
  supplyFolder,
} from "./token_supply_file.ts";

const FILE_MODE = 0o600;

/** The tokens that stay in the file, and those for the caller. */
interface Change {
  readonly kept: readonly SuppliedToken[];
  readonly answer: readonly SuppliedToken[];
}

/** {@linkcode TokenStore} in a file. */
export class TokenSupply implements TokenStore {
  readonly #folder: string;
  readonly #owner: GatewayRecord;
  readonly #clock: Clock;

  /** `home` is the folder of all client data. It need not exist. */
  constructor(home: string, owner: GatewayRecord, clock: Clock) {
    this.#folder = supplyFolder(home);
    this.#owner = owner;
    this.#clock = clock;
  }

  async count(): Promise<number> {
    return (await this.#change((tokens) => ({ kept: tokens, answer: tokens }))).length;
  }

  take(count: number): Promise<readonly SuppliedToken[]> {
    return this.#change((tokens) => {
      const answer = tokens.filter(({ shownFor }) => shownFor === undefined).slice(0, count);
      return { kept: tokens.filter((token) => !answer.includes(token)), answer };
    });
  }

  takeShown(): Promise<readonly SuppliedToken[]> {
    return this.#change((tokens) => ({
      kept: tokens.filter(({ shownFor }) => shownFor === undefined),
      answer: tokens.filter(({ shownFor }) => shownFor !== undefined),
    }));
  }

  async giveBack(returned: readonly SuppliedToken[]): Promise<void> {
    await this.#change((tokens) => ({ kept: [...returned, ...tokens], answer: [] }));
  }

  /** Adds new tokens. Durable when it returns. */
  async add(fetched: readonly SuppliedToken[]): Promise<void> {
    await this.#change((tokens) => ({ kept: [...tokens, ...fetched], answer: [] }));
  }

  /** Applies `change` to the tokens in the file, without expired ones. */
  async #change(
    change: (tokens: readonly SuppliedToken[]) => Change,
  ): Promise<readonly SuppliedToken[]> {
    await makeFolder(this.#folder);
    const name = supplyFileName(this.#owner);
    const path = join(this.#folder, `${name}.json`);
    return await withChangeLock(join(this.#folder, `${name}.held`), async (confirm) => {
      const stored = await this.#read(path);
      const now = unixSeconds(this.#clock);
      const current = stored.filter(({ notAfter = Infinity }) => now < notAfter);
      const { kept, answer } = change(current);
      const isChanged = kept.length !== stored.length || kept.some((one, i) => one !== stored[i]);
      if (isChanged) {
        const text = encodeTokenSupply({ ...this.#owner, tokens: kept });
        await replaceFile(path, text, FILE_MODE, confirm);
      }
      return answer;
    });
  }

  async #read(path: string): Promise<readonly SuppliedToken[]> {
    const text = await textIfExists(path);
    if (text === undefined) return [];
    const { gateway, networkId, tokens } = parseTokenSupply(text, path);
    if (gateway === this.#owner.gateway && networkId === this.#owner.networkId) return tokens;
    throw new CountersignError(
      "malformed_configuration",
      `Cannot use "${path}": its tokens are not of ${this.#owner.networkId} for ` +
        this.#owner.gateway,
    );
  }
}
