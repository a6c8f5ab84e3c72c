/**
 * A minimal HTTP server on Deno: it reads the body and answers with a constant one. Its cost is the
 * floor of all measurements.
 *
 *     echo_server.ts BODY_BYTES HEADERS_JSON [THREADS]
 *
 * Several threads share the port, as the fronts of a gateway do.
 *
 * @module
 */

import { systemIo } from "../../src/server/io.ts";

/** What each thread serves. */
interface EchoOrder {
  readonly body: string;
  readonly headers: [string, string][];
  readonly port: number;
}

function serve({ body, headers, port }: EchoOrder, ready: (port: number) => void): void {
  const answer = { headers: new Headers(headers) };
  Deno.serve({
    hostname: "127.0.0.1",
    port,
    reusePort: true,
    onListen: (address) => ready(address.port),
  }, async (request) => {
    if (request.method === "POST") await request.bytes();
    return new Response(body, answer);
  });
}

/** The module of a worker: this one, with a mark. */
const WORKER = new URL("?worker", import.meta.url).href;

if (import.meta.url !== WORKER) {
  const [bodyBytes, headers, threads = "1"] = Deno.args;
  const body = "x".repeat(Number(bodyBytes));
  const order: EchoOrder = { body, headers: JSON.parse(headers!), port: 0 };
  serve(order, async (port) => {
    for (let thread = 1; thread < Number(threads); thread++) {
      const worker = new Worker(WORKER, { type: "module" });
      const isReady = new Promise((resolve) => worker.onmessage = resolve);
      worker.postMessage({ ...order, port });
      await isReady;
    }
    systemIo.out(`Echo on http://127.0.0.1:${port}`);
  });
} else {
  self.onmessage = ({ data }: MessageEvent<EchoOrder>) => serve(data, () => self.postMessage(0));
}
