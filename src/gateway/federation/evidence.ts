/**
 * The stored contradictions: each pair of heads once, two successions once for each epoch, and a bounded
 * number of each kind for each log, since a dishonest network can sign contradictions without end.
 *
 * @module
 */

import type { AnyContradiction, SeenTreeHead } from "../../proof/format/federation.ts";
import type { FederationReads, FederationStore } from "./ports.ts";

/** Most pairs of each kind for one log. More prove nothing new. */
export const MAX_EVIDENCE_PER_ORIGIN = 16;

/** More than the peers of a network can fill. */
const MAX_EVIDENCE = 4_096;

/** The contradictions of a store, cached in memory. It must be the only writer. */
export class Evidence {
  readonly #store: FederationStore;
  readonly #found: (contradiction: AnyContradiction) => void;
  /** `undefined` until read, and after a failed read. */
  #all: Promise<AnyContradiction[]> | undefined;

  /** Calls `found` with each new contradiction once it is durable. */
  constructor(store: FederationStore, found: (contradiction: AnyContradiction) => void) {
    this.#store = store;
    this.#found = found;
  }

  /** Stores a contradiction unless it is known or its log has enough; `storage_failed`, `fence_lost`. */
  async add(contradiction: AnyContradiction): Promise<void> {
    const all = await this.#read();
    const known = all.filter((other) =>
      other.origin === contradiction.origin && "path" in other === "path" in contradiction
    );
    const pair = pairOf(contradiction);
    if (known.length >= MAX_EVIDENCE_PER_ORIGIN) return;
    if (known.some((other) => pairOf(other) === pair)) return;
    // A write that rejects may still be durable; the next `add` of the pair replaces it.
    await this.#store.addContradiction(contradiction);
    all.push(contradiction);
    this.#found(contradiction);
  }

  /** Oldest first. `storage_failed`. */
  async all(): Promise<readonly AnyContradiction[]> {
    return [...await this.#read()];
  }

  async #read(): Promise<AnyContradiction[]> {
    this.#all ??= this.#store.contradictions(0, MAX_EVIDENCE);
    try {
      return await this.#all;
    } catch (error) {
      this.#all = undefined;
      throw error;
    }
  }
}

/** Evidence that another thread stores. */
export class EvidenceReader {
  readonly #store: Pick<FederationReads, "contradictions" | "seenHead">;
  readonly #origins: readonly string[];
  /** All that were read so far. Contradictions are neither changed nor removed. */
  readonly #known: AnyContradiction[] = [];

  /** `origins` are the ids of the peers. */
  constructor(
    store: Pick<FederationReads, "contradictions" | "seenHead">,
    origins: readonly string[],
  ) {
    this.#store = store;
    this.#origins = origins;
  }

  /** Oldest first. `storage_failed`. */
  async contradictions(): Promise<readonly AnyContradiction[]> {
    const start = this.#known.length;
    const added = await this.#store.contradictions(start, MAX_EVIDENCE - start);
    // Another call may have read them meanwhile.
    this.#known.push(...added.slice(this.#known.length - start));
    return [...this.#known];
  }

  /** {@linkcode seenHeadsOf}. */
  seenHeads(): Promise<readonly SeenTreeHead[]> {
    return seenHeadsOf(this.#store, this.#origins);
  }
}

/** The latest accepted head of each of `origins`, in order; `storage_failed`. */
export async function seenHeadsOf(
  store: Pick<FederationReads, "seenHead">,
  origins: readonly string[],
): Promise<readonly SeenTreeHead[]> {
  const heads = await Promise.all(origins.map((origin) => store.seenHead(origin)));
  return heads.filter((head) => head !== undefined);
}

/** Identifies a pair of heads, in either order, or the epoch of two successions. */
function pairOf(contradiction: AnyContradiction): string {
  if (!("path" in contradiction)) return String(contradiction.first.predecessor.epoch);
  const { first, second } = contradiction;
  return [first, second].map(({ sth: { tree_head: head } }) =>
    `${head.tree_size} ${head.root_hash}`
  )
    .toSorted().join();
}
