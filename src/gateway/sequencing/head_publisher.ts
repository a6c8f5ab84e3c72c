/**
 * Stores tree heads that the threshold has signed. A stored head is published.
 *
 * @module
 */

import { equalBytes } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import { addsSignatures, type SthRecord } from "../../proof/format/records.ts";
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

  /**
   * Stores `record`, which is `published` with the signatures of further witnesses. One attempt: without
   * it, the head stays valid. Returns `record` if it is stored, and `undefined` if `published` is another
   * set. `store_corrupt` if `record` does not verify.
   */
  async extend(published: SthRecord, record: SthRecord): Promise<SthRecord | undefined> {
    const { store, writes, heads, check } = this.#context;
    if (writes.outage !== undefined || !addsSignatures(published, record)) return undefined;
    await check.head(record);
    if (await store.replace(published, record) === "conflict") return undefined;
    heads.extend(record);
    return record;
  }
}
