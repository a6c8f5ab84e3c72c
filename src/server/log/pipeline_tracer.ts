/**
 * OpenTelemetry spans of the pipeline. Deno creates the spans of requests and propagates the trace
 * context.
 *
 * @module
 */

import {
  type Context,
  context,
  type Link,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Tracer as OpenTelemetryTracer,
} from "@opentelemetry/api";
import { CountersignError } from "../../base/errors.ts";
import type {
  SpanAttributes,
  SpanName,
  SpanRange,
  TraceContext,
  Tracer,
} from "../../gateway/tracer.ts";
import { TRACER_NAME } from "./route_spans.ts";

/** Requests kept until their digests are published; the oldest are dropped. */
const MAX_REQUESTS = 4_096;
/** Requests that one span links to. */
const MAX_LINKS = 32;

/** Creates the spans of the pipeline. */
export class PipelineTracer implements Tracer {
  readonly #tracer: OpenTelemetryTracer = trace.getTracer(TRACER_NAME);
  /** The request of each digest, by sequence, in order of arrival. */
  readonly #requests = new Map<number, Context>();

  currentRequest(): TraceContext | undefined {
    const span = trace.getActiveSpan();
    if (span === undefined || !span.isRecording()) return undefined;
    const { traceId, spanId, traceFlags } = span.spanContext();
    return { traceId, spanId, traceFlags };
  }

  digestReceived(sequence: number): void {
    const active = context.active();
    if (trace.getSpan(active)?.isRecording() ?? false) this.#received(sequence, active);
  }

  digestsReceived(sequences: readonly number[], request: TraceContext): void {
    const remote = trace.setSpanContext(ROOT_CONTEXT, { ...request, isRemote: true });
    for (const sequence of sequences) this.#received(sequence, remote);
  }

  async span<T>(
    name: SpanName,
    attributes: SpanAttributes,
    work: () => Promise<T>,
    range?: SpanRange,
  ): Promise<T> {
    const { parent, links } = range === undefined
      ? { parent: context.active(), links: [] }
      : this.#requestsOf(range);
    const span = this.#tracer.startSpan(`${TRACER_NAME} ${name}`, { attributes, links }, parent);
    try {
      return await context.with(trace.setSpan(parent, span), work);
    } catch (error) {
      const code = error instanceof CountersignError ? error.code : "internal";
      span.setStatus({ code: SpanStatusCode.ERROR, message: code });
      throw error;
    } finally {
      span.end();
    }
  }

  finished(end: number): void {
    for (const sequence of this.#requests.keys()) {
      if (sequence < end) this.#requests.delete(sequence);
    }
  }

  #received(sequence: number, request: Context): void {
    // A repeated submission does not start the pipeline again.
    if (this.#requests.has(sequence)) return;
    this.#requests.set(sequence, request);
    if (this.#requests.size <= MAX_REQUESTS) return;
    for (const oldest of this.#requests.keys()) {
      this.#requests.delete(oldest);
      return;
    }
  }

  /** The first request with a digest in the range as parent, and links to others. */
  #requestsOf({ start, end }: SpanRange): { readonly parent: Context; readonly links: Link[] } {
    let parent: Context | undefined;
    const others = new Set<Context>();
    for (const [sequence, request] of this.#requests) {
      if (sequence < start || sequence >= end || request === parent) continue;
      if (parent === undefined) parent = request;
      else if (others.size < MAX_LINKS) others.add(request);
    }
    const links = [...others].map((request) => ({ context: trace.getSpanContext(request)! }));
    return { parent: parent ?? ROOT_CONTEXT, links };
  }
}
