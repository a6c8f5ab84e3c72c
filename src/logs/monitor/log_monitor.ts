/**
 * Polls one log in all its views. Each poll
 *
 *  1. asks every view for its chain of successions and its head, and verifies them (`head_check.ts`);
 *  2. reads the right edge of the tree from every view with tiles, and compares all heads with the history
 *     that was seen before (`histories.ts`);
 *  3. reads watched entries, and some other entries in turn (`entry_check.ts`).
 *
 * @module
 */

import { EntryCheck } from "./entry_check.ts";
import { HeadCheck } from "./head_check.ts";
import { Histories } from "./histories.ts";
import {
  LogContext,
  type LogContextOptions,
  type Mutable,
  type Poll,
  type PolledView,
  type PollTime,
} from "./poll.ts";
import type { LogState, ViewState } from "./state.ts";

/** The state of one view in metrics. */
export interface ViewFacts {
  readonly name: string;
  readonly isUp: boolean;
  readonly size: number;
  readonly ageSeconds?: number;
}

/** Monitors one log. Callers run one poll at a time. */
export class LogMonitor {
  readonly #context: LogContext;
  readonly #heads: HeadCheck;
  readonly #histories: Histories;
  readonly #entries: EntryCheck;
  readonly #views: readonly Mutable<ViewState>[];
  #facts: readonly ViewFacts[] = [];

  constructor(options: LogContextOptions, stored: LogState | undefined) {
    const context = new LogContext(options);
    this.#context = context;
    this.#histories = new Histories(context, stored?.checkpoint);
    this.#heads = new HeadCheck(context, this.#histories);
    this.#entries = new EntryCheck(context, stored);
    this.#views = context.log.views.map(({ name }) => ({
      ...stored?.views.find((one) => one.name === name) ?? { name, since: 0, largest: 0 },
    }));
  }

  get state(): LogState {
    const { known } = this.#histories;
    const { origin, rule: { network } } = this.#context.log;
    return {
      origin,
      ...(known !== undefined && { checkpoint: known.text }),
      ...(network?.links !== undefined && { succession: [...network.links] }),
      ...this.#entries.state,
      views: this.#views.map((view) => ({ ...view })),
    };
  }

  /** Size of the tree that is followed. */
  get size(): number {
    return this.#histories.size;
  }

  /** The views as the last poll saw them. */
  get facts(): readonly ViewFacts[] {
    return this.#facts;
  }

  /** The clock was set by `seconds`. */
  shift(seconds: number): void {
    for (const view of this.#views) view.since = Math.max(0, view.since + seconds);
  }

  /** Polls all views once. Rejects with the reason of `signal`. */
  async poll(moment: PollTime, signal: AbortSignal): Promise<void> {
    const poll = { ...moment, signal };
    this.#startOver();
    const polledViews = await Promise.all(
      this.#context.log.views.map((view, i) =>
        this.#heads.ask({ view, state: this.#views[i]! }, poll)
      ),
    );
    await this.#histories.compare(polledViews, poll);
    await this.#entries.read(polledViews, this.size, poll);
    for (const polled of polledViews) this.#judgeView(polled, poll);
    this.#facts = polledViews.map(({ view: { name }, head, fault, state }) => {
      const at = head?.quorumAt ?? state.since;
      return {
        name,
        isUp: fault === undefined,
        size: head?.size ?? 0,
        ...(head !== undefined && { ageSeconds: Math.max(0, poll.now - at) }),
      };
    });
  }

  /**
   * Continues from the new history once every view with tiles shows another history than before and an
   * operator has acknowledged each of these forks.
   */
  #startOver(): void {
    const { log: { views, origin }, findings } = this.#context;
    const states = this.#views.filter((_, i) => views[i]!.tiles !== undefined);
    const isLeft = ({ name, forked }: ViewState) => {
      if (forked === undefined) return false;
      const fork = findings.find({ kind: "fork", log: origin, view: name, subject: forked });
      return fork === undefined || fork.acknowledged_at !== undefined;
    };
    if (states.length === 0 || !states.every(isLeft)) return;
    this.#histories.startOver();
    for (const view of states) {
      delete view.forked;
      delete view.pending;
      view.largest = 0;
    }
  }

  #judgeView({ view, state, head, fault }: PolledView, { now }: Poll): void {
    const { findings } = this.#context;
    const [outage, shrunk] = [this.#context.key("outage", view), this.#context.key("shrunk", view)];
    if (fault === undefined) findings.clear(outage, now);
    else findings.observe(outage, now, fault);
    if (head === undefined) return;
    if (head.size < state.largest) {
      findings.observe(shrunk, now, `it shows size ${head.size} after size ${state.largest}`);
    } else {
      findings.clear(shrunk, now);
      state.largest = head.size;
    }
  }
}
