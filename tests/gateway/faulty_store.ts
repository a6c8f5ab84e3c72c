/**
 * Wraps a {@linkcode LogStore}: chosen writes fail, before or after they are stored.
 *
 * @module
 */

import type { IndexStore, LogStore } from "../../src/gateway/ports.ts";

/** How a write fails. */
export type WriteFault = "not stored" | "but stored";

/** Counts the writes of a process and makes one fail. */
export class WriteFaults {
  readonly #at: number;
  readonly #fault: WriteFault;
  #writes = 0;

  /** Write `at` fails, from 1; 0 for none. */
  constructor(at = 0, fault: WriteFault = "not stored") {
    this.#at = at;
    this.#fault = fault;
  }

  /** Writes so far, including the fence. */
  get writes(): number {
    return this.#writes;
  }

  /** True after the failing write. */
  get haveStruck(): boolean {
    return this.#at > 0 && this.#writes >= this.#at;
  }

  /** `store` with the failure. */
  around(store: LogStore): LogStore {
    const { rounds, tree, sths, successions, index, spent, spentIndex } = store;
    return {
      successions: {
        links: () => successions.links(),
        document: (epoch) => successions.document(epoch),
        link: (epoch) => successions.link(epoch),
        commitDocument: (...write) => this.#write(() => successions.commitDocument(...write)),
        commitLink: (...write) => this.#write(() => successions.commitLink(...write)),
      },
      rounds: {
        limits: rounds.limits,
        commit: (...write) => this.#write(() => rounds.commit(...write)),
        rowAt: (first) => rounds.rowAt(first),
        rows: (start, end) => rounds.rows(start, end),
        lastRow: () => rounds.lastRow(),
        roundAt: (first) => rounds.roundAt(first),
        roundBefore: (sequence) => rounds.roundBefore(sequence),
        rounds: (start, end, limit) => rounds.rounds(start, end, limit),
      },
      tree: {
        head: () => tree.head(),
        edges: () => tree.edges(),
        tile: (level, at) => tree.tile(level, at),
        upperNodes: (at) => tree.upperNodes(at),
        commit: (change) => this.#write(() => tree.commit(change)),
      },
      sths: {
        commit: (record) => this.#write(() => sths.commit(record)),
        replace: (...change) => this.#write(() => sths.replace(...change)),
        at: (size) => sths.at(size),
        firstAbove: (size) => sths.firstAbove(size),
        below: (before, limit) => sths.below(before, limit),
      },
      index: this.#aroundIndex(index),
      spent,
      spentIndex: this.#aroundIndex(spentIndex),
      takeFence: () => this.#write(() => store.takeFence()),
      checkFence: () => store.checkFence(),
      close: () => store.close(),
    };
  }

  #aroundIndex(index: IndexStore): IndexStore {
    return {
      key: index.key,
      runCount: () => index.runCount(),
      commitRows: (...write) => this.#write(() => index.commitRows(...write)),
      bucket: (run, bucket) => index.bucket(run, bucket),
      buckets: (run) => index.buckets(run),
    };
  }

  async #write<T>(act: () => Promise<T>): Promise<T> {
    const isFailing = ++this.#writes === this.#at;
    if (isFailing && this.#fault === "not stored") throw new Error("failed, not stored");
    const answer = await act();
    if (isFailing) throw new Error("failed, but stored");
    return answer;
  }
}
