/**
 * Reports the conditions of witnesses: each witness that fails, and a threshold that is out of reach.
 * Conditions that change the health of the gateway are in {@linkcode GatewayHealth}.
 *
 * @module
 */

import type { Clock } from "../../base/clock.ts";
import { Condition, type Report } from "../../base/report.ts";
import type { WitnessPurpose } from "../observer.ts";
import { WITNESS_ADVICE } from "./witness_advice.ts";
import type { WitnessWork } from "./witness_health.ts";
import type { WitnessPool } from "./witness_pool.ts";

/** How often witnesses are probed, in case they are not asked for anything else. */
const PROBE_MS = 10_000;
/** How often the health of witnesses is reviewed. */
const REVIEW_MS = 2_000;

const WORK_NAMES: Readonly<Record<WitnessWork, string>> = {
  sign: "signing rounds",
  cosign: "cosigning tree heads",
  probe: "its probe",
};

/** Work that needs the threshold, in the order of the pipeline. */
const SHORTAGES: readonly (readonly [work: WitnessPurpose, verb: string, effect: string])[] = [
  ["sign", "sign rounds", "hashes wait for their signatures"],
  ["cosign", "cosign tree heads", "signed hashes wait for a tree head"],
];

/** Probes the witnesses of one gateway and reports the failures that its pool records. */
export class WitnessWatch {
  readonly #pool: WitnessPool;
  readonly #clock: Clock;
  readonly #witnesses: readonly Condition[];
  /** The kinds of work of each witness that have failed since its condition began. */
  readonly #failed: readonly Set<WitnessWork>[];
  readonly #threshold: Condition;

  constructor(
    pool: WitnessPool,
    context: { readonly clock: Clock; readonly report: Report },
  ) {
    this.#pool = pool;
    this.#clock = context.clock;
    this.#witnesses = pool.witnesses.map(() => new Condition(context));
    this.#failed = pool.witnesses.map(() => new Set());
    this.#threshold = new Condition(context);
  }

  /** Watches until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#probe(signal), this.#review(signal)]);
  }

  async #probe(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#pool.checkHealth(signal);
      await this.#clock.sleep(PROBE_MS, signal);
    }
  }

  async #review(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.sleep(REVIEW_MS, signal);
      if (signal.aborted) return;
      for (const witnessIndex of this.#witnesses.keys()) this.#reviewWitness(witnessIndex);
      this.#reviewThreshold();
    }
  }

  #reviewWitness(witnessIndex: number): void {
    const { id: witness } = this.#pool.witnesses[witnessIndex]!;
    const condition = this.#witnesses[witnessIndex]!;
    const failed = this.#failed[witnessIndex]!;
    const { failing } = this.#pool.health.at(witnessIndex);
    const [code] = failing.values();
    if (code === undefined) {
      condition.ended(this.#endOf(witness, witnessIndex));
      failed.clear();
      return;
    }
    for (const work of failing.keys()) failed.add(work);
    const advice = WITNESS_ADVICE[code] ?? "its answer is not valid: see its log";
    condition.holds(
      `Witness ${witness} fails (${namesOf(failing.keys())}): ${code}; ${advice}`,
      { witness, code },
    );
  }

  /** How the failures of a witness ended: by good answers, or by expiry without any. */
  #endOf(witness: string, witnessIndex: number): string {
    const { health } = this.#pool;
    const untried = [...this.#failed[witnessIndex]!]
      .filter((work) => health.isForgotten(witnessIndex, work));
    if (untried.length === 0) return `Witness ${witness} works again`;
    return `Witness ${witness} was not asked again (${
      namesOf(untried)
    }): its failure no longer counts`;
  }

  #reviewThreshold(): void {
    const { threshold, witnesses, health } = this.#pool;
    for (const [work, verb, effect] of SHORTAGES) {
      const failing = health.missing(work).filter(({ error }) => error !== undefined);
      const working = witnesses.length - failing.length;
      if (working >= threshold) continue;
      const causes = failing.map(({ witness, error }) => `${witness}: ${error}`).join(", ");
      return this.#threshold.holds(
        `Only ${working} of ${threshold} required witnesses ${verb} without failures (${causes}): ` +
          `${effect}. Start or repair these witnesses`,
        { level: "error", code: "threshold_not_met" },
      );
    }
    this.#threshold.ended("Enough witnesses are without failures again");
  }
}

function namesOf(works: Iterable<WitnessWork>): string {
  return Array.from(works, (work) => WORK_NAMES[work]).join(", ");
}
