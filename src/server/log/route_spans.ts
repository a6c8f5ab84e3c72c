/**
 * Names of routes for the OpenTelemetry spans of requests, which Deno creates.
 *
 * @module
 */

import { ProxyTracerProvider, trace } from "@opentelemetry/api";

/** The name under which the program creates spans. */
export const TRACER_NAME = "countersign";

/** Whether the runtime exports traces (`OTEL_DENO=true`). */
export function isTracing(): boolean {
  const provider = trace.getTracerProvider();
  // The proxy has a delegate only if the runtime has registered a provider.
  return !(provider instanceof ProxyTracerProvider) ||
    provider.getDelegateTracer(TRACER_NAME) !== undefined;
}

/** An answered request. */
interface Answered {
  readonly route: string | undefined;
  readonly request: { readonly method: string };
}

/** Names the runtime's span of each request by its route. */
export const routeSpans = {
  answered({ route, request }: Answered): void {
    const span = trace.getActiveSpan();
    if (span === undefined || route === undefined) return;
    span.updateName(`${request.method} ${route}`);
    span.setAttribute("http.route", route);
  },
};
