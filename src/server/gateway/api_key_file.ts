/**
 * The file of API keys of a running gateway, which is read again when it changes. Fronts receive each
 * text that is accepted.
 *
 * @module
 */

import { stat } from "node:fs/promises";
import process from "node:process";
import { type Clock, systemClock } from "../../base/clock.ts";
import { Current } from "../../base/current.ts";
import { type ApiKeyEntry, type ApiKeySettings, parseApiKeys } from "../../config/api_keys.ts";
import { NO_LIMITS } from "../../config/client_budgets.ts";
import { readTextFile } from "../../config/text_file.ts";
import { invalid } from "../../config/validation.ts";
import { CountersignError, expectedError } from "../../base/errors.ts";
import { ApiKeys } from "../../http/api_keys.ts";
import type { Report } from "../../base/report.ts";
import { runInBackground } from "../background.ts";
import { clientLimits, type GatewayRun } from "./gateway_run.ts";

/** How often the file is compared with the accepted text. */
const POLL_MS = 1_000;
const STOP_MS = 1_000;

/** The keys of a running gateway. */
export type ApiKeyFeed = Current<readonly ApiKeyEntry[]>;

/** The keys that a listener accepts, as `feed` has them; `undefined` if clients need none. */
export function acceptKeys(
  { operator: { apiKeys, network } }: GatewayRun,
  feed: ApiKeyFeed | undefined,
  isPublic: (path: string) => boolean,
): ApiKeys | undefined {
  if (apiKeys === undefined || feed === undefined) return undefined;
  const options = { routes: apiKeys.routes, realm: network.id, isPublic, clock: systemClock };
  const accepted = new ApiKeys(options, feed.value);
  feed.onChanged((keys) => accepted.use(keys));
  return accepted;
}

/** Follows the file of `run` until the gateway stops; `undefined` if none is configured. */
export async function followApiKeys(run: GatewayRun): Promise<ApiKeyFeed | undefined> {
  const { operator: { apiKeys }, report, opened } = run;
  if (apiKeys === undefined) return undefined;
  const file = await ApiKeyFile.open({
    file: apiKeys.file,
    report,
    clock: systemClock,
    hasBudgets: clientLimits(run) !== NO_LIMITS,
  });
  runInBackground(opened, STOP_MS, (signal) => file.run(signal));
  return file.feed;
}

export interface ApiKeyFileOptions extends Pick<ApiKeySettings, "file"> {
  /** False if no client is limited, so that budgets of keys would not count. */
  readonly hasBudgets: boolean;
  readonly report: Report;
  readonly clock: Clock;
}

export class ApiKeyFile {
  readonly feed: ApiKeyFeed;
  readonly #options: ApiKeyFileOptions;
  #text: string;
  /** Why the file cannot be used now, which is reported once. */
  #problem = "";

  private constructor(options: ApiKeyFileOptions, text: string) {
    this.#options = options;
    this.#text = text;
    this.feed = new Current(this.#parse(text));
  }

  /** Reads the file. `configuration_missing`, `file_failed`, `malformed_...`, `invalid_configuration`. */
  static async open(options: ApiKeyFileOptions): Promise<ApiKeyFile> {
    return new ApiKeyFile(options, await readKeysText(options.file));
  }

  /** Follows the file until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#options.clock.sleep(POLL_MS, signal);
      if (signal.aborted) return;
      await this.#readAgain();
    }
  }

  /** A file that cannot be used changes nothing: a slip of the editor must not lock all clients out. */
  async #readAgain(): Promise<void> {
    const { file, report } = this.#options;
    try {
      const text = await readKeysText(file);
      if (text !== this.#text) {
        const keys = this.#parse(text);
        this.#text = text;
        this.feed.set(keys);
        report(`Read ${keys.length} API keys from ${file}`, { level: "info" });
      }
      this.#problem = "";
    } catch (error) {
      const { message } = expectedError(error);
      if (message !== this.#problem) {
        report(`${message}. The API keys that were read before stay in use`, { level: "error" });
      }
      this.#problem = message;
    }
  }

  #parse(text: string): readonly ApiKeyEntry[] {
    const { file, hasBudgets } = this.#options;
    const keys = parseApiKeys(text, file);
    const limited = keys.find(({ rates }) => Object.keys(rates).length > 0);
    if (hasBudgets || limited === undefined) return keys;
    throw invalid(
      file,
      `key ${limited.name} has a budget, and this gateway limits no client ("limits": "off")`,
    );
  }
}

/** The mode bit of others who may write. */
const OTHERS_WRITE = 0o002;

/** The text of the file at `path`, which is a file that strangers cannot add keys to. */
async function readKeysText(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  // Reading a pipe might never end, and then no key could be revoked.
  if (found !== undefined && !found.isFile()) {
    throw new CountersignError("file_failed", `Cannot use "${path}": it is not a regular file`);
  }
  // Windows has no modes.
  if (found !== undefined && process.platform !== "win32" && (found.mode & OTHERS_WRITE) !== 0) {
    throw new CountersignError(
      "file_failed",
      `Cannot use "${path}": everyone may write it, and so add keys. Run: chmod o-w "${path}"`,
    );
  }
  return await readTextFile(path);
}
