/**
 * One exchange with one witness: sends a checkpoint with the consistency proof that the witness lacks.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../../base/clock.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import type { Note } from "../../proof/format/note.ts";
import type { WitnessLine } from "../../proof/format/records.ts";
import type { VerifierCrypto } from "../../proof/verify/verifier_crypto.ts";
import { linesOf } from "./cosigned_lines.ts";
import type { CheckpointedLog, ForeignWitness } from "./ports.ts";

/**
 * Requests in one exchange. The second one starts from the size that the witness named. The third one is
 * for the case that another gateway of ours changed that size meanwhile. After that, the loop retries.
 */
const MAX_REQUESTS = 3;

export interface CheckpointExchangeContext {
  readonly log: Pick<CheckpointedLog, "consistencyPath">;
  readonly crypto: VerifierCrypto;
  readonly clock: Clock;
}

/** A checkpoint to be cosigned. */
export interface SentCheckpoint {
  readonly size: number;
  /** The note with the log's signature alone. */
  readonly note: Note;
}

/** Sends checkpoints to one witness, and remembers the size that it has cosigned. */
export class CheckpointExchange {
  readonly #witness: ForeignWitness;
  readonly #context: CheckpointExchangeContext;
  /** 0 while unknown: a witness that has cosigned more answers with its size. */
  #size = 0;

  constructor(witness: ForeignWitness, context: CheckpointExchangeContext) {
    this.#witness = witness;
    this.#context = context;
  }

  /**
   * The verified lines of the witness under `sent`. Rejects with `witness_unreachable`, `witness_refused`,
   * `consistency_refused`, `tree_size_conflict` if the witness has cosigned a larger tree, or with an error
   * of our own log.
   */
  async cosign(sent: SentCheckpoint, signal: AbortSignal): Promise<readonly WitnessLine[]> {
    try {
      return await this.#cosign(sent, signal);
    } catch (error) {
      // After a refusal, the size that the witness has cosigned is unknown.
      if (hasCode(error, "consistency_refused") || hasCode(error, "witness_refused")) {
        this.#size = 0;
      }
      throw error;
    }
  }

  async #cosign({ size, note }: SentCheckpoint, signal: AbortSignal) {
    const { name, client } = this.#witness;
    const { crypto, clock } = this.#context;
    for (let requests = 0; requests < MAX_REQUESTS; requests++) {
      const oldSize = Math.min(this.#size, size);
      const consistencyPath = oldSize === 0 || oldSize === size
        ? []
        : await this.#context.log.consistencyPath(oldSize, size);
      const answer = await client.addCheckpoint(
        { oldSize, consistencyPath, checkpoint: note },
        signal,
      );
      if (answer.kind === "cosigned") {
        const answered = { text: note.text, answered: answer.lines, now: unixSeconds(clock) };
        const lines = await linesOf(crypto, this.#witness, answered);
        if (typeof lines === "string") throw refused(name, lines);
        this.#size = size;
        return lines;
      }
      if (answer.size > size) {
        // The size is not remembered: the witness may have named a wrong one.
        throw new CountersignError(
          "tree_size_conflict",
          `Witness ${name} says that it has cosigned size ${answer.size}, but this checkpoint has size ` +
            `${size}: if it goes on, our store may be an old copy, or the witness lies`,
        );
      }
      if (answer.size === oldSize) {
        throw refused(name, `it needs a proof from size ${oldSize}, which it got`);
      }
      this.#size = answer.size;
    }
    throw refused(name, `it named another size in each of ${MAX_REQUESTS} answers`);
  }
}

function refused(name: string, reason: string): CountersignError {
  return new CountersignError("witness_refused", `Witness ${name} did not cosign: ${reason}`);
}
