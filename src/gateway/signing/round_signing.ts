/**
 * One attempt to have a round signed. All witnesses are asked at once.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import { hasCode } from "../../base/errors.ts";
import { type RoundRecord, UPPER_NODE_HEIGHT } from "../../proof/format/records.ts";
import { encodeRoundMessage } from "../../proof/format/round.ts";
import { type RoundRequest, SequenceConflict } from "../../proof/format/witness_request.ts";
import type { RoundTree, RoundTreeBuilder } from "../../proof/merkle/round_tree.ts";
import type { ForkEvidence } from "../sequencing/rollback_evidence.ts";
import { type BeaconSource } from "../ports.ts";
import type { Proposal } from "./proposal.ts";
import type { PooledWitness, WitnessPool } from "./witness_pool.ts";

/** Each new round counts as 1 part in this many in the moving average of answer times. */
const ANSWERS_AVERAGED = 8;

/** A signed round on its way to the store. */
export interface SignedRound {
  readonly record: RoundRecord;
  readonly tree: RoundTree;
}

export interface RoundSigningContext {
  readonly networkId: string;
  /** The witnesses of the present epoch, and its number. */
  readonly signers: { readonly pool: WitnessPool; readonly epoch: number };
  readonly evidence: ForkEvidence;
  readonly buildTree: RoundTreeBuilder;
  readonly clock: Clock;
  /** Absent where rounds have no beacon. */
  readonly beacons: BeaconSource | undefined;
  /** A witness refused a round: it must cosign a larger tree head first (`overloaded`). */
  readonly headNeeded: () => void;
}

export interface AttemptedRound {
  readonly first: number;
  readonly size: number;
  readonly attempts: number;
  readonly proposal: Proposal;
  /** The threshold has signed it. */
  readonly isSigned: boolean;
}

/** Sends rounds to the witnesses. */
export class RoundSigning {
  readonly #context: RoundSigningContext;
  #answerMs = 0;
  /** Attempts so far: in-process witnesses that the threshold does not need take turns. */
  #attempts = 0;

  constructor(context: RoundSigningContext) {
    this.#context = context;
  }

  /** Moving average of the time that witnesses take for a round, in milliseconds. */
  get answerMs(): number {
    return this.#answerMs;
  }

  /**
   * One attempt with the text of the round's proposal. A new text has the present time and the latest
   * beacon. Signatures of two attempts are never combined.
   */
  async attempt(
    round: AttemptedRound,
    digests: Uint8Array<ArrayBuffer>,
    stop: AbortSignal,
  ): Promise<SignedRound> {
    const { networkId, signers: { pool, epoch }, clock, buildTree, beacons } = this.#context;
    const { first, size, attempts, proposal } = round;
    // Read before the time: no round is signed with a time before that of its beacon.
    const latest = beacons?.latest() ?? null;
    const now = unixSeconds(clock);
    const { timestamp, beacon, vouchers } = proposal.next(
      now,
      pool.threshold,
      () => ({ timestamp: now, beacon: latest }),
    );
    const askedMs = clock.elapsedMs();
    const tree = buildTree({ networkId, timestamp, first, digests });
    const message = encodeRoundMessage({
      network_id: networkId,
      timestamp,
      size,
      root: tree.root.toHex(),
      beacon,
    });
    const request = {
      networkId,
      timestamp,
      firstSequence: first,
      digests,
      beacon,
      ...(epoch > 0 && { epoch }),
      ...(vouchers !== undefined && { vouchers }),
    };
    const signatures = await pool.collect(
      message,
      (witness, witnessIndex, signal) =>
        this.#signedBy(witness, witnessIndex, { request, round }, signal),
      stop,
      { ...pool.witnessOrder(this.#attempts++), purpose: "sign", wantsLate: () => false },
    );
    this.#answerMs += (clock.elapsedMs() - askedMs - this.#answerMs) / ANSWERS_AVERAGED;
    // A copy: the record outlives the tree.
    const upperNodes = tree.levels[Math.min(UPPER_NODE_HEIGHT, tree.levels.length - 1)]!.slice();
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
    const { proposal } = round;
    try {
      const signature = await witness.client.sign(request, signal);
      evidence.roundAccepted(witnessIndex, first);
      proposal.signed(witness.id, signature.toHex());
      return signature;
    } catch (error) {
      if (hasCode(error, "time_refused")) proposal.timeRefused(witnessIndex);
      if (hasCode(error, "beacon_refused")) proposal.beaconRefused(witnessIndex);
      if (hasCode(error, "round_conflict")) proposal.conflicts(witnessIndex);
      // A refusal of a round that the threshold has signed contradicts nothing.
      if (hasCode(error, "sequence_conflict") && !signal.aborted && !round.isSigned) {
        proposal.contradicts(witnessIndex);
        const size = error instanceof SequenceConflict ? error.size : undefined;
        evidence.roundRefused(witnessIndex, first, size);
      }
      if (hasCode(error, "overloaded")) headNeeded();
      throw error;
    }
  }
}
