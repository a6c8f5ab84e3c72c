/**
 * One connection to PostgreSQL. It connects when it is first used, and again after it was lost. Statements
 * are sent without waiting for earlier answers. Each is a transaction, so that it passes through a pooler in
 * transaction mode. Frequent ones have names, so that the server plans them once, until a pooler that sends
 * them to several sessions rejects a name. A name is the hash of its statement: whoever prepared it, it is
 * the same statement.
 *
 * @module
 */

import pg from "pg";
import { utf8 } from "../../base/bytes.ts";
import { type Clock, SLEEP_OVER, systemClock } from "../../base/clock.ts";
import { sha256 } from "../../proof/crypto/hashing.ts";
import type { PostgresAccess } from "./postgres_address.ts";
import { addressText } from "./postgres_address.ts";
import { connectFault, PostgresFault, statementFault } from "./postgres_fault.ts";

const CONNECT_MS = 3_000;
/**
 * A server that answers a statement later counts as lost: within 5 s of its return it is used again. The time
 * of a statement begins with the answer to the one before: many that wait do not make a server slow.
 */
const ANSWER_MS = 4_000;
/** After a failed attempt to connect, the next one waits. */
const RECONNECT_MS = 100;
/** Probes of an idle connection, so that a lost peer is noticed. */
const KEEP_ALIVE_MS = 10_000;

/** PostgreSQL cuts names after 63 bytes. */
const NAME_DIGITS = 32;

/** Settings that statements or their answers depend on. */
const SETTINGS = [
  "default_transaction_isolation=read\\ committed",
  "bytea_output=hex",
  "client_min_messages=warning",
  "statement_timeout=0",
  "idle_in_transaction_session_timeout=0",
  // While the server waits for its standby, repeated commits wait for the first one: they must not pile up.
  "lock_timeout=3000",
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

interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name?: string | undefined;
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

export interface RunOptions {
  /** The server may keep the plan of the statement. */
  readonly isPlannedOnce?: boolean;
}

/** Runs one statement; rejects with a {@linkcode PostgresFault}. */
export type Run = (
  text: string,
  values?: readonly unknown[],
  options?: RunOptions,
) => Promise<readonly Row[]>;

/** One connection. Statements reject with a `PostgresFault`. */
export class PostgresConnection {
  readonly #options: ConnectionOptions;
  readonly #clock: Clock;
  #client: Promise<Client> | undefined;
  /** The value of {@linkcode #client}, once it is connected. */
  #connection: Client | undefined;
  #failed: { readonly atMs: number; readonly fault: PostgresFault } | undefined;
  #pending = 0;
  /** Resolves when the last statement is answered, with its fault if that ended the connection. */
  #answered: Promise<PostgresFault | undefined> = NONE_BEFORE;
  #isClosed = false;
  readonly #names = new Map<string, string>();
  /** False once a pooler has rejected a name. */
  #usesNames = true;
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
  async run(
    text: string,
    values: readonly unknown[] = [],
    { isPlannedOnce = false }: RunOptions = {},
  ): Promise<readonly Row[]> {
    this.#pending++;
    try {
      const client = await this.#connected();
      const name = isPlannedOnce && this.#usesNames ? this.#nameOf(text) : undefined;
      try {
        return await this.#runOn(client, { text, values, name });
      } catch (fault) {
        if (name === undefined || !(fault as PostgresFault).isNameRejected) throw fault;
        // The server has not run it.
        this.#usesNames = false;
        return await this.#runOn(client, { text, values });
      }
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
    const now = this.#clock.elapsedMs();
    if (this.#failed !== undefined && now - this.#failed.atMs < RECONNECT_MS) {
      return Promise.reject(this.#failed.fault);
    }
    const connecting = this.#connect();
    this.#client = connecting;
    connecting.catch((fault) => {
      if (this.#client === connecting) this.#client = undefined;
      this.#failed = { atMs: this.#clock.elapsedMs(), fault };
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
    this.#answered = NONE_BEFORE;
    client.on("error", () => this.#forget(client));
    client.on("end", () => this.#forget(client));
    // PostgreSQL stored a commit, and stopped waiting for the standby: the outcome is not durable.
    client.on("notice", ({ routine }) => {
      if (routine === "SyncRepWaitForLSN") this.#unconfirmed++;
    });
    try {
      await this.#inTime(client.connect());
      await check?.((text, values = []) => this.#runOn(client, { text, values }));
    } catch (error) {
      destroy(client);
      throw error;
    }
    this.#connection = client;
    return client;
  }

  /** Later statements use another connection. */
  #forget(client: Client): void {
    if (this.#connection === client) this.#connection = this.#client = undefined;
  }

  #nameOf(text: string): string {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `countersign_${sha256(utf8(text)).toHex().slice(0, NAME_DIGITS)}`;
      this.#names.set(text, name);
    }
    return name;
  }

  async #runOn(client: Client, query: Query): Promise<readonly Row[]> {
    const unconfirmed = this.#unconfirmed;
    const before = this.#answered;
    const answered = Promise.withResolvers<PostgresFault | undefined>();
    this.#answered = answered.promise;
    try {
      const { rows } = await this.#inTime(
        client.query({ ...query, rowMode: "array", types: AS_TEXT }),
        before,
      );
      if (this.#unconfirmed === unconfirmed) return rows;
    } catch (cause) {
      const fault = statementFault(cause);
      if (fault.endsConnection) {
        this.#forget(client);
        destroy(client);
        answered.resolve(fault);
      }
      throw fault;
    } finally {
      answered.resolve(undefined);
    }
    throw statementFault(new Error("the server did not wait for its synchronous standby"));
  }

  /** The time begins when `before` resolves. Does not rely on `pg` to notice that the connection has ended. */
  async #inTime<T>(answer: Promise<T>, before = NONE_BEFORE): Promise<T> {
    const answered = new AbortController();
    const late = before.then(async (fault): Promise<never> => {
      if (fault !== undefined) throw fault;
      await this.#clock.sleep(ANSWER_MS, answered.signal);
      if (answered.signal.aborted) return undefined as never;
      throw new Error(`no answer within ${ANSWER_MS / 1_000} s`);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      answered.abort(SLEEP_OVER);
    }
  }
}

const NONE_BEFORE: Promise<PostgresFault | undefined> = Promise.resolve(undefined);
const AS_TEXT = { getTypeParser: () => (text: string) => text };

/**
 * Every option has a value, since `pg` would read a variable of the environment for an empty one. Those that
 * should be empty are replaced afterwards.
 */
function newClient(access: PostgresAccess, settings: readonly string[]): Client {
  const { host, port, user, database, password, tls, ca } = access;
  const client: Client = new pg.Client({
    host,
    port,
    user,
    database,
    password: () => password,
    ssl: tls ? { rejectUnauthorized: true, ...(ca !== undefined && { ca }) } : false,
    sslnegotiation: "postgres",
    client_encoding: "UTF8",
    application_name: "countersign",
    connectionTimeoutMillis: CONNECT_MS,
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    options: "-",
    replication: "-",
    binary: true,
  });
  const options = settings.map((setting) => `-c ${setting}`).join(" ");
  Object.assign(client.connectionParameters, { replication: undefined, options });
  return Object.assign(client, { replication: undefined, binary: false });
}

function destroy(client: Client): void {
  client.connection.stream.destroy();
}
