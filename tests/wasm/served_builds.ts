/**
 * Serves the committed builds over HTTP on loopback.
 *
 * @module
 */

import { committedBuild } from "./committed_builds.ts";

/** Serves `wasm/build/`; `respond` may override answers. */
export async function served(
  respond: (file: string) => Response | undefined,
  run: (open: (file: string) => Promise<Response>, asked: readonly string[]) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const file = new URL(request.url).pathname.slice(1);
    asked.push(file);
    const bytes = committedBuild(file.replace(/\.wasm$/, ""));
    return respond(file) ??
      new Response(bytes, { headers: { "content-type": "application/wasm" } });
  });
  try {
    await run((file) => fetch(`http://127.0.0.1:${server.addr.port}/${file}`), asked);
  } finally {
    await server.shutdown();
  }
}
