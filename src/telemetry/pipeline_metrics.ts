/**
 * What the pipeline did, counted as it happens.
 *
 * @module
 */

import type { ErrorCode } from "../errors.ts";
import type { PipelineObserver, WitnessPurpose } from "../gateway/observer.ts";
import { COUNTS, Histogram, LONG_SECONDS, SECONDS } from "./histogram.ts";
import type { Labels, MetricsPage } from "./metrics_page.ts";
import { Tally } from "./tally.ts";

const PURPOSES: readonly WitnessPurpose[] = ["sign", "cosign"];

/** What a witness was asked for, and how that went. */
interface WitnessCounts {
  readonly labels: Labels;
  readonly answers: Histogram;
  readonly failures: Tally<ErrorCode>;
  unneeded: number;
}

/** Told by one pipeline, read by its operator's pages. */
export class PipelineMetrics implements PipelineObserver {
  readonly #commitSeconds = new Histogram(SECONDS);
  readonly #commitDigests = new Histogram(COUNTS);
  readonly #roundSizes = new Histogram(COUNTS);
  readonly #roundAttempts = new Histogram(COUNTS);
  readonly #roundSeconds = new Histogram(LONG_SECONDS);
  readonly #batchLeaves = new Histogram(COUNTS);
  readonly #treeSeconds = new Histogram(SECONDS);
  readonly #headSeconds = new Histogram(LONG_SECONDS);
  readonly #delaySeconds = new Histogram(LONG_SECONDS);
  readonly #witnesses: ReadonlyMap<string, Readonly<Record<WitnessPurpose, WitnessCounts>>>;

  /** `witnesses` are the ids of all that are asked. */
  constructor(witnesses: readonly string[]) {
    this.#witnesses = new Map(witnesses.map((witness) => [
      witness,
      { sign: newCounts(witness, "sign"), cosign: newCounts(witness, "cosign") },
    ]));
  }

  committed({ digests, ms }: Parameters<PipelineObserver["committed"]>[0]): void {
    this.#commitSeconds.observe(seconds(ms));
    if (digests > 0) this.#commitDigests.observe(digests);
  }

  roundSigned({ size, attempts, ms }: Parameters<PipelineObserver["roundSigned"]>[0]): void {
    this.#roundSizes.observe(size);
    this.#roundAttempts.observe(attempts);
    this.#roundSeconds.observe(seconds(ms));
  }

  witnessAnswered(witness: string, purpose: WitnessPurpose, ms: number): void {
    this.#witnesses.get(witness)?.[purpose].answers.observe(seconds(ms));
  }

  witnessFailed(witness: string, purpose: WitnessPurpose, code: ErrorCode): void {
    this.#witnesses.get(witness)?.[purpose].failures.count(code);
  }

  witnessUnneeded(witness: string, purpose: WitnessPurpose): void {
    const counts = this.#witnesses.get(witness)?.[purpose];
    if (counts !== undefined) counts.unneeded++;
  }

  treeGrown(leaves: number, ms: number): void {
    this.#batchLeaves.observe(leaves);
    this.#treeSeconds.observe(seconds(ms));
  }

  headPublished({ ms, delayMs }: Parameters<PipelineObserver["headPublished"]>[0]): void {
    this.#headSeconds.observe(seconds(ms));
    if (delayMs !== undefined) this.#delaySeconds.observe(seconds(delayMs));
  }

  /** Writes all of it to `page`. */
  addTo(page: MetricsPage): void {
    for (const [name, help, histogram] of this.#histograms()) {
      page.histogram(name, help, [[histogram]]);
    }
    this.#addWitnesses(page);
  }

  #histograms(): readonly (readonly [name: string, help: string, histogram: Histogram])[] {
    return [
      [
        "commit_duration_seconds",
        "Time until a commit of digests or signed rounds is durable",
        this.#commitSeconds,
      ],
      ["commit_digests", "New digests in a commit that has some", this.#commitDigests],
      ["round_size", "Attestations in a round that met the threshold", this.#roundSizes],
      [
        "round_attempts",
        "How often a round was put to the witnesses until it met the threshold",
        this.#roundAttempts,
      ],
      [
        "round_duration_seconds",
        "Time from the forming of a round to the threshold",
        this.#roundSeconds,
      ],
      ["batch_leaves", "Attestations by which the tree grew at once", this.#batchLeaves],
      ["tree_commit_duration_seconds", "Time until the grown tree is durable", this.#treeSeconds],
      [
        "head_publication_duration_seconds",
        "Time from the first question for cosignatures to the publication of a head",
        this.#headSeconds,
      ],
      [
        "merge_duration_seconds",
        "Time from the acceptance of the oldest attestation in a batch to its publication",
        this.#delaySeconds,
      ],
    ];
  }

  #addWitnesses(page: MetricsPage): void {
    const all = [...this.#witnesses.values()].flatMap((counts) => PURPOSES.map((p) => counts[p]));
    page.histogram(
      "witness_answer_duration_seconds",
      "Time until a witness answered, of answers that were waited for",
      all.map(({ answers, labels }) => [answers, labels]),
    );
    page.counter(
      "witness_failures_total",
      "Answers of a witness that were missing, late, refusals or wrong, by error code",
      all.flatMap(({ failures, labels }) =>
        [...failures].map(([code, count]) => [count, { ...labels, code }] as const)
      ),
    );
    page.counter(
      "witness_unneeded_total",
      "Questions to a witness whose answer the threshold was met without",
      all.map(({ unneeded, labels }) => [unneeded, labels]),
    );
  }
}

function newCounts(witness: string, purpose: WitnessPurpose): WitnessCounts {
  return {
    labels: { witness, purpose },
    answers: new Histogram(SECONDS),
    failures: new Tally(["witness_unreachable", "witness_refused"]),
    unneeded: 0,
  };
}

/** A clock that is set back makes nothing take less than no time. */
function seconds(ms: number): number {
  return Math.max(0, ms) / 1000;
}
