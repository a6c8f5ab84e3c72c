/**
 * Checks the log once for each visit, and again on request. All pages share the result. Only one
 * tab checks at a time.
 *
 * @module
 */

import { CountersignError } from "../base/errors.ts";
import { isTemporary } from "../client/gateway_connection.ts";
import type { FollowedNetwork } from "../proof/verify/followed_network.ts";
import type { SavedHead } from "../client/head_store.ts";
import { checkLog, type LogCheck, type LogCheckContext } from "../client/log_check.ts";
import { Store } from "./store.ts";

/** The configuration that heads are verified under. */
export interface LogTrust {
  readonly network: FollowedNetwork;
  readonly fingerprint: string;
  /** False if the configuration came from the gateway itself. */
  readonly isPinned: boolean;
}

/** The state of the log. The last result stays while a check runs. */
export interface WatchState {
  readonly isChecking: boolean;
  readonly trust?: LogTrust;
  readonly check?: LogCheck;
  /** Evidence of a fork, from this visit or an earlier one. */
  readonly evidence?: string;
  /** Why the check failed before it reached a result. */
  readonly fault?: CountersignError;
}

/** True if the gateway gave the last check no usable answer. */
export function isUnanswered({ check, fault }: WatchState): boolean {
  return isTemporary(fault) || check?.finding === "unreachable" || check?.finding === "refused";
}

/** The dependencies of a watch. */
export interface WatchParts {
  readonly trust: (signal: AbortSignal) => Promise<LogTrust>;
  readonly context: (trust: LogTrust) => Promise<LogCheckContext>;
  /** Runs `work` while no other tab runs work under the same name. */
  readonly exclusively: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}

/** Watches one log from one tab. */
export class LogWatch extends Store<WatchState> {
  readonly #parts: WatchParts;
  #running: AbortController | undefined;
  #context: LogCheckContext | undefined;

  constructor(parts: WatchParts) {
    super({ isChecking: false });
    this.#parts = parts;
  }

  /** The remembered head; `undefined` before the network is known. */
  stored(): SavedHead | undefined {
    const { trust } = this.state;
    return trust && this.#context?.store.read(trust.network.id);
  }

  /** Checks the log; a check that is running is aborted. Never rejects. */
  async check(): Promise<void> {
    this.#running?.abort(new Error("checked anew"));
    const running = new AbortController();
    this.#running = running;
    this.setState({ ...this.state, isChecking: true });
    const state = await this.#result(running.signal);
    if (this.#running !== running) return;
    this.#running = undefined;
    this.setState({ ...state, isChecking: false });
  }

  /** Forgets the remembered head, at the reader's request, and checks again. */
  async forget(): Promise<void> {
    const { trust } = this.state;
    if (trust !== undefined) this.#context?.store.forget(trust.network.id);
    await this.check();
  }

  /** Called when another tab changed the value stored under `key`. */
  async storageChanged(key: string | null): Promise<void> {
    const { trust } = this.state;
    if (trust === undefined || this.#context === undefined) return;
    if (this.#context.store.concerns(trust.network.id, key)) await this.check();
  }

  async #result(signal: AbortSignal): Promise<Omit<WatchState, "isChecking">> {
    try {
      const trust = await this.#parts.trust(signal);
      const context = await this.#parts.context(trust);
      this.#context = context;
      const { id } = trust.network;
      const check = await this.#parts.exclusively(id, () => checkLog(context, signal));
      const evidence = check.evidence ?? context.store.evidence(id);
      return { trust, check, ...(evidence !== undefined && { evidence }) };
    } catch (error) {
      // Aborted by a newer check, whose result counts.
      if (signal.aborted) return {};
      if (!(error instanceof CountersignError)) throw error;
      // Keep earlier evidence: an outage must not clear an alarm.
      const { trust, evidence } = this.state;
      return { ...(trust && { trust }), ...(evidence !== undefined && { evidence }), fault: error };
    }
  }
}
