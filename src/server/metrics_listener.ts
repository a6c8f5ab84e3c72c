/**
 * A listener for `GET /metrics` alone.
 *
 * @module
 */

import type { ListenerAddress } from "../config/listeners.ts";
import { type HttpListener, listen } from "../http/listen.ts";
import type { Report } from "../base/report.ts";
import { METRICS_MEDIA_TYPE } from "../http/metrics/prometheus_text.ts";

/** Serves `page` until the listener is stopped. */
export function serveMetrics(
  { host: hostname, port }: ListenerAddress,
  page: () => string,
  report: Report,
): HttpListener {
  const listener = listen({ hostname, port, report, handler: (request) => answer(request, page) });
  report(`Metrics on ${listener.url}/metrics`, { level: "info" });
  return listener;
}

function answer(request: Request, page: () => string): Response {
  if (new URL(request.url).pathname !== "/metrics") {
    return new Response("Not found\n", { status: 404 });
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response("Method not allowed\n", { status: 405, headers: { Allow: "GET, HEAD" } });
  }
  return new Response(page(), { headers: { "Content-Type": METRICS_MEDIA_TYPE } });
}
