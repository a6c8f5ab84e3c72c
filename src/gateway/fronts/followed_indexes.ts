/**
 * The indexes of a front that shares no memory with its sequencer: it reads what was stored.
 *
 * @module
 */

import { HASH_LENGTH } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import { HashIndex } from "../index/hash_index.ts";
import { spentRows } from "../index/spent_ids.ts";
import type { LogStore } from "../ports.ts";
import type { Follower, Snapshot } from "./ports.ts";

/** The parts of the store that are read. */
export type IndexedStore = Pick<LogStore, "rounds" | "index" | "spent" | "spentIndex">;

/** The indexes of digests and of redeemed tokens, as far as they were stored when they were last read. */
export class FollowedIndexes {
  readonly #store: IndexedStore;
  readonly #digests: HashIndex;
  readonly #spent: HashIndex | undefined;
  /** Digests below this sequence are on disk. */
  #durable: number;
  #reading: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  private constructor(store: IndexedStore, digests: HashIndex, spent: HashIndex | undefined) {
    this.#store = store;
    this.#digests = digests;
    this.#spent = spent;
    this.#durable = digests.end;
  }

  /** Reads all that is stored. `store_corrupt`, `storage_failed`. */
  static async open(store: IndexedStore, redeemsTokens: boolean): Promise<FollowedIndexes> {
    const row = await store.rounds.lastRow();
    const end = row === undefined ? 0 : row.first + row.digests.length / HASH_LENGTH;
    const digests = await HashIndex.open(store.index, store.rounds, end);
    const spent = redeemsTokens
      ? await HashIndex.open(
        store.spentIndex,
        { limits: store.rounds.limits, ...spentRows(store.spent) },
        await spentEnd(store),
      )
      : undefined;
    return new FollowedIndexes(store, digests, spent);
  }

  /** Sequence after the last digest of the index. */
  get end(): number {
    return this.#digests.end;
  }

  get shared(): Pick<Snapshot, "index" | "spent"> {
    return {
      index: this.#digests.shared,
      ...(this.#spent !== undefined && { spent: this.#spent.shared }),
    };
  }

  /**
   * `follower`, which also learns of changes of the indexes. Each update makes the indexes read what was
   * stored; `failed` is called if that fails. Throws `store_rolled_back` in `joined` if a sequencer has fewer
   * digests than were stored before.
   */
  following(follower: Follower, failed: (error: unknown) => void): Follower {
    this.#digests.runsChanged = () => follower.indexChanged("digests", this.#digests.shared);
    if (this.#spent !== undefined) {
      const spent = this.#spent;
      spent.runsChanged = () => follower.indexChanged("spent", spent.shared);
    }
    const accepted = (end: number) => {
      this.#durable = end;
      this.refresh().catch(failed);
    };
    return {
      joined: (snapshot) => {
        this.#requireAll(snapshot.durable);
        follower.joined(snapshot);
        accepted(snapshot.durable);
      },
      accepted: (end, load) => {
        follower.accepted(end, load);
        accepted(end);
      },
      confirmed: (round, load) => follower.confirmed(round, load),
      treeGrown: (head, edges) => follower.treeGrown(head, edges),
      headCosigned: (record, isNew) => follower.headCosigned(record, isNew),
      healthChanged: (health) => follower.healthChanged(health),
      failingChanged: (failing, load) => follower.failingChanged(failing, load),
      statusChanged: (status) => follower.statusChanged(status),
      anchorsChanged: (anchors) => follower.anchorsChanged(anchors),
      epochEnded: (epochs) => follower.epochEnded(epochs),
      indexChanged: (name, index) => follower.indexChanged(name, index),
    };
  }

  /** Resolves once the indexes have what the sequencer has published before the call. */
  refresh(): Promise<void> {
    if (this.#reading === undefined) return this.#read();
    return this.#next ??= this.#reading.catch(() => {}).then(() => {
      this.#next = undefined;
      return this.#read();
    });
  }

  #read(): Promise<void> {
    const reading = this.#follow().finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    return this.#reading = reading;
  }

  async #follow(): Promise<void> {
    await this.#digests.follow(Math.max(this.#durable, this.end));
    if (this.#spent === undefined) return;
    await this.#spent.follow(Math.max(await spentEnd(this.#store), this.#spent.end));
  }

  #requireAll(durable: number): void {
    if (durable >= this.end) return;
    throw new CountersignError(
      "store_rolled_back",
      `Cannot follow the gateway: it has ${durable} hashes, and the front knows ${this.end} that were ` +
        "stored. Its store is an old copy. The front starts again",
    );
  }
}

async function spentEnd({ spent }: IndexedStore): Promise<number> {
  const row = await spent.lastRow();
  return row === undefined ? 0 : row.first + row.ids.length / HASH_LENGTH;
}
