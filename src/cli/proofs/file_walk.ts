/**
 * The files of a folder and of the folders in it. Hidden files and folders, whose names begin with a
 * dot, are left out unless they are asked for. Symbolic links are never followed, and devices, pipes
 * and sockets never read.
 *
 * @module
 */

import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { textOf } from "../../base/bytes.ts";
import { type CountersignError, tryParse } from "../../base/errors.ts";
import type { CommandContext } from "../command_context.ts";
import { cannotRead, notUtf8 } from "../input_file.ts";

/** Suffix of a saved bundle. */
export const PROOF_SUFFIX = ".countersign.json";
/** Suffixes of what `stamp --proofs all` writes besides the bundle; the last one is a folder. */
export const OTHER_FORMATS = {
  tlogProof: ".countersign.tlog-proof",
  receipt: ".countersign.cose",
  anchors: ".countersign.anchors",
} as const;

const OTHER_SUFFIXES = Object.values(OTHER_FORMATS);
/** Every file that `saveAnchors` writes has a name that begins so. */
const ANCHOR_NAME = /^[0-9a-f]{16}-/;

/** Names are as typed, below the name of the folder, in the order of code units. */
export interface WalkedFolder {
  /** Whoever adds a file chooses its name: a proof is one only beside its file. */
  readonly files: string[];
  /** Saved bundles beside their files, which are not among `files`, as their other formats are not. */
  readonly proofs: string[];
  /** Files named like saved bundles, without their files. */
  readonly loneProofs: string[];
  /** How many entries were left out. */
  readonly skipped: { hidden: number; links: number; otherFormats: number };
  /** Devices, pipes and sockets. */
  readonly special: string[];
  /** Folders that cannot be read, and files and folders whose names are not UTF-8. */
  readonly failures: { readonly name: string; readonly error: CountersignError }[];
}

export async function walkFolder(
  { io }: CommandContext,
  folder: string,
  { hidden }: { readonly hidden: boolean },
): Promise<WalkedFolder> {
  const found: WalkedFolder = {
    files: [],
    proofs: [],
    loneProofs: [],
    skipped: { hidden: 0, links: 0, otherFormats: 0 },
    special: [],
    failures: [],
  };
  const { files, proofs, loneProofs, skipped, special, failures } = found;
  const waiting = [{ name: folder, hasAnchors: false }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { name, hasAnchors } = next;
    let entries;
    try {
      entries = await entriesOf(io.resolvePath(name));
    } catch (cause) {
      failures.push({ name, error: cannotRead(name, cause) });
      continue;
    }
    const present = new Set<string>();
    for (const entry of entries) if (!entry.isDirectory) present.add(entry.name);
    const isProof = (entry: string, suffix: string) =>
      entry.endsWith(suffix) && present.has(entry.slice(0, -suffix.length));
    for (const entry of entries) {
      const path = join(name, entry.name);
      const ofFormat = OTHER_SUFFIXES.find((suffix) => isProof(entry.name, suffix));
      if (entry.name.startsWith(".") && !hidden) skipped.hidden++;
      else if (entry.isLink) skipped.links++;
      else if (!entry.isUtf8) failures.push({ name: path, error: notUtf8(path) });
      else if (entry.isDirectory) {
        waiting.push({ name: path, hasAnchors: ofFormat === OTHER_FORMATS.anchors });
      } else if (!entry.isFile) special.push(path);
      else if (hasAnchors && ANCHOR_NAME.test(entry.name)) skipped.otherFormats++;
      else if (ofFormat !== undefined && ofFormat !== OTHER_FORMATS.anchors) skipped.otherFormats++;
      else if (isProof(entry.name, PROOF_SUFFIX)) proofs.push(path);
      else if (entry.name.endsWith(PROOF_SUFFIX)) loneProofs.push(path);
      else files.push(path);
    }
  }
  for (const names of [files, proofs, loneProofs, special]) names.sort();
  return found;
}

interface FolderEntry {
  /** Bytes that are not UTF-8 are escaped, or U+FFFD on Deno, which hides them. */
  readonly name: string;
  readonly isUtf8: boolean;
  readonly isLink: boolean;
  readonly isDirectory: boolean;
  readonly isFile: boolean;
}

async function entriesOf(path: string): Promise<readonly FolderEntry[]> {
  const entries: FolderEntry[] = [];
  const replaced = new Set<string>();
  for (const entry of await readdir(path, { encoding: "buffer", withFileTypes: true })) {
    const text = tryParse(() => textOf(entry.name));
    let isUtf8 = text !== undefined;
    if (text?.includes("\ufffd")) {
      // Deno has one name for several files: at most one of them has it.
      isUtf8 = !replaced.has(text) && await lstat(join(path, text)).then(() => true, () => false);
      replaced.add(text);
    }
    entries.push({
      name: text ?? escapedName(entry.name),
      isUtf8,
      isLink: entry.isSymbolicLink(),
      isDirectory: entry.isDirectory(),
      isFile: entry.isFile(),
    });
  }
  return entries;
}

/** Bytes other than ASCII as `\xff`. */
function escapedName(name: Uint8Array): string {
  const escape = (byte: number) => `\\x${byte.toString(16)}`;
  return [...name].map((byte) => byte < 0x80 ? String.fromCharCode(byte) : escape(byte)).join("");
}

/** "2 hidden, 1 symbolic links"; `undefined` if nothing was left out. */
export function skippedText({ skipped, special }: WalkedFolder, proofs = 0): string | undefined {
  const parts = [
    [skipped.hidden, "hidden (--hidden includes them)"],
    [skipped.links, "symbolic links"],
    [special.length, `special files (${special.join(", ")})`],
    [proofs, "saved proofs"],
    [skipped.otherFormats, "proofs in other formats"],
  ] as const;
  const named = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return named.length === 0 ? undefined : named.join(", ");
}
