/* * Reads watched entries again in each poll, and some other entries in turn.
 *
 * @module
 */

import { HASH_LENGTH, hexOf, textOf } from "../bytes.ts";
import { tryParse } from "../errors.ts";
import { parseAttestation } from "../format/attestation.ts";
import { TILE_WIDTH, tileWidth } from "../merkle/tile.ts";
import type { VerifiedEntries } from "../publishing/verified_tree.ts";
import { isOpen } from "./findings.ts";
import { type LogContext, type Mutable, type Poll, type PolledView, withOneRetry } from "./poll.ts";
import type { WatchedHash } from "./ports.ts";
import type { LogState, WatchedState } from "./state.ts";

/** Watched hashes that each poll reads. */
const WATCHED_PER_POLL = 16;

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
    for (const polled of polledViews) {
      if (polled.tree === undefined || polled.state.forked !== undefined) continue;
      const wasRead = await this.#context.attempt(polled, signal, async () => {
        for (const one of watched) await this.#checkWatched(polled, one, now);
        for (const index of others) await this.#searchBundle(polled, index, now);
        return true;
      });
      isRead ||= wasRead === true;
    }
    // Retries an unreadable bundle until the outage is alerted, then continues with the next one.
    if (!isRead && !this.#isAlerted(polledViews)) return;
    this.#nextBundle = next + others.length;
    this.#nextWatched += watched.length;
    if (!isRead) return;
    for (const one of this.#watched) {
      one.left = Math.max(0, (one.left ?? bundles) - others.length);
    }
    this.#judgeAbsent(now);
  }

  #isAlerted(polledViews: readonly PolledView[]): boolean {
    return polledViews.some(({ view, tree }) => {
      const outage = this.#context.findings.find(this.#context.key("outage", view));
      return tree !== undefined && outage !== undefined && isOpen(outage);
    });
  }

  /** Watched hashes with a known index, in turn. */
  #turn(): readonly Required<WatchedHash>[] {
    const placed = this.#context.log.watch.flatMap(({ hash, index: given }, i) => {
      const index = given ?? this.#watched[i]!.index;
      return index === undefined ? [] : [{ hash, index }];
    });
    const start = placed.length === 0 ? 0 : this.#nextWatched % placed.length;
    return [...placed.slice(start), ...placed.slice(0, start)].slice(0, WATCHED_PER_POLL);
  }

  async #checkWatched(
    polled: PolledView,
    { hash, index }: Required<WatchedHash>,
    now: number,
  ): Promise<void> {
    const { findings } = this.#context;
    const key = this.#context.key("lost", polled.view, hash);
    if (index >= polled.tree!.size) {
      // A view that is behind need not have it yet.
      if (polled.tree!.size < this.#size) return;
      return findings.observe(key, now, `index ${index} is not in the tree of ${this.#size}`);
    }
    try {
      const bundle = await withOneRetry(() => polled.tree!.entries(Math.floor(index / TILE_WIDTH)));
      if (this.#isEntryOf(bundle, index % TILE_WIDTH, hash)) return;
      findings.observe(key, now, `the entry at index ${index} is another one`);
    } catch (error) {
      await this.#context.keepMismatch(polled, "lost", error, now, hash);
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
        for (const one of wanted) {
          if (this.#isEntryOf(bundle, i, one.hash)) one.index ??= index * TILE_WIDTH + i;
        }
      }
    } catch (error) {
      await this.#context.keepMismatch(polled, "entries", error, now);
    }
  }

  #isEntryOf({ entries, leaves }: VerifiedEntries, i: number, hash: string): boolean {
    const { kernels } = this.#context;
    const entry = entries[i]!;
    const leaf = leaves.subarray(i * HASH_LENGTH, (i + 1) * HASH_LENGTH);
    if (hexOf(leaf) === hash || hexOf(kernels.sha256(entry)) === hash) return true;
    const text = tryParse(() => textOf(entry));
    return text !== undefined && text.includes(hash) &&
      tryParse(() => parseAttestation(text))?.hash === hash;
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

function bundlesOf(size: number): number {
  return Math.ceil(size / TILE_WIDTH);
}
