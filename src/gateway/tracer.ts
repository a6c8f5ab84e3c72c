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

export interface Tracer {
  /** The current request submitted the digest at `sequence`. */
  digestReceived(sequence: number): void;
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
  digestReceived() {},
  span: (_name, _attributes, work) => work(),
  finished() {},
};
