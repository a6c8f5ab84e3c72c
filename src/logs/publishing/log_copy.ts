/**
 * Grows a verified copy of a log. The order of writes keeps the copy complete: entries, tiles and the
 * links of the succession, then the checkpoint that needs them. Every byte is verified under the new
 * checkpoint before it is written, and the new checkpoint extends the copy's.
 *
 * A full tile or partial tile has one content in an append-only log, so each is written once, and several
 * publishers may write to one copy. The checkpoint is replaced only if it is still the one that the new
 * one was compared with.
 *
 * @module
 */

import { type Bytes, equalBytes, hexOf, utf8 } from "../../base/bytes.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import {
  fullTiles,
  partialWidth,
  TILE_WIDTH,
  tilePath,
  tileWidth,
} from "../../proof/merkle/tile.ts";
import type { CheckpointRule } from "./checkpoint_rule.ts";
import {
  type AcceptedCheckpoint,
  CHECKPOINT_PATH,
  type CopyTarget,
  linkPath,
  type LogSource,
  sourceOf,
  type StoredCheckpoint,
} from "./ports.ts";
import { forkPath } from "./fork_path.ts";
import { walkLog } from "./log_walk.ts";
import { VerifiedTree } from "./verified_tree.ts";

/** How often the source is asked for its succession. */
const FOLLOW_EVERY_MS = 60_000;

export interface LogCopyContext {
  readonly kernels: Kernels;
  readonly clock: Clock;
  readonly rule: CheckpointRule;
  readonly source: LogSource;
  readonly target: CopyTarget;
  /** Entry bundles that are copied at once. */
  readonly lanes: number;
  /** Called from time to time with the number of entries in the copy. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * The result of a step. `empty`: the source has no checkpoint; `same`: nothing to do; `grown`;
 * `refreshed`: newer cosignatures of the same tree; `behind`: the copy is larger than the source;
 * `outrun`: another publisher replaced the checkpoint meanwhile.
 */
export interface CopyStep {
  readonly kind: "empty" | "same" | "grown" | "refreshed" | "behind" | "outrun";
  /** Size of the copy. */
  readonly size: number;
}

/** `tree_heads_contradict`: the log signed two histories. The evidence is stored in the copy. */
export class LogForked extends CountersignError {
  /** Path of the evidence in the copy. */
  readonly evidence: string;

  constructor({ name }: LogSource, evidence: string, where: CopyTarget) {
    super(
      "tree_heads_contradict",
      `Cannot copy the log of ${name}: its checkpoint does not extend the one in ${where.name}. ` +
        `Keep the evidence, ${evidence}: it proves that the log signed two histories`,
    );
    this.evidence = evidence;
  }
}

/** One copy of one log. One step at a time. */
export class LogCopy {
  readonly #context: LogCopyContext;
  /** The last checkpoint of each side, as the rule accepted it. */
  readonly #accepted = new Map<"source" | "target", AcceptedCheckpoint>();
  /** A step that did not end left files, which need not be read from the source again. */
  #mayHaveFiles = true;
  /** Links of the succession that the copy has. */
  #links = 0;
  /** When the source was asked for its succession, in the clock's milliseconds. */
  #followedAt = -Infinity;
  /** The source's checkpoint at the last step that left nothing to do. */
  #settled: CopyStep & { readonly text: string | undefined } | undefined;

  constructor(context: LogCopyContext) {
    this.#context = context;
  }

  /**
   * Copies up to the source's checkpoint. Rejects as the ports do, with `proof_refused` for data that do
   * not verify, with `no_tree_head` if only the copy has a checkpoint, and with {@linkcode LogForked}.
   */
  async step(signal?: AbortSignal): Promise<CopyStep> {
    await this.#follow(signal);
    const text = await this.#context.source.checkpoint(signal);
    // A bucket is charged for each request.
    if (this.#settled !== undefined && text === this.#settled.text) {
      if (text === undefined) return { kind: "empty", size: 0 };
      await this.#storeLinks();
      return { kind: "same", size: this.#settled.size };
    }
    const step = text === undefined ? await this.#requireEmpty() : await this.#copyTo(text, signal);
    if (step.kind !== "outrun") this.#settled = { ...step, text };
    return step;
  }

  /**
   * Looks for a succession from time to time. A checkpoint that the known epochs do not verify is looked
   * up at once, but one of an epoch with the old keys, or the last one of a log, would not show it.
   */
  async #follow(signal: AbortSignal | undefined): Promise<void> {
    const { clock, rule } = this.#context;
    const now = clock.nowMs();
    // `abs`, because the clock may be set back.
    if (Math.abs(now - this.#followedAt) < FOLLOW_EVERY_MS) return;
    this.#followedAt = now;
    await rule.follow?.(signal);
  }

  /**
   * Stores the links that the rule follows, once the copy is known to be of this log. A link never changes,
   * so each is written once.
   */
  async #storeLinks(): Promise<void> {
    const { rule, target } = this.#context;
    const links = rule.network?.links ?? [];
    if (links.length === this.#links) return;
    for (; this.#links < links.length; this.#links++) {
      const text = `${JSON.stringify(links[this.#links])}\n`;
      await this.#store(linkPath(this.#links), utf8(text));
    }
    await target.sync();
  }

  /** The source has no checkpoint: it cannot be the log of a copy that has one. */
  async #requireEmpty(): Promise<CopyStep> {
    const { source, target } = this.#context;
    const stored = await target.checkpoint();
    if (stored === undefined) return { kind: "empty", size: 0 };
    const { size } = await this.#acceptStored(stored);
    throw new CountersignError(
      "no_tree_head",
      `Cannot copy the log of ${source.name}: it has no checkpoint, but the copy in ${target.name} has ` +
        `${size} entries. Check that it is the right log; if it is, it lost its entries: keep the copy`,
    );
  }

  async #copyTo(text: string, signal: AbortSignal | undefined): Promise<CopyStep> {
    const { target } = this.#context;
    // First, because a rule for another log accepts neither checkpoint, and the copy is not damaged then.
    const seen = await this.#accept("source", text);
    const stored = await target.checkpoint();
    if (text === stored?.text) {
      await this.#storeLinks();
      return { kind: "same", size: seen.size };
    }
    const known = stored && await this.#acceptStored(stored);
    const size = known?.size ?? 0;
    if (known === undefined) return await this.#grow(undefined, undefined, seen, signal);
    if (known.origin !== seen.origin) {
      throw refused(target, `it is a copy of ${known.origin}, not of ${seen.origin}`);
    }
    if (seen.size < known.size) {
      await this.#requirePrefix(seen, known, sourceOf(target), signal);
      return { kind: "behind", size };
    }
    if (seen.size > known.size) return await this.#grow(stored, known, seen, signal);
    if (!equalBytes(seen.root, known.root)) throw await this.#forked(known, seen, []);
    if (!isNewer(seen, known)) return { kind: "same", size };
    return await this.#publish(stored, seen, "refreshed");
  }

  async #accept(side: "source" | "target", text: string): Promise<AcceptedCheckpoint> {
    const last = this.#accepted.get(side);
    if (last?.text === text) return last;
    const accepted = await this.#context.rule.accept(text);
    this.#accepted.set(side, accepted);
    return accepted;
  }

  /** `file_failed` if the copy's checkpoint does not verify. */
  async #acceptStored({ text }: StoredCheckpoint): Promise<AcceptedCheckpoint> {
    try {
      return await this.#accept("target", text);
    } catch (error) {
      if (!hasCode(error, "proof_refused") && !hasCode(error, "malformed_text")) throw error;
      throw refused(
        this.#context.target,
        `its file ${CHECKPOINT_PATH} is damaged or of another log (${error.message}). If the copy is ` +
          "of this log, move the file away: the next run verifies all others, and writes it again",
      );
    }
  }

  async #grow(
    stored: StoredCheckpoint | undefined,
    known: AcceptedCheckpoint | undefined,
    seen: AcceptedCheckpoint,
    signal: AbortSignal | undefined,
  ): Promise<CopyStep> {
    const { kernels, source, lanes, onProgress } = this.#context;
    const tree = known === undefined
      ? await VerifiedTree.open({ kernels, source, signal }, seen)
      : await this.#requirePrefix(known, seen, source, signal);
    const from = known?.size ?? 0;
    const mayHaveFiles = this.#mayHaveFiles;
    this.#mayHaveFiles = true;
    let done = from;
    await walkLog({ from, to: seen.size, lanes, signal }, async ({ level, index, width }) => {
      if (level > 0) {
        return await this.#store(
          tilePath(level, index, width),
          await tree.nodes(level, index, width),
        );
      }
      await this.#copyEntries(tree, index, mayHaveFiles);
      done += width;
      onProgress?.(Math.min(done, seen.size), seen.size);
    });
    const step = await this.#publish(stored, seen, "grown");
    if (step.kind === "grown") {
      this.#mayHaveFiles = false;
      await this.#removePartials(from, seen.size);
    }
    return step;
  }

  async #publish(
    stored: StoredCheckpoint | undefined,
    { text, size }: AcceptedCheckpoint,
    kind: "grown" | "refreshed",
  ): Promise<CopyStep> {
    const { target } = this.#context;
    await this.#storeLinks();
    await target.sync();
    return await target.replaceCheckpoint(stored, text) ? { kind, size } : { kind: "outrun", size };
  }

  /** Copies an entry bundle and its tile, from what an earlier step left if that verifies. */
  async #copyEntries(tree: VerifiedTree, index: number, mayHaveFiles: boolean): Promise<void> {
    const { target } = this.#context;
    const width = tileWidth(0, index, tree.size);
    const path = tilePath("entries", index, width);
    const isThere = mayHaveFiles && await target.read(path) !== undefined;
    const { bundle, leaves } = await tree.entries(index, isThere ? sourceOf(target) : undefined);
    // Also if it is there: the step that left it may have ended before it was durable.
    await this.#store(path, bundle);
    await this.#store(tilePath(0, index, width), leaves);
  }

  /** Stores a file, or checks that the stored one is equal. */
  async #store(path: string, bytes: Bytes): Promise<void> {
    const { target } = this.#context;
    if (await target.putNew(path, bytes)) return;
    const found = await target.read(path);
    if (found !== undefined && equalBytes(found, bytes)) return;
    throw refused(target, `${path} has other bytes than the log; the copy is damaged`);
  }

  /** Once a tile is full, readers of older checkpoints use it in place of its partial tiles. */
  async #removePartials(from: number, to: number): Promise<void> {
    for (let level = 0; from >= TILE_WIDTH ** level; level++) {
      const index = fullTiles(level, from);
      if (partialWidth(level, from) === 0 || fullTiles(level, to) === index) continue;
      for (const kind of level === 0 ? [level, "entries"] as const : [level]) {
        await this.#context.target.removePartials(tilePath(kind, index, TILE_WIDTH));
      }
    }
  }

  /** The tree of `second`, read from `source`, after the check that it extends `first`. */
  async #requirePrefix(
    first: AcceptedCheckpoint,
    second: AcceptedCheckpoint,
    source: LogSource,
    signal: AbortSignal | undefined,
  ): Promise<VerifiedTree> {
    const { kernels } = this.#context;
    const tree = await VerifiedTree.open({ kernels, source, signal }, second);
    const path = await forkPath(kernels, tree, first);
    if (path === undefined) return tree;
    throw await this.#forked(first, second, path);
  }

  /** Stores the evidence that the log signed two histories. */
  async #forked(
    first: AcceptedCheckpoint,
    second: AcceptedCheckpoint,
    path: readonly Bytes[],
  ): Promise<LogForked> {
    const { kernels, clock, rule, source, target } = this.#context;
    const notes = { origin: first.origin, first: first.text, second: second.text };
    const evidence = await rule.evidenceOf({ ...notes, path, foundAt: unixSeconds(clock) });
    // By the checkpoints, so that the same evidence is stored once.
    const name = hexOf(kernels.sha256(utf8(first.text + second.text))).slice(0, 16);
    const file = `evidence/${name}.json`;
    await target.putNew(file, utf8(evidence));
    await target.sync();
    return new LogForked(source, file, target);
  }
}

function refused({ name }: CopyTarget, reason: string): CountersignError {
  return new CountersignError("file_failed", `Cannot publish to ${name}: ${reason}`);
}

/** Whether `seen`, of the same size and root, was cosigned later than `known`, or by more witnesses. */
function isNewer(seen: AcceptedCheckpoint, known: AcceptedCheckpoint): boolean {
  const [at, before] = [seen.cosignedAt ?? Infinity, known.cosignedAt ?? 0];
  return at > before || at === before && (seen.cosigners ?? 0) > (known.cosigners ?? 0);
}
