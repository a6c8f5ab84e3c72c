/**
 * Metrics of the pipeline's work.
 *
 * @module
 */

import type { ErrorCode } from "../../base/errors.ts";
import type { PipelineObserver, WitnessPurpose } from "../../gateway/observer.ts";
import { COUNTS, Histogram, LONG_SECONDS, SECONDS } from "./histogram.ts";
import type { Labels, MetricsPage } from "./metrics_page.ts";
import { Tally } from "./tally.ts";

const PURPOSES: readonly WitnessPurpose[] = ["sign", "cosign"];

/** Requests to a witness for one purpose. */
interface WitnessCounts {
  readonly labels: Labels;
  readonly answers: Histogram;
  readonly failures: Tally<ErrorCode>;
  unneeded: number;
}

/** Counts the work of one pipeline. */
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
  readonly #witnesses = new Map<string, Readonly<Record<WitnessPurpose, WitnessCounts>>>();

  /** @param witnesses the ids of all witnesses; those of a later epoch are added when they are asked */
  constructor(witnesses: readonly string[]) {
    for (const witness of witnesses) this.#of(witness, "sign");
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
    this.#of(witness, purpose).answers.observe(seconds(ms));
  }

  witnessFailed(witness: string, purpose: WitnessPurpose, code: ErrorCode): void {
    this.#of(witness, purpose).failures.count(code);
  }

  witnessUnneeded(witness: string, purpose: WitnessPurpose): void {
    this.#of(witness, purpose).unneeded++;
  }

  treeGrown(leaves: number, ms: number): void {
    this.#batchLeaves.observe(leaves);
    this.#treeSeconds.observe(seconds(ms));
  }

  headPublished({ ms, delayMs }: Parameters<PipelineObserver["headPublished"]>[0]): void {
    this.#headSeconds.observe(seconds(ms));
    if (delayMs !== undefined) this.#delaySeconds.observe(seconds(delayMs));
  }

  /** Writes all metrics to `page`. */
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
        "Time of a commit of digests or signed rounds",
        this.#commitSeconds,
      ],
      ["commit_digests", "New digests in a commit with digests", this.#commitDigests],
      ["round_size", "Attestations in a round that met the threshold", this.#roundSizes],
      [
        "round_attempts",
        "Attempts until a round met the threshold",
        this.#roundAttempts,
      ],
      [
        "round_duration_seconds",
        "Time from forming a round to meeting the threshold",
        this.#roundSeconds,
      ],
      ["batch_leaves", "Attestations added to the tree in one commit", this.#batchLeaves],
      [
        "tree_commit_duration_seconds",
        "Time of a commit of tiles and tree head",
        this.#treeSeconds,
      ],
      [
        "head_publication_duration_seconds",
        "Time from the first cosignature request to the publication of a head",
        this.#headSeconds,
      ],
      [
        "merge_duration_seconds",
        "Time from accepting the oldest attestation of a batch to its publication",
        this.#delaySeconds,
      ],
    ];
  }

  #of(witness: string, purpose: WitnessPurpose): WitnessCounts {
    return this.#witnesses.getOrInsertComputed(witness, () => ({
      sign: newCounts(witness, "sign"),
      cosign: newCounts(witness, "cosign"),
    }))[purpose];
  }

  #addWitnesses(page: MetricsPage): void {
    const all = [...this.#witnesses.values()].flatMap((counts) => PURPOSES.map((p) => counts[p]));
    page.histogram(
      "witness_answer_duration_seconds",
      "Time of answers that arrived before the threshold was met",
      all.map(({ answers, labels }) => [answers, labels]),
    );
    page.counter(
      "witness_failures_total",
      "Failed requests to a witness, by error code",
      all.flatMap(({ failures, labels }) =>
        [...failures].map(([code, count]) => [count, { ...labels, code }] as const)
      ),
    );
    page.counter(
      "witness_unneeded_total",
      "Requests whose answer was not needed, since the threshold was met first",
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

/** At least 0, even if the clock was set back. */
function seconds(ms: number): number {
  return Math.max(0, ms) / 1000;
}
