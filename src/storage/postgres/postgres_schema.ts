/**
 * The tables of a store in PostgreSQL, in a schema of their own, {@linkcode SCHEMA}:
 *
 *     format     version: one row
 *     fence      holder: one row, the random id of the process that may commit; null before the first
 *     lease      epoch, holder, url, operator_url, ends: one row, the gateway that takes digests until then;
 *                front_settings: what fronts need of the last one (`front_settings.ts`), null before the first
 *     log        key, value: the records of the log
 *     anchors    key, value: the records of `anchors.kv`
 *
 * Keys are as in `key_encoding.ts`, values as in `postgres_values.ts`.
 *
 * @module
 */

import { addressText, type PostgresAddress } from "./postgres_address.ts";
import type { Run } from "./postgres_connection.ts";
import { refusedServer, statementFault } from "./postgres_fault.ts";
import { errorBuilder } from "../../errors.ts";

const unsupported = errorBuilder("format_unsupported", "Cannot open store");

/** Schema of a gateway's store. Scratch tables are in other schemas. */
export const SCHEMA = "countersign";

/**
 * The version of the tables. The records have formats of their own.
 *
 *     1    the first
 *     2    `lease` has `operator_url`
 *     3    `lease` has `front_settings`
 */
const VERSION = 3;
const OLDEST_SERVER = 130_000;
const ALTER_MS = 200;

/** Tables of keys and values. */
export type TableName = "log" | "anchors";

/**
 * Values of more than 2 kB, such as tiles, are stored without an attempt to compress them: they are hashes.
 * Statements repeat without effect, since a crash may end a creation, and two processes may start at once.
 */
function creationOf(schema: string): readonly string[] {
  return [
    `CREATE SCHEMA IF NOT EXISTS ${schema}`,
    `CREATE TABLE IF NOT EXISTS ${schema}.fence (
     one boolean PRIMARY KEY DEFAULT true CHECK (one), holder text)`,
    `INSERT INTO ${schema}.fence DEFAULT VALUES ON CONFLICT DO NOTHING`,
    `CREATE TABLE IF NOT EXISTS ${schema}.lease (
     one boolean PRIMARY KEY DEFAULT true CHECK (one), epoch bigint NOT NULL DEFAULT 0,
     holder text NOT NULL DEFAULT '', url text, ends timestamptz NOT NULL DEFAULT '-infinity')`,
    ...additionsOf(schema),
    `INSERT INTO ${schema}.lease DEFAULT VALUES ON CONFLICT DO NOTHING`,
    ...(["log", "anchors"] as const).flatMap((table) => [
      `CREATE TABLE IF NOT EXISTS ${schema}.${table} (
       key bytea PRIMARY KEY, value bytea NOT NULL)`,
      `ALTER TABLE ${schema}.${table} ALTER value SET STORAGE EXTERNAL`,
    ]),
    // Last: its row marks a complete schema.
    `CREATE TABLE IF NOT EXISTS ${schema}.format (
     one boolean PRIMARY KEY DEFAULT true CHECK (one), version integer NOT NULL)`,
    `INSERT INTO ${schema}.format (version) VALUES (${VERSION}) ON CONFLICT DO NOTHING`,
    raised(schema),
  ];
}

/**
 * What later versions added. An ALTER waits for every reader of the table, such as a backup, and all others
 * wait for it: it gives up soon, since a gateway that is active renews its lease meanwhile.
 */
function additionsOf(schema: string): readonly string[] {
  return [
    `DO $$ BEGIN
       PERFORM set_config('lock_timeout', '${ALTER_MS}', true);
       ALTER TABLE ${schema}.lease ADD COLUMN IF NOT EXISTS operator_url text,
         ADD COLUMN IF NOT EXISTS front_settings text;
     END $$`,
  ];
}

function raised(schema: string): string {
  return `UPDATE ${schema}.format SET version = ${VERSION} WHERE version < ${VERSION}`;
}

/** Two processes that create the same object at once. */
const CREATED_MEANWHILE = ["23505", "42P06", "42P07"];
const CREATION_TRIES = 5;

/** Creates missing tables, and brings those of an earlier version up to this one. As {@linkcode hasSchema}. */
export async function openSchema(run: Run, schema: string): Promise<void> {
  const found = await versionOf(run, schema);
  if (found === VERSION) return;
  const statements = found === undefined
    ? creationOf(schema)
    : [...additionsOf(schema), raised(schema)];
  for (let tries = 1;; tries++) {
    try {
      for (const statement of statements) await run(statement);
      break;
    } catch (cause) {
      const { cause: inner } = statementFault(cause);
      const { code } = inner as { code?: string };
      if (tries === CREATION_TRIES || !CREATED_MEANWHILE.includes(code ?? "")) throw cause;
    }
  }
  await hasSchema(run, schema);
}

/** Removes the tables with all that they have. */
export async function removeSchema(run: Run, schema: string): Promise<void> {
  await run(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
}

/** Whether the tables are there. `format_unsupported` for those of another program. */
export async function hasSchema(run: Run, schema: string): Promise<boolean> {
  const version = await versionOf(run, schema);
  if (version === undefined || version === VERSION) return version !== undefined;
  throw unsupported(
    `the tables have version ${version}, this program reads ${VERSION}. Start a ` +
      "gateway of this program once: it brings them up to date",
  );
}

/** `undefined` without tables. `format_unsupported` for those of a later program. */
async function versionOf(run: Run, schema: string): Promise<number | undefined> {
  const [found] = await run("SELECT to_regclass($1)", [`${schema}.format`]);
  if (found?.[0] === null) return undefined;
  const [row] = await run(`SELECT version FROM ${schema}.format`);
  if (row === undefined) return undefined;
  const version = Number(row[0]);
  if (version >= 1 && version <= VERSION) return version;
  throw unsupported(
    `this program reads version ${VERSION} of its tables in PostgreSQL, the ` +
      `database has ${version}. Use the program that wrote it, or a later one`,
  );
}

/** Settings that make PostgreSQL lose commits which it has acknowledged. */
const UNSAFE_WHEN_OFF = ["fsync", "full_page_writes", "synchronous_commit"];

/**
 * 1. Fails with `invalid_text_representation`, which names the setting, if the commit would be acknowledged
 * before it is durable: a pooler may use another session than the one that was checked.
 */
export const IS_SYNCHRONOUS = "CASE WHEN current_setting('synchronous_commit') = 'off' " +
  "THEN ('synchronous_commit is ' || current_setting('synchronous_commit'))::int ELSE 1 END";

/** The history of the server as text: another one after a replica of it was promoted. */
export const TIMELINE = "left(pg_walfile_name(pg_current_wal_lsn()), 8)";

/** Rejects for a server that is too old, or that is no replica of another one. */
export async function checkReplica(run: Run, address: PostgresAddress): Promise<void> {
  const [row] = await run("SELECT current_setting('server_version_num'), pg_is_in_recovery()");
  const [version, isReplica] = row!;
  requireVersion(Number(version), address);
  if (isReplica === "t") return;
  const hint = "It may lack commits for ever. Name a replica that follows the primary server";
  throw refusedServer(addressText(address), "its server is no replica", hint, false);
}

function requireVersion(version: number, address: PostgresAddress): void {
  if (version >= OLDEST_SERVER) return;
  const hint = "Upgrade the server to PostgreSQL 13 or later";
  throw refusedServer(addressText(address), `its server is of version ${version}`, hint);
}

/** Rejects for a server that cannot be trusted with commits. Returns what the operator should know. */
export async function checkServer(run: Run, address: PostgresAddress): Promise<string[]> {
  const [row] = await run(
    "SELECT current_setting('server_version_num'), pg_is_in_recovery(), " +
      "current_setting('synchronous_standby_names'), " +
      UNSAFE_WHEN_OFF.map((name) => `current_setting('${name}')`).join(),
  );
  const [version, isStandby, standbys, ...settings] = row!;
  const name = addressText(address);
  requireVersion(Number(version), address);
  const unsafe = UNSAFE_WHEN_OFF.find((_, i) => settings[i] === "off");
  if (unsafe !== undefined) {
    const hint = "A crash could lose accepted digests. Set it to on";
    throw refusedServer(name, `${unsafe} is off`, hint);
  }
  if (isStandby === "t") {
    const hint = "Name the primary server, or promote this one";
    throw refusedServer(name, "its server is a standby", hint, false);
  }
  const isLocal = settings[UNSAFE_WHEN_OFF.indexOf("synchronous_commit")] === "local";
  if (standbys !== "" && !isLocal) return [];
  const reason = isLocal ? "synchronous_commit is local" : "synchronous_standby_names is empty";
  return [
    `PostgreSQL has no synchronous standby (${reason}): if its disk is lost, hashes accepted ` +
    "since the last backup are lost",
  ];
}
