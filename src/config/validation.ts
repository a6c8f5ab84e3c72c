/**
 * Shared by the parsers of operators' files.
 *
 * @module
 */

import { CountersignError } from "../base/errors.ts";
import type { Fields } from "../proof/format/fields.ts";

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

/** The integer in member `name`; `invalid_configuration` unless it is from `least` to `most`. */
export function integerIn(fields: Fields, name: string, least: number, most: number): number {
  const value = fields.integer(name);
  if (value >= least && value <= most) return value;
  throw invalid(fields.where, `${name} ${value} is not from ${least} to ${most}`);
}

/** {@linkcode integerIn}, if the member is present. */
export function optionalIntegerIn(
  fields: Fields,
  name: string,
  least: number,
  most: number,
): number | undefined {
  return fields.has(name) ? integerIn(fields, name, least, most) : undefined;
}

/** Freezes `value` and all plain objects and lists in it, and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  // Configurations hold no byte arrays, which cannot be frozen.
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

/** The one text, or the list of several different ones, in member `name`; none if it is absent. */
export function oneOrMore(fields: Fields, name: string): readonly string[] {
  if (!fields.has(name)) return [];
  if (!Array.isArray(fields.value(name))) return [fields.text(name)];
  const texts = fields.texts(name);
  if (texts.length > 1 && new Set(texts).size === texts.length) return texts;
  throw invalid(fields.where, `the list ${name} needs two entries or more, each once`);
}
