/**
 * The faults that an audit finds. All are counted; only the first ones of each part are listed, to
 * bound memory.
 *
 * @module
 */

/** The parts of a log that faults are found in. */
export const FAULT_PARTS = [
  // Faults of a store.
  "store",
  "row",
  "round",
  "upper_nodes",
  "edge",
  "head",
  "index",
  "spent",
  "spent_index",
  "witness",
  // Faults of `anchors.kv`.
  "anchors",
  "cross_anchor",
  "external_anchor",
  "peer_link",
  "witnessed_checkpoint",
  "seen_head",
  "contradiction",
  // Faults of a store and of a published log.
  "digest",
  "round_signatures",
  "beacon",
  "tile",
  "sth",
  "sth_signatures",
  "log_signature",
  // Faults of a published log.
  "network",
  "checkpoint",
  "batch",
  "entry",
  "job",
  "bundle",
] as const;

/** A member of {@linkcode FAULT_PARTS}. */
export type FaultPart = (typeof FAULT_PARTS)[number];

export interface Fault {
  readonly part: FaultPart;
  /**
   * A sequence, the number of a spent id, a tree size, `level/index` (`upper/index` for the upper nodes of a
   * tile), `run/bucket` or a witness id.
   */
  readonly place: string;
  /** A description of the fault for people. */
  readonly problem: string;
}

/** Maximum of listed faults per part. */
export const LISTED_FAULTS = 20;

/** Counts faults and keeps the first of each part. */
export class FaultLog {
  readonly #listed: Fault[] = [];
  readonly #counts = new Map<FaultPart, number>();
  readonly #onListed: (fault: Fault) => void;

  /** `onListed` is called with each listed fault at once. */
  constructor(onListed: (fault: Fault) => void = () => {}) {
    this.#onListed = onListed;
  }

  add(part: FaultPart, place: string | number, problem: string): void {
    const count = (this.#counts.get(part) ?? 0) + 1;
    this.#counts.set(part, count);
    if (count > LISTED_FAULTS) return;
    const fault = { part, place: String(place), problem };
    this.#listed.push(fault);
    this.#onListed(fault);
  }

  /** Number of faults, listed or not. */
  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** In the order of detection, at most {@linkcode LISTED_FAULTS} of each part. */
  get listed(): readonly Fault[] {
    return this.#listed;
  }

  /** Number of faults by part, listed or not. */
  get counts(): ReadonlyMap<FaultPart, number> {
    return this.#counts;
  }
}
