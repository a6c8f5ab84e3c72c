/**
 * Compares the heads of all views with the history that is followed. It uses tiles, never consistency
 * proofs of servers. A head whose tree no view shows is kept until it can be compared.
 *
 * @module
 */

import { forkPath } from "../publishing/fork_path.ts";
import type { AcceptedCheckpoint } from "../publishing/ports.ts";
import type { VerifiedTree } from "../publishing/verified_tree.ts";
import { type LogContext, type Poll, type PolledView, withOneRetry } from "./poll.ts";
import type { View } from "./ports.ts";
import { storedCheckpoint } from "./state.ts";

/**
 * Forks of one view that are kept at once. More prove nothing new, and a dishonest log, or a peer with
 * evidence, can make them without end.
 */
export const MAX_FORKS = 16;

/** A head of the history that is followed, and its tree. */
interface KnownTree {
  readonly head: AcceptedCheckpoint;
  readonly tree: VerifiedTree;
}

/** Compares the histories that the views of one log show. */
export class Histories {
  readonly #context: LogContext;
  /** The largest head of the history that is followed. */
  #known: AcceptedCheckpoint | undefined;

  constructor(context: LogContext, checkpoint: string | undefined) {
    this.#context = context;
    this.#known = checkpoint === undefined ? undefined : storedCheckpoint(checkpoint);
  }

  get known(): AcceptedCheckpoint | undefined {
    return this.#known;
  }

  get size(): number {
    return this.#known?.size ?? 0;
  }

  /** Follows the history that the first view with tiles shows next. */
  startOver(): void {
    this.#known = undefined;
  }

  /** Reads the trees of all views with tiles, and compares all heads. */
  async compare(polledViews: readonly PolledView[], poll: Poll): Promise<void> {
    for (const polled of polledViews) await this.#readTree(polled, poll);
    const known = await this.#compareTrees(polledViews, poll);
    for (const polled of polledViews) await this.#compareHeads(polled, known, polledViews, poll);
  }

  /** Reads the tree of the head from the view's own tiles. */
  async #readTree(polled: PolledView, { now, signal }: Poll): Promise<void> {
    const { head, view: { tiles } } = polled;
    if (head === undefined || tiles === undefined) return;
    await this.#context.attempt(polled, signal, async () => {
      try {
        polled.tree = await withOneRetry(() => this.#context.openTree(tiles, head));
      } catch (error) {
        await this.#context.keepMismatch(polled, "tiles", error, now);
      }
    });
    if (polled.tree === undefined) polled.state.pending ??= head.text;
  }

  /** Compares the trees with the known head. Returns the largest tree of the history that is followed. */
  async #compareTrees(
    polledViews: readonly PolledView[],
    { now, signal }: Poll,
  ): Promise<KnownTree | undefined> {
    let largest: KnownTree | undefined;
    for (const polled of polledViews) {
      const { head, tree } = polled;
      if (head === undefined || tree === undefined) continue;
      this.#known ??= head;
      const known = this.#known;
      if (head.size < known.size) continue;
      await this.#context.attempt(polled, signal, async () => {
        if (!await this.#isGrowth(polled, known, { head, tree }, now)) return;
        if (largest === undefined || head.size > largest.head.size) largest = { head, tree };
        // For one size, prefer the head that the quorum cosigned.
        if (head.size > known.size || head.quorumAt !== undefined) this.#known = head;
      });
    }
    if (largest !== undefined && largest.head.size >= this.#known!.size) return largest;
    return await this.#treeOf(this.#known, polledViews, signal);
  }

  /** The tree of `head` from the tiles of any view that follows the history; `undefined` if none has it. */
  async #treeOf(
    head: AcceptedCheckpoint | undefined,
    polledViews: readonly PolledView[],
    signal: AbortSignal,
  ): Promise<KnownTree | undefined> {
    if (head === undefined) return undefined;
    for (const { view: { tiles }, state, fault } of polledViews) {
      if (tiles === undefined || fault !== undefined || state.forked !== undefined) continue;
      const tree = await this.#context.attempt(
        {},
        signal,
        () => this.#context.openTree(tiles, head),
      );
      if (tree !== undefined) return { head, tree };
    }
    return undefined;
  }

  /** Compares the heads without a tree of their own, and the kept head. */
  async #compareHeads(
    polled: PolledView,
    known: KnownTree | undefined,
    polledViews: readonly PolledView[],
    poll: Poll,
  ): Promise<void> {
    const { head, state, view } = polled;
    const wasCompared = polled.tree !== undefined && head!.size >= (known?.head.size ?? 0);
    const open = [
      ...(state.pending === undefined ? [] : [storedCheckpoint(state.pending)]),
      ...(head === undefined || wasCompared || head.text === state.pending ? [] : [head]),
    ];
    const { now, signal } = poll;
    for (const one of open) {
      const isPrefix = known !== undefined && one.size <= known.head.size;
      const first = isPrefix ? one : this.#known;
      const later = isPrefix ? known : await this.#treeOf(one, polledViews, signal);
      const isCompared = later !== undefined && first !== undefined &&
        first.size <= later.head.size &&
        // Not a fault of this view: the tiles of another view are read.
        await this.#context.attempt({}, signal, async () => {
          if (await this.#isGrowth(polled, first, later, now) && one.size > this.size) {
            this.#known = one;
          }
          return true;
        });
      if (isCompared && state.pending === one.text) delete state.pending;
      if (!isCompared) state.pending ??= one.text;
    }
    const withheld = this.#context.key("withheld", view);
    const pending = state.pending === undefined ? undefined : storedCheckpoint(state.pending);
    if (view.tiles === undefined && pending !== undefined && pending.size > this.size) {
      const message =
        `it has a head of size ${pending.size}, and no view shows the tree of that size`;
      this.#context.findings.observe(withheld, now, message);
    } else {
      this.#context.findings.clear(withheld, now);
    }
  }

  /** Whether `later` extends `first`, one of which `polled` shows. If it does not, keeps the evidence once. */
  async #isGrowth(
    { view, state }: PolledView,
    first: AcceptedCheckpoint,
    later: KnownTree,
    now: number,
  ): Promise<boolean> {
    const { log: { rule, origin }, kernels } = this.#context;
    const path = await forkPath(kernels, later.tree, first);
    if (path === undefined) {
      delete state.forked;
      return true;
    }
    if (state.forked !== undefined) return false;
    const notes = { origin, foundAt: now, first: first.text, second: later.head.text, path };
    const text = await rule.evidenceOf(notes);
    const message = `the heads of sizes ${first.size} and ${later.head.size} are of two histories`;
    state.forked = await this.keepFork(view, text, now, message, first.text + later.head.text);
    return false;
  }

  /**
   * Keeps evidence of two histories. Returns the subject of the finding: the same for the same notes, and for
   * all notes after {@linkcode MAX_FORKS}.
   */
  async keepFork(
    view: View,
    text: string,
    now: number,
    message: string,
    notes = text,
  ): Promise<string> {
    const { findings } = this.#context;
    const kept = findings.all().filter(({ kind, log, view: name }) =>
      kind === "fork" && log === this.#context.log.origin && name === view.name
    );
    const named = this.#context.nameOf(notes);
    const isNew = kept.every((finding) => finding.subject !== named);
    const subject = isNew && kept.length >= MAX_FORKS ? kept.at(-1)!.subject! : named;
    const key = this.#context.key("fork", view, subject);
    const known = findings.find(key);
    const evidence = known?.evidence ?? await this.#context.keepEvidence(subject, text);
    findings.observe(key, now, message, evidence);
    return subject;
  }
}
