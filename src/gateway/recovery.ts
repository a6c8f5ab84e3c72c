/**
 * Start: takes the fence and reads the store. Recovery writes nothing: the running gateway continues the
 * work that it finds.
 *
 * @module
 */

import { HASH_LENGTH } from "../base/bytes.ts";
import { CountersignError, errorBuilder, hasCode } from "../base/errors.ts";
import type { GatewayParts } from "./gateway_parts.ts";
import { HashIndex } from "./index/hash_index.ts";
import { SpentIds } from "./index/spent_ids.ts";
import type { LogStore, RoundStore } from "./ports.ts";
import { ConfirmedRounds } from "./proving/confirmed_rounds.ts";
import { RecordCheck } from "./record_check.ts";
import { HeadPublisher } from "./sequencing/head_publisher.ts";
import { LogTree } from "./sequencing/log_tree.ts";
import { PublishedHeads } from "./sequencing/published_heads.ts";
import { StoreWrites } from "./settle.ts";
import type { StoreOutage } from "../base/store_outage.ts";
import { Epochs } from "./succession/epochs.ts";
import type { SequenceRange } from "./signing/unformed_ranges.ts";

const corrupt = errorBuilder("store_corrupt", "Cannot recover");

/** Pause between two attempts to read a store that failed. */
const READ_AGAIN_MS = 500;

/** The parts of a gateway, as recovered from its store. */
export interface Recovered {
  readonly writes: StoreWrites;
  readonly index: HashIndex;
  readonly spent: SpentIds | undefined;
  readonly confirmed: ConfirmedRounds;
  readonly tree: LogTree;
  readonly heads: PublishedHeads;
  readonly publisher: HeadPublisher;
  readonly rounds: RecoveredRounds;
  readonly check: RecordCheck;
  readonly epochs: Epochs;
}

/** A store that is read, and whose fence is taken or being taken. */
export interface TakenStore {
  readonly recovered: Recovered;
  /** Resolves when this process holds the fence. */
  readonly fence: Promise<unknown>;
  /** Why this process does not hold the fence yet. */
  readonly outage: StoreOutage | undefined;
}

/**
 * Takes the fence and reads the store. If the store rejects writes, reads it without the fence.
 * `changed` is as for {@linkcode StoreWrites}.
 */
export async function takeStore(
  parts: GatewayParts,
  changed: (outage: StoreOutage | undefined) => void,
): Promise<TakenStore> {
  const failing = Promise.withResolvers<void>();
  const writes = new StoreWrites(parts.clock, (outage) => {
    failing.resolve();
    changed(outage);
  });
  const fence = writes.settle({
    what: "the fence",
    commit: () => parts.store.takeFence().then(() => "stored"),
    inspect: () => Promise.resolve("absent"),
  });
  await Promise.race([fence, failing.promise]);
  const { outage } = writes;
  try {
    return { recovered: await recoverStore(parts, writes), fence, outage };
  } catch (error) {
    writes.stop();
    await fence.catch(() => {});
    throw error;
  }
}

/** Reads the store; `store_corrupt` if its parts contradict each other. */
async function recoverStore(parts: GatewayParts, writes: StoreWrites): Promise<Recovered> {
  const { store, kernels } = parts;
  const tree = await LogTree.open({ store: store.tree, kernels, writes });
  const rounds = await recoverRounds(store.rounds, tree.head.size);
  const index = await openIndex(parts, rounds.accepted);
  const spent = parts.spendsTokens ? await SpentIds.open(store, rounds.accepted) : undefined;
  const epochs = new Epochs(parts.network, parts.links);
  const check = new RecordCheck({ ...parts, epochs });
  const heads = await PublishedHeads.open(store.sths, check);
  if (heads.size > tree.head.size) {
    throw corrupt(
      `a head of size ${heads.size} is published, but the tree has ` +
        `${tree.head.size} leaves. Run countersign fsck --data`,
    );
  }
  const confirmed = new ConfirmedRounds(tree.head.size, rounds.signed);
  const publisher = new HeadPublisher({ store: store.sths, writes, heads, check });
  return { writes, index, spent, confirmed, tree, heads, publisher, rounds, check, epochs };
}

async function openIndex({ index: kept, store }: GatewayParts, end: number): Promise<HashIndex> {
  const index = kept && await kept;
  if (index === undefined) return await HashIndex.open(store.index, store.rounds, end);
  await index.follow(end);
  return index;
}

/**
 * Rejects with `fence_lost` if another process wrote to the store before this one had the fence. A
 * failed read is repeated until `signal` aborts: the store may fail for a little longer.
 */
export async function requireUnchanged(
  { store, clock }: Pick<GatewayParts, "store" | "clock">,
  recovered: Recovered,
  signal: AbortSignal,
): Promise<void> {
  while (true) {
    try {
      if (await isUnchanged(store, recovered)) return;
      throw new CountersignError(
        "fence_lost",
        "Cannot continue with the store: another process wrote to it while this one waited to write. " +
          "End the other process, or leave the store to it",
      );
    } catch (error) {
      if (!hasCode(error, "storage_failed") || signal.aborted) throw error;
    }
    await clock.sleep(READ_AGAIN_MS, signal);
  }
}

async function isUnchanged(
  store: LogStore,
  { tree, heads, rounds }: Recovered,
): Promise<boolean> {
  const { accepted } = await recoverRounds(store.rounds, tree.head.size);
  const [latest] = await store.sths.below(Number.MAX_SAFE_INTEGER, 1);
  const isSame = accepted === rounds.accepted && (latest?.size ?? 0) === heads.size;
  return isSame && await tree.isCurrent();
}

/** How far digests are accepted, and which of those beyond the tree are signed. */
export interface RecoveredRounds {
  /** Sequence after the last accepted digest. */
  readonly accepted: number;
  /** Stored rounds that end beyond the tree, ascending. */
  readonly signed: readonly { readonly first: number; readonly end: number }[];
  /** Accepted sequences below `formed` without a stored round, ascending. */
  readonly gaps: readonly SequenceRange[];
  /** Sequence after the last signed one. */
  readonly formed: number;
}

const PAGE = 512;

/**
 * Reads the rounds beyond a tree of `treeSize` leaves. `store_corrupt` if they, or the tree, reach beyond
 * the accepted digests: sequences would be assigned twice.
 */
export async function recoverRounds(store: RoundStore, treeSize: number): Promise<RecoveredRounds> {
  const last = await store.lastRow();
  const accepted = last === undefined ? 0 : last.first + last.digests.length / HASH_LENGTH;
  const signed: { first: number; end: number }[] = [];
  const gaps: SequenceRange[] = [];
  // All leaves of the tree are signed.
  const straddling = treeSize === 0 ? undefined : await store.roundBefore(treeSize - 1);
  let formed = Math.max(
    treeSize,
    straddling === undefined ? 0 : straddling.first + straddling.size,
  );
  if (formed > treeSize) signed.push({ first: treeSize, end: formed });
  while (true) {
    const page = await store.rounds(formed, accepted, PAGE);
    for (const { first, size } of page) {
      if (first > formed) gaps.push({ start: formed, end: first });
      signed.push({ first, end: first + size });
      formed = first + size;
    }
    if (page.length === PAGE) continue;
    if (formed <= accepted) return { accepted, signed, gaps, formed };
    throw corrupt(`sequences below ${formed} are signed, but digests end at ${accepted}`);
  }
}

/**
 * `error`, or what looks like a damaged store and is none: `storage_failed` if its file was deleted or replaced,
 * `fence_lost` if another process writes.
 */
export async function unlessNoDamage(store: LogStore, error: unknown): Promise<unknown> {
  if (!hasCode(error, "store_corrupt")) return error;
  try {
    await store.checkFile?.();
    await store.checkFence();
  } catch (cause) {
    if (hasCode(cause, "fence_lost") || hasCode(cause, "storage_failed")) return cause;
  }
  return error;
}
