/**
 * The state that the checks of one poll share: the views as they are now, and time limits.
 *
 * @module
 */

import { hexOf, utf8 } from "../../base/bytes.ts";
import { type Clock, withTimeLimit } from "../../base/clock.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { CountersignError, expectedError } from "../../base/errors.ts";
import type { AcceptedCheckpoint, LogSource } from "../publishing/ports.ts";
import type { TileAddress } from "../../proof/merkle/tile.ts";
import { UnverifiedData, VerifiedTree } from "../publishing/verified_tree.ts";
import type { FindingKey, FindingKind, Findings } from "./findings.ts";
import type { MonitoredLog, MonitorStore, View } from "./ports.ts";
import type { ViewState } from "./state.ts";

/** Limit of everything that one step reads from a view. */
const TREE_MS = 60_000;

export interface PollTime {
  /** Unix seconds. */
  readonly now: number;
  /** False right after the clock was set. */
  readonly judgesAge: boolean;
}

export interface Poll extends PollTime {
  readonly signal: AbortSignal;
}

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A view as one poll saw it. */
export interface PolledView {
  readonly view: View;
  readonly state: Mutable<ViewState>;
  /** Absent if nothing usable is shown. */
  head?: AcceptedCheckpoint;
  /** Why nothing usable is shown. */
  fault?: string;
  /** The tree of `head`, from the view's tiles. */
  tree?: VerifiedTree;
}

export interface LogContextOptions {
  readonly log: MonitoredLog;
  readonly findings: Findings;
  readonly store: Pick<MonitorStore, "putEvidence">;
  readonly kernels: Kernels;
  readonly clock: Clock;
}

/** A monitored log with the state and stores of its checks. */
export class LogContext {
  readonly log: MonitoredLog;
  readonly findings: Findings;
  readonly kernels: Kernels;
  readonly #store: Pick<MonitorStore, "putEvidence">;
  readonly #clock: Clock;
  /** Signal of the current attempt to read tiles. A tree is read in later attempts too. */
  #limit: AbortSignal | undefined;

  constructor({ log, findings, store, kernels, clock }: LogContextOptions) {
    this.log = log;
    this.findings = findings;
    this.#store = store;
    this.kernels = kernels;
    this.#clock = clock;
  }

  key(kind: FindingKind, { name }: View, subject?: string): FindingKey {
    const { origin: log } = this.log;
    return { kind, log, view: name, ...(subject !== undefined && { subject }) };
  }

  /** 16 hex digits. */
  nameOf(text: string): string {
    return hexOf(this.kernels.sha256(utf8(text))).slice(0, 16);
  }

  /** Keeps evidence; returns its path, or why it is not kept. Never rejects, so that the alert is sent. */
  async keepEvidence(name: string, text: string): Promise<string> {
    try {
      return await this.#store.putEvidence(`${name}.json`, text);
    } catch (error) {
      return `not kept: ${expectedError(error).message}`;
    }
  }

  openTree(tiles: LogSource, head: AcceptedCheckpoint): Promise<VerifiedTree> {
    const source = {
      name: tiles.name,
      tile: (address: TileAddress) => tiles.tile(address, this.#limit),
    };
    return VerifiedTree.open({ kernels: this.kernels, source }, head);
  }

  /** Runs `act` within `ms`. A failure is noted in `polled`; `undefined` then. */
  async attempt<T>(
    polled: { fault?: string },
    signal: AbortSignal,
    act: (limit: AbortSignal) => Promise<T>,
    ms = TREE_MS,
  ): Promise<T | undefined> {
    try {
      return await withTimeLimit(this.#clock, ms, signal, (limit) => {
        this.#limit = limit;
        return act(limit);
      });
    } catch (error) {
      signal.throwIfAborted();
      const isLate = error instanceof DOMException && error.name === "AbortError";
      if (!isLate && !(error instanceof CountersignError)) throw error;
      polled.fault ??= isLate ? `no answer within ${ms / 1000} s` : error.message;
      return undefined;
    }
  }

  /** Keeps data that does not hash to the signed root as evidence. Rethrows every other error. */
  async keepMismatch(
    { view, head }: PolledView,
    what: "tiles" | "entries" | "lost",
    error: unknown,
    now: number,
    hash?: string,
  ): Promise<void> {
    if (!(error instanceof UnverifiedData) || error.fault !== "mismatch") throw error;
    const { log: { origin }, findings } = this;
    const key = what === "lost" ? this.key("lost", view, hash) : this.key("mismatch", view, what);
    const known = findings.find(key);
    const facts = {
      origin,
      view: view.heads.name,
      found_at: now,
      checkpoint: head!.text,
      path: error.path,
      problem: error.message,
    };
    const name = `mismatch-${this.nameOf(`${view.name}\n${what}\n${head!.text}`)}`;
    const evidence = known?.evidence ??
      await this.keepEvidence(name, `${JSON.stringify(facts, undefined, 2)}\n`);
    findings.observe(key, now, error.message, evidence);
  }
}

/** Reads again after a failure, so that bytes damaged in transit cause no alert. */
export async function withOneRetry<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnverifiedData) || error.fault !== "mismatch") throw error;
    return await read();
  }
}
