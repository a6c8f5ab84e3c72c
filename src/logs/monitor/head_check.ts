/**
 * Asks a view for its chain of successions and its head, and verifies the chain, and the signatures and
 * the age of the head.
 *
 * @module
 */

import { chainOf } from "../../client/further_epochs.ts";
import { CountersignError } from "../../base/errors.ts";
import { encodeContradiction } from "../../proof/format/federation.ts";
import { successionDigest } from "../../proof/format/succession.ts";
import { CheckpointRefused } from "../publishing/checkpoint_rule.ts";
import type { AcceptedCheckpoint } from "../publishing/ports.ts";
import { type Histories, MAX_FORKS } from "./histories.ts";
import type { LogContext, Poll, PolledView } from "./poll.ts";

const HEAD_MS = 20_000;
/** How far clocks of witnesses may be ahead of ours. */
export const CLOCK_TOLERANCE_SECONDS = 300;

/** Checks the heads of one log. */
export class HeadCheck {
  readonly #context: LogContext;
  readonly #histories: Histories;

  constructor(context: LogContext, histories: Histories) {
    this.#context = context;
    this.#histories = histories;
  }

  /** Sets the head of `polled`, or its fault. */
  async ask(polled: PolledView, poll: Poll): Promise<PolledView> {
    const { view, state } = polled;
    const { log: { rule }, findings } = this.#context;
    const { now } = poll;
    await this.#context.attempt(polled, poll.signal, async (limit) => {
      // First, so that the head is verified under the epoch that the view has reached.
      await this.#checkChain(polled, now, limit);
      const text = await view.heads.checkpoint(limit);
      if (text === undefined) throw new CountersignError("gateway_refused", "it has no checkpoint");
      const unverified = this.#context.key("unverified", view);
      const below = this.#context.key("below_policy", view);
      let head: AcceptedCheckpoint;
      try {
        head = await rule.accept(text);
        findings.clear(below, now);
      } catch (error) {
        if (!(error instanceof CheckpointRefused)) throw error;
        if (error.signed === undefined) {
          findings.observe(unverified, now, error.message);
          return;
        }
        head = error.signed;
        // A witness or a peer need not show all cosignatures.
        if (view.tiles !== undefined) {
          findings.observe(below, now, `${error.message} Size ${head.size}`);
        }
      }
      findings.clear(unverified, now);
      polled.head = head;
      if (state.checkpoint !== text) state.since = now;
      state.checkpoint = text;
      this.#judgeAge(polled, head, poll);
      if (view.contradictions !== undefined) {
        const evidence = await view.contradictions(limit);
        for (const { text } of evidence.slice(0, MAX_FORKS)) {
          await this.#histories.keepFork(
            view,
            text,
            now,
            "a peer has evidence that the log signed two histories",
          );
        }
      }
    }, HEAD_MS);
    return polled;
  }

  /** Follows the chain of a view further. One that contradicts what was followed is kept as evidence. */
  async #checkChain({ view }: PolledView, now: number, signal: AbortSignal): Promise<void> {
    const { rule } = this.#context.log;
    if (view.tiles === undefined || rule.take === undefined) return;
    const links = await chainOf(view.tiles, signal);
    if (await rule.take(links) === undefined) return;
    const conflict = await rule.conflictWith?.(links, now);
    if (conflict === undefined) return;
    const { first, second } = conflict;
    const notes = [first, second].map((link) =>
      [successionDigest(link), link.end.tree_size, link.end.root_hash].join()
    );
    await this.#histories.keepFork(
      view,
      encodeContradiction(conflict),
      now,
      `it shows another succession of epoch ${first.predecessor.epoch} than the one that was followed`,
      notes.join("\n"),
    );
  }

  #judgeAge({ view, state }: PolledView, head: AcceptedCheckpoint, { now, judgesAge }: Poll): void {
    const { log: { maxAgeSeconds }, findings } = this.#context;
    const at = head.quorumAt ?? (view.tiles === undefined ? head.cosignedAt : undefined);
    const [clock, stale] = [this.#context.key("clock", view), this.#context.key("stale", view)];
    if (at !== undefined && at > now + CLOCK_TOLERANCE_SECONDS) {
      const ahead = `the head was cosigned ${at - now} s after the time of this machine's clock`;
      findings.observe(clock, now, `${ahead}: check that clock, then those of the witnesses`);
      return;
    }
    findings.clear(clock, now);
    if (maxAgeSeconds === undefined || !judgesAge) return;
    const age = now - (at ?? state.since);
    if (age <= maxAgeSeconds) return findings.clear(stale, now);
    const what = at === undefined ? "has not changed" : "was not cosigned again";
    findings.observe(stale, now, `the head of size ${head.size} ${what} for ${age} s`);
  }
}
