/**
 * What the batcher needs.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import type { Clock } from "../../base/clock.ts";
import type { SthRecord } from "../../proof/format/records.ts";
import type { PipelineObserver } from "../observer.ts";
import type { Tracer } from "../tracer.ts";
import type { Cosigner } from "./cosigning.ts";
import type { HeadPublisher } from "./head_publisher.ts";
import type { LogTree } from "./log_tree.ts";
import type { PublishedHeads } from "./published_heads.ts";

/** When a batch closes. */
export interface BatchPolicy {
  /** A batch closes at this age, in milliseconds, of its oldest confirmed attestation. */
  readonly maxAgeMs: number;
  /** This many confirmed attestations close a batch immediately; also the maximum size of a batch. */
  readonly maxLeaves: number;
}

export interface BatcherContext {
  readonly tree: LogTree;
  readonly heads: Pick<PublishedHeads, "latest" | "size">;
  readonly publisher: Pick<HeadPublisher, "publish" | "extend">;
  /** Signers of the present epoch. */
  readonly signers: { readonly cosigner: Cosigner };
  /** The size at which the present epoch began: it cosigns this head, and publishes larger ones. */
  readonly epochStart: () => number;
  readonly clock: Clock;
  readonly policy: BatchPolicy;
  readonly observer: PipelineObserver;
  readonly tracer: Tracer;
  /** The sequence after the confirmed prefix. */
  readonly confirmedEnd: () => number;
  /** Packed leaf hashes of confirmed sequences [start, end). */
  readonly leaves: (start: number, end: number) => Promise<Bytes>;
  /** Unix seconds at which a sequence was accepted, if known in memory. */
  readonly acceptedAt: (sequence: number) => number | undefined;
  /** Called when the tree has grown. */
  readonly grown: () => void;
  /** Called when a head is published, gets further signatures, or is cosigned again. */
  readonly published: (record: SthRecord) => void;
  /** Called when the threshold has cosigned the committed head, before {@linkcode BatcherContext.agreed}. */
  readonly adopt: () => Promise<void>;
  readonly agreed: () => void;
}
