/**
 * What an audit finds wrong. A fault is counted always and listed while its part has few: a store
 * that is damaged all over must not fill the memory of whoever looks at it.
 *
 * @module
 */

/** The parts of a log that faults are found in. */
export const FAULT_PARTS = [
  // Of a store.
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
  // Of the store of what others say of a log.
  "anchors",
  "cross_anchor",
  "external_anchor",
  "seen_head",
  "contradiction",
  // Of a store and of what a gateway publishes.
  "digest",
  "round_signatures",
  "beacon",
  "tile",
  "sth",
  "sth_signatures",
  "log_signature",
  // Of what a gateway publishes.
  "network",
  "checkpoint",
  "batch",
  "entry",
  "job",
  "bundle",
] as const;

/** A member of {@linkcode FAULT_PARTS}. */
export type FaultPart = (typeof FAULT_PARTS)[number];

/** One thing that is not as it has to be. */
export interface Fault {
  readonly part: FaultPart;
  /** Where: a sequence, the number of a spent id, a tree size, `level/index`, `run/bucket` or a witness id. */
  readonly place: string;
  readonly required: string;
  readonly found: string;
}

/** Faults listed of each part. */
export const LISTED_FAULTS = 20;

/** Counts faults and keeps the first of each part. */
export class FaultLog {
  readonly #listed: Fault[] = [];
  readonly #counts = new Map<FaultPart, number>();
  readonly #onListed: (fault: Fault) => void;

  /** `onListed` is told of each fault that is listed, when it is found. */
  constructor(onListed: (fault: Fault) => void = () => {}) {
    this.#onListed = onListed;
  }

  add(part: FaultPart, place: string | number, required: string, found: string): void {
    const count = (this.#counts.get(part) ?? 0) + 1;
    this.#counts.set(part, count);
    if (count > LISTED_FAULTS) return;
    const fault = { part, place: String(place), required, found };
    this.#listed.push(fault);
    this.#onListed(fault);
  }

  /** How many there are, listed or not. */
  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** In the order in which they were found, at most {@linkcode LISTED_FAULTS} of each part. */
  get listed(): readonly Fault[] {
    return this.#listed;
  }

  /** Faults by part, those that are not listed included. */
  get counts(): ReadonlyMap<FaultPart, number> {
    return this.#counts;
  }
}
