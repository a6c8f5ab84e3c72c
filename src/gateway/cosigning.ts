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

/** Asks for cosignatures; remembers the size at which each witness stands. */
export class Cosigner {
  readonly #context: CosignerContext;
  /** By place; 0 until told otherwise. */
  readonly #sizes: number[];
  /** Witnesses that say they cosigned a larger tree than ours, with its size. */
  readonly #ahead = new Map<number, number>();

  constructor(context: CosignerContext) {
    this.#context = context;
    this.#sizes = context.pool.witnesses.map(() => 0);
  }

  /**
   * True when so many witnesses say that they cosigned a larger tree that the threshold is out of
   * reach: an honest quorum then did, and this store is an old copy. Fewer could be liars.
   */
  get isRolledBack(): boolean {
    const { witnesses, threshold } = this.#context.pool;
    return this.#ahead.size > witnesses.length - threshold;
  }

  /** Ids of witnesses that say they cosigned a larger tree. */
  get ahead(): readonly string[] {
    return [...this.#ahead.keys()].map((place) => this.#context.pool.witnesses[place]!.id);
  }

  /**
   * One attempt over `head`. Rejects with `threshold_not_met`, or `store_rolled_back` when that is
   * why.
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
    try {
      const signatures = await pool.collect(
        encodeCosignatureMessage(treeHead),
        (witness, place, limit) => this.#ask(witness, place, { treeHead, logSignature }, limit),
        signal,
      );
      return { ...head, timestamp: treeHead.timestamp, logSignature, signatures };
    } catch (cause) {
      if (!hasCode(cause, "threshold_not_met") || !this.isRolledBack) throw cause;
      throw new CountersignError(
        "store_rolled_back",
        `Cannot publish tree head of size ${head.size}: witnesses at that size or below required, ` +
          `found ${this.ahead.join(", ")} at up to ${Math.max(...this.#ahead.values())}`,
        { cause },
      );
    }
  }

  async #ask(
    witness: PooledWitness,
    place: number,
    head: { readonly treeHead: TreeHead; readonly logSignature: Bytes },
    signal: AbortSignal,
  ): Promise<Bytes> {
    const size = head.treeHead.tree_size;
    for (let asks = 0; asks < MAX_ASKS; asks++) {
      const oldSize = Math.min(this.#sizes[place]!, size);
      const consistencyPath = oldSize === 0 || oldSize === size
        ? []
        : await this.#context.consistency(oldSize, size);
      const answer = await witness.client.cosign({ ...head, oldSize, consistencyPath }, signal);
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
}
