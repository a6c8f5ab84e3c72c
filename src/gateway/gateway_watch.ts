/**
 * Watches whether a gateway makes progress, and reports what keeps it from that: witnesses that fail,
 * a threshold that is out of reach, hashes that wait for signatures or for a tree head.
 *
 * @module
 */

import type { CountersignError, ErrorCode } from "../errors.ts";
import { Condition } from "../report.ts";
import type { ConfirmedRounds } from "./confirmed_rounds.ts";
import type { GatewayHealth } from "./gateway_health.ts";
import type { GatewayParts } from "./gateway_parts.ts";
import type { WitnessPurpose } from "./observer.ts";
import type { PublishedHeads } from "./published_heads.ts";
import type { StalledStatus } from "./service.ts";
import type { Signer } from "./signing.ts";
import type { WitnessWork } from "./witness_health.ts";
import type { WitnessPool } from "./witness_pool.ts";

/** How often witnesses are probed, for when they are not asked for anything else. */
const PROBE_MS = 10_000;
/** How often progress is looked at. */
const REVIEW_MS = 2_000;
/** The gateway is stalled once the oldest unfinished digest has waited for this long. */
const STALLED_MS = 30_000;
/** Seconds that a batch may take to be cosigned and published, in addition to its age. */
const PUBLISHING_SECONDS = 60;

const WORK_NAMES: Readonly<Record<WitnessWork, string>> = {
  sign: "signing rounds",
  cosign: "cosigning tree heads",
  probe: "its probe",
};

/** What the threshold has to do, the one that comes first in the pipeline first. */
const SHORTAGES: readonly (readonly [work: WitnessPurpose, verb: string, effect: string])[] = [
  ["sign", "sign rounds", "hashes wait for their signatures"],
  ["cosign", "cosign tree heads", "signed hashes wait for a tree head"],
];

const SAME_HISTORY =
  "it has signed other hashes or another tree of this log: make sure that no other copy of this " +
  "store is in use";
const SAME_NETWORK = "compare its network file, and the log's key, with those of this gateway";
const SAME_TOKEN = "give it and this gateway the same token";

/** What to do about a witness, by the code of its failure. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  witness_unreachable: "make sure that it runs and that this machine reaches it",
  witness_storage_failed: "it cannot write its state: have disk space freed or the disk repaired",
  token_required: SAME_TOKEN,
  token_refused: SAME_TOKEN,
  network_refused: SAME_NETWORK,
  log_signature_refused: SAME_NETWORK,
  time_refused: "compare the clocks of this machine and of the witness, and set the wrong one",
  beacon_refused: "make sure that beacons reach this gateway; compare clocks and beacon settings",
  sequence_conflict: SAME_HISTORY,
  tree_size_conflict: SAME_HISTORY,
  consistency_refused: SAME_HISTORY,
};

/** Seconds after which a digest is late for publication, where batches may be `maxAgeMs` old. */
export function publishingLimit(maxAgeMs: number): number {
  return PUBLISHING_SECONDS + Math.ceil(maxAgeMs / 1000);
}

/** What is watched. */
export interface GatewayWatchContext extends Pick<GatewayParts, "clock" | "report" | "policy"> {
  readonly pool: WitnessPool;
  readonly health: Pick<GatewayHealth, "acceptance">;
  readonly signer: Pick<Signer, "oldestUnsigned">;
  readonly confirmed: Pick<ConfirmedRounds, "end">;
  readonly heads: Pick<PublishedHeads, "size">;
  /** Why the store takes no writes at present. */
  readonly outage: () => CountersignError | undefined;
}

/** The watch of one gateway. */
export class GatewayWatch {
  readonly #context: GatewayWatchContext;
  readonly #witnesses: readonly Condition[];
  /** The kinds of work of each witness that have failed since its condition began. */
  readonly #failed: readonly Set<WitnessWork>[];
  readonly #store: Condition;
  readonly #threshold: Condition;
  readonly #unsigned: Condition;
  readonly #unpublished: Condition;
  readonly #signing = new Progress();
  readonly #publishing = new Progress();

  constructor(context: GatewayWatchContext) {
    this.#context = context;
    this.#witnesses = context.pool.witnesses.map(() => new Condition(context));
    this.#failed = context.pool.witnesses.map(() => new Set());
    this.#store = new Condition(context);
    this.#threshold = new Condition(context);
    this.#unsigned = new Condition(context);
    this.#unpublished = new Condition(context);
  }

  /** Why nothing is signed or published though something waits; ends with the wait. */
  get stalled(): StalledStatus | undefined {
    if (this.#signing.waitedMs(this.#unsignedPlace()) >= STALLED_MS) return "signing_stalled";
    const limitMs = STALLED_MS + this.#context.policy.maxAgeMs;
    const isLate = this.#publishing.waitedMs(this.#unpublishedPlace()) >= limitMs;
    return isLate ? "publishing_stalled" : undefined;
  }

  /** Watches until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#probe(signal), this.#review(signal)]);
  }

  async #probe(signal: AbortSignal): Promise<void> {
    const { pool, clock } = this.#context;
    while (!signal.aborted) {
      await pool.checkHealth(signal);
      await clock.sleep(PROBE_MS, signal);
    }
  }

  async #review(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#context.clock.sleep(REVIEW_MS, signal);
      if (signal.aborted) return;
      this.reviewStore();
      this.reviewWitnesses();
      this.#signing.review(this.#unsignedPlace());
      this.#publishing.review(this.#unpublishedPlace());
      const { stalled } = this;
      this.#reportUnsigned(stalled === "signing_stalled");
      this.#reportUnpublished(stalled === "publishing_stalled");
    }
  }

  /** Reports that the store takes no writes, or takes them again. */
  reviewStore(): void {
    const outage = this.#context.outage();
    if (outage === undefined) return this.#store.ended("The store takes writes again");
    this.#store.holds(
      `${outage.message}. The gateway is read-only until a write succeeds: reads go on, ` +
        "submissions get 503 storage_failed. Check free space, mount and permissions of the data folder",
      { level: "error", code: outage.code },
    );
  }

  /** Reports the witnesses that fail or work again. */
  reviewWitnesses(): void {
    for (const [place, { id: witness }] of this.#context.pool.witnesses.entries()) {
      const condition = this.#witnesses[place]!;
      const failed = this.#failed[place]!;
      const { failing } = this.#context.pool.health.at(place);
      const [code] = failing.values();
      if (code === undefined) {
        condition.ended(this.#endOf(witness, place));
        failed.clear();
        continue;
      }
      for (const work of failing.keys()) failed.add(work);
      const advice = ADVICE[code] ?? "its answer is not valid: see its log";
      condition.holds(
        `Witness ${witness} fails (${namesOf(failing.keys())}): ${code}; ${advice}`,
        { witness, code },
      );
    }
    this.#reviewThreshold();
  }

  /** How the failures of a witness ended: by good answers, or forgotten without any. */
  #endOf(witness: string, place: number): string {
    const { health } = this.#context.pool;
    const untried = [...this.#failed[place]!].filter((work) => health.isForgotten(place, work));
    if (untried.length === 0) return `Witness ${witness} works again`;
    return `Witness ${witness} was not asked again (${namesOf(untried)}): its failure is forgotten`;
  }

  #reviewThreshold(): void {
    const { threshold, witnesses, health } = this.#context.pool;
    for (const [work, verb, effect] of SHORTAGES) {
      const failing = health.missing(work).filter(({ error }) => error !== undefined);
      const working = witnesses.length - failing.length;
      if (working >= threshold) continue;
      const causes = failing.map(({ witness, error }) => `${witness}: ${error}`).join(", ");
      return this.#threshold.holds(
        `Only ${working} witnesses ${verb} without failures and ${threshold} have to (${causes}): ` +
          `${effect}. Start or mend these witnesses`,
        { level: "error", code: "threshold_not_met" },
      );
    }
    this.#threshold.ended("Enough witnesses are without failures again");
  }

  /** The first durable sequence that waits for its signatures. */
  #unsignedPlace(): number | undefined {
    const { health, signer } = this.#context;
    return health.acceptance === "ok" ? signer.oldestUnsigned : undefined;
  }

  /** The first signed sequence that waits for its tree head. */
  #unpublishedPlace(): number | undefined {
    const { health, confirmed, heads } = this.#context;
    return health.acceptance === "ok" && confirmed.end > heads.size ? heads.size : undefined;
  }

  #reportUnsigned(isStalled: boolean): void {
    if (!isStalled) return this.#unsigned.ended("Hashes are signed again");
    this.#unsigned.holds(
      `A hash has waited for its signatures for more than ${STALLED_MS / 1000} s: /health is 503 ` +
        "signing_stalled until it is signed. GET /ready names the cause",
      { level: "error" },
    );
  }

  #reportUnpublished(isStalled: boolean): void {
    if (!isStalled) return this.#unpublished.ended("Tree heads are published in time again");
    const seconds = (STALLED_MS + this.#context.policy.maxAgeMs) / 1000;
    this.#unpublished.holds(
      `No tree head was published for ${seconds} s though hashes wait for one: /health is 503 ` +
        "publishing_stalled until one is. GET /ready names the cause",
      { level: "error" },
    );
  }
}

function namesOf(works: Iterable<WitnessWork>): string {
  return Array.from(works, (work) => WORK_NAMES[work]).join(", ");
}

/** How long the same place has waited. It counts reviews, since the clock may be set. */
class Progress {
  #place: number | undefined;
  #reviews = 0;

  /** Once every {@linkcode REVIEW_MS}. `place` is absent where nothing waits. */
  review(place: number | undefined): void {
    this.#reviews = place !== undefined && place === this.#place ? this.#reviews + 1 : 0;
    this.#place = place;
  }

  /** How long `place` has been waited for, as of the last review. */
  waitedMs(place: number | undefined): number {
    return place === this.#place ? this.#reviews * REVIEW_MS : 0;
  }
}
