/**
 * The parts of a pipeline as a start finds them in the store, with reads alone.
 *
 * @module
 */

import { CountersignError, hasCode } from "../errors.ts";
import { ConfirmedRounds } from "./proving/confirmed_rounds.ts";
import type { GatewayParts } from "./gateway_parts.ts";
import { HashIndex } from "./index/hash_index.ts";
import { LogTree } from "./sequencing/log_tree.ts";
import type { LogStore } from "./ports.ts";
import { PublishedHeads } from "./sequencing/published_heads.ts";
import { RecordCheck } from "./record_check.ts";
import { type RecoveredRounds, recoverRounds } from "./recovery.ts";
import { type StoreOutage, StoreWrites } from "./settle.ts";
import { SpentIds } from "./index/spent_ids.ts";

/** Between two tries to read a store that failed. */
const READ_AGAIN_MS = 500;

/** What recovery found, before anything moves. */
export interface Recovered {
  readonly writes: StoreWrites;
  readonly index: HashIndex;
  readonly spent: SpentIds | undefined;
  readonly confirmed: ConfirmedRounds;
  readonly tree: LogTree;
  readonly heads: PublishedHeads;
  readonly rounds: RecoveredRounds;
  readonly check: RecordCheck;
}

/** A store that a start has read. */
export interface TakenStore {
  readonly recovered: Recovered;
  /** Resolves when this process holds the fence. */
  readonly fence: Promise<unknown>;
  /** Why it does not hold it yet. */
  readonly outage: StoreOutage | undefined;
}

/**
 * Takes the fence, or finds that the store takes no writes, and reads the store. `changed` is called
 * as {@linkcode StoreWrites} says.
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

/** Reads the store; `store_corrupt` when its parts do not fit together. */
async function recoverStore(parts: GatewayParts, writes: StoreWrites): Promise<Recovered> {
  const { store, kernels } = parts;
  const tree = await LogTree.open({ store: store.tree, kernels, writes });
  const rounds = await recoverRounds(store.rounds, tree.head.size);
  const index = await HashIndex.open(store.index, store.rounds, rounds.accepted);
  const spent = parts.spendsTokens ? await SpentIds.open(store, rounds.accepted) : undefined;
  const check = new RecordCheck(parts);
  const heads = await PublishedHeads.open({ store: store.sths, writes, check });
  if (heads.size > tree.head.size) {
    throw new CountersignError(
      "store_corrupt",
      `Cannot recover: a head of size ${heads.size} is published, but the tree has ` +
        `${tree.head.size} leaves. Run countersign fsck --data`,
    );
  }
  const confirmed = new ConfirmedRounds(tree.head.size, rounds.signed);
  return { writes, index, spent, confirmed, tree, heads, rounds, check };
}

/**
 * `fence_lost` when another process wrote to the store before this one had the fence. A read that
 * fails is repeated until `signal` aborts: the store may fail a little longer.
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
        "Cannot go on with the store: another process wrote to it while this one waited to write. " +
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
