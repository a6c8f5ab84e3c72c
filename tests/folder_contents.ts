/** The files below a folder. */

import { join } from "node:path";

/** The contents of every file below `folder`, in base64, by path below it. */
export async function contentsOf(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (!isDirectory) found.set(name, (await Deno.readFile(path)).toBase64());
    else for (const [inner, bytes] of await contentsOf(path)) found.set(join(name, inner), bytes);
  }
  return found;
}
