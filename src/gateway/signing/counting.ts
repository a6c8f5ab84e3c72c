/**
 * Counts the signatures of one round or head until they meet the threshold, for each scheme by its rule.
 * A signature counts only if it verifies under the configured key of its witness.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import type { Bls } from "../../proof/crypto/bls.ts";
import { BLS_SIGNATURE_DST } from "../../proof/crypto/domains.ts";
import type { Ed25519Verify } from "../../proof/crypto/ed25519_rule.ts";
import type { IndexedSignature, IndexedSignatureSet } from "../../proof/format/records.ts";

/** What an answer led to. Lists have witness indexes. An answer in neither list is not verified yet. */
export interface CountResult {
  /** Witnesses whose signatures verify. */
  readonly right: readonly number[];
  /** Witnesses whose signatures do not verify; they are dropped. */
  readonly wrong: readonly number[];
  /** The final set, once the threshold is met. */
  readonly set?: IndexedSignatureSet;
}

/** The answers over one message, at most one for each witness. */
export interface Count {
  /** How many answers are held, verified or not. */
  readonly size: number;
  /** Takes an answer and verifies as many as the threshold needs. */
  take(answer: IndexedSignature): CountResult | Promise<CountResult>;
  /** Verifies all held answers. Called when the threshold is out of reach, to find wrong signatures. */
  verifyHeld(): CountResult;
}

export interface CountContext {
  /** By witness index. */
  readonly publicKeys: readonly Bytes[];
  /** How many signatures to collect: the network's threshold, or more. */
  readonly threshold: number;
  readonly message: Bytes;
}

const NOTHING_VERIFIED: CountResult = { right: [], wrong: [] };

/** Separate signatures, each verified when it arrives. */
export class SeparateCount implements Count {
  readonly #context: CountContext;
  readonly #verify: Ed25519Verify;
  readonly #counted: IndexedSignature[] = [];

  constructor(context: CountContext, verify: Ed25519Verify) {
    this.#context = context;
    this.#verify = verify;
  }

  get size(): number {
    return this.#counted.length;
  }

  take(answer: IndexedSignature): CountResult | Promise<CountResult> {
    const { publicKeys, message } = this.#context;
    const verified = this.#verify(publicKeys[answer.witness]!, message, answer.signature);
    // Count at once if possible, so that an answer after the last needed one is not verified.
    if (verified instanceof Promise) {
      return verified.then((isRight) => this.#count(answer, isRight));
    }
    return this.#count(answer, verified);
  }

  verifyHeld(): CountResult {
    return NOTHING_VERIFIED;
  }

  #count(answer: IndexedSignature, isRight: boolean): CountResult {
    const { threshold } = this.#context;
    if (!isRight) return { right: [], wrong: [answer.witness] };
    const right = [answer.witness];
    if (this.#counted.length === threshold) return { right, wrong: [] };
    this.#counted.push(answer);
    if (this.#counted.length < threshold) return { right, wrong: [] };
    return { right, wrong: [], set: this.#counted.toSorted(byWitnessIndex) };
  }
}

interface HeldShare extends IndexedSignature {
  isVerified: boolean;
}

/**
 * Shares of one aggregate signature. Their sum is verified once, at the cost of one signature. That is
 * enough: the keys have proofs of possession, so an aggregate that verifies is a signature by all of them,
 * even if single shares were wrong. Shares are verified separately only if the sum fails.
 */
export class AggregateCount implements Count {
  readonly #context: CountContext;
  readonly #bls: Bls;
  /** Witnesses whose last share was wrong: their shares are verified before they are added. */
  readonly #suspects: ReadonlySet<number>;
  #held: HeldShare[] = [];

  constructor(context: CountContext, bls: Bls, suspects: ReadonlySet<number>) {
    this.#context = context;
    this.#bls = bls;
    this.#suspects = suspects;
  }

  get size(): number {
    return this.#held.length;
  }

  take(answer: IndexedSignature): CountResult {
    const { threshold } = this.#context;
    const held = { ...answer, isVerified: false };
    if (this.#suspects.has(answer.witness)) {
      held.isVerified = this.#verifies(held);
      if (!held.isVerified) return { right: [], wrong: [answer.witness] };
    }
    this.#held.push(held);
    if (this.#held.length < threshold) return NOTHING_VERIFIED;
    const shares = this.#held.toSorted(byWitnessIndex);
    const witnesses = shares.map((share) => share.witness);
    const signature = this.#aggregate(shares);
    if (signature === undefined) return this.verifyHeld();
    return { right: witnesses, wrong: [], set: { witnesses, signature } };
  }

  verifyHeld(): CountResult {
    for (const share of this.#held) share.isVerified ||= this.#verifies(share);
    const wrong = this.#held.filter((share) => !share.isVerified);
    this.#held = this.#held.filter((share) => share.isVerified);
    return { right: this.#held.map(witnessIndexOf), wrong: wrong.map(witnessIndexOf) };
  }

  /** The sum of `shares`; `undefined` if a share is not in the group or the sum does not verify. */
  #aggregate(shares: readonly HeldShare[]): Bytes | undefined {
    const { publicKeys, message } = this.#context;
    const signature = this.#bls.aggregate(shares.map((share) => share.signature));
    if (signature === undefined) return undefined;
    const keys = shares.map((share) => publicKeys[share.witness]!);
    return this.#bls.fastAggregateVerify(keys, message, signature, BLS_SIGNATURE_DST)
      ? signature
      : undefined;
  }

  #verifies({ witness, signature }: HeldShare): boolean {
    const { publicKeys, message } = this.#context;
    return this.#bls.verify(publicKeys[witness]!, message, signature, BLS_SIGNATURE_DST);
  }
}

function witnessIndexOf({ witness }: IndexedSignature): number {
  return witness;
}

/** Ascending by witness index. */
export function byWitnessIndex(a: IndexedSignature, b: IndexedSignature): number {
  return a.witness - b.witness;
}
