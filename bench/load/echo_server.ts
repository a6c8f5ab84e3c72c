/**
 * A minimal HTTP server on Deno: it reads the body and answers with a constant one. Its cost is the
 * floor of all measurements.
 *
 *     echo_server.ts BODY_BYTES HEADERS_JSON
 *
 * @module
 */

import { systemIo } from "../../src/server/io.ts";

const body = "x".repeat(Number(Deno.args[0]));
const answer = { headers: new Headers(JSON.parse(Deno.args[1]!)) };

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ hostname, port }) => systemIo.out(`Echo on http://${hostname}:${port}`),
}, async (request) => {
  if (request.method === "POST") await request.bytes();
  return new Response(body, answer);
});
