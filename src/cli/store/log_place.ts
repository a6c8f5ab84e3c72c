/**
 * Where the databases of one log are: in a folder of this machine, or in PostgreSQL.
 *
 * @module
 */

import { parseStoreUrl } from "../../config/store_database.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import type { Report } from "../../base/report.ts";
import { anchorsFile, lockFile, storeFile } from "../../server/data_paths.ts";
import { exists, makeFolder } from "../../server/files.ts";
import { storeAccess } from "../../server/gateway/gateway_stores.ts";
import { acquireLock } from "../../storage/lock_file.ts";
import { KvFence } from "../../storage/log/kv_fence.ts";
import { logKeys } from "../../storage/log/log_keys.ts";
import { COPIED_STORE } from "../../storage/log/local_log_store.ts";
import { checkLocation, locationOf } from "../../storage/store_location.ts";
import { addressText, type PostgresAccess } from "../../storage/postgres/postgres_address.ts";
import {
  type PostgresOptions,
  PostgresReader,
  PostgresStore,
} from "../../storage/postgres/postgres_store.ts";
import type { CopyEnd } from "../../storage/store_copy.ts";
import { openStoreKv } from "../../storage/store_kv.ts";
import { META_KEY } from "../../storage/store_meta.ts";
import { argumentValue, type CommandContext } from "../command_context.ts";

/** A folder or a database with the databases of one log. */
export interface LogPlace {
  /** As in messages: without secrets. */
  readonly name: string;
  hasLog(): Promise<boolean>;
  /** Opens the databases for a copy, which `opened` closes. Creates missing ones. */
  openCopyEnd(opened: AsyncDisposableStack): Promise<CopyEnd>;
}

/** The files of a data folder. */
export class LocalPlace implements LogPlace {
  readonly name: string;
  readonly #store: string;
  readonly #anchors: string;

  constructor(readonly folder: string) {
    this.name = folder;
    this.#store = storeFile(folder);
    this.#anchors = anchorsFile(folder);
  }

  hasLog(): Promise<boolean> {
    return exists(this.#store);
  }

  async openCopyEnd(opened: AsyncDisposableStack): Promise<CopyEnd> {
    await makeFolder(this.folder);
    const lock = await acquireLock(lockFile(this.folder)).catch((cause) => {
      if (!hasCode(cause, "data_in_use")) throw cause;
      throw new CountersignError(
        "data_in_use",
        `Cannot copy "${this.folder}": a gateway or another copy has it open. Stop it first`,
        { cause },
      );
    });
    opened.defer(() => lock.release());
    const log = await openStoreKv(this.#store);
    opened.defer(() => log.close());
    checkLocation(
      this.#store,
      COPIED_STORE,
      (await log.get(logKeys.location())).value,
      await locationOf(this.#store),
    );
    const anchors = await openStoreKv(this.#anchors);
    opened.defer(() => anchors.close());
    return { name: this.name, log, anchors, fence: new KvFence(log) };
  }
}

/** A database with the databases of one log. Does not wait for a server that cannot be reached. */
class DatabasePlace implements LogPlace {
  readonly name: string;
  readonly #options: PostgresOptions;

  constructor(access: PostgresAccess, report: Report) {
    this.name = addressText(access);
    this.#options = { access, report, signal: AbortSignal.abort() };
  }

  async hasLog(): Promise<boolean> {
    // A reader creates no tables.
    const reader = await PostgresReader.open(this.#options).catch((error) => {
      if (!hasCode(error, "configuration_missing")) throw error;
    });
    try {
      const meta = await reader?.reads("log").get(META_KEY);
      return meta !== undefined && meta.value !== null;
    } finally {
      reader?.close();
    }
  }

  async openCopyEnd(opened: AsyncDisposableStack): Promise<CopyEnd> {
    const store = await PostgresStore.open(this.#options);
    opened.defer(() => store.close());
    return {
      name: this.name,
      log: store.engine("log"),
      anchors: store.engine("anchors"),
      fence: store.fence,
    };
  }
}

/** How to connect to a store. */
interface ConnectChoice {
  /** A file with the password. */
  readonly file: string | undefined;
  /** The variable with the password, without such a file. */
  readonly variable: string;
  /** A file with the certificates to trust. */
  readonly ca: string | undefined;
  /** Allows connections to other machines in clear text. */
  readonly insecure: boolean;
}

/** The place of `text`, a folder or a URL. `usage` for a wrong URL; rejects like `loadPassword`. */
export async function namedPlace(
  text: string,
  { file, variable, ca, insecure }: ConnectChoice,
  { io, output }: CommandContext,
): Promise<LogPlace> {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return new LocalPlace(io.resolvePath(text));
  const password = file !== undefined
    ? { kind: "file", path: io.resolvePath(file) } as const
    : io.env(variable) !== undefined
    ? { kind: "environment", name: variable } as const
    : undefined;
  const database = {
    ...argumentValue(() => parseStoreUrl(text, { insecure })),
    ...(password !== undefined && { password }),
    ...(ca !== undefined && { caFile: io.resolvePath(ca) }),
  };
  return new DatabasePlace(await storeAccess(database, io), (line) => output.note(line));
}
