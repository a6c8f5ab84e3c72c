/**
 * Who follows single requests through the pipeline, to see where their time goes. What is batched is
 * done for many of them at once: it belongs to the trace of the one that came first, and names the
 * others.
 *
 * @module
 */

/** What the pipeline spends time on. */
export type SpanName =
  /** One commit of digests and signed rounds. */
  | "commit"
  /** One attempt at a round. */
  | "round"
  /** One witness asked, for a round or a head. */
  | "sign"
  | "cosign"
  /** The commit by which the tree grows. */
  | "grow_tree"
  /** One attempt to have a head cosigned. */
  | "cosign_head"
  | "publish_head";

/** What is told of a span: counts and ids of the configuration, never a hash, token or address. */
export type SpanAttributes = Readonly<Record<string, number | string>>;

/** Sequences [start, end) of what a span is about. */
export interface SpanRange {
  readonly start: number;
  readonly end: number;
}

/** See the module. */
export interface Tracer {
  /** The request that is under way brought the digest at `sequence`. */
  digestReceived(sequence: number): void;
  /**
   * What `work` resolves or rejects with; the time until then is a span. About `range`, it belongs to
   * the requests that brought those digests; about none, to what is under way.
   */
  span<T>(
    name: SpanName,
    attributes: SpanAttributes,
    work: () => Promise<T>,
    range?: SpanRange,
  ): Promise<T>;
  /** Nothing will be told any more of sequences below `end`. */
  finished(end: number): void;
}

/** Of a pipeline whose requests nobody follows. */
export const NO_TRACER: Tracer = {
  digestReceived() {},
  span: (_name, _attributes, work) => work(),
  finished() {},
};
