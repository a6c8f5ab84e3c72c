/**
 * One connection to PostgreSQL. It connects when it is first used, and again after it was lost. Statements
 * are sent without waiting for earlier answers. Each is a transaction and has no name, so that it passes
 * through a pooler in transaction mode.
 *
 * @module
 */

import pg from "pg";
import { type Clock, systemClock } from "../../clock.ts";
import type { PostgresAccess } from "./postgres_address.ts";
import { addressText } from "./postgres_address.ts";
import { connectFault, PostgresFault, statementFault } from "./postgres_fault.ts";

const CONNECT_MS = 5_000;
/** A server that answers a statement later counts as lost. */
const ANSWER_MS = 10_000;
/** After a failed attempt to connect, the next one waits. */
const RECONNECT_MS = 100;
/** Probes of an idle connection, so that a lost peer is noticed. */
const KEEP_ALIVE_MS = 10_000;

/** Settings that statements or their answers depend on. */
const SETTINGS = [
  "default_transaction_isolation=read\\ committed",
  ...["bytea_output=hex", "client_min_messages=warning"],
  ...["statement_timeout=0", "lock_timeout=0", "idle_in_transaction_session_timeout=0"],
];
/** A pooler that allows no settings (PgBouncer without `ignore_startup_parameters = options`). */
const NO_SETTINGS = /unsupported startup parameter/;

/** A row: columns as PostgreSQL writes them, `null` for NULL. */
export type Row = readonly (string | null)[];

/** The part of a client of `pg` that is used. */
interface Client {
  connect(): Promise<unknown>;
  query(query: Record<string, unknown>): Promise<{ readonly rows: readonly Row[] }>;
  end(): Promise<void>;
  on(event: "error" | "end" | "notice", listener: (value: Notice) => void): void;
  readonly connection: { readonly stream: { destroy(): void } };
  readonly connectionParameters: object;
}

interface Notice {
  readonly routine?: string;
}

export interface ConnectionOptions {
  readonly access: PostgresAccess;
  /** Refuses every write. */
  readonly isReadOnly: boolean;
  /** Called with each new connection, before its first statement. */
  readonly check?: (run: Run) => Promise<void>;
  readonly clock?: Clock;
}

/** Runs one statement; rejects with a {@linkcode PostgresFault}. */
export type Run = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** See the module. */
export class PostgresConnection {
  readonly #options: ConnectionOptions;
  readonly #clock: Clock;
  #client: Promise<Client> | undefined;
  #failed: { readonly atMs: number; readonly fault: PostgresFault } | undefined;
  #pending = 0;
  #isClosed = false;
  /** Statements that the server stored without waiting for its standby. */
  #unconfirmed = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Statements without an answer. */
  get pending(): number {
    return this.#pending;
  }

  /** Runs `text`; rejects with a {@linkcode PostgresFault}. Values are texts, numbers or buffers. */
  async run(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    this.#pending++;
    try {
      const client = await this.#connected();
      return await this.#runOn(client, text, values);
    } finally {
      this.#pending--;
    }
  }

  close(): void {
    this.#isClosed = true;
    const client = this.#client;
    this.#client = undefined;
    client?.then((open) => this.#pending === 0 ? open.end() : destroy(open)).catch(() => {});
  }

  #connected(): Promise<Client> {
    if (this.#client !== undefined) return this.#client;
    if (this.#isClosed) {
      return Promise.reject(
        connectFault(addressText(this.#options.access), new Error("the store is closed")),
      );
    }
    const now = this.#clock.nowMs();
    if (this.#failed !== undefined && Math.abs(now - this.#failed.atMs) < RECONNECT_MS) {
      return Promise.reject(this.#failed.fault);
    }
    const connecting = this.#connect();
    this.#client = connecting;
    connecting.catch((fault) => {
      if (this.#client === connecting) this.#client = undefined;
      this.#failed = { atMs: this.#clock.nowMs(), fault };
    });
    return connecting;
  }

  async #connect(): Promise<Client> {
    try {
      return await this.#open(SETTINGS);
    } catch (cause) {
      if (!(cause instanceof Error) || !NO_SETTINGS.test(cause.message)) {
        throw connectFault(addressText(this.#options.access), cause);
      }
    }
    try {
      return await this.#open([]);
    } catch (cause) {
      throw connectFault(addressText(this.#options.access), cause);
    }
  }

  async #open(settings: readonly string[]): Promise<Client> {
    const { access, check, isReadOnly } = this.#options;
    const all = isReadOnly && settings.length > 0
      ? [...settings, "default_transaction_read_only=on"]
      : settings;
    const client = newClient(access, all);
    let opened: Promise<Client> | undefined = undefined;
    const lose = () => {
      if (opened !== undefined && this.#client === opened) this.#client = undefined;
    };
    client.on("error", lose);
    client.on("end", lose);
    // PostgreSQL stored a commit, and stopped waiting for the standby: the outcome is not durable.
    client.on("notice", ({ routine }) => {
      if (routine === "SyncRepWaitForLSN") this.#unconfirmed++;
    });
    await client.connect();
    opened = this.#client;
    try {
      await check?.((text, values = []) => this.#runOn(client, text, values));
    } catch (error) {
      destroy(client);
      throw error;
    }
    return client;
  }

  async #runOn(client: Client, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const answered = new AbortController();
    void this.#clock.sleep(ANSWER_MS, answered.signal).then(() => {
      if (!answered.signal.aborted) destroy(client);
    });
    const unconfirmed = this.#unconfirmed;
    try {
      const { rows } = await client.query({ text, values, rowMode: "array", types: AS_TEXT });
      if (this.#unconfirmed === unconfirmed) return rows;
    } catch (cause) {
      const fault = statementFault(cause);
      if (fault.endsConnection) destroy(client);
      throw fault;
    } finally {
      answered.abort();
    }
    throw statementFault(new Error("the server did not wait for its synchronous standby"));
  }
}

const AS_TEXT = { getTypeParser: () => (text: string) => text };

/**
 * Every option has a value, since `pg` would read a variable of the environment for an empty one. Those that
 * should be empty are replaced afterwards.
 */
function newClient(access: PostgresAccess, settings: readonly string[]): Client {
  const { host, port, user, database, password, tls, ca } = access;
  const client: Client = new pg.Client({
    ...{ host, port, user, database },
    password: () => password,
    ssl: tls ? { rejectUnauthorized: true, ...(ca !== undefined && { ca }) } : false,
    ...{ sslnegotiation: "postgres", client_encoding: "UTF8", application_name: "countersign" },
    ...{ connectionTimeoutMillis: CONNECT_MS, pipeline: true },
    ...{ keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS },
    ...{ options: "-", replication: "-", binary: true },
  });
  const options = settings.map((setting) => `-c ${setting}`).join(" ");
  Object.assign(client.connectionParameters, { replication: undefined, options });
  return Object.assign(client, { replication: undefined, binary: false });
}

function destroy(client: Client): void {
  client.connection.stream.destroy();
}
