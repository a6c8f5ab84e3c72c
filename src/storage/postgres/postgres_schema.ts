/**
 * The tables of a store in PostgreSQL, in a schema of their own, {@linkcode SCHEMA}:
 *
 *     format     version: one row
 *     fence      holder: one row, the random id of the process that may commit; null before the first
 *     lease      epoch, holder, url, ends: one row, the gateway that takes digests until then
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
import { errorBuilder } from "../../base/errors.ts";

const unsupported = errorBuilder("format_unsupported", "Cannot open store");

export const SCHEMA = "countersign";

/** The version of the tables. The records have formats of their own. */
const VERSION = 1;
const OLDEST_SERVER = 130_000;

/** Tables of keys and values. */
export type TableName = "log" | "anchors";

/**
 * Values of more than 2 kB, such as tiles, are stored without an attempt to compress them: they are hashes.
 * Statements repeat without effect, since a crash may end a creation, and two processes may start at once.
 */
const CREATION: readonly string[] = [
  `CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`,
  `CREATE TABLE IF NOT EXISTS ${SCHEMA}.fence (
     one boolean PRIMARY KEY DEFAULT true CHECK (one), holder text)`,
  `INSERT INTO ${SCHEMA}.fence DEFAULT VALUES ON CONFLICT DO NOTHING`,
  `CREATE TABLE IF NOT EXISTS ${SCHEMA}.lease (
     one boolean PRIMARY KEY DEFAULT true CHECK (one), epoch bigint NOT NULL DEFAULT 0,
     holder text NOT NULL DEFAULT '', url text, ends timestamptz NOT NULL DEFAULT '-infinity')`,
  `INSERT INTO ${SCHEMA}.lease DEFAULT VALUES ON CONFLICT DO NOTHING`,
  ...(["log", "anchors"] as const).flatMap((table) => [
    `CREATE TABLE IF NOT EXISTS ${SCHEMA}.${table} (
       key bytea PRIMARY KEY, value bytea NOT NULL)`,
    `ALTER TABLE ${SCHEMA}.${table} ALTER value SET STORAGE EXTERNAL`,
  ]),
  // Last: its row marks a complete schema.
  `CREATE TABLE IF NOT EXISTS ${SCHEMA}.format (
     one boolean PRIMARY KEY DEFAULT true CHECK (one), version integer NOT NULL)`,
  `INSERT INTO ${SCHEMA}.format (version) VALUES (${VERSION}) ON CONFLICT DO NOTHING`,
];

/** Two processes that create the same object at once. */
const CREATED_MEANWHILE = ["23505", "42P06", "42P07"];
const CREATION_TRIES = 5;

/** Creates missing tables. `format_unsupported` for those of another program. */
export async function openSchema(run: Run): Promise<void> {
  if (await hasSchema(run)) return;
  for (let tries = 1;; tries++) {
    try {
      for (const statement of CREATION) await run(statement);
      break;
    } catch (cause) {
      const { cause: inner } = statementFault(cause);
      const { code } = inner as { code?: string };
      if (tries === CREATION_TRIES || !CREATED_MEANWHILE.includes(code ?? "")) throw cause;
    }
  }
  await hasSchema(run);
}

/** Whether the tables are there. `format_unsupported` for those of another program. */
export async function hasSchema(run: Run): Promise<boolean> {
  const [found] = await run("SELECT to_regclass($1)", [`${SCHEMA}.format`]);
  if (found?.[0] === null) return false;
  const [row] = await run(`SELECT version FROM ${SCHEMA}.format`);
  if (row === undefined) return false;
  const version = Number(row[0]);
  if (version === VERSION) return true;
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

/** Rejects for a server that cannot be trusted with commits. Returns what the operator should know. */
export async function checkServer(run: Run, address: PostgresAddress): Promise<string[]> {
  const [row] = await run(
    "SELECT current_setting('server_version_num'), pg_is_in_recovery(), " +
      "current_setting('synchronous_standby_names'), " +
      UNSAFE_WHEN_OFF.map((name) => `current_setting('${name}')`).join(),
  );
  const [version, isStandby, standbys, ...settings] = row!;
  const name = addressText(address);
  if (Number(version) < OLDEST_SERVER) {
    const hint = "Upgrade the server to PostgreSQL 13 or later";
    throw refusedServer(name, `its server is of version ${version}`, hint);
  }
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
