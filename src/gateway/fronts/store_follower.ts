/**
 * Follows a log whose sequencer is in another process through the store alone, for a front that takes no
 * digests. It reads what was added, several times a second. Recent trees, the work on unsigned digests and
 * the state of witnesses are only in the memory of the sequencer: the front reads the store instead, and
 * knows nothing of the others.
 *
 * @module
 */

import { HASH_LENGTH } from "../../base/bytes.ts";
import { aborted, type Clock, withTimeLimit } from "../../base/clock.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import { addsSignatures, type RoundRecord, type SthRecord } from "../../proof/format/records.ts";
import { emptyRoot } from "../../proof/merkle/tree.ts";
import { Condition, errorDetails, errorText, type Report } from "../../base/report.ts";
import { HashIndex } from "../index/hash_index.ts";
import type { LogStore } from "../ports.ts";
import { ConfirmedRounds } from "../proving/confirmed_rounds.ts";
import type { RecordCheck } from "../record_check.ts";
import { recoverRounds } from "../recovery.ts";
import { StoreOutage } from "../../base/store_outage.ts";
import type { EpochChain, Epochs } from "../succession/epochs.ts";
import { areEdgesOf, type TreeState } from "../sequencing/committed_tree.ts";
import {
  type Follower,
  type Health,
  NO_ANCHORS_STATE,
  type SequencerLink,
  type SigningLoad,
  type Snapshot,
} from "./ports.ts";

const POLL_MS = 200;
/** How long a read waits for a poll before it is refused. */
const REFRESH_MS = 3_000;
/** Rounds of one read. */
const PAGE = 512;
/** Attempts to read a store between the writes of another process. */
const OPEN_TRIES = 10;

/** The gateway that writes the store forms a round of each digest at once, if it can. */
const NO_LOAD: SigningLoad = {
  formed: Number.MAX_SAFE_INTEGER,
  backlog: 0,
  answerMs: 0,
  isHeld: false,
};

export interface StoreFollowerContext {
  /** Read only. */
  readonly store: Omit<LogStore, "takeFence" | "checkFence">;
  readonly kernels: Kernels;
  readonly check: Pick<RecordCheck, "checkpoint">;
  /** Those that `check` uses. */
  readonly epochs: Epochs;
  /** The stored links, verified, with the configuration that they lead to; rejects if that is missing. */
  readonly presentChain: () => Promise<EpochChain>;
  readonly clock: Clock;
  readonly report: Report;
}

/** The link of a front to a sequencer that it does not reach. */
export class StoreFollower implements SequencerLink {
  readonly #context: StoreFollowerContext;
  /** Index of the digests that were read. */
  readonly index: HashIndex;
  readonly #confirmed: ConfirmedRounds;
  #durable: number;
  #tree: TreeState;
  #latest: SthRecord | undefined;
  #refusal: NonNullable<Health["refusal"]> = {
    code: "standby",
    message: "Another gateway takes the hashes of this log",
  };
  #follower: Follower | undefined;
  /** Settled with the next poll that begins. */
  #nextPoll: PromiseWithResolvers<void> | undefined;
  readonly #away: Condition;

  private constructor(
    context: StoreFollowerContext,
    { index, confirmed, durable, tree, latest }: StoredState & { readonly index: HashIndex },
  ) {
    this.#context = context;
    this.#away = new Condition(context);
    this.index = index;
    this.#confirmed = confirmed;
    this.#durable = durable;
    this.#tree = tree;
    this.#latest = latest;
  }

  /** Reads the store; `store_corrupt` if its parts contradict one another. */
  static async open(context: StoreFollowerContext): Promise<StoreFollower> {
    const { store } = context;
    return await betweenWrites(context, async () => {
      const state = await readState(context);
      const index = await HashIndex.open(store.index, store.rounds, state.durable);
      return new StoreFollower(context, { ...state, index });
    });
  }

  assign(): Promise<never> {
    const { code, message } = this.#refusal;
    return Promise.reject(new CountersignError(code, message));
  }

  catchUp(): void {}

  async refresh(): Promise<void> {
    const { clock } = this.#context;
    if (this.#nextPoll === undefined) {
      this.#nextPoll = Promise.withResolvers();
      this.#nextPoll.promise.catch(() => {});
    }
    const { promise } = this.#nextPoll;
    await withTimeLimit(clock, REFRESH_MS, new AbortController().signal, async (limit) => {
      await Promise.race([promise, aborted(limit).then(() => Promise.reject(cutOff()))]);
    });
  }

  /** Refuses digests with `standby` and this message from now on. */
  refuse(message: string): void {
    this.#refusal = { code: "standby", message };
    this.#follower?.healthChanged(this.#health);
  }

  /** Calls `follower` with what is read, until `signal` aborts. The first call is before it returns. */
  follow(follower: Follower, signal: AbortSignal): Promise<void> {
    this.#follower = follower;
    const state = {
      durable: this.#durable,
      confirmed: this.#confirmed,
      tree: this.#tree,
      latest: this.#latest,
    };
    follower.joined({
      ...snapshotOf(state, this.#context.epochs),
      health: this.#health,
      index: this.index.shared,
    });
    this.index.runsChanged = () => follower.indexChanged("digests", this.index.shared);
    return this.#run(follower, signal);
  }

  async #run(follower: Follower, signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    while (true) {
      await clock.sleep(POLL_MS, signal);
      const waiting = this.#nextPoll;
      this.#nextPoll = undefined;
      if (signal.aborted) return waiting?.reject(cutOff());
      try {
        await this.#poll(follower);
        waiting?.resolve();
        this.#away.ended("The standby follows the log again");
      } catch (error) {
        waiting?.reject(cutOff());
        this.#away.holds(
          `The standby cannot follow the log: ${
            errorText(error)
          }. It answers from what it has; it says of no ` +
            "hash that it is unknown. Check the database server and the connection to it",
          { level: "error", ...errorDetails(error) },
        );
      }
    }
  }

  /** Reads heads, the tree, rounds and digests in this order, and tells them in the opposite one. */
  async #poll(follower: Follower): Promise<void> {
    const { store } = this.#context;
    const heads = await this.#newHeads(follower);
    const tree = await this.#newTree();
    const rounds = await this.#newRounds();
    const last = await store.rounds.lastRow();
    const durable = last === undefined ? 0 : last.first + last.digests.length / HASH_LENGTH;
    await this.#followEpochs(follower);
    if (durable > this.#durable) {
      await this.index.follow(durable);
      this.#durable = durable;
      follower.accepted(durable, NO_LOAD);
    }
    for (const record of rounds) {
      const { first, size } = record;
      this.#confirmed.addStored(first, first + size);
      follower.confirmed({ record }, NO_LOAD);
    }
    if (tree !== undefined) {
      this.#tree = tree;
      follower.treeGrown(tree.head, tree.edges);
    }
    for (const record of heads) {
      const isNew = record.size > (this.#latest?.size ?? 0);
      this.#latest = record;
      follower.headCosigned(record, isNew);
    }
    follower.statusChanged(statusOf(this.#durable, this.#confirmed));
  }

  /** Call it after the reads whose results it shall cover: a link precedes what the next epoch signs. */
  async #followEpochs(follower: Follower): Promise<void> {
    if (await followEpochs(this.#context)) follower.epochEnded(this.#context.epochs.chain);
  }

  /** New heads, after the latest known one if that has further signatures. */
  async #newHeads(follower: Follower): Promise<SthRecord[]> {
    const { store, check } = this.#context;
    const latest = this.#latest;
    const heads: SthRecord[] = [];
    for (let size = (latest?.size ?? 1) - 1; heads.length < PAGE;) {
      const record = await store.sths.firstAbove(size);
      if (record === undefined) break;
      size = record.size;
      if (size === latest?.size && !addsSignatures(latest, record)) continue;
      await this.#followEpochs(follower);
      await check.checkpoint(record);
      heads.push(record);
    }
    return heads;
  }

  async #newTree(): Promise<TreeState | undefined> {
    const size = (await this.#context.store.tree.head())?.head.size ?? 0;
    if (size === this.#tree.head.size) return undefined;
    if (size > this.#tree.head.size) return await readTree(this.#context);
    throw new CountersignError(
      "store_rolled_back",
      `Cannot follow the log: its tree has ${size} leaves, and had ${this.#tree.head.size} before`,
    );
  }

  /** Reads the gaps in what is confirmed: while one round waits, thousands after it may be signed. */
  async #newRounds(): Promise<RoundRecord[]> {
    const { store } = this.#context;
    const fresh: RoundRecord[] = [];
    for (const { first, end } of this.#confirmed.gaps) {
      for (let page: RoundRecord[], start = first;; start = page.at(-1)!.first + 1) {
        page = await store.rounds.rounds(start, end, PAGE);
        fresh.push(...page);
        if (page.length < PAGE) break;
      }
    }
    return fresh;
  }

  get #health(): Health {
    const refusal = this.#refusal;
    return { status: "standby", refusal, isSigning: true, unacknowledged: "none" };
  }
}

/** The sequencer's process reports the outage, not each request. */
function cutOff(): CountersignError {
  return new StoreOutage(
    "The database of this log does not answer; retry at the active gateway, or later",
  );
}

/** The state of a log as stored. */
interface StoredState {
  readonly confirmed: ConfirmedRounds;
  readonly durable: number;
  readonly tree: TreeState;
  readonly latest: SthRecord | undefined;
}

/** Repeats `read` if it found parts of different writes of another process. */
async function betweenWrites<T>(
  { clock }: StoreFollowerContext,
  read: () => Promise<T>,
): Promise<T> {
  for (let tries = 1;; tries++) {
    try {
      return await read();
    } catch (error) {
      if (tries === OPEN_TRIES || !hasCode(error, "store_corrupt")) throw error;
    }
    await clock.sleep(POLL_MS);
  }
}

/** Each part is read before those that it depends on, which only grow. */
async function readState(context: StoreFollowerContext): Promise<StoredState> {
  const { store, check } = context;
  const [latest] = await store.sths.below(Number.MAX_SAFE_INTEGER, 1);
  await followEpochs(context);
  if (latest !== undefined) await check.checkpoint(latest);
  const tree = await readTree(context);
  const { accepted, signed } = await recoverRounds(store.rounds, tree.head.size);
  const confirmed = new ConfirmedRounds(tree.head.size, signed);
  return { confirmed, durable: accepted, tree, latest };
}

function snapshotOf(
  { confirmed, durable, tree, latest }: StoredState,
  { chain: epochs }: Epochs,
): Omit<Snapshot, "health" | "index" | "spent"> {
  return {
    durable,
    tree,
    latest,
    checkpoint: latest,
    epochs,
    confirmed: { end: confirmed.end, beyond: confirmed.beyond },
    load: NO_LOAD,
    failing: [],
    anchors: NO_ANCHORS_STATE,
    status: statusOf(durable, confirmed),
  };
}

function statusOf(durable: number, confirmed: ConfirmedRounds) {
  return { witnesses: [], pending: durable - confirmed.end };
}

/** Whether the log has ended another epoch since. */
async function followEpochs(
  { store, epochs, presentChain }: StoreFollowerContext,
): Promise<boolean> {
  if (await store.successions.link(epochs.links.length + 1) === undefined) return false;
  epochs.replace(await presentChain());
  return true;
}

/** The stored tree; `store_corrupt` if its edges do not hash to its root. */
async function readTree({ store, kernels }: StoreFollowerContext): Promise<TreeState> {
  while (true) {
    const stored = await store.tree.head();
    if (stored === undefined) return { head: { size: 0, root: emptyRoot(kernels) }, edges: [] };
    const { head } = stored;
    const edges = await store.tree.edges();
    if (areEdgesOf(head, edges, kernels)) return { head, edges };
    // Unless they are those of a tree that has grown since.
    if ((await store.tree.head())?.head.size !== head.size) continue;
    throw new CountersignError(
      "store_corrupt",
      `Cannot read the stored tree: its edges do not hash to the root at size ${head.size}`,
    );
  }
}
