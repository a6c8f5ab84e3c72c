/**
 * Traces requests through the pipeline. Work that is batched serves many requests: it belongs to the trace
 * of the first one and links the others.
 *
 * @module
 */

export type SpanName =
  /** One commit of digests and signed rounds. */
  | "commit"
  /** One attempt at a round. */
  | "round"
  /** One request to a witness, for a round or a head. */
  | "sign"
  | "cosign"
  /** The commit by which the tree grows. */
  | "grow_tree"
  /** One attempt to have a head cosigned. */
  | "cosign_head"
  | "publish_head";

/** Attributes of a span: counts and ids of the configuration, never a hash, token or address. */
export type SpanAttributes = Readonly<Record<string, number | string>>;

/** The sequences [start, end) that a span covers. */
export interface SpanRange {
  readonly start: number;
  readonly end: number;
}

/** The span of a request, as W3C Trace Context identifies it. */
export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  /** One byte. */
  readonly traceFlags: number;
}

export interface Tracer {
  /** The span of the current request; `undefined` unless the request is traced. */
  currentRequest(): TraceContext | undefined;
  /** The current request submitted the digest at `sequence`. */
  digestReceived(sequence: number): void;
  /** A traced request in another thread submitted the digests at `sequences`. */
  digestsReceived(sequences: readonly number[], request: TraceContext): void;
  /**
   * Records the duration of `work` as a span and returns its result. With `range`, the span belongs to the
   * requests that submitted those digests, else to the current request.
   */
  span<T>(
    name: SpanName,
    attributes: SpanAttributes,
    work: () => Promise<T>,
    range?: SpanRange,
  ): Promise<T>;
  /** No more spans will cover sequences below `end`. */
  finished(end: number): void;
}

/** Traces nothing. */
export const NO_TRACER: Tracer = {
  currentRequest: () => undefined,
  digestReceived() {},
  digestsReceived() {},
  span: (_name, _attributes, work) => work(),
  finished() {},
};
