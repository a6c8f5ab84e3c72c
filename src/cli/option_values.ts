/**
 * Options and values that several commands use.
 *
 * @module
 */

import type { Message } from "@optique/core/message";
import { message } from "@optique/core/message";
import { optional, withDefault } from "@optique/core/modifiers";
import { argument, option } from "@optique/core/primitives";
import { choice, integer, string, type ValueParser } from "@optique/core/valueparser";
import { HASH_LENGTH, isHex } from "../bytes.ts";
import { LOG_FORMATS, LOG_LEVELS } from "../telemetry/log_choice.ts";

type OptionName = `--${string}`;

/** A switch that is off by default. */
export function flag(name: OptionName, { help }: { readonly help: Message }) {
  return option(name, { description: help });
}

/** An option that may be omitted. */
export function optionalValue<T>(
  name: OptionName,
  value: ValueParser<"sync", T>,
  { help }: { readonly help: Message },
) {
  return optional(option(name, value, { description: help }));
}

/** An option with the default `standard`, which `help` names. */
export function defaultedValue<T>(
  name: OptionName,
  value: ValueParser<"sync", T>,
  { standard, help }: { readonly standard: NoInfer<T>; readonly help: Message },
) {
  return withDefault(option(name, value, { description: help }), standard);
}

/** An integer from `min` to `max`. */
export function count(
  metavar: "COUNT" | "FIRST" | "HOURS" | "MS" | "SECOND" | "SECONDS" | "SEQUENCE" | "SIZE",
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): ValueParser<"sync", number> {
  return integer({ type: "number", metavar, min, max });
}

/** A SHA-256 in 64 hex digits of either case, converted to lowercase (protocol.md "Encodings"). */
export const hashValue: ValueParser<"sync", string> = {
  mode: "sync",
  metavar: "HASH",
  placeholder: "0".repeat(64),
  parse(input) {
    const hash = input.toLowerCase();
    return isHex(hash, HASH_LENGTH)
      ? { success: true, value: hash }
      : { success: false, error: message`Expected 64 hexadecimal digits, but got ${input}.` };
  },
  format: (hash) => hash,
};

export const hashArgument = argument(hashValue, {
  description: message`SHA-256 in 64 hexadecimal digits.`,
});

/** A signature scheme of protocol.md "Signature schemes". */
export const schemeValue = choice(["ed25519", "bls"], { metavar: "SCHEME" });

export const urlValue = string({ metavar: "URL" });

/** A file name, which shells complete. */
export const fileValue = pathValue("FILE", "any");

/** A folder name, which shells complete. */
export const folderValue = pathValue("FOLDER", "directory");

/** A name and a file. */
export interface NamedFile {
  readonly name: string;
  readonly file: string;
}

/** `NAME=FILE`. */
export const namedFileValue: ValueParser<"sync", NamedFile> = {
  mode: "sync",
  metavar: "NAME=FILE",
  placeholder: { name: "", file: "" },
  parse(input) {
    const [, name, file] = /^([^=]+)=(.+)$/s.exec(input) ?? [];
    return name !== undefined && file !== undefined
      ? { success: true, value: { name, file } }
      : { success: false, error: message`Expected NAME=FILE, but got ${input}.` };
  },
  format: ({ name, file }) => `${name}=${file}`,
};

/** How a server logs. */
export const logOptions = {
  logFormat: optionalValue(
    "--log-format",
    choice(LOG_FORMATS, {
      metavar: "FORMAT",
    }),
    { help: message`Log format: text, pretty (default in a terminal) or json lines.` },
  ),
  logLevel: optionalValue(
    "--log-level",
    choice(LOG_LEVELS, {
      metavar: "LEVEL",
    }),
    { help: message`Lowest level to log: debug, info (default), warning or error.` },
  ),
};

function pathValue(
  metavar: "FILE" | "FOLDER",
  type: "any" | "directory",
): ValueParser<"sync", string> {
  return {
    ...string({ metavar }),
    *suggest(prefix) {
      // Completing an option must not list files.
      if (!prefix.startsWith("-")) yield { kind: "file", type, pattern: prefix };
    },
  };
}
