/**
 * Options of commands, and the values that they take.
 *
 * @module
 */

import { type Message, message, metavar, text } from "@optique/core/message";
import { multiple, optional as optionalOf, withDefault } from "@optique/core/modifiers";
import { argument, option } from "@optique/core/primitives";
import { choice, integer, port, string, type ValueParser } from "@optique/core/valueparser";
import { HASH_LENGTH, isHex } from "../base/bytes.ts";
import { LOG_FORMATS, LOG_LEVELS } from "../server/log/log_choice.ts";

type OptionName = `--${string}`;
type Value<T> = ValueParser<"sync", T>;

/** A switch that is off by default. */
export function flag(name: OptionName, help: string) {
  return option(name, { description: plain(help) });
}

export function required<T>(name: OptionName, value: Value<T>, help: string) {
  return option(name, value, { description: plain(help) });
}

export function optional<T>(name: OptionName, value: Value<T>, help: string) {
  return optionalOf(required(name, value, help));
}

/** An option with a default, which `help` names. */
export function defaulted<T>(
  name: OptionName,
  value: Value<T>,
  standard: NoInfer<T>,
  help: string,
) {
  return withDefault(required(name, value, help), standard);
}

export function repeated<T>(name: OptionName, value: Value<T>, help: string) {
  return multiple(required(name, value, `${help} May be repeated.`));
}

export function positional<T>(value: Value<T>, help: string) {
  return argument(value, {
    description: plain(help),
    errors: { endOfInput: message`Missing ${metavar(value.metavar)}.` },
  });
}

export function optionalPositional<T>(value: Value<T>, help: string) {
  return optionalOf(positional(value, help));
}

/** One value or more. */
export function repeatedPositional<T>(value: Value<T>, help: string) {
  const tooFew = message`Name at least one ${metavar(value.metavar)}.`;
  return multiple(positional(value, help), { min: 1, errors: { tooFew } });
}

/** A help text. */
export function plain(help: string): Message {
  return [text(help)];
}

/** Text that the command parses further. */
export function textValue(
  metavar:
    | "COMMAND"
    | "CURSOR"
    | "HASH"
    | "HOST"
    | "ID"
    | "NAME"
    | "ORIGIN"
    | "SIZE"
    | "TEXT"
    | "URL"
    | "VKEY"
    | "WITNESS[@SIZE]",
): Value<string> {
  return string({ metavar });
}

/** An integer from `min` to `max`. */
export function count(
  metavar: "COUNT" | "DAYS" | "FIRST" | "HOURS" | "MS" | "SECOND" | "SECONDS" | "SEQUENCE" | "SIZE",
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): Value<number> {
  return integer({ type: "number", metavar, min, max });
}

/** A SHA-256 in 64 hex digits of either case, converted to lowercase (protocol.md "Encodings"). */
export const HASH: Value<string> = {
  mode: "sync",
  metavar: "HASH",
  placeholder: "0".repeat(64),
  parse(input) {
    const hash = input.toLowerCase();
    return isHex(hash, HASH_LENGTH) ? { success: true, value: hash } : {
      success: false,
      error:
        message`Expected 64 hexadecimal digits, as sha256sum prints of a file, but got ${input}.`,
    };
  },
  format: (hash) => hash,
};

/** A signature scheme of protocol.md "Signature schemes". */
export const SCHEMES = ["ed25519", "bls"] as const;
export const mlDsaOption = flag(
  "--ml-dsa",
  "Also make ML-DSA-44 keys, which cosign tree heads besides the Ed25519 keys.",
);
export const SCHEME = choice(SCHEMES, { metavar: "SCHEME" });

export const SERVICE_URL = textValue("URL");

/** A port to listen on; 0 for any. */
export const LISTEN_PORT = port({ min: 0 });

/** A file name, which shells complete. */
export const FILE = pathValue("FILE", "any");

/** A hash, or the name of a file. */
export const FILE_OR_HASH = pathValue("HASH|FILE", "any");

/** A folder name, which shells complete. */
export const FOLDER = pathValue("FOLDER", "directory");

/** A data folder or a URL. */
export const STORE = pathValue("STORE", "directory");

/** A folder, or a URL of a copy of a log. */
export const PLACE = pathValue("PLACE", "directory");

export interface NamedFile {
  readonly name: string;
  readonly file: string;
}

/** `NAME=FILE`. */
export const NAMED_FILE: Value<NamedFile> = {
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

export const hashArgument = positional(HASH, "SHA-256 in 64 hexadecimal digits.");

/** A configuration to trust instead of a pinned one. */
export const networkConfigOption = optional(
  "--network-config",
  FILE,
  "Configuration to verify against, instead of a pinned one.",
);

/** For commands that fetch bundles. */
export const logSignatureOption = flag(
  "--log-signature",
  "Include the log's signatures, which a tlog-proof and a COSE receipt need.",
);

/** For commands that walk folders. */
export const hiddenOption = flag(
  "--hidden",
  "In folders, include files and folders that begin with a dot.",
);

export const peerConfigsOption = repeated(
  "--peer-config",
  FILE,
  "Configuration of a peer network.",
);

/** Relays of the beacons of a new network. */
export const beaconOption = repeated(
  "--beacon",
  SERVICE_URL,
  "Relay of drand quicknet, whose beacons bound the age of rounds.",
);

/** How a verifying command gets its configuration. */
export const trustOptions = {
  networkConfig: networkConfigOption,
  online: flag(
    "--online",
    "Fetch the configuration from the gateway, and trust it, if none is given or pinned.",
  ),
};

/** Options for the address of a server. */
export function listenOptions(defaults: { readonly host: string; readonly port: number }) {
  return {
    host: defaulted(
      "--host",
      textValue("HOST"),
      defaults.host,
      `Address to listen on (default: ${defaults.host}).`,
    ),
    port: defaulted(
      "--port",
      LISTEN_PORT,
      defaults.port,
      `Port to listen on, 0 for any (default: ${defaults.port}).`,
    ),
  };
}

/** How a server logs. */
export const logOptions = {
  logFormat: optional(
    "--log-format",
    choice(LOG_FORMATS, { metavar: "FORMAT" }),
    "Log format: text, pretty (default in a terminal) or json lines.",
  ),
  logLevel: optional(
    "--log-level",
    choice(LOG_LEVELS, { metavar: "LEVEL" }),
    "Lowest level to log: debug, info (default), warning or error.",
  ),
};

function pathValue(
  metavar: "FILE" | "FOLDER" | "HASH|FILE" | "PLACE" | "STORE",
  type: "any" | "directory",
): Value<string> {
  return {
    ...string({ metavar }),
    // A path that resolves to the current folder.
    parse: (input) =>
      input === ""
        ? {
          success: false,
          error: message`An empty name is no file or folder. Is a variable unset?`,
        }
        : { success: true, value: input },
    *suggest(prefix) {
      // Completing an option must not list files.
      if (!prefix.startsWith("-")) yield { kind: "file", type, pattern: prefix };
    },
  };
}
