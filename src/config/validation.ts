/**
 * Shared by the parsers of operators' files.
 *
 * @module
 */

import { CountersignError } from "../base/errors.ts";

/** An `invalid_configuration` error: `what` cannot be used because of `problem`. */
export function invalid(what: string, problem: string): CountersignError {
  return new CountersignError("invalid_configuration", `Cannot use ${what}: ${problem}`);
}

/** Returns the result of `parse`; adds the file's name to an error that lacks it. */
export function namingFile<T>(name: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw cause instanceof CountersignError && cause.message.includes(name)
      ? cause
      : naming(`"${name}"`, cause);
  }
}

/** The error `cause`, with `what` it is about. */
export function naming(what: string, cause: unknown): unknown {
  if (!(cause instanceof CountersignError)) return cause;
  return new CountersignError(cause.code, `${cause.message}, in ${what}`, { cause });
}

/** Freezes `value` and all objects and lists in it, and returns it. Byte arrays cannot be frozen. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
