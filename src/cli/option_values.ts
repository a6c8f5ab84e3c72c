/**
 * Kinds of values on the command line.
 *
 * @module
 */

import { message } from "@optique/core/message";
import { choice, string, type ValueParser } from "@optique/core/valueparser";
import { HASH_LENGTH, isHex } from "../bytes.ts";

/** A SHA-256 in 64 hex digits of either case; lowercase from here on (protocol.md "Encodings"). */
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

/** A signature scheme of protocol.md "Signature schemes". */
export const schemeValue = choice(["ed25519", "bls"], { metavar: "SCHEME" });

/** A file, which shells complete. */
export const fileValue = pathValue("FILE", "any");

/** A folder, which shells complete. */
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

function pathValue(
  metavar: "FILE" | "FOLDER",
  type: "any" | "directory",
): ValueParser<"sync", string> {
  return {
    ...string({ metavar }),
    *suggest(prefix) {
      // What begins like an option is one, and its completion must not drown in files.
      if (!prefix.startsWith("-")) yield { kind: "file", type, pattern: prefix };
    },
  };
}
