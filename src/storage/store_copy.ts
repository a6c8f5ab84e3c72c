/**
 * Moves all records of a log from one engine to another. At no time can a gateway start on both:
 *
 *     1   the target is marked as an unfinished copy: no gateway starts on it
 *     2   the records are copied, then compared
 *     3   the caller checks the log in the target
 *     4   the source is marked as moved: no gateway starts on it
 *     5   the mark of the target is removed
 *
 * A copy that is interrupted starts again, and empties its target first.
 *
 * @module
 */

import { isDeepStrictEqual } from "node:util";
import { equalBytes } from "../base/bytes.ts";
import { type Clock, systemClock, unixSeconds } from "../base/clock.ts";
import { CountersignError, hasCode } from "../base/errors.ts";
import { logKeys } from "./log/log_keys.ts";
import type { StoreCommit, StoreEngine, StoreEntry, StoreFence } from "./store_engine.ts";
import { storeFault } from "./store_fault.ts";
import { checkMeta, META_KEY, type StoreMark, type StoreMeta, unmarked } from "./store_meta.ts";

/** Half of the limits of Deno KV: a record may be larger in another engine. */
const BATCH_RECORDS = 500;
const BATCH_BYTES = 400_000;
/** About the size of a value that is not bytes. */
const OTHER_BYTES = 200;
/** Records per page of a list. */
const PAGE = 256;

const ATTEMPTS = 6;
const FIRST_DELAY_MS = 50;

/** One end of a copy: the databases of one log. The caller opens and closes them. */
export interface CopyEnd {
  /** As in messages: without secrets. */
  readonly name: string;
  readonly log: StoreEngine;
  readonly anchors: StoreEngine;
  /** Fence of the log's database. */
  readonly fence: StoreFence;
}

export interface CopyOptions {
  readonly networkDigest: string;
  readonly clock?: Clock;
  /** Called after each commit. */
  readonly onProgress?: (records: number) => void;
}

/** Keys of the log's database that describe the database, not the log. */
const OWN_KEYS: ReadonlySet<string> = new Set(
  [META_KEY, logKeys.fence(), logKeys.location()].map((key) => JSON.stringify(key)),
);

/** One copy. Call the methods in the order of the steps. */
export class StoreCopy {
  readonly #from: CopyEnd;
  readonly #to: CopyEnd;
  readonly #meta: StoreMeta;
  readonly #clock: Clock;
  readonly #onProgress: (records: number) => void;
  #copied = 0;

  private constructor(from: CopyEnd, to: CopyEnd, meta: StoreMeta, options: CopyOptions) {
    this.#from = from;
    this.#to = to;
    this.#meta = meta;
    this.#clock = options.clock ?? systemClock;
    this.#onProgress = options.onProgress ?? (() => {});
  }

  /**
   * Takes both fences, so that a gateway that still runs on either loses it, and marks the target.
   * `configuration_missing` without a log in the source, `file_failed` for a target that is neither empty
   * nor an unfinished copy; rejects like `checkMeta`.
   */
  static async begin(from: CopyEnd, to: CopyEnd, options: CopyOptions): Promise<StoreCopy> {
    const stored = (await from.log.get<StoreMeta>(META_KEY)).value;
    if (stored === null) {
      throw new CountersignError(
        "configuration_missing",
        `Cannot copy "${from.name}": it has no log`,
      );
    }
    const target = (await to.log.get<StoreMeta>(META_KEY)).value;
    const isUnfinished = target?.mark?.state === "copying";
    // The last step of an earlier run may be missing.
    const wasMovedHere = stored.mark?.state === "moved" && stored.mark.other === to.name;
    const meta = isUnfinished && wasMovedHere ? unmarked(stored) : stored;
    checkMeta(meta, options.networkDigest);
    if (!isUnfinished) await requireEmpty(to);
    const copy = new StoreCopy(from, to, meta, options);
    await from.fence.take();
    await to.fence.take();
    await copy.#mark(to, "copying", from);
    if (isUnfinished) await copy.#clear();
    return copy;
  }

  /** Copies all records, then compares them. Returns their number. `store_corrupt`, `storage_failed`. */
  async run(): Promise<number> {
    const { log, anchors } = this.#from;
    for await (const batch of batches(records(anchors))) await this.#write("anchors", batch);
    for await (const batch of batches(logRecords(log))) await this.#write("log", batch);
    await this.#compare(records(anchors), records(this.#to.anchors));
    await this.#compare(logRecords(log), logRecords(this.#to.log));
    return this.#copied;
  }

  /** Makes the target the store of the log, once it is checked. */
  async finish(): Promise<void> {
    await this.#mark(this.#from, "moved", this.#to);
    await this.#commit(this.#to, "log", (commit) => commit.set(META_KEY, this.#meta));
  }

  async #mark(end: CopyEnd, state: StoreMark["state"], { name: other }: CopyEnd): Promise<void> {
    const mark: StoreMark = { state, other, at: unixSeconds(this.#clock) };
    await this.#commit(end, "log", (commit) => commit.set(META_KEY, { ...this.#meta, mark }));
  }

  async #clear(): Promise<void> {
    for (
      const [database, stored] of [
        ["anchors", records(this.#to.anchors)],
        ["log", logRecords(this.#to.log)],
      ] as const
    ) {
      for await (const batch of batches(stored)) {
        await this.#commit(this.#to, database, (commit) => {
          for (const { key } of batch) commit.delete(key);
        });
      }
    }
  }

  async #write(
    database: "log" | "anchors",
    batch: readonly StoreEntry<unknown>[],
  ): Promise<void> {
    await this.#commit(this.#to, database, (commit) => {
      for (const { key, value } of batch) commit.set(key, value);
    });
    this.#copied += batch.length;
    this.#onProgress(this.#copied);
  }

  /** Repeats a commit whose outcome is unknown: it sets the same values again. */
  async #commit(
    end: CopyEnd,
    database: "log" | "anchors",
    build: (commit: StoreCommit) => unknown,
  ): Promise<void> {
    for (let attempt = 1, delayMs = FIRST_DELAY_MS;; attempt++, delayMs *= 2) {
      const commit = end[database].atomic();
      // The anchors have no fence of their own: the mark of the log protects them.
      if (database === "log") end.fence.guard(commit);
      build(commit);
      try {
        if ((await commit.commit()).ok) return;
        await end.fence.check();
        throw new Error("the commit is in conflict");
      } catch (cause) {
        if (hasCode(cause, "fence_lost")) throw cause;
        if (attempt === ATTEMPTS) throw writeFault(end, cause);
      }
      await this.#clock.sleep(delayMs);
    }
  }

  async #compare(
    source: AsyncGenerator<StoreEntry<unknown>>,
    target: AsyncGenerator<StoreEntry<unknown>>,
  ): Promise<void> {
    for await (const { key, value } of source) {
      const { value: copy } = await target.next();
      if (copy !== undefined && isSame(key, copy.key) && isSame(value, copy.value)) continue;
      throw differs(this.#to, key);
    }
    const { value: surplus } = await target.next();
    if (surplus !== undefined) throw differs(this.#to, surplus.key);
  }
}

/** `file_failed` */
async function requireEmpty(to: CopyEnd): Promise<void> {
  const hasLog = (await to.log.get(META_KEY)).value !== null ||
    !(await logRecords(to.log).next()).done;
  if (!hasLog && (await records(to.anchors).next()).done) return;
  throw new CountersignError(
    "file_failed",
    `Cannot copy to "${to.name}": it is not empty. Nothing was changed; name an empty store`,
  );
}

async function* records(engine: StoreEngine): AsyncGenerator<StoreEntry<unknown>> {
  yield* engine.list<unknown>({ prefix: [] }, { batchSize: PAGE });
}

async function* logRecords(engine: StoreEngine): AsyncGenerator<StoreEntry<unknown>> {
  for await (const entry of records(engine)) {
    if (!OWN_KEYS.has(JSON.stringify(entry.key))) yield entry;
  }
}

async function* batches(
  entries: AsyncIterable<StoreEntry<unknown>>,
): AsyncGenerator<StoreEntry<unknown>[]> {
  let batch: StoreEntry<unknown>[] = [];
  let bytes = 0;
  for await (const entry of entries) {
    batch.push(entry);
    bytes += entry.value instanceof Uint8Array ? entry.value.length : OTHER_BYTES;
    if (batch.length < BATCH_RECORDS && bytes < BATCH_BYTES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** Equality of keys and of values. */
function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b);
  return isDeepStrictEqual(a, b);
}

function writeFault(end: CopyEnd, cause: unknown): CountersignError {
  const { code, message } = storeFault("write", cause);
  return new CountersignError(
    code,
    `${message} "${end.name}". Its source is as it was: repeat the command to start the copy again`,
    { cause },
  );
}

function differs({ name }: CopyEnd, key: Deno.KvKey): CountersignError {
  return new CountersignError(
    "store_corrupt",
    `The copy in "${name}" differs from its source at ${
      JSON.stringify(key)
    }; no store was changed ` +
      "to it",
  );
}
