/**
 * Reads watched entries again in each poll, and some other entries in turn.
 *
 * @module
 */

import { HASH_LENGTH, hexOf, textOf } from "../../base/bytes.ts";
import { tryParse } from "../../base/errors.ts";
import { parseAttestation } from "../../proof/format/attestation.ts";
import { TILE_WIDTH, tileWidth } from "../../proof/merkle/tile.ts";
import type { HashedEntries } from "../publishing/verified_tree.ts";
import { isOpen } from "./findings.ts";
import { type LogContext, type Mutable, type Poll, type PolledView, withOneRetry } from "./poll.ts";
import type { WatchedHash } from "./ports.ts";
import type { LogState, WatchedState } from "./state.ts";

/** Watched hashes that each poll reads. */
const WATCHED_PER_POLL = 16;
/** Entry bundles that are read at once. */
const READS_AT_ONCE = 8;

/** Reads entries of one log again. */
export class EntryCheck {
  readonly #context: LogContext;
  readonly #watched: readonly Mutable<WatchedState>[];
  /** Size of the tree that is followed. */
  #size = 0;
  #nextBundle: number;
  #nextWatched: number;

  constructor(context: LogContext, stored: LogState | undefined) {
    this.#context = context;
    this.#watched = context.log.watch.map(({ hash }) => ({
      ...stored?.watched.find((one) => one.hash === hash) ?? { hash },
    }));
    this.#nextBundle = stored?.next_bundle ?? 0;
    this.#nextWatched = stored?.next_watched ?? 0;
  }

  get state(): Pick<LogState, "next_bundle" | "next_watched" | "watched"> {
    return {
      next_bundle: this.#nextBundle,
      next_watched: this.#nextWatched,
      watched: this.#watched.map((watched) => ({ ...watched })),
    };
  }

  /** Reads the watched entries and the next others from every view that follows the history. */
  async read(
    polledViews: readonly PolledView[],
    size: number,
    { now, signal }: Poll,
  ): Promise<void> {
    this.#size = size;
    const { log: { bundlesPerPoll } } = this.#context;
    const watched = this.#turn();
    const bundles = bundlesOf(size);
    const next = this.#nextBundle < bundles ? this.#nextBundle : 0;
    const others = Array.from(
      { length: Math.min(bundlesPerPoll, bundles - next) },
      (_, i) => next + i,
    );
    let isRead = false;
    let done = 0;
    for (const polled of polledViews) {
      if (polled.tree === undefined || polled.state.forked !== undefined) continue;
      await this.#context.attempt(polled, signal, async () => {
        await inGroups([...watched], async ([index, hashes]) => {
          await this.#checkWatched(polled, index, hashes, now);
        });
        isRead ||= others.length === 0;
        await inGroups(others, (index) => this.#searchBundle(polled, index, now), (count) => {
          isRead = true;
          done = Math.max(done, count);
        });
      });
    }
    // Retries unreadable bundles until the outage is alerted, then continues after them.
    if (!isRead && !this.#isAlerted(polledViews)) return;
    this.#nextBundle = next + (isRead ? done : Math.min(READS_AT_ONCE, others.length));
    this.#nextWatched += WATCHED_PER_POLL;
    if (!isRead) return;
    for (const one of this.#watched) one.left = Math.max(0, (one.left ?? bundles) - done);
    this.#judgeAbsent(now);
  }

  #isAlerted(polledViews: readonly PolledView[]): boolean {
    return polledViews.some(({ view, tree }) => {
      const outage = this.#context.findings.find(this.#context.key("outage", view));
      return tree !== undefined && outage !== undefined && isOpen(outage);
    });
  }

  /** Watched hashes with a known index, in turn, by entry bundle. */
  #turn(): ReadonlyMap<number, readonly Required<WatchedHash>[]> {
    const placed = this.#context.log.watch.flatMap(({ hash, index: given }, i) => {
      const index = given ?? this.#watched[i]!.index;
      return index === undefined ? [] : [{ hash, index }];
    });
    const start = placed.length === 0 ? 0 : this.#nextWatched % placed.length;
    const turn = [...placed.slice(start), ...placed.slice(0, start)].slice(0, WATCHED_PER_POLL);
    return Map.groupBy(turn, ({ index }) => Math.floor(index / TILE_WIDTH));
  }

  /** Checks watched hashes of one entry bundle. */
  async #checkWatched(
    polled: PolledView,
    bundleIndex: number,
    hashes: readonly Required<WatchedHash>[],
    now: number,
  ): Promise<void> {
    const { findings } = this.#context;
    const { size } = polled.tree!;
    const key = (hash: string) => this.#context.key("lost", polled.view, hash);
    const inTree = hashes.filter(({ index }) => index < size);
    for (const { hash, index } of hashes) {
      // A view that is behind need not have it yet.
      if (index < size || size < this.#size) continue;
      findings.observe(key(hash), now, `index ${index} is not in the tree of ${this.#size}`);
    }
    if (inTree.length === 0) return;
    try {
      const bundle = await withOneRetry(() => polled.tree!.entries(bundleIndex));
      for (const { hash, index } of inTree) {
        if (this.#matcher(bundle, index % TILE_WIDTH)(hash)) continue;
        findings.observe(key(hash), now, `the entry at index ${index} is another one`);
      }
    } catch (error) {
      for (const { hash } of inTree) {
        await this.#context.keepMismatch(polled, "lost", error, now, hash);
      }
    }
  }

  async #searchBundle(polled: PolledView, index: number, now: number): Promise<void> {
    if (index >= bundlesOf(polled.tree!.size)) return;
    try {
      const { size } = polled.tree!;
      const bundle = await withOneRetry(async () => {
        await polled.tree!.nodes(0, index, tileWidth(0, index, size));
        return await polled.tree!.entries(index);
      });
      const wanted = this.#watched.filter((one, i) =>
        one.index === undefined && this.#context.log.watch[i]!.index === undefined
      );
      for (let i = 0; wanted.length > 0 && i < bundle.entries.length; i++) {
        const matches = this.#matcher(bundle, i);
        for (const one of wanted) if (matches(one.hash)) one.index ??= index * TILE_WIDTH + i;
      }
    } catch (error) {
      await this.#context.keepMismatch(polled, "entries", error, now);
    }
  }

  /** Whether a watched hash is of entry `i` of a bundle. */
  #matcher({ entries, leaves }: HashedEntries, i: number): (hash: string) => boolean {
    const entry = entries[i]!;
    const leaf = leaves.subarray(i * HASH_LENGTH, (i + 1) * HASH_LENGTH);
    const hashes = [hexOf(leaf), hexOf(this.#context.kernels.sha256(entry))];
    const text = tryParse(() => textOf(entry));
    return (hash) =>
      hashes.includes(hash) || (text !== undefined && text.includes(hash) &&
        tryParse(() => parseAttestation(text))?.hash === hash);
  }

  #judgeAbsent(now: number): void {
    const { log: { watch, origin }, findings } = this.#context;
    for (const [i, { hash, index }] of watch.entries()) {
      const state = this.#watched[i]!;
      const key = { kind: "absent", log: origin, subject: hash } as const;
      if (index !== undefined || state.index !== undefined) findings.clear(key, now);
      else if (state.left === 0 && this.#size > 0) {
        findings.observe(key, now, `no entry of the log has the watched hash ${hash}`);
      }
    }
  }
}

/** Runs `act` for every item, some at once. Stops after the first group with a failure, which it throws. */
async function inGroups<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
  afterGroup: (done: number) => void = () => {},
): Promise<void> {
  for (let start = 0; start < items.length; start += READS_AT_ONCE) {
    const group = items.slice(start, start + READS_AT_ONCE);
    const results = await Promise.allSettled(group.map(act));
    for (const result of results) if (result.status === "rejected") throw result.reason;
    afterGroup(start + group.length);
  }
}

function bundlesOf(size: number): number {
  return Math.ceil(size / TILE_WIDTH);
}
