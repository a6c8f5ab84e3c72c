/**
 * Cosigning: one attempt to have the threshold of witnesses sign a head with one time. The batcher
 * (`batching.ts`) calls it with the same size and root until an attempt succeeds; each attempt proposes
 * a new time. A witness that last cosigned another size than expected refuses and names that size.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import { headReceiptMessage } from "../../proof/format/receipt_message.ts";
import type { IndexedSignatureSet, SthRecord } from "../../proof/format/records.ts";
import {
  encodeCheckpointBody,
  encodeCosignatureMessage,
  type TreeHead,
} from "../../proof/format/tree_head.ts";
import { utf8 } from "../../base/bytes.ts";
import type { Report } from "../../base/report.ts";
import { MlDsaCollector, type ProposedMlDsa } from "./ml_dsa_signatures.ts";
import type { ForkEvidence } from "./rollback_evidence.ts";
import type { CosignAnswer, CosignRequest } from "../../proof/format/witness_request.ts";
import type { LogSigner, StoredHead } from "../ports.ts";
import type { PooledWitness, WitnessPool } from "../signing/witness_pool.ts";

/** Most requests to one witness in one attempt: after a refusal, the next one proves growth from the named size. */
const MAX_ASKS = 3;

export interface CosignerContext {
  readonly networkId: string;
  /** Number of the epoch whose witnesses `pool` has. */
  readonly epoch: number;
  readonly pool: WitnessPool;
  readonly evidence: ForkEvidence;
  readonly logSigner: LogSigner;
  readonly clock: Clock;
  readonly report: Report;
  /** Number of stored digests. Witnesses have signed no more for any gateway of this store. */
  readonly durable: () => number;
  /** RFC 9162 consistency path between two sizes of our tree, 1 <= first <= second. */
  readonly consistency: (first: number, second: number) => Promise<Bytes[]>;
}

/** A head as one attempt proposes it. */
interface ProposedHead {
  readonly treeHead: TreeHead;
  readonly logSignature: Bytes;
  readonly mlDsa: ProposedMlDsa;
  /** Consistency paths to the head, by the size that they begin at. */
  readonly paths: Map<number, Promise<Bytes[]>>;
}

/** Asks for cosignatures; remembers the size that each witness has cosigned. */
export class Cosigner {
  readonly #context: CosignerContext;
  readonly #mlDsa: MlDsaCollector;
  /** Cosigned sizes by witness index; 0 while unknown. */
  readonly #sizes: number[];
  /** Witnesses that have cosigned a head of ours since the last `doubt()`. */
  readonly #agreed = new Set<number>();
  /** The `store_corrupt` error of the current attempt, if a path could not be computed from our own tree. */
  #fault: CountersignError | undefined;

  constructor(context: CosignerContext) {
    this.#context = context;
    this.#mlDsa = new MlDsaCollector({ ...context, witnesses: context.pool.witnesses });
    this.#sizes = context.pool.witnesses.map(() => 0);
  }

  /** Called when the store may have been rolled back: the next attempt first asks each witness how far it has signed. */
  doubt(): void {
    this.#agreed.clear();
  }

  /**
   * One attempt to have `head` cosigned. Rejects with:
   *
   * - `threshold_not_met`
   * - `store_rolled_back` if the witnesses' answers show that it is the reason
   * - `signer_unavailable` if a remote signer holds the log's key and does not sign
   * - `store_corrupt` if our tree cannot prove its growth
   *
   * `extended` is called at most once, after this has resolved: with the record and the signatures of
   * witnesses that answered later.
   */
  async cosign(
    head: StoredHead,
    signal: AbortSignal,
    extended?: (record: SthRecord) => void,
  ): Promise<SthRecord> {
    const { networkId, pool, logSigner, clock } = this.#context;
    const treeHead: TreeHead = {
      network_id: networkId,
      tree_size: head.size,
      timestamp: unixSeconds(clock),
      root_hash: head.root.toHex(),
    };
    const [logSignature, receiptSignature] = await Promise.all([
      logSigner.sign(utf8(encodeCheckpointBody(treeHead))),
      logSigner.sign(headReceiptMessage(logSigner.publicKey, treeHead)),
    ]);
    const mlDsa = this.#mlDsa.propose(treeHead);
    const recordOf = async (signatures: IndexedSignatureSet): Promise<SthRecord> => {
      const further = await mlDsa.signatures();
      return {
        ...head,
        timestamp: treeHead.timestamp,
        logSignature,
        receiptSignature,
        signatures,
        ...(further && { mlDsa: further }),
      };
    };
    const paths = new Map<number, Promise<Bytes[]>>();
    const proposed = { treeHead, logSignature, mlDsa, paths };
    this.#fault = undefined;
    try {
      const message = encodeCosignatureMessage(treeHead);
      const signatures = await pool.collect(
        message,
        (witness, witnessIndex, limit) => this.#ask(witness, witnessIndex, proposed, limit),
        signal,
        {
          // A witness that stays at an old size signs no rounds beyond it.
          wantsLate: (witnessIndex) =>
            extended !== undefined || this.#sizes[witnessIndex]! < head.size,
          ...(extended !== undefined && {
            extended: (set) => void recordOf(set).then(extended),
          }),
        },
      );
      return await recordOf(signatures);
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
    if (!this.#agreed.has(witnessIndex)) await this.#checkReach(witness, witnessIndex, signal);
    for (let asks = 0; asks < MAX_ASKS; asks++) {
      const oldSize = Math.min(this.#sizes[witnessIndex]!, size);
      const consistencyPath = await this.#pathFrom(oldSize, head);
      const { epoch } = this.#context;
      const request = {
        treeHead,
        logSignature,
        oldSize,
        consistencyPath,
        ...(epoch > 0 && { epoch }),
      };
      const answer = await this.#cosignedBy(witness, witnessIndex, request, signal);
      if (answer.kind === "cosigned") {
        // A late answer may arrive after the one for a larger head.
        this.#sizes[witnessIndex] = Math.max(this.#sizes[witnessIndex]!, size);
        this.#agreed.add(witnessIndex);
        evidence.headCosigned(witnessIndex);
        await head.mlDsa.add(witnessIndex, answer.mlDsaSignature);
        return answer.signature;
      }
      if (answer.size > size) {
        if (!signal.aborted) evidence.sizeReported(witnessIndex, answer.size);
        throw sizeConflict(witness.id, size, `it has cosigned size ${answer.size}`);
      }
      this.#sizes[witnessIndex] = answer.size;
    }
    throw sizeConflict(witness.id, size, `it named another size in each of ${MAX_ASKS} answers`);
  }

  /**
   * Rejects with `tree_size_conflict` if the witness has signed digests that our store lacks. The sizes of
   * heads alone do not show that: no head covers the newest rounds yet.
   */
  async #checkReach(
    witness: PooledWitness,
    witnessIndex: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { evidence, durable } = this.#context;
    const { signedEnd } = await witness.client.reach(signal);
    const stored = durable();
    if (signedEnd <= stored) return;
    if (!signal.aborted) evidence.sizeReported(witnessIndex, signedEnd);
    throw sizeConflict(witness.id, stored, `it has signed ${signedEnd} digests`);
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
    // Most witnesses have cosigned the same size: compute the path once for all of them.
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
    `Witness ${id} did not cosign size ${size}: ${reason}`,
  );
}

/** Whether `Cosigner.cosign()` failed because of others, so that another attempt may succeed. */
export function isWitnessFailure(error: unknown): boolean {
  return hasCode(error, "store_rolled_back") || hasCode(error, "threshold_not_met") ||
    hasCode(error, "signer_unavailable");
}
