/**
 * Puts the heads of peer networks' logs to our witnesses. Each remembers where it stands for every
 * log that it follows, and judges growth by itself; here it is only learnt which proof each needs.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type { Clock } from "../clock.ts";
import type { Bls } from "../crypto/bls.ts";
import type { Ed25519Verify } from "../crypto/ed25519_rule.ts";
import { CountersignError, type ErrorCode, hasCode } from "../errors.ts";
import { type GrowthProof, MAX_GROWTH_PROOFS } from "../format/federation.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import type { SignatureSet } from "../format/signature_set.ts";
import { encodeCosignatureMessage, type TreeHead } from "../format/tree_head.ts";
import { namedSignatures } from "./named_signatures.ts";
import type { WitnessClient } from "./ports.ts";
import { type PooledWitness, WitnessPool } from "./witness_pool.ts";

/** A witness that stands elsewhere is asked again from there this often in one attempt. */
const MAX_ASKS = 3;

/** Heads in hand at once: what a peer sends must not keep our witnesses from our own rounds. */
const MAX_IN_HAND = 2;

/** How long a witness has for one answer. */
const TIMEOUT_MS = 5_000;

/** What it works with: the gateway's own witnesses. */
export interface ForeignCosignerContext {
  /** Our network, whose witnesses are asked. */
  readonly network: NetworkConfiguration;
  readonly witnesses: readonly WitnessClient[];
  readonly verify: Ed25519Verify;
  readonly bls: Bls;
  readonly clock: Clock;
}

/** A head of another log, at a time of ours. */
export interface ForeignHead {
  readonly treeHead: TreeHead;
  /** The other log's signature over the checkpoint body. */
  readonly logSignature: Bytes;
  /** Paths as RFC 9162 has them, without first roots. */
  readonly growth: readonly GrowthProof[];
  /** Distinct signatures, from our threshold to the number of our witnesses. */
  readonly required: number;
}

/** The signatures, or the sizes, ascending, from which proofs are needed in their place. */
export type ForeignAnswer =
  | { readonly kind: "cosigned"; readonly signatures: SignatureSet }
  | { readonly kind: "sizes_required"; readonly sizes: readonly number[] };

/** What the witnesses said in one attempt. */
interface Attempt extends ForeignHead {
  /** At which no proof of the head begins, or which are above it. */
  readonly unproved: Set<number>;
  /** By place. */
  readonly failures: Map<number, ErrorCode>;
}

/** Asks our witnesses for cosignatures of other logs. */
export class ForeignCosigner {
  /** Of its own: how a witness takes another log's heads is nothing of its health in ours. */
  readonly #pool: WitnessPool;
  readonly #ids: readonly string[];
  /** By origin and place; 0 until told otherwise. One entry for each peer, whose ids are configured. */
  readonly #sizes = new Map<string, number[]>();
  #inHand = 0;

  constructor({ network, witnesses, ...context }: ForeignCosignerContext) {
    this.#pool = new WitnessPool(network, witnesses, { ...context, timeoutMs: TIMEOUT_MS });
    this.#ids = this.#pool.witnesses.map(({ id }) => id);
  }

  /**
   * Has a head cosigned. Rejects with `overloaded` when too many are in hand, with
   * `consistency_refused` when so many witnesses refuse what `growth` proves that the required
   * signatures are out of reach, and otherwise with `witnesses_unavailable`.
   */
  async cosign(head: ForeignHead, signal: AbortSignal): Promise<ForeignAnswer> {
    if (this.#inHand >= MAX_IN_HAND) {
      throw new CountersignError(
        "overloaded",
        `Cannot have tree head cosigned: fewer than ${MAX_IN_HAND} in hand required, found more`,
      );
    }
    this.#inHand++;
    try {
      return await this.#cosign(head, signal);
    } finally {
      this.#inHand--;
    }
  }

  async #cosign(head: ForeignHead, signal: AbortSignal): Promise<ForeignAnswer> {
    const { treeHead, required } = head;
    const attempt: Attempt = { ...head, unproved: new Set(), failures: new Map() };
    // All at once, so that those that are not needed now do not fall behind.
    const witnessIndexes = this.#ids.map((_, witnessIndex) => witnessIndex);
    try {
      const signatures = await this.#pool.collect(
        encodeCosignatureMessage(treeHead),
        (witness, witnessIndex, limit) => this.#ask(witness, witnessIndex, attempt, limit),
        signal,
        { witnessIndexes, atOnce: witnessIndexes.length, required },
      );
      return { kind: "cosigned", signatures: namedSignatures(signatures, this.#ids) };
    } catch (error) {
      if (!hasCode(error, "threshold_not_met")) throw error;
      return this.#answerWithout(attempt, error);
    }
  }

  /** Proofs may help as long as a witness lacks one; a witness that refused one needs no other. */
  #answerWithout(
    { required, unproved, failures }: Attempt,
    cause: CountersignError,
  ): ForeignAnswer {
    if (unproved.size > 0) {
      const sizes = [...unproved].toSorted((a, b) => a - b);
      return { kind: "sizes_required", sizes: sizes.slice(-MAX_GROWTH_PROOFS) };
    }
    const refused = [...failures.values()].filter((code) => code === "consistency_refused").length;
    const isRefused = refused > this.#ids.length - required;
    throw new CountersignError(
      isRefused ? "consistency_refused" : "witnesses_unavailable",
      `Cannot have tree head cosigned: ${required} witnesses required, found ${
        isRefused ? `${refused} that refuse its growth` : "fewer that answer"
      }`,
      { cause },
    );
  }

  async #ask(
    { client, id }: PooledWitness,
    witnessIndex: number,
    attempt: Attempt,
    signal: AbortSignal,
  ): Promise<Bytes> {
    const { treeHead, logSignature, growth, unproved } = attempt;
    const size = treeHead.tree_size;
    const sizes = this.#sizesOf(treeHead.network_id);
    try {
      for (let asks = 0; asks < MAX_ASKS; asks++) {
        const oldSize = Math.min(sizes[witnessIndex]!, size);
        const needsPath = oldSize > 0 && oldSize < size;
        const proof = growth.find((proof) => proof.oldSize === oldSize);
        if (needsPath && proof === undefined) {
          unproved.add(oldSize);
          break;
        }
        const consistencyPath = needsPath ? proof!.path : [];
        const request = { treeHead, logSignature, oldSize, consistencyPath };
        const answer = await client.cosign(request, signal);
        if (answer.kind === "cosigned") {
          sizes[witnessIndex] = size;
          return answer.signature;
        }
        sizes[witnessIndex] = answer.size;
        if (answer.size > size) {
          unproved.add(answer.size);
          break;
        }
      }
    } catch (error) {
      if (error instanceof CountersignError) attempt.failures.set(witnessIndex, error.code);
      throw error;
    }
    throw new CountersignError(
      "tree_size_conflict",
      `Cannot have size ${size} cosigned by ${id}: a proof from ${
        sizes[witnessIndex]
      } required, found none`,
    );
  }

  #sizesOf(origin: string): number[] {
    const sizes = this.#sizes.get(origin) ?? this.#ids.map(() => 0);
    this.#sizes.set(origin, sizes);
    return sizes;
  }
}
