/**
 * Has the tree heads of peer networks cosigned by our witnesses. Each witness remembers the size that it
 * has cosigned for every log and checks growth; this class only finds out which proof each one needs.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import type { Clock } from "../../base/clock.ts";
import type { Bls } from "../../proof/crypto/bls.ts";
import type { Ed25519Verify } from "../../proof/crypto/ed25519_rule.ts";
import { CountersignError, type ErrorCode, hasCode } from "../../base/errors.ts";
import { type GrowthProof, MAX_GROWTH_PROOFS } from "../../proof/format/federation.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import type { SignatureSet } from "../../proof/format/signature_set.ts";
import { encodeCosignatureMessage, type TreeHead } from "../../proof/format/tree_head.ts";
import { namedSignatures } from "../../proof/format/records.ts";
import type { WitnessClient } from "../ports.ts";
import { type PooledWitness, WitnessPool } from "../signing/witness_pool.ts";

/** Requests to one witness in one attempt: each refusal has the size to prove growth from. */
const MAX_ASKS = 3;

/** Heads that are cosigned at once: peers must not keep our witnesses from our own rounds. */
const MAX_IN_FLIGHT = 2;

/** How long a witness has for one answer. */
const TIMEOUT_MS = 5_000;

export interface ForeignCosignerContext {
  /** Our network, whose witnesses are asked: another one in the next epoch. */
  readonly network: NetworkConfiguration;
  readonly witnesses: readonly WitnessClient[];
  readonly verify: Ed25519Verify;
  readonly bls: Bls;
  readonly clock: Clock;
}

/** A tree head of another log, with a time that this gateway chose. */
export interface ForeignHead {
  readonly treeHead: TreeHead;
  /** The other log's signature over the checkpoint body. */
  readonly logSignature: Bytes;
  /** RFC 9162 consistency paths. */
  readonly growth: readonly GrowthProof[];
  /** Distinct signatures, from our threshold to the number of our witnesses. */
  readonly required: number;
}

/** The signatures, or the sizes, ascending, that need a consistency proof first. */
export type ForeignAnswer =
  | { readonly kind: "cosigned"; readonly signatures: SignatureSet }
  | { readonly kind: "sizes_required"; readonly sizes: readonly number[] };

interface Attempt extends ForeignHead {
  /** Cosigned sizes that no proof of the request begins at, or that exceed the head. */
  readonly unproved: Set<number>;
  /** By witness index. */
  readonly failures: Map<number, ErrorCode>;
}

/** Asks our witnesses for cosignatures of other logs. */
export class ForeignCosigner {
  /** A separate pool: answers about other logs do not count for the health of a witness. */
  #pool!: WitnessPool;
  #ids!: readonly string[];
  readonly #context: ForeignCosignerContext;
  #network: NetworkConfiguration | undefined;
  /** Cosigned sizes by origin and witness index; 0 while unknown. One entry for each configured peer. */
  readonly #sizes = new Map<string, number[]>();
  #inFlight = 0;

  constructor(context: ForeignCosignerContext) {
    this.#context = context;
  }

  /**
   * Has a head cosigned. Rejects with `overloaded` if too many are in flight, with
   * `consistency_refused` if witnesses that refuse the proofs of `growth` put the required signatures out
   * of reach, and otherwise with `witnesses_unavailable`.
   */
  async cosign(head: ForeignHead, signal: AbortSignal): Promise<ForeignAnswer> {
    if (this.#inFlight >= MAX_IN_FLIGHT) {
      throw new CountersignError(
        "overloaded",
        `Too many tree heads of peers in flight (at most ${MAX_IN_FLIGHT}); retry later`,
      );
    }
    this.#inFlight++;
    this.#follow();
    try {
      return await this.#cosign(head, signal);
    } finally {
      this.#inFlight--;
    }
  }

  /** Heads in flight end with the witnesses that they began with. */
  #follow(): void {
    const { network, witnesses, verify, bls, clock } = this.#context;
    if (network === this.#network) return;
    this.#network = network;
    this.#pool = new WitnessPool(network, witnesses, { verify, bls, clock, timeoutMs: TIMEOUT_MS });
    this.#ids = this.#pool.witnesses.map(({ id }) => id);
    this.#sizes.clear();
  }

  async #cosign(head: ForeignHead, signal: AbortSignal): Promise<ForeignAnswer> {
    const { treeHead, required } = head;
    const attempt: Attempt = { ...head, unproved: new Set(), failures: new Map() };
    const ids = this.#ids;
    try {
      const signatures = await this.#pool.collect(
        encodeCosignatureMessage(treeHead),
        (witness, witnessIndex, limit) => this.#ask(witness, witnessIndex, attempt, limit),
        signal,
        { required },
      );
      return { kind: "cosigned", signatures: namedSignatures(signatures, ids) };
    } catch (error) {
      if (!hasCode(error, "threshold_not_met")) throw error;
      return this.#answerWithout(attempt, error);
    }
  }

  /** More proofs help only while a witness lacks one. */
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
      isRefused
        ? `${refused} witnesses refuse the growth of the tree: ${required} cosignatures are out of reach`
        : `Fewer than ${required} witnesses answer; retry later`,
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
      `Witness ${id} did not cosign size ${size}: it needs a proof from size ${
        sizes[witnessIndex]
      }`,
    );
  }

  #sizesOf(origin: string): number[] {
    const sizes = this.#sizes.get(origin) ?? this.#ids.map(() => 0);
    this.#sizes.set(origin, sizes);
    return sizes;
  }
}
