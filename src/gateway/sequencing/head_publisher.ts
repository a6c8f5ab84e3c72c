/**
 * Stores tree heads that the threshold has signed. A stored head is published.
 *
 * @module
 */

import { equalBytes } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import type { SthRecord } from "../../format/records.ts";
import type { SthStore } from "../ports.ts";
import type { RecordCheck } from "../record_check.ts";
import type { StoreWrites } from "../settle.ts";
import type { PublishedHeads } from "./published_heads.ts";

export interface HeadPublisherContext {
  readonly store: SthStore;
  readonly writes: StoreWrites;
  readonly heads: PublishedHeads;
  readonly check: Pick<RecordCheck, "head">;
}

export class HeadPublisher {
  readonly #context: HeadPublisherContext;

  constructor(context: HeadPublisherContext) {
    this.#context = context;
  }

  /**
   * Stores a head that met the threshold, and returns the final head of its size. `store_corrupt` if
   * another root is stored for that size, or if the stored head does not verify.
   */
  async publish(record: SthRecord): Promise<SthRecord> {
    const { store, writes, heads, check } = this.#context;
    let found = record;
    await writes.settle({
      what: `signed tree head of size ${record.size}`,
      commit: () => store.commit(record),
      inspect: async () => {
        const stored = await store.at(record.size);
        if (stored === undefined) return "absent";
        found = stored;
        return stored.timestamp === record.timestamp && equalBytes(stored.root, record.root)
          ? "ours"
          : "other";
      },
    });
    if (!equalBytes(found.root, record.root)) {
      throw new CountersignError(
        "store_corrupt",
        `Cannot publish tree head of size ${record.size}: the store has another root for it`,
      );
    }
    if (found !== record) await check.head(found);
    heads.add(found);
    return found;
  }
}
