/**
 * Applies successions (protocol.md "Succession"). Each step is durable before the next one, and a step
 * that was interrupted is repeated:
 *
 *  1. Check the document, and that enough witnesses are armed with it. Nothing is changed before.
 *  2. Store it.
 *  3. Put its digest into the log; that is the last leaf of the epoch. Rounds end there.
 *  4. Publish the tree of that size, signed by the witnesses of the epoch.
 *  5. Have them end the epoch at this tree. The first set that meets the threshold closes the link.
 *  6. Store the link. From here on the next epoch holds.
 *  7. Have the witnesses of the next epoch begin it, and sign on.
 *
 * @module
 */

import { fromHex } from "../../base/bytes.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import {
  type Succession,
  successionDigest,
  type SuccessionLink,
} from "../../proof/format/succession.ts";
import { coreDigest, coreOf } from "../../proof/format/trust_core.ts";
import { Condition, errorText } from "../../base/report.ts";
import { verifySuccession } from "../../proof/verify/succession_link.ts";
import type { WitnessPool } from "../signing/witness_pool.ts";
import { askInTime, BoundaryRequests, missingWitnesses } from "./boundary_requests.ts";
import { EpochClosing } from "./epoch_closing.ts";
import type { PreparedEpoch, SuccessionDriverContext, SuccessionProgress } from "./ports.ts";

/** Pause between two looks for a succession, and between two attempts at a step. */
const POLL_MS = 1_000;
/** Pause while the boundary's head is on its way. */
const HEAD_POLL_MS = 50;

/** A succession that the store has. */
interface Applied {
  readonly succession: Succession;
  readonly digest: string;
  boundary?: number;
}

const ALREADY_LOGGED = "its digest is in the log already: propose a new succession";

export class SuccessionDriver {
  readonly #context: SuccessionDriverContext;
  readonly #requests: BoundaryRequests;
  readonly #closing: EpochClosing;
  readonly #waiting: Condition;
  #applied: Applied | undefined;
  #next: PreparedEpoch | undefined;
  #progress: Omit<SuccessionProgress, "epoch"> = {};
  /** Witnesses of the present epoch that have begun it. */
  readonly #begun = new Set<string>();

  constructor(context: SuccessionDriverContext) {
    this.#context = context;
    this.#requests = new BoundaryRequests(context);
    this.#closing = new EpochClosing(context, this.#requests);
    this.#waiting = new Condition(context);
  }

  get progress(): SuccessionProgress {
    const { epochs } = this.#context;
    return {
      epoch: epochs.current.number,
      ...this.#progress,
      ...(epochs.frozenAt !== undefined && { frozen: true }),
    };
  }

  /** Finds the succession that the store has not applied whole. Call it before rounds are formed. */
  async recover(): Promise<void> {
    const { epochs, store, findDigest, endAt } = this.#context;
    if (epochs.frozenAt !== undefined) return;
    const succession = await store.document(epochs.current.number + 1);
    if (succession === undefined) return;
    const digest = successionDigest(succession);
    const sequence = await findDigest(digest);
    if (sequence === undefined) {
      this.#applied = { succession, digest };
      return;
    }
    const boundary = sequence + 1;
    // Otherwise somebody who knew the succession has logged its digest before: it cannot be applied.
    if (!endAt(boundary, succession.successor === null)) return;
    this.#applied = { succession, digest, boundary };
  }

  /** Applies successions until `signal` aborts. Rejects on a fault that no retry fixes. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, epochs } = this.#context;
    while (!signal.aborted && epochs.frozenAt === undefined) {
      try {
        await this.#beginLate(signal);
        if (await this.#step(signal)) continue;
      } catch (error) {
        if (signal.aborted) return;
        if (hasCode(error, "store_corrupt") || hasCode(error, "fence_lost")) throw error;
        this.#waiting.holds(`Cannot apply the succession: ${errorText(error)}`, {
          level: "error",
          code: error instanceof CountersignError ? error.code : "internal",
        });
      }
      await clock.sleep(POLL_MS, signal);
    }
  }

  /** One attempt at the next step; true if it succeeded and another one follows. */
  async #step(signal: AbortSignal): Promise<boolean> {
    const applied = this.#applied;
    if (applied === undefined) return await this.#take(signal);
    const { succession } = applied;
    if (succession.successor !== null && this.#next === undefined) {
      const { source } = this.#context;
      if (source === undefined) throw waitsFor("no successor.json is configured");
      this.#next = this.#context.prepare(await source.open(succession));
    }
    if (applied.boundary === undefined) {
      await this.#log(applied);
      return true;
    }
    this.#progress = {
      next: succession.predecessor.epoch + 1,
      step: "ending",
      tree_size: applied.boundary,
    };
    while (this.#context.publishedSize() < applied.boundary) {
      await this.#context.clock.sleep(HEAD_POLL_MS, signal);
      if (signal.aborted) return false;
    }
    const link = await this.#close(applied, applied.boundary, signal);
    await this.#go(link, signal);
    return true;
  }

  /** Checks the operator's document and stores it. */
  async #take(signal: AbortSignal): Promise<boolean> {
    const { source, epochs, crypto, clock, pool, findDigest, publishedSize } = this.#context;
    const succession = await source?.read();
    const { network, number } = epochs.current;
    // One for an earlier epoch was applied before.
    if (succession === undefined || succession.predecessor.epoch < number) {
      this.#waiting.ended("No succession waits any more");
      this.#progress = {};
      return false;
    }
    const { predecessor, successor } = succession;
    this.#progress = { next: predecessor.epoch + 1, step: "checking" };
    if (coreDigest(predecessor) !== coreDigest(coreOf(network))) {
      throw waitsFor("its predecessor is not the configuration of this gateway");
    }
    const failure = await verifySuccession(crypto, succession);
    if (failure !== undefined) {
      throw waitsFor(`it is not valid: ${failure.reason} (${failure.field ?? "document"})`);
    }
    if (succession.tree_size > publishedSize()) {
      throw waitsFor(`it names a published head of size ${succession.tree_size}`);
    }
    const digest = successionDigest(succession);
    if (await findDigest(digest) !== undefined) {
      throw waitsFor(ALREADY_LOGGED);
    }
    if (successor !== null) this.#next = this.#context.prepare(await source!.open(succession));
    const next = this.#next === undefined ? [] : [this.#next.pool];
    const missing = await missingWitnesses(clock, [pool(), ...next], digest, signal);
    if (missing.length > 0) {
      this.#progress = { ...this.#progress, waits_for: missing };
      throw waitsFor(
        `these witnesses do not answer or are not armed with it: ${missing.join(", ")}. ` +
          'Set "succession" in their witness.json',
      );
    }
    await this.#store(succession);
    this.#waiting.ended("The succession is applied");
    this.#applied = { succession, digest };
    return true;
  }

  async #store(succession: Succession): Promise<void> {
    const { store, writes } = this.#context;
    const epoch = succession.predecessor.epoch + 1;
    const text = JSON.stringify(succession);
    await writes.settle({
      what: `succession to epoch ${epoch}`,
      commit: () => store.commitDocument(epoch, succession),
      inspect: async () => {
        const found = await store.document(epoch);
        return found !== undefined && JSON.stringify(found) === text ? "ours" : "absent";
      },
    });
  }

  /** Logs the digest. No await between its sequence and the end of the rounds. */
  async #log(applied: Applied): Promise<void> {
    const { logLast } = this.#context;
    const isFreeze = applied.succession.successor === null;
    const logged = logLast(fromHex(applied.digest), isFreeze);
    if (logged === undefined) {
      this.#applied = undefined;
      throw waitsFor(ALREADY_LOGGED);
    }
    applied.boundary = logged.sequence + 1;
    await logged.durable;
  }

  /** The stored link, or one that the old witnesses close now, which is stored. */
  async #close(applied: Applied, boundary: number, signal: AbortSignal): Promise<SuccessionLink> {
    const { store, writes } = this.#context;
    const epoch = applied.succession.predecessor.epoch + 1;
    const stored = await store.link(epoch);
    if (stored !== undefined) return stored;
    const closed = await this.#closing.close(applied, boundary, signal);
    if ("waitsFor" in closed) {
      this.#progress = { ...this.#progress, waits_for: closed.waitsFor };
      throw waitsFor(closed.reason);
    }
    const text = JSON.stringify(closed.link);
    await writes.settle({
      what: `the link to epoch ${epoch}`,
      commit: () => store.commitLink(epoch, closed.link),
      inspect: async () => {
        const found = await store.link(epoch);
        if (found === undefined) return "absent";
        return JSON.stringify(found) === text ? "ours" : "other";
      },
    });
    return await store.link(epoch) ?? closed.link;
  }

  /** Begins the next epoch at enough witnesses, and lets it sign. */
  async #go(link: SuccessionLink, signal: AbortSignal): Promise<void> {
    const next = this.#next;
    this.#begun.clear();
    if (link.successor !== null && next !== undefined) {
      this.#progress = { ...this.#progress, step: "beginning" };
      while (!signal.aborted) {
        await this.#begin(next.pool, link, signal);
        const waits_for = next.pool.witnesses.map(({ id }) => id)
          .filter((id) => !this.#begun.has(id));
        if (this.#begun.size >= next.pool.threshold) break;
        this.#progress = { ...this.#progress, waits_for };
        this.#waiting.holds(
          `Too few witnesses begin epoch ${link.successor.epoch}: hashes wait for their signatures. ` +
            `Start ${waits_for.join(", ")}`,
          { level: "error", code: "threshold_not_met" },
        );
        await this.#context.clock.sleep(POLL_MS, signal);
      }
      if (signal.aborted) return;
    }
    this.#context.switchTo(link, link.successor === null ? null : next!);
    this.#waiting.ended("The next epoch has begun");
    this.#context.report(
      link.successor === null
        ? `The log has ended with ${link.end.tree_size} leaves`
        : `Epoch ${link.successor.epoch} begins at tree size ${link.end.tree_size}: rename ` +
          "successor.json to network.json before the next succession",
      { level: "info" },
    );
    this.#applied = undefined;
    this.#next = undefined;
    this.#progress = {};
  }

  /** Asks the witnesses of the present epoch that have not begun it, such as those that were away. */
  async #beginLate(signal: AbortSignal): Promise<void> {
    const link = this.#context.epochs.links.at(-1);
    const pool = this.#context.pool();
    if (link === undefined || this.#begun.size === pool.witnesses.length) return;
    await this.#begin(pool, link, signal);
  }

  async #begin(pool: WitnessPool, link: SuccessionLink, signal: AbortSignal): Promise<void> {
    await Promise.all(pool.witnesses.map(async (witness) => {
      if (this.#begun.has(witness.id)) return;
      try {
        await askInTime(
          this.#context.clock,
          signal,
          (limit) => this.#requests.begin(witness, link, limit),
        );
        this.#begun.add(witness.id);
      } catch {
        // Asked again; its failures to sign are reported.
      }
    }));
  }
}

function waitsFor(reason: string): CountersignError {
  return new CountersignError("invalid_configuration", reason);
}
