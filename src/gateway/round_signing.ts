/**
 * One attempt to have a round signed: all witnesses are asked at once, with a fresh time.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import { hasCode } from "../errors.ts";
import { type RoundRecord, UPPER_NODE_HEIGHT } from "../format/records.ts";
import { encodeRoundMessage } from "../format/round.ts";
import { SequenceConflict } from "../format/sequence_conflict.ts";
import type { RoundTree, RoundTreeBuilder } from "../merkle/round_tree.ts";
import type { ForkEvidence } from "./fork_evidence.ts";
import { LateAnswers } from "./late_answers.ts";
import { type BeaconSource, type RoundRequest } from "./ports.ts";
import type { PooledWitness, WitnessPool } from "./witness_pool.ts";

/** Each new round counts as 1 part in this many in the moving average of answer times. */
const ANSWERS_AVERAGED = 8;

/** A signed round on its way to the store. */
export interface SignedRound {
  readonly record: RoundRecord;
  readonly tree: RoundTree;
}

/** What rounds are signed with. */
export interface RoundSigningContext {
  readonly networkId: string;
  readonly pool: WitnessPool;
  readonly evidence: ForkEvidence;
  readonly buildTree: RoundTreeBuilder;
  readonly clock: Clock;
  /** Absent where rounds have no beacon. */
  readonly beacons: BeaconSource | undefined;
  /** A witness refused a round: it must cosign a larger tree head first (`overloaded`). */
  readonly headNeeded: () => void;
}

/** A round as it is put to the witnesses, once or more. */
export interface AttemptedRound {
  readonly first: number;
  readonly size: number;
  readonly attempts: number;
  /** The threshold has signed it. */
  readonly isSigned: boolean;
}

/** Puts rounds to the witnesses. */
export class RoundSigning {
  readonly #context: RoundSigningContext;
  readonly #lateAnswers: LateAnswers;
  #answerMs = 0;
  /** Rounds put to witnesses: each is left out of as many as every other. */
  #turn = 0;

  constructor(context: RoundSigningContext) {
    this.#context = context;
    this.#lateAnswers = new LateAnswers(context.clock, context.pool, "sign");
  }

  /** Moving average of the time that witnesses take for a round, in milliseconds. */
  get answerMs(): number {
    return this.#answerMs;
  }

  /**
   * One attempt, with a time and the latest beacon of its own: nothing of an earlier one is combined
   * with it.
   */
  async attempt(
    round: AttemptedRound,
    digests: Uint8Array<ArrayBuffer>,
    stop: AbortSignal,
  ): Promise<SignedRound> {
    const { networkId, pool, clock, buildTree, beacons } = this.#context;
    const { first, size, attempts } = round;
    // Before the time: no round is signed as earlier than its beacon.
    const beacon = beacons?.latest() ?? null;
    const timestamp = unixSeconds(clock);
    const askedMs = clock.nowMs();
    const tree = buildTree({ networkId, timestamp, first, digests });
    const message = encodeRoundMessage({
      network_id: networkId,
      timestamp,
      size,
      root: tree.root.toHex(),
      beacon,
    });
    const request = { networkId, timestamp, firstSequence: first, digests, beacon };
    const asking = pool.witnessOrder(this.#turn++);
    const signatures = await this.#lateAnswers.during(stop, (ask) =>
      pool.collect(
        message,
        (witness, witnessIndex, limit) =>
          ask(witnessIndex, limit, (signal) =>
            this.#signedBy(witness, witnessIndex, { request, round }, signal)),
        stop,
        asking,
      ));
    this.#answerMs += (clock.nowMs() - askedMs - this.#answerMs) / ANSWERS_AVERAGED;
    const upperNodes = tree.levels[Math.min(UPPER_NODE_HEIGHT, tree.levels.length - 1)]!;
    return {
      record: { first, size, timestamp, attempts, beacon, signatures, upperNodes },
      tree,
    };
  }

  async #signedBy(
    witness: PooledWitness,
    witnessIndex: number,
    { request, round }: { readonly request: RoundRequest; readonly round: AttemptedRound },
    signal: AbortSignal,
  ): Promise<Bytes> {
    const { evidence, headNeeded } = this.#context;
    const { firstSequence: first } = request;
    try {
      const signature = await witness.client.sign(request, signal);
      evidence.roundAccepted(witnessIndex, first);
      return signature;
    } catch (error) {
      // A refusal of a round that the threshold has signed contradicts nothing.
      if (hasCode(error, "sequence_conflict") && !signal.aborted && !round.isSigned) {
        const size = error instanceof SequenceConflict ? error.size : undefined;
        evidence.roundRefused(witnessIndex, first, size);
      }
      if (hasCode(error, "overloaded")) headNeeded();
      throw error;
    }
  }
}
