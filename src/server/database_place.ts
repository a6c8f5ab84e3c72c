/**
 * The log of a gateway in PostgreSQL, as a place that `store copy` works on.
 *
 * @module
 */

import { hasCode } from "../errors.ts";
import type { Report } from "../report.ts";
import { addressText, type PostgresAccess } from "../storage/postgres/postgres_address.ts";
import {
  type PostgresOptions,
  PostgresReader,
  PostgresStore,
} from "../storage/postgres/postgres_store.ts";
import type { CopyEnd } from "../storage/store_copy.ts";
import { META_KEY } from "../storage/store_meta.ts";
import type { LogPlace } from "./log_place.ts";

/** A database with the databases of one log. Does not wait for a server that cannot be reached. */
export class DatabasePlace implements LogPlace {
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
