/**
 * Stores cosignatures of our checkpoints: of foreign witnesses (c2sp.org/tlog-witness), and of the ML-DSA-44
 * keys of the log and its witnesses. A checkpoint is chosen at most once in an interval, so that fast
 * witnesses cosign the same ones and can meet a quorum together, and the store stays small. Each foreign
 * witness has its own loop: a slow one delays nothing and skips to the checkpoint that was chosen last.
 *
 * @module
 */

import { unixSeconds } from "../../base/clock.ts";
import type { ForeignQuorum } from "../../proof/format/gateway_status.ts";
import { hasCode } from "../../base/errors.ts";
import type { LogPolicy } from "../../proof/format/log_policy.ts";
import { parseNote } from "../../proof/format/note.ts";
import { encodeVkey, type NoteKey } from "../../proof/format/note_key.ts";
import { withLines } from "../../proof/format/note_writer.ts";
import type { WitnessedCheckpoint, WitnessLine } from "../../proof/format/records.ts";
import { parseCheckpointBody } from "../../proof/format/tree_head.ts";
import { Condition, errorDetails, errorText } from "../../base/report.ts";
import { verifyNote } from "../../proof/verify/note.ts";
import { countByPolicy } from "../../proof/verify/policy_quorum.ts";
import { verifyWitnessLines } from "../../proof/verify/witness_lines.ts";
import { firstLines, logSigned, MAX_RECORD_BYTES, recordBytes } from "./cosigned_lines.ts";
import type { CheckpointedLog, ForeignWitness, WitnessedStore } from "./ports.ts";
import {
  type ChosenCheckpoint,
  type LoopContext,
  type LoopPort,
  RETRY,
  type WitnessingStatus,
  WitnessLoop,
} from "./witness_loop.ts";

/** The foreign witnesses, their policy and the rate. */
export interface WitnessingPlan {
  readonly witnesses: readonly ForeignWitness[];
  /** Least seconds between two checkpoints that are chosen; 0 for each published one. */
  readonly intervalSeconds: number;
  /** Decides when a checkpoint has enough cosignatures. */
  readonly policy: LogPolicy;
}

export interface WitnessingContext extends LoopContext {
  readonly plan: WitnessingPlan;
  readonly log: CheckpointedLog;
  readonly store: WitnessedStore;
  /** The ML-DSA-44 keys of the log and its witnesses, in the present epoch. */
  readonly ownKeys: () => readonly NoteKey[];
  /**
   * Called with the record of the chosen checkpoint, and once further lines are durable. `keys`: how many
   * lines it may get.
   */
  readonly changed: (record: WitnessedCheckpoint, isNew: boolean, keys: number) => void;
  /** Called after each change of {@linkcode Witnessing.status} and {@linkcode Witnessing.quorum}. */
  readonly statusChanged: () => void;
}

/** The loops that request and store the cosignatures of our checkpoints. */
export class Witnessing {
  readonly #context: WitnessingContext;
  readonly #loops: readonly WitnessLoop[];
  readonly #foreignKeys: readonly NoteKey[];
  #chosen: ChosenCheckpoint | undefined;
  /** Resolve at the next cosignature of a head and at the next choice, and are then replaced. */
  #cosigned = Promise.withResolvers<void>();
  #choice = Promise.withResolvers<void>();
  /** The addition of lines in progress. */
  #adding: Promise<unknown> = Promise.resolve();
  #quorum: ForeignQuorum = { size: 0 };

  constructor(context: WitnessingContext) {
    this.#context = context;
    const port: LoopPort = {
      chosen: () => this.#chosen,
      nextChoice: () => this.#choice.promise,
      add: (chosen, lines) => this.#add(chosen, lines),
      statusChanged: () => context.statusChanged(),
    };
    this.#foreignKeys = context.plan.witnesses.flatMap(({ keys }) => keys);
    this.#loops = context.plan.witnesses.map((witness) => new WitnessLoop(witness, context, port));
  }

  /** The checkpoints that met the quorum since the start; `undefined` if the policy has none. */
  get quorum(): ForeignQuorum | undefined {
    return this.#context.plan.policy.quorum === "none" ? undefined : this.#quorum;
  }

  /** In the order of the configuration. */
  status(): readonly WitnessingStatus[] {
    return this.#loops.map((loop) => loop.status);
  }

  /** Runs until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#loops.length === 0 && this.#ownKeys().length === 0) return;
    const { log } = this.#context;
    log.onCosigned(() => this.#wake(), signal);
    signal.addEventListener("abort", () => {
      this.#wake();
      this.#choice.resolve();
    }, { once: true });
    await Promise.all([
      this.#choose(signal),
      this.#keepOwn(signal),
      ...this.#loops.map((loop) => loop.run(signal)),
    ]);
  }

  /** Chooses the latest checkpoint, at most once in an interval. */
  async #choose(signal: AbortSignal): Promise<void> {
    const { clock, log, plan, report } = this.#context;
    const failing = new Condition({ clock, report });
    while (!signal.aborted) {
      // Read first, so that a cosignature from here on ends the wait below.
      const { promise: cosigned } = this.#cosigned;
      try {
        const checkpoint = log.checkpoint();
        if (checkpoint === undefined || !await this.#take(checkpoint)) {
          await cosigned;
          continue;
        }
        failing.ended("Checkpoints go to witnesses again");
        await clock.sleep(plan.intervalSeconds * 1_000, signal);
      } catch (error) {
        failing.holds(`Cannot send checkpoints to witnesses: ${errorText(error)}`, {
          ...errorDetails(error),
          level: "error",
        });
        await clock.sleep(RETRY.firstMs, signal);
      }
    }
  }

  /** Stores the ML-DSA-44 lines of the chosen checkpoint as they come. */
  async #keepOwn(signal: AbortSignal): Promise<void> {
    const { clock, report } = this.#context;
    const failing = new Condition({ clock, report });
    while (!signal.aborted) {
      const changed = [this.#cosigned.promise, this.#choice.promise];
      try {
        await this.#addOwn();
        failing.ended("ML-DSA-44 cosignatures are stored again");
        await Promise.race(changed);
      } catch (error) {
        failing.holds(`Cannot store ML-DSA-44 cosignatures: ${errorText(error)}`, {
          ...errorDetails(error),
          level: "error",
        });
        await clock.sleep(RETRY.firstMs, signal);
      }
    }
  }

  async #addOwn(): Promise<void> {
    const chosen = this.#chosen;
    if (chosen === undefined) return;
    // Includes lines that arrived after it was chosen.
    const signatures = [chosen.whole, this.#context.log.checkpoint()!].map(parseNote)
      .flatMap((note) => note.text === chosen.note.text ? note.signatures : []);
    const own = firstLines(this.#ownKeys(), signatures);
    if (own.length === 0) return;
    const { lines } = await this.#stored(chosen);
    const missing = own
      .filter(({ vkey }) => !lines.some((line) => line.vkey === vkey));
    if (missing.length > 0) await this.#add(chosen, missing);
  }

  /** Our keys whose lines fit into a record with the foreign ones. */
  #ownKeys(): readonly NoteKey[] {
    let bytes = recordBytes(this.#foreignKeys);
    return this.#context.ownKeys().filter((key) =>
      (bytes += recordBytes([key])) <= MAX_RECORD_BYTES
    );
  }

  #changed(record: WitnessedCheckpoint, isNew: boolean): void {
    const keys = this.#foreignKeys.length + this.#ownKeys().length;
    this.#context.changed(record, isNew, keys);
  }

  /** Chooses `checkpoint`. False if its tree is already chosen. */
  async #take(checkpoint: string): Promise<boolean> {
    const note = logSigned(checkpoint);
    const { tree_size: size, root_hash: rootHash } = parseCheckpointBody(note.text);
    if (size === this.#chosen?.size && rootHash === this.#chosen.rootHash) return false;
    const chosen = { size, rootHash, note, whole: checkpoint };
    const stored = await this.#stored(chosen);
    this.#chosen = chosen;
    if (stored.meetsQuorum) this.#quorumMet(size);
    else {
      const { behindSince = unixSeconds(this.#context.clock) } = this.#quorum;
      this.#quorum = { ...this.#quorum, behindSince };
    }
    this.#changed(stored, false);
    this.#context.statusChanged();
    this.#choice.resolve();
    this.#choice = Promise.withResolvers();
    return true;
  }

  /** The record of a checkpoint; a new one for a tree that was not cosigned, and for a damaged record. */
  async #stored({ size, rootHash, note }: ChosenCheckpoint): Promise<WitnessedCheckpoint> {
    const { store, crypto, report } = this.#context;
    const stored = await store.at(size).catch((error) => {
      if (!hasCode(error, "store_corrupt")) throw error;
      report(`${errorText(error)}. New cosignatures replace it`, errorDetails(error));
      return undefined;
    });
    const { network_id: origin } = parseCheckpointBody(note.text);
    const isSound = stored?.rootHash === rootHash &&
      await verifyWitnessLines(crypto, origin, stored);
    return isSound ? stored : { size, rootHash, lines: [], meetsQuorum: false };
  }

  #add(chosen: ChosenCheckpoint, lines: readonly WitnessLine[]): Promise<void> {
    const added = this.#adding.then(() => this.#addNow(chosen, lines));
    this.#adding = added.catch(() => {});
    return added;
  }

  async #addNow(chosen: ChosenCheckpoint, added: readonly WitnessLine[]): Promise<void> {
    const { size, rootHash, whole } = chosen;
    const { store } = this.#context;
    const stored = await this.#stored(chosen);
    const kept = stored.lines.filter(({ vkey }) => !added.some((line) => line.vkey === vkey));
    const lines = [...kept, ...added];
    const foreign = this.#foreignKeys.map(encodeVkey);
    const isAsked = foreign.length === 0 || lines.some(({ vkey }) => foreign.includes(vkey));
    const meetsQuorum = stored.meetsQuorum ||
      isAsked && await this.#meetsQuorum(withLines(whole, lines));
    const record = { size, rootHash, lines, meetsQuorum };
    // Serve it only once it is durable.
    await store.save(record);
    if (meetsQuorum) this.#quorumMet(size);
    this.#changed(record, true);
  }

  #quorumMet(met: number): void {
    const size = Math.max(met, this.#quorum.size);
    const isBehind = size < (this.#chosen?.size ?? 0);
    const behindSince = isBehind ? unixSeconds(this.#context.clock) : undefined;
    this.#quorum = { size, ...(behindSince !== undefined && { behindSince }) };
  }

  /** Our own witnesses may be in the policy too. */
  async #meetsQuorum(checkpoint: string): Promise<boolean> {
    const { crypto, plan: { policy } } = this.#context;
    const keys = Array.from(policy.witnesses.values(), ({ key }) => key);
    const { lines } = await verifyNote(crypto, keys, parseNote(checkpoint));
    return countByPolicy(policy, lines).meetsQuorum;
  }

  #wake(): void {
    this.#cosigned.resolve();
    this.#cosigned = Promise.withResolvers();
  }
}
