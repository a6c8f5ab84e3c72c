/** The files below a folder. */

import { createHash } from "node:crypto";
import { join } from "node:path";

/** The SHA-256 of every file below `folder`, by path below it. */
export async function contentsOf(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) {
      for (const [inner, hash] of await contentsOf(path)) found.set(join(name, inner), hash);
    } else {
      found.set(name, createHash("sha256").update(await Deno.readFile(path)).digest("hex"));
    }
  }
  return found;
}
