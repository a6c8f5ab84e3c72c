/**
 * A plain file server on loopback: it knows nothing of logs.
 *
 * @module
 */

import { join } from "node:path";
import { served } from "../transport/fixture.ts";

/** Serves the files of `folder` while `use` runs. */
export async function servingFiles(
  folder: string,
  use: (url: string) => Promise<void>,
): Promise<void> {
  await served(async (request) => {
    try {
      return new Response(await Deno.readFile(join(folder, new URL(request.url).pathname)));
    } catch {
      return new Response("not found", { status: 404 });
    }
  }, use);
}
