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
import {
  encodeCheckpointBody,
  encodeCosignatureMessage,
  type TreeHead,
} from "../format/tree_head.ts";
import { utf8 } from "../bytes.ts";
import type { LogSigner, SthRecord, StoredHead } from "./ports.ts";
import type { PooledWitness, WitnessPool } from "./witness_pool.ts";

/** A witness that stands elsewhere is asked again from there this often in one attempt. */
const MAX_ASKS = 3;

/** What the cosigner works with. */
export interface CosignerContext {
  readonly networkId: string;
  readonly pool: WitnessPool;
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
  /** By place; 0 until told otherwise. */
  readonly #sizes: number[];
  /** Witnesses that say they cosigned a larger tree than ours, with its size. */
  readonly #ahead = new Map<number, number>();
  /** That our own tree is damaged, as the attempt under way found: no witness is to blame. */
  #fault: CountersignError | undefined;

  constructor(context: CosignerContext) {
    this.#context = context;
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
      const signatures = await pool.collect(
        encodeCosignatureMessage(treeHead),
        (witness, place, limit) => this.#ask(witness, place, proposed, limit),
        signal,
      );
      return { ...head, timestamp: treeHead.timestamp, logSignature, signatures };
    } catch (cause) {
      if (!hasCode(cause, "threshold_not_met")) throw cause;
      throw this.#fault ?? this.#rolledBack(head.size, cause) ?? cause;
    }
  }

  /**
   * `store_rolled_back` when so many witnesses say that they cosigned a larger tree that the
   * threshold is out of reach: an honest quorum then did, and this store is an old copy. Fewer could
   * be liars.
   */
  #rolledBack(size: number, cause: CountersignError): CountersignError | undefined {
    const { witnesses, threshold } = this.#context.pool;
    const ahead = [...this.#ahead].filter(([, known]) => known > size);
    if (ahead.length <= witnesses.length - threshold) return undefined;
    return new CountersignError(
      "store_rolled_back",
      `Cannot publish tree head of size ${size}: witnesses at that size or below required, ` +
        `found ${ahead.map(([place]) => witnesses[place]!.id).join(", ")} ` +
        `at up to ${Math.max(...ahead.map(([, known]) => known))}`,
      { cause },
    );
  }

  async #ask(
    witness: PooledWitness,
    place: number,
    head: ProposedHead,
    signal: AbortSignal,
  ): Promise<Bytes> {
    const { treeHead, logSignature } = head;
    const size = treeHead.tree_size;
    for (let asks = 0; asks < MAX_ASKS; asks++) {
      const oldSize = Math.min(this.#sizes[place]!, size);
      const consistencyPath = await this.#pathFrom(oldSize, head);
      const request = { treeHead, logSignature, oldSize, consistencyPath };
      const answer = await witness.client.cosign(request, signal);
      if (answer.kind === "cosigned") {
        this.#sizes[place] = size;
        this.#ahead.delete(place);
        return answer.signature;
      }
      if (answer.size > size) {
        this.#ahead.set(place, answer.size);
        break;
      }
      this.#sizes[place] = answer.size;
    }
    throw new CountersignError(
      "tree_size_conflict",
      `Cannot have size ${size} cosigned by ${witness.id}: a size up to that required, ` +
        `found ${this.#ahead.get(place) ?? "another at every try"}`,
    );
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
