/**
 * Intake: finds duplicates and gives every new digest its sequence. Sequences are handed out
 * synchronously, so that no two requests can be given one, and answered when they are durable.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { Committer } from "./committer.ts";
import { ABSENT, type HashIndex, PERHAPS_SEALED, wordsOf } from "./hash_index.ts";
import { DIGEST_WORDS } from "./keyed_hash.ts";

/** Digests that may wait for a commit before more are refused. */
const MAX_BACKLOG = 65_536;

/** Idempotent by digest: between concurrent requests and across restarts. */
export class Intake {
  readonly #index: HashIndex;
  readonly #committer: Committer;

  constructor(index: HashIndex, committer: Committer) {
    this.#index = index;
    this.#committer = committer;
  }

  /**
   * Sequence of digest `i` of `words`, given out now when it is new; a promise of it when sealed runs
   * may hold it. Durable when the committer says so. `overloaded`, in which case none was given out.
   */
  take(words: Uint32Array, i: number): number | Promise<number> {
    const found = this.#committer.backlog < MAX_BACKLOG
      ? this.#index.take(words, i)
      : this.#index.probe(words, i);
    if (found === PERHAPS_SEALED) {
      const digest = bytesOf(words.slice(i * DIGEST_WORDS, (i + 1) * DIGEST_WORDS));
      return this.#resolve(digest).then(([sequence]) => sequence!);
    }
    if (found === ABSENT) throw overloaded(this.#committer.backlog);
    this.#committer.wake();
    return found;
  }

  /** Sequences of packed digests, once all are durable; `overloaded` takes none of them. */
  async submit(digests: Bytes): Promise<readonly number[]> {
    const sequences = this.#takeAll(digests) ?? await this.#resolve(digests);
    let end = 0;
    for (const sequence of sequences) end = Math.max(end, sequence + 1);
    await this.#committer.whenDurable(end);
    return sequences;
  }

  /** One pass over digests that memory tells all about; `undefined` where it does not. */
  #takeAll(digests: Bytes): number[] | undefined {
    const count = digests.length / HASH_LENGTH;
    if (this.#committer.backlog + count > MAX_BACKLOG) return undefined;
    const words = wordsOf(digests);
    const sequences = new Array<number>(count);
    for (let i = 0; i < count; i++) {
      const sequence = this.#index.take(words, i);
      // Those before it keep their sequences, which the general way finds again.
      if (sequence === PERHAPS_SEALED) return undefined;
      sequences[i] = sequence;
    }
    return sequences;
  }

  /** Sequences of packed digests, the store asked where it has to be, before any is durable. */
  async #resolve(digests: Bytes): Promise<readonly number[]> {
    const words = wordsOf(digests);
    const count = digests.length / HASH_LENGTH;
    const sequences = new Array<number>(count).fill(-1);
    let sealedRuns: number;
    // A run that is sealed while the store is asked may have taken digests with it: ask again.
    do {
      sealedRuns = this.#index.sealedRuns;
      if (this.#probe(words, sequences)) {
        await this.#findSealed(digests, sequences);
        this.#probeAgain(words, sequences);
      }
    } while (sealedRuns !== this.#index.sealedRuns);
    // No wait since the last probe: nobody else can have been given what is unknown here.
    this.#append(words, sequences);
    this.#committer.wake();
    return sequences;
  }

  /** Fills in what memory knows; true when some may be in sealed runs. */
  #probe(words: Uint32Array, sequences: number[]): boolean {
    let suspects = false;
    for (let i = 0; i < sequences.length; i++) {
      const found = this.#index.probe(words, i);
      sequences[i] = found;
      suspects ||= found === PERHAPS_SEALED;
    }
    return suspects;
  }

  async #findSealed(digests: Bytes, sequences: number[]): Promise<void> {
    for (let i = 0; i < sequences.length; i++) {
      if (sequences[i] !== PERHAPS_SEALED) continue;
      const digest = digests.slice(i * HASH_LENGTH, (i + 1) * HASH_LENGTH);
      sequences[i] = await this.#index.findSealed(digest) ?? -1;
    }
  }

  /** Others were at work while the store was asked: looks up in memory what is still unknown. */
  #probeAgain(words: Uint32Array, sequences: number[]): void {
    for (let i = 0; i < sequences.length; i++) {
      if (sequences[i]! < 0) sequences[i] = Math.max(-1, this.#index.probe(words, i));
    }
  }

  #append(words: Uint32Array, sequences: number[]): void {
    const fresh = sequences.reduce((sum, sequence) => sum + (sequence < 0 ? 1 : 0), 0);
    if (fresh > 0 && this.#committer.backlog + fresh > MAX_BACKLOG) {
      throw overloaded(this.#committer.backlog);
    }
    for (let i = 0; i < sequences.length; i++) {
      if (sequences[i]! >= 0) continue;
      // Within one request a digest may stand twice: the second finds the first.
      const found = fresh === 1 ? -1 : this.#index.probe(words, i);
      sequences[i] = found >= 0 ? found : this.#index.append(words, i);
    }
  }
}

function overloaded(backlog: number): CountersignError {
  return new CountersignError(
    "overloaded",
    `Cannot accept digests: at most ${MAX_BACKLOG} waiting required, found ${backlog}`,
  );
}

function bytesOf(words: Uint32Array<ArrayBuffer>): Bytes {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}
