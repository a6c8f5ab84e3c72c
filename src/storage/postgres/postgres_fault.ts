/**
 * Errors of PostgreSQL and of the connection to it.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import { reasonOf } from "../store_fault.ts";

/** SQLSTATEs (PostgreSQL, appendix A). Those of a failed check, which are never `FATAL`. */
const CONFLICTS = ["22012", "23505"];
/** Also with the severity `ERROR`: of a pooler that lost the server, or of a cluster. */
const UNKNOWN = /^(08|40003|57P|58)/;
const DAMAGES = ["XX001", "XX002"];
/** A prepared statement that is missing, is there already, or whose table has changed. */
const NAME_REJECTIONS = ["26000", "42P05", "0A000"];
/** Another session has a lock for longer than this one waits. */
const LOCKED = "55P03";
/** Code of a server that was restarted as a standby, or whose disk became read-only. */
const READ_ONLY = "25006";
/** A wrong password or user, no entry in pg_hba.conf, no such database, no permission for it. */
const REFUSALS = ["28P01", "28000", "3D000", "42501"];

/** The fields of an error of the server. */
interface ServerError {
  readonly code: string;
  readonly severity: string;
}

/** Facts about a failed statement. */
export class PostgresFault extends CountersignError {
  /** The server aborted the statement, or never received it. */
  readonly isAborted: boolean;
  /** A check of the commit failed. */
  readonly isConflict: boolean;
  /** The server refuses this client or its settings: trying again does not help. */
  readonly isRefusal: boolean;
  /** The server does not run the statement by its name. */
  readonly isNameRejected: boolean;
  /** Another session has a lock that the statement needs. */
  readonly isLocked: boolean;
  /** Later statements need another connection. */
  readonly endsConnection: boolean;

  constructor(
    code: "storage_failed" | "store_corrupt",
    message: string,
    { cause, ...known }: {
      readonly cause?: unknown;
      readonly isAborted: boolean;
      readonly isConflict?: boolean;
      readonly isRefusal?: boolean;
      readonly isNameRejected?: boolean;
      readonly isLocked?: boolean;
      readonly endsConnection?: boolean;
    },
  ) {
    super(code, message, { cause });
    this.isAborted = known.isAborted;
    this.isConflict = known.isConflict ?? false;
    this.isRefusal = known.isRefusal ?? false;
    this.isNameRejected = known.isNameRejected ?? false;
    this.isLocked = known.isLocked ?? false;
    this.endsConnection = known.endsConnection ?? false;
  }
}

/** The fault of a statement that was sent, and that failed with `cause`. */
export function statementFault(cause: unknown): PostgresFault {
  if (cause instanceof PostgresFault) return cause;
  if (!isServerError(cause)) {
    return new PostgresFault("storage_failed", `Connection to PostgreSQL lost: ${textOf(cause)}`, {
      cause,
      isAborted: false,
      endsConnection: true,
    });
  }
  const { code, severity } = cause;
  const isConflict = CONFLICTS.includes(code);
  // FATAL and PANIC end the connection, and may follow a commit. `lc_messages` translates severities.
  const isAborted = isConflict || (severity === "ERROR" && !UNKNOWN.test(code));
  return new PostgresFault(
    DAMAGES.includes(code) ? "store_corrupt" : "storage_failed",
    `PostgreSQL: ${reasonOf(cause)} (SQLSTATE ${code})`,
    {
      cause,
      isAborted,
      isConflict,
      isNameRejected: isAborted && NAME_REJECTIONS.includes(code),
      isLocked: code === LOCKED,
      endsConnection: !isAborted || code === READ_ONLY,
    },
  );
}

/** The fault of an attempt to connect to `address` that failed with `cause`. */
export function connectFault(address: string, cause: unknown): PostgresFault {
  if (cause instanceof PostgresFault) return cause;
  const code = isServerError(cause) ? ` (SQLSTATE ${cause.code})` : "";
  return new PostgresFault(
    "storage_failed",
    `Cannot connect to "${address}": ${textOf(cause)}${code}`,
    {
      cause,
      isAborted: true,
      endsConnection: true,
      isRefusal: isServerError(cause) && REFUSALS.includes(cause.code),
    },
  );
}

/** The fault of a server that must not be used. `hint` says what to change. */
export function refusedServer(
  address: string,
  problem: string,
  hint: string,
  isRefusal = true,
): PostgresFault {
  return new PostgresFault("storage_failed", `Cannot use "${address}": ${problem}. ${hint}`, {
    isAborted: true,
    isRefusal,
    endsConnection: true,
  });
}

function isServerError(error: unknown): error is Error & ServerError {
  const { code, severity } = error as Partial<ServerError>;
  return error instanceof Error && typeof severity === "string" && typeof code === "string" &&
    /^[0-9A-Z]{5}$/.test(code);
}

/** Node's errors of several addresses have no message of their own. */
function textOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return reasonOf(error);
}
