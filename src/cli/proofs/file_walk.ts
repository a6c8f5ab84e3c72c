/**
 * The files of a folder and of the folders in it. Hidden files and folders, whose names begin with a
 * dot, are left out unless they are asked for. Symbolic links are never followed, and devices, pipes
 * and sockets never read.
 *
 * @module
 */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { CountersignError } from "../../errors.ts";
import type { CommandContext } from "../command_context.ts";
import { cannotRead } from "../input_file.ts";

/** Suffix of a saved bundle. */
export const PROOF_SUFFIX = ".countersign.json";
/** Suffixes of what `stamp --proofs all` writes besides the bundle; the last one is a folder. */
export const OTHER_FORMATS = {
  tlogProof: ".countersign.tlog-proof",
  receipt: ".countersign.cose",
  anchors: ".countersign.anchors",
} as const;

/** Names are as typed, below the name of the folder, in the order of code units. */
export interface WalkedFolder {
  readonly files: string[];
  /** Saved bundles, which are not among `files`, as their other formats are not. */
  readonly proofs: string[];
  /** How many entries were left out. */
  readonly skipped: { hidden: number; links: number; special: number };
  /** Folders that cannot be read. */
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
    skipped: { hidden: 0, links: 0, special: 0 },
    failures: [],
  };
  const { files, proofs, skipped, failures } = found;
  const waiting = [folder];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    let entries;
    try {
      entries = await readdir(io.resolvePath(name), { withFileTypes: true });
    } catch (cause) {
      failures.push({ name, error: cannotRead(name, cause) });
      continue;
    }
    for (const entry of entries) {
      const path = join(name, entry.name);
      if (entry.name.startsWith(".") && !hidden) skipped.hidden++;
      else if (Object.values(OTHER_FORMATS).some((end) => entry.name.endsWith(end))) continue;
      else if (entry.isSymbolicLink()) skipped.links++;
      else if (entry.isDirectory()) waiting.push(path);
      else if (!entry.isFile()) skipped.special++;
      else if (entry.name.endsWith(PROOF_SUFFIX)) proofs.push(path);
      else files.push(path);
    }
  }
  files.sort();
  proofs.sort();
  return found;
}

/** "2 hidden files or folders, 1 link"; `undefined` if nothing was left out. */
export function skippedText({ skipped }: WalkedFolder): string | undefined {
  const parts = [
    [skipped.hidden, "hidden (--hidden includes them)"],
    [skipped.links, "symbolic links"],
    [skipped.special, "special files"],
  ] as const;
  const named = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return named.length === 0 ? undefined : named.join(", ");
}
