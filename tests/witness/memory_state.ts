/**
 * {@linkcode WitnessState} in memory for tests. It yields before it answers, so that calls interleave.
 * It returns copies, fails on demand before or after a write, and records forbidden replacements.
 *
 * @module
 */

import assert from "node:assert/strict";
import { equalBytes, HASH_LENGTH, isCount } from "../../src/base/bytes.ts";
import { endOfRound, roundsBelow } from "../../src/storage/witness/round_journal_codec.ts";
import type {
  Release,
  StateVersion,
  WitnessedHead,
  WitnessedRound,
  WitnessState,
} from "../../src/witness/ports.ts";

/** How a write fails. */
export type ReplaceFault = "fail_not_stored" | "fail_but_stored" | "fail_stored_later";

export type StateOperation = "load" | "replace" | "loadSigned" | "appendSigned" | "probe";

/** A copy of a whole state. */
export interface StateBackup {
  readonly heads: ReadonlyMap<string, WitnessedHead>;
  readonly rounds: readonly WitnessedRound[];
}

/** The backup of an empty state. */
export const EMPTY_BACKUP: StateBackup = { heads: new Map(), rounds: [] };

/** Hooks of a test. */
export interface StateOptions {
  /** Delays an operation on its way to the state, and its answer on the way back. */
  readonly pass?: (operation: StateOperation) => Promise<void>;
  /** The fault of the next operation, if any; any fault makes a load fail. */
  readonly fault?: (operation: StateOperation) => ReplaceFault | undefined;
  /** Called with every stored head. */
  readonly watch?: (origin: string, head: WitnessedHead) => void;
}

/** Parts that tests of tree heads do not need. */
export const NO_ROUNDS: Pick<
  WitnessState,
  "loadSigned" | "appendSigned" | "loadReleases" | "probe"
> = {
  loadSigned: () => Promise.resolve([]),
  appendSigned: () => Promise.resolve(),
  loadReleases: () => Promise.resolve([]),
  probe: () => Promise.resolve(),
};

type Row = WitnessedHead & { readonly version: StateVersion };

export class MemoryWitnessState implements WitnessState {
  readonly #options: StateOptions;
  readonly #rows = new Map<string, Row>();
  #rounds: WitnessedRound[] = [];
  readonly #releases: Release[] = [];
  #isAppending = false;
  /** Processes that have used the state. */
  #processes = 0;
  #versions = 0;
  readonly #violations: string[] = [];
  /** Used by the next replacement that would succeed. */
  nextFault: ReplaceFault | undefined;
  /** The next read rejects. */
  failNextLoad = false;
  readonly calls = { load: 0, replace: 0, loadSigned: 0, appendSigned: 0, probe: 0 };

  constructor(options: StateOptions = {}) {
    this.#options = options;
  }

  async load(origin: string): Promise<Row | undefined> {
    this.calls.load++;
    const fails = this.#options.fault?.("load") !== undefined || this.failNextLoad;
    this.failNextLoad = false;
    await this.#pass("load");
    if (fails) throw new Error("the disk is gone");
    const row = structuredClone(this.#rows.get(origin));
    await this.#options.pass?.("load");
    return row;
  }

  async replace(
    origin: string,
    expected: StateVersion | undefined,
    next: WitnessedHead,
  ): Promise<StateVersion | undefined> {
    this.calls.replace++;
    const copy = structuredClone(next);
    const fault = this.#options.fault?.("replace");
    const reached = this.#pass("replace");
    if (fault === "fail_stored_later") {
      void reached.then(() => this.#swap(origin, expected, copy));
      throw new Error("failed, stored later");
    }
    await reached;
    if (fault === "fail_not_stored") throw new Error("failed, not stored");
    const version = this.#swap(origin, expected, copy);
    if (fault === "fail_but_stored") throw new Error("failed, but stored");
    await this.#options.pass?.("replace");
    return version;
  }

  async loadSigned(): Promise<readonly WitnessedRound[]> {
    this.calls.loadSigned++;
    const fails = this.#options.fault?.("loadSigned") !== undefined;
    await this.#pass("loadSigned");
    if (fails) throw new Error("the disk is gone");
    const rounds = structuredClone(this.#rounds);
    await this.#options.pass?.("loadSigned");
    return rounds;
  }

  async appendSigned(rounds: readonly WitnessedRound[], cosigned: number): Promise<void> {
    this.calls.appendSigned++;
    if (this.#isAppending) this.#violations.push("two appends at once");
    this.#isAppending = true;
    const copy = structuredClone(rounds);
    const process = this.#processes;
    const pass = async () => {
      await this.#pass("appendSigned");
      if (process !== this.#processes) await new Promise<never>(() => {});
    };
    try {
      const fault = this.#options.fault?.("appendSigned");
      await pass();
      if (fault !== undefined && fault !== "fail_but_stored") {
        throw new Error("failed, not stored");
      }
      const needed = this.#rounds.filter((round) => endOfRound(round) > cosigned);
      this.#rounds = [...needed, ...copy];
      if (fault === "fail_but_stored") throw new Error("failed, but stored");
      await pass();
    } finally {
      this.#isAppending = false;
    }
  }

  loadReleases(): Promise<readonly Release[]> {
    return Promise.resolve([...this.#releases]);
  }

  async probe(): Promise<void> {
    this.calls.probe++;
    const fault = this.#options.fault?.("probe");
    await this.#pass("probe");
    if (fault !== undefined) throw new Error("the disk is full");
  }

  /**
   * Ends the process that uses the state. An append that has not reached the state never does: the
   * next process opens the journal only when the last one has exited.
   */
  endProcess(): void {
    this.#processes++;
    this.#isAppending = false;
  }

  /** What the next process uses. After its end, nothing that it begins reaches the state. */
  ofProcess(): WitnessState {
    const process = this.#processes;
    const alive = <T>(begin: () => Promise<T>) =>
      process === this.#processes ? begin() : new Promise<never>(() => {});
    return {
      load: (...args) => alive(() => this.load(...args)),
      replace: (...args) => alive(() => this.replace(...args)),
      loadSigned: () => alive(() => this.loadSigned()),
      appendSigned: (...args) => alive(() => this.appendSigned(...args)),
      loadReleases: () => alive(() => this.loadReleases()),
      probe: () => alive(() => this.probe()),
    };
  }

  /** Forgets the rounds that end beyond `release.from`, as the state on disk does. */
  release(release: Release): Promise<void> {
    this.#releases.push(release);
    this.#rounds = roundsBelow(this.#rounds, release.from);
    return Promise.resolve();
  }

  /** The remembered rounds. */
  get signed(): readonly WitnessedRound[] {
    return this.#rounds;
  }

  /** The stored size of `origin`; 0 when none. */
  sizeOf(origin: string): number {
    return this.#rows.get(origin)?.size ?? 0;
  }

  /** A backup for {@linkcode restore}. */
  backup(): StateBackup {
    return structuredClone({ heads: this.#rows, rounds: this.#rounds });
  }

  /** Replaces the state with an old copy, which operators must not do. */
  restore({ heads, rounds }: StateBackup): void {
    this.#rows.clear();
    for (const [origin, head] of heads) {
      this.#rows.set(origin, { ...structuredClone(head), version: `v${++this.#versions}` });
    }
    this.#rounds = structuredClone([...rounds]);
  }

  /** Fails when a tree ever shrank, or had two roots at one size. */
  assertSound(): void {
    assert.deepEqual(this.#violations, []);
  }

  #pass(operation: StateOperation): Promise<void> {
    return this.#options.pass?.(operation) ?? Promise.resolve();
  }

  #swap(
    origin: string,
    expected: StateVersion | undefined,
    next: WitnessedHead,
  ): StateVersion | undefined {
    const row = this.#rows.get(origin);
    if (row?.version !== expected) return undefined;
    const fault = this.nextFault;
    this.nextFault = undefined;
    if (fault === "fail_not_stored") throw new Error("failed, not stored");
    this.#judge(row, next);
    const version = `v${++this.#versions}`;
    this.#rows.set(origin, { ...next, version });
    this.#options.watch?.(origin, next);
    if (fault === "fail_but_stored") throw new Error("failed, but stored");
    return version;
  }

  #judge(row: Row | undefined, next: WitnessedHead): void {
    const { size, root, timestamp } = next;
    if (!isCount(size) || !isCount(timestamp) || root.length !== HASH_LENGTH) {
      this.#violations.push(`no head: ${size} at ${timestamp}`);
    }
    if (row === undefined) return;
    if (size < row.size) this.#violations.push(`shrank from ${row.size} to ${size}`);
    if (size === row.size && !equalBytes(root, row.root)) {
      this.#violations.push(`two roots at ${size}`);
    }
  }
}
