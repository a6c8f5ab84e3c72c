/**
 * Counts the answers of one round to the threshold, by the rule of the network's scheme. No answer
 * is counted unverified, and each witness's by the key that is configured for it.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type { Bls } from "../crypto/bls.ts";
import { BLS_SIGNATURE_DST } from "../crypto/domains.ts";
import type { Ed25519Verify } from "../crypto/ed25519_rule.ts";
import type { IndexedSignature, IndexedSignatureSet } from "../format/records.ts";

/** What is known after an answer. Places that are in neither list have not been judged yet. */
export interface Judgement {
  /** Whose answers have been found right. */
  readonly right: readonly number[];
  /** Whose answers have been found wrong: they are dropped. */
  readonly wrong: readonly number[];
  /** The final set, once the threshold is met. */
  readonly set?: IndexedSignatureSet;
}

/** The answers of one round, each witness's taken at most once. */
export interface Count {
  /** How many answers are held that have not been found wrong. */
  readonly size: number;
  /** Takes an answer, and judges what the threshold needs judged. */
  take(answer: IndexedSignature): Judgement | Promise<Judgement>;
  /** Judges what is held: the threshold is out of reach, and it is for the blame alone. */
  judgeHeld(): Judgement;
}

/** What a count verifies with. */
export interface CountContext {
  /** By place. */
  readonly publicKeys: readonly Bytes[];
  /** How many signatures make the set: that of the network, or more. */
  readonly threshold: number;
  readonly message: Bytes;
}

const NOTHING_HELD: Judgement = { right: [], wrong: [] };

/** Signatures that stand side by side: each is verified as it comes. */
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

  take(answer: IndexedSignature): Judgement | Promise<Judgement> {
    const { publicKeys, message } = this.#context;
    const verified = this.#verify(publicKeys[answer.witness]!, message, answer.signature);
    // Counted in the same step where it can be: the next answer may then be late already.
    return verified instanceof Promise
      ? verified.then((isRight) => this.#judge(answer, isRight))
      : this.#judge(answer, verified);
  }

  judgeHeld(): Judgement {
    return NOTHING_HELD;
  }

  #judge(answer: IndexedSignature, isRight: boolean): Judgement {
    const { threshold } = this.#context;
    if (!isRight) return { right: [], wrong: [answer.witness] };
    const right = [answer.witness];
    if (this.#counted.length === threshold) return { right, wrong: [] };
    this.#counted.push(answer);
    if (this.#counted.length < threshold) return { right, wrong: [] };
    return { right, wrong: [], set: this.#counted.toSorted(byWitnessIndex) };
  }
}

/** A share that is held, and whether it was verified by itself. */
interface HeldShare extends IndexedSignature {
  isVerified: boolean;
}

/**
 * Shares of one signature. They are added up and verified together, which costs as much as one: an
 * aggregate that verifies under keys of proven possession is a signature by all of them, whatever
 * its shares were. Only one that does not is taken apart.
 */
export class AggregateCount implements Count {
  readonly #context: CountContext;
  readonly #bls: Bls;
  /** Witnesses whose last share was wrong: theirs are verified before they can spoil others. */
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

  take(answer: IndexedSignature): Judgement {
    const { threshold } = this.#context;
    const held = { ...answer, isVerified: false };
    if (this.#suspects.has(answer.witness)) {
      held.isVerified = this.#verifies(held);
      if (!held.isVerified) return { right: [], wrong: [answer.witness] };
    }
    this.#held.push(held);
    if (this.#held.length < threshold) return NOTHING_HELD;
    const shares = this.#held.toSorted(byWitnessIndex);
    const witnesses = shares.map((share) => share.witness);
    const signature = this.#aggregate(shares);
    if (signature === undefined) return this.judgeHeld();
    return { right: witnesses, wrong: [], set: { witnesses, signature } };
  }

  judgeHeld(): Judgement {
    for (const share of this.#held) share.isVerified ||= this.#verifies(share);
    const wrong = this.#held.filter((share) => !share.isVerified);
    this.#held = this.#held.filter((share) => share.isVerified);
    return { right: this.#held.map(witnessIndexOf), wrong: wrong.map(witnessIndexOf) };
  }

  /** The sum of `shares`, `undefined` when one is no point of the group or the sum is wrong. */
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

function byWitnessIndex(a: IndexedSignature, b: IndexedSignature): number {
  return a.witness - b.witness;
}
