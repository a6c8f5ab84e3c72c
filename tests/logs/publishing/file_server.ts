/**
 * A plain file server on loopback: it knows nothing of logs.
 *
 * @module
 */

import { extname, join } from "node:path";
import { served } from "../../http/outgoing/fixture.ts";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Serves the files of `folder` while `use` runs, `index.html` for the folder itself. */
export async function servingFiles(
  folder: string,
  use: (url: string) => Promise<void>,
): Promise<void> {
  await served(async (request) => {
    const { pathname } = new URL(request.url);
    const path = pathname === "/" ? "/index.html" : pathname;
    const type = MEDIA_TYPES[extname(path)] ?? "application/octet-stream";
    try {
      const bytes = await Deno.readFile(join(folder, path));
      return new Response(bytes, { headers: { "Content-Type": type } });
    } catch {
      return new Response("not found", { status: 404 });
    }
  }, use);
}
