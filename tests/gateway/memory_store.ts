/**
 * {@linkcode LogStore} over a {@linkcode MemoryLog}. It yields before it acts and before it
 * answers, so that calls interleave; it copies arguments and results; and each operation can be
 * made to fail.
 *
 * @module
 */

import { CountersignError } from "../../src/base/errors.ts";
import type {
  IntakeRow,
  RoundRecord,
  SpentRow,
  SthRecord,
} from "../../src/proof/format/records.ts";
import type {
  CommitOutcome,
  HeadCommit,
  IndexStore,
  LogStore,
  RoundStore,
  SpentStore,
  SthStore,
  SuccessionStore,
  TreeStore,
} from "../../src/gateway/ports.ts";
import { HASH_LENGTH } from "../../src/base/bytes.ts";
import type { MemoryLog } from "./memory_log.ts";

/**
 * The fault of an operation. Only commits can have `conflict` and `fail_stored_later`, which fails
 * at once and stores later.
 */
export type Fault =
  | "fail_not_stored"
  | "fail_but_stored"
  | "fail_stored_later"
  | "conflict"
  | "hang_not_stored"
  | "hang_but_stored";

/** The kind of a commit; `mixed` has digests and rounds. */
export type CommitKind =
  | "intake"
  | "mixed"
  | "rounds"
  | "head"
  | "sth"
  | "signatures"
  | "succession"
  | "link"
  | "index"
  | "index_done";

/** The kind of an operation for the fault hook: `fence`, `read`, or a kind of commit. */
export type OperationKind = CommitKind | "fence" | "read";

/** Chooses the fault of each operation; `ordinal` counts from 1 for this store. */
export type FaultHook = (operation: OperationKind, ordinal: number) => Fault | undefined;

/** Delays an operation on its way to the memory, and its answer on the way back. */
export interface Pace {
  /** Resolves when the operation acts: to whether this process had the fence, if that was checked before. */
  reach(
    operation: OperationKind,
    ordinal: number,
    holdsFence: () => boolean,
  ): Promise<boolean | void>;
  answer(operation: OperationKind, ordinal: number): Promise<void>;
}

/** Maximum turns of the microtask queue of a commit: more than signing a round takes. */
const COMMIT_TURNS = 61;

/** In turns of the microtask queue; a commit takes longer than a read. */
const QUICK_PACE: Pace = {
  reach: (operation, ordinal) =>
    yieldTurns(operation === "read" ? 1 + ordinal % 3 : 1 + (7 * ordinal) % COMMIT_TURNS),
  answer: () => Promise.resolve(),
};

/** The records of one commit of a {@linkcode RoundStore}. */
type NewRecords = [IntakeRow[], RoundRecord[], SpentRow[]];

/** One process's access to a log. */
export class MemoryLogStore implements LogStore {
  readonly rounds: RoundStore;
  readonly tree: TreeStore;
  readonly sths: SthStore;
  readonly successions: SuccessionStore;
  readonly index: IndexStore;
  readonly spent: SpentStore;
  readonly spentIndex: IndexStore;
  /** Commits that reached the memory, by kind. */
  readonly commits = new Map<CommitKind, number>();
  fault: FaultHook = () => undefined;
  mayTakeFence: () => boolean = () => true;
  /** Whether the process may close this store before all that it began is answered. */
  mayAbandon: () => boolean = () => false;
  #operations = 0;
  readonly #id = crypto.randomUUID();
  #fence = "not taken";
  /** The fence before this process first tried to take it. */
  #found: string | undefined;
  readonly #log: MemoryLog;
  readonly #pace: Pace;
  isClosed = false;

  constructor(log: MemoryLog, pace = QUICK_PACE) {
    this.#log = log;
    this.#pace = pace;
    this.rounds = this.#roundStore();
    this.tree = this.#treeStore();
    this.sths = this.#sthStore();
    this.successions = this.#successionStore();
    this.index = this.#indexStore("digests");
    this.spent = this.#spentStore();
    this.spentIndex = this.#indexStore("spent");
  }

  /** Operations so far. */
  get operations(): number {
    return this.#operations;
  }

  /** True if no other process has taken the fence since this one did. */
  get holdsFence(): boolean {
    return this.#fence === this.#log.fence;
  }

  async takeFence(): Promise<void> {
    this.#found ??= this.#log.fence;
    await this.#operate("fence", () => {
      if (!this.mayTakeFence()) {
        throw new CountersignError("fence_lost", "Cannot take the fence without the lease");
      }
      this.#fence = this.#id;
      this.#log.fence = this.#fence;
      return "stored";
    });
  }

  checkFence(): Promise<void> {
    const expected = this.#fence === "not taken" ? this.#found : this.#fence;
    const { fence } = this.#log;
    if (expected === undefined || fence === expected || fence === this.#id) {
      return Promise.resolve();
    }
    return Promise.reject(new CountersignError("fence_lost", "another holds the fence"));
  }

  close(): void {
    if (this.isClosed) this.#log.violations.push("close after close");
    this.isClosed = true;
  }

  #roundStore(): RoundStore {
    const { rows, rounds, limits } = this.#log;
    const firsts = <T>(map: ReadonlyMap<number, T>) => [...map.keys()].sort((a, b) => a - b);
    const endOf = (row: IntakeRow) => row.first + row.digests.length / HASH_LENGTH;
    return {
      limits,
      commit: (newRows, newRounds, newSpent = []) => {
        const copies = structuredClone([newRows, newRounds, newSpent] as NewRecords);
        const rides = newRounds.length > 0 ? "mixed" : "intake";
        return this.#commit(
          newRows.length > 0 ? rides : "rounds",
          () => this.#log.setRows(...copies),
        );
      },
      rowAt: (first) => this.#read(() => rows.get(first)),
      rows: (start, end) =>
        this.#read(() =>
          firsts(rows).map((first) => rows.get(first)!)
            .filter((row) => row.first < end && endOf(row) > start && start < end)
        ),
      lastRow: () => this.#read(() => rows.get(firsts(rows).at(-1) ?? -1)),
      roundAt: (first) => this.#read(() => rounds.get(first)),
      roundBefore: (sequence) =>
        this.#read(() => rounds.get(firsts(rounds).findLast((first) => first <= sequence) ?? -1)),
      rounds: (start, end, limit) =>
        this.#read(() =>
          firsts(rounds).filter((first) => first >= start && first < end).slice(0, limit)
            .map((first) => rounds.get(first)!)
        ),
    };
  }

  #treeStore(): TreeStore {
    return {
      head: () => this.#read(() => this.#log.head),
      edges: () => this.#read(() => this.#log.edges),
      tile: (level, index) => this.#read(() => this.#log.tiles.get(`${level}/${index}`)),
      upperNodes: (index) => this.#read(() => this.#log.upperNodes.get(index)),
      commit: (change: HeadCommit) => {
        const copy = structuredClone(change);
        return this.#commit("head", () => this.#log.moveHead(copy));
      },
    };
  }

  #sthStore(): SthStore {
    const { sths } = this.#log;
    const sizes = () => [...sths.keys()].sort((a, b) => a - b);
    return {
      commit: (record: SthRecord) => {
        const copy = structuredClone(record);
        return this.#commit("sth", () => this.#log.setSth(copy));
      },
      replace: (stored, record) => {
        const copy = structuredClone(record);
        return this.#commit("signatures", () => this.#log.replaceSth(stored, copy));
      },
      at: (size) => this.#read(() => sths.get(size)),
      firstAbove: (size) =>
        this.#read(() => sths.get(sizes().find((other) => other > size) ?? NaN)),
      below: (before, limit) =>
        this.#read(() =>
          sizes().filter((size) => size < before).reverse().slice(0, limit)
            .map((size) => sths.get(size)!)
        ),
    };
  }

  #spentStore(): SpentStore {
    const { spent } = this.#log;
    const ordered = () => [...spent.values()].sort((a, b) => a.first - b.first);
    return {
      rows: (start, end) =>
        this.#read(() =>
          ordered().filter(({ first, offsets }) =>
            first < end && first + offsets.length > start && start < end
          )
        ),
      lastRow: () => this.#read(() => ordered().at(-1)),
    };
  }

  #successionStore(): SuccessionStore {
    const { documents, links } = this.#log;
    return {
      links: () => this.#read(() => [...links].sort(([a], [b]) => a - b).map(([, link]) => link)),
      document: (epoch) => this.#read(() => documents.get(epoch)),
      link: (epoch) => this.#read(() => links.get(epoch)),
      commitDocument: (epoch, succession) =>
        this.#commit("succession", () => {
          documents.set(epoch, succession);
          return "stored";
        }),
      commitLink: (epoch, link) =>
        this.#commit("link", () => {
          if (links.has(epoch)) return "conflict";
          links.set(epoch, link);
          return "stored";
        }),
    };
  }

  #indexStore(name: "digests" | "spent"): IndexStore {
    const { indexKey } = this.#log;
    const buckets = name === "digests" ? this.#log.buckets : this.#log.spentBuckets;
    const doneRuns = name === "digests" ? this.#log.doneRuns : this.#log.doneSpentRuns;
    const ordered = (run: number) =>
      [...buckets.get(run) ?? []].sort(([a], [b]) => a - b)
        .map(([bucket, entries]) => ({ bucket, entries }));
    return {
      key: indexKey,
      runCount: () => this.#read(() => doneRuns.size),
      commitRows: (run, rows, done) => {
        const copies = structuredClone(rows);
        return this.#commit(
          done ? "index_done" : "index",
          () => this.#log.setBuckets(name, { run, rows: copies, done }),
        );
      },
      bucket: (run, bucket) => this.#read(() => buckets.get(run)?.get(bucket)),
      buckets: (run) => this.#each(() => ordered(run)),
    };
  }

  async *#each<T>(list: () => T[]): AsyncGenerator<T> {
    yield* await this.#read(list);
  }

  async #read<T>(answer: () => T): Promise<T> {
    return structuredClone(await this.#operate("read", answer));
  }

  #commit(kind: CommitKind, act: () => CommitOutcome): Promise<CommitOutcome> {
    return this.#operate(kind, (fault, isHeld) => {
      if (fault === "conflict") return "conflict";
      if (!isHeld) {
        throw new CountersignError("fence_lost", "Cannot commit: our own fence required");
      }
      const outcome = act();
      if (outcome === "stored") this.commits.set(kind, (this.commits.get(kind) ?? 0) + 1);
      return outcome;
    });
  }

  async #operate<T>(
    kind: OperationKind,
    act: (fault: Fault | undefined, isHeld: boolean) => T,
  ): Promise<T> {
    const ordinal = ++this.#operations;
    const wasClosed = this.isClosed;
    const { era } = this.#log;
    const fault = this.fault(kind, ordinal);
    const reached = this.#pace.reach(kind, ordinal, () => this.holdsFence)
      .then((wasHeld) => wasHeld ?? this.holdsFence);
    if (fault === "fail_stored_later") {
      void reached.then((isHeld) => era === this.#log.era && act(fault, isHeld)).catch(() => {});
      throw new Error("failed, stored later");
    }
    const isHeld = await reached;
    if (era !== this.#log.era) return await new Promise<T>(() => {});
    if (this.isClosed) {
      if (wasClosed || !this.mayAbandon()) this.#log.violations.push(`${kind} after close`);
      throw new CountersignError("internal", "Cannot use store: an open one required");
    }
    if (fault === "hang_not_stored") return await new Promise<T>(() => {});
    if (fault === "fail_not_stored") throw new Error("failed, not stored");
    const answer = act(fault, isHeld);
    await this.#pace.answer(kind, ordinal);
    if (fault === "hang_but_stored") return await new Promise<T>(() => {});
    if (fault === "fail_but_stored") throw new Error("failed, but stored");
    return answer;
  }
}

async function yieldTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
}
