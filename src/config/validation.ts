/**
 * Shared by the parsers of operators' files.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";

/** An `invalid_configuration` error: `what` cannot be used because of `problem`. */
export function invalid(what: string, problem: string): CountersignError {
  return new CountersignError("invalid_configuration", `Cannot use ${what}: ${problem}`);
}

/** Returns the result of `parse`; adds the file's name to an error that lacks it. */
export function namingFile<T>(name: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    if (!(cause instanceof CountersignError) || cause.message.includes(name)) throw cause;
    throw new CountersignError(cause.code, `${cause.message}, in "${name}"`, { cause });
  }
}

/** Freezes `value` and all plain objects and lists in it, and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  // Configurations hold no byte arrays, which cannot be frozen.
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
