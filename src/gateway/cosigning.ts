/**
 * Cosigning: puts one fixed (size, root) to the witnesses until a set of them that meets the
 * threshold has signed it at one time. Each attempt proposes a fresh time; what each witness stands
 * at is learnt from its refusals.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import { CountersignError, hasCode } from "../errors.ts";
import type { SthRecord } from "../format/records.ts";
import {
  encodeCheckpointBody,
  encodeCosignatureMessage,
  type TreeHead,
} from "../format/tree_head.ts";
import { utf8 } from "../bytes.ts";
import type { ForkEvidence } from "./fork_evidence.ts";
import { LateAnswers } from "./late_answers.ts";
import type { CosignAnswer, CosignRequest, LogSigner, StoredHead } from "./ports.ts";
import type { PooledWitness, WitnessPool } from "./witness_pool.ts";

/** A witness that stands elsewhere is asked again from there this often in one attempt. */
const MAX_ASKS = 3;

/** What the cosigner works with. */
export interface CosignerContext {
  readonly networkId: string;
  readonly pool: WitnessPool;
  readonly evidence: ForkEvidence;
  readonly logSigner: LogSigner;
  readonly clock: Clock;
  /** RFC 9162 consistency path between two sizes of our tree, 1 <= first <= second. */
  readonly consistency: (first: number, second: number) => Promise<Bytes[]>;
}

/** A head as one attempt puts it to the witnesses. */
interface ProposedHead {
  readonly treeHead: TreeHead;
  readonly logSignature: Bytes;
  /** Consistency paths to it, by the size that they lead from. */
  readonly paths: Map<number, Promise<Bytes[]>>;
}

/** Asks for cosignatures; remembers the size at which each witness stands. */
export class Cosigner {
  readonly #context: CosignerContext;
  readonly #lateAnswers: LateAnswers;
  /** By place; 0 until told otherwise. */
  readonly #sizes: number[];
  /** That our own tree is damaged, as the attempt under way found: no witness is to blame. */
  #fault: CountersignError | undefined;

  constructor(context: CosignerContext) {
    this.#context = context;
    this.#lateAnswers = new LateAnswers(context.clock, context.pool, "cosign");
    this.#sizes = context.pool.witnesses.map(() => 0);
  }

  /**
   * One attempt over `head`. Rejects with `threshold_not_met`, with `store_rolled_back` when that is
   * why, or with `store_corrupt` when our tree does not prove that it grew.
   */
  async cosign(head: StoredHead, signal: AbortSignal): Promise<SthRecord> {
    const { networkId, pool, logSigner, clock } = this.#context;
    const treeHead: TreeHead = {
      network_id: networkId,
      tree_size: head.size,
      timestamp: unixSeconds(clock),
      root_hash: head.root.toHex(),
    };
    const logSignature = logSigner.sign(utf8(encodeCheckpointBody(treeHead)));
    const proposed = { treeHead, logSignature, paths: new Map<number, Promise<Bytes[]>>() };
    this.#fault = undefined;
    try {
      const message = encodeCosignatureMessage(treeHead);
      const signatures = await this.#lateAnswers.during(
        signal,
        (ask) =>
          pool.collect(
            message,
            (witness, witnessIndex, limit) =>
              ask(
                witnessIndex,
                limit,
                (until) => this.#ask(witness, witnessIndex, proposed, until),
              ),
            signal,
          ),
        // A witness slower than the threshold would stay at an old size, and then sign no rounds.
        (witnessIndex) => this.#sizes[witnessIndex]! < head.size,
      );
      return { ...head, timestamp: treeHead.timestamp, logSignature, signatures };
    } catch (cause) {
      if (!hasCode(cause, "threshold_not_met")) throw cause;
      throw this.#fault ?? this.#context.evidence.verdict() ?? cause;
    }
  }

  async #ask(
    witness: PooledWitness,
    witnessIndex: number,
    head: ProposedHead,
    signal: AbortSignal,
  ): Promise<Bytes> {
    const { evidence } = this.#context;
    const { treeHead, logSignature } = head;
    const size = treeHead.tree_size;
    for (let asks = 0; asks < MAX_ASKS; asks++) {
      const oldSize = Math.min(this.#sizes[witnessIndex]!, size);
      const consistencyPath = await this.#pathFrom(oldSize, head);
      const request = { treeHead, logSignature, oldSize, consistencyPath };
      const answer = await this.#cosignedBy(witness, witnessIndex, request, signal);
      if (answer.kind === "cosigned") {
        // An answer that was late may come after the one to a larger head.
        this.#sizes[witnessIndex] = Math.max(this.#sizes[witnessIndex]!, size);
        evidence.headCosigned(witnessIndex);
        return answer.signature;
      }
      if (answer.size > size) {
        if (!signal.aborted) evidence.sizeReported(witnessIndex, answer.size);
        throw sizeConflict(witness.id, size, `it has cosigned size ${answer.size}`);
      }
      this.#sizes[witnessIndex] = answer.size;
    }
    throw sizeConflict(witness.id, size, "at every try it has cosigned another size");
  }

  async #cosignedBy(
    witness: PooledWitness,
    witnessIndex: number,
    request: CosignRequest,
    signal: AbortSignal,
  ): Promise<CosignAnswer> {
    try {
      return await witness.client.cosign(request, signal);
    } catch (error) {
      if (hasCode(error, "consistency_refused") && !signal.aborted) {
        this.#context.evidence.growthRefused(witnessIndex);
      }
      throw error;
    }
  }

  async #pathFrom(oldSize: number, { treeHead, paths }: ProposedHead): Promise<Bytes[]> {
    const size = treeHead.tree_size;
    if (oldSize === 0 || oldSize === size) return [];
    // Witnesses mostly stand at one size: the path from there is made once for all of them.
    const path = paths.get(oldSize) ?? this.#context.consistency(oldSize, size);
    paths.set(oldSize, path);
    try {
      return await path;
    } catch (error) {
      if (hasCode(error, "store_corrupt")) this.#fault = error;
      throw error;
    }
  }
}

function sizeConflict(id: string, size: number, reason: string): CountersignError {
  return new CountersignError(
    "tree_size_conflict",
    `Cannot have size ${size} cosigned by ${id}: ${reason}`,
  );
}
