/**
 * The log of a gateway in PostgreSQL, as a place that `store copy` and `store check` work on.
 *
 * @module
 */

import { hasCode } from "../errors.ts";
import type { Report } from "../report.ts";
import { addressText, type PostgresAccess } from "../storage/postgres/postgres_address.ts";
import { PostgresReader, PostgresStore } from "../storage/postgres/postgres_store.ts";
import type { CopyEnd } from "../storage/store_copy.ts";
import type { StoreEngine } from "../storage/store_engine.ts";
import { META_KEY } from "../storage/store_meta.ts";
import type { LogPlace } from "./log_place.ts";

/** A database with the databases of one log. Does not wait for a server that cannot be reached. */
export class DatabasePlace implements LogPlace {
  readonly name: string;
  readonly #access: PostgresAccess;
  readonly #report: Report;
  readonly #reported = new Set<string>();

  constructor(access: PostgresAccess, report: Report) {
    this.name = addressText(access);
    this.#access = access;
    this.#report = report;
  }

  async hasLog(): Promise<boolean> {
    const options = { access: this.#access, report: this.#report, signal: AbortSignal.abort() };
    // A reader creates no tables.
    const reader = await PostgresReader.open(options).catch((error) => {
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
    const store = await this.#open();
    opened.defer(() => store.close());
    const [log, anchors] = [store.engine("log"), store.engine("anchors")];
    return { name: this.name, log, anchors, fence: store.fence };
  }

  async scratch(opened: AsyncDisposableStack): Promise<() => Promise<StoreEngine>> {
    const schema = `countersign_check_${crypto.randomUUID().replaceAll("-", "")}`;
    const store = await this.#open(schema);
    opened.defer(async () => {
      try {
        await store.removeScratch();
      } finally {
        store.close();
      }
    });
    return async () => {
      const own = await this.#open(schema);
      const engine = own.engine("log");
      return {
        get: (key) => engine.get(key),
        list: (selector, options) => engine.list(selector, options),
        atomic: () => engine.atomic(),
        close: () => own.close(),
      };
    };
  }

  #open(schema?: string): Promise<PostgresStore> {
    return PostgresStore.open({
      access: this.#access,
      report: (message, options) => {
        if (!this.#reported.has(message)) this.#report(message, options);
        this.#reported.add(message);
      },
      signal: AbortSignal.abort(),
      ...(schema !== undefined && { schema }),
    });
  }
}
