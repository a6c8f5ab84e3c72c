/**
 * Intake: finds duplicates and assigns a sequence to each new digest. Sequences are assigned
 * synchronously, so that no two digests get the same one, and returned once they are durable. Tokens that
 * an admission redeems for new digests are redeemed in the step that assigns the sequences.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../../bytes.ts";
import { type Clock, systemClock } from "../../clock.ts";
import { CountersignError } from "../../errors.ts";
import { FairTurns } from "../../fair_turns.ts";
import type { AttestationReader } from "../proving/attestation_reader.ts";
import type { Committer } from "./committer.ts";
import { type HashIndex, PERHAPS_SEALED } from "../index/hash_index.ts";
import { DIGEST_WORDS } from "../index/keyed_hash.ts";
import { Lookup } from "./lookup.ts";
import type { Admission, Repeats } from "../ports.ts";
import type { SpentIds } from "../index/spent_ids.ts";
import { NO_TRACER, type Tracer } from "../tracer.ts";

/** Digests that may wait for a commit; more are refused. */
const MAX_BACKLOG = 65_536;
/** The positions of the new digests of a request for one digest. */
const ONLY_POSITION: readonly number[] = [0];

/** Token ids to redeem for the digests at `positions` of a request, in that order. */
interface Spends {
  readonly positions: readonly number[];
  readonly ids: Lookup;
}

export interface IntakeOptions {
  /** When absent, no token can be redeemed. */
  readonly spent?: SpentIds | undefined;
  /** When absent, no request is traced. */
  readonly tracer?: Tracer;
  /** Knows which attestations are in memory; when absent, all are. */
  readonly reader?: Pick<AttestationReader, "isInMemory">;
  /** The machine's clock when absent. */
  readonly clock?: Clock;
}

/** Idempotent by digest, between concurrent requests and across restarts. */
export class Intake {
  readonly #index: HashIndex;
  readonly #committer: Committer;
  readonly #spent: SpentIds | undefined;
  readonly #tracer: Tracer;
  readonly #reader: Pick<AttestationReader, "isInMemory"> | undefined;
  /** Turns in which the bulk requests of clients read the store. */
  readonly turns: FairTurns;

  constructor(index: HashIndex, committer: Committer, options: IntakeOptions = {}) {
    this.#index = index;
    this.#committer = committer;
    this.#spent = options.spent;
    this.#tracer = options.tracer ?? NO_TRACER;
    this.#reader = options.reader;
    this.turns = new FairTurns(options.clock ?? systemClock);
  }

  /**
   * The sequence of digest `i` of `words`. Returned synchronously unless the store has to be read or a
   * token redeemed. {@linkcode Committer.whenDurable} tells when it is durable. Fails with `overloaded`,
   * `token_spent` or an error of `admission`; then no sequence was assigned.
   */
  take(words: Uint32Array, i: number, admission?: Admission): number | Promise<number> {
    const hasRoom = this.#committer.backlog < MAX_BACKLOG;
    const found = hasRoom && admission === undefined
      ? this.#index.take(words, i)
      : this.#index.probe(words, i);
    if (found >= 0) {
      this.#committer.wake();
      this.#tracer.digestReceived(found);
      return found;
    }
    if (found === PERHAPS_SEALED) return this.#takeSlowly(words, i, admission);
    if (!hasRoom || admission === undefined) throw overloaded(this.#committer.backlog);
    const answer = admission.admit(ONLY_POSITION);
    if (answer instanceof Promise || answer.length > 0) {
      return this.#takeSlowly(words, i, { admit: () => answer });
    }
    const sequence = this.#index.append(words, i);
    this.#committer.wake();
    this.#tracer.digestReceived(sequence);
    return sequence;
  }

  /**
   * The sequences of packed digests, once all are durable. Rejects with `overloaded`, `token_spent` or an
   * error of `admission`; then none of the digests is accepted.
   */
  async submit(digests: Bytes, admission?: Admission): Promise<readonly number[]> {
    const sequences = await this.#resolve(digests, admission, true);
    let end = 0;
    for (const sequence of sequences) end = Math.max(end, sequence + 1);
    await this.#committer.whenDurable(end);
    return sequences;
  }

  /** {@linkcode take} with reads of the store. `words` may be reused after the call. */
  async #takeSlowly(words: Uint32Array, i: number, admission?: Admission): Promise<number> {
    const { buffer } = words.slice(i * DIGEST_WORDS, (i + 1) * DIGEST_WORDS);
    const [sequence] = await this.#resolve(new Uint8Array(buffer), admission, false);
    return sequence!;
  }

  /**
   * Returns the sequences of packed digests before they are durable, with look-ups in the store if needed.
   * A bulk request is charged for its repeats and takes turns with others when it reads the store.
   */
  async #resolve(
    digests: Bytes,
    admission: Admission | undefined,
    isBulk: boolean,
  ): Promise<readonly number[]> {
    const asked = new Lookup(this.#index, digests);
    let unpaid = isBulk ? admission : undefined;
    let spends: Spends | undefined;
    for (let condition = admission;; condition = undefined) {
      const lookups = spends === undefined ? [asked] : [asked, spends.ids];
      let sealedRuns: number;
      // If a run is sealed during the look-up, digests have moved from memory to the store: repeat.
      do {
        sealedRuns = this.#sealedRuns;
        const suspects = lookups.filter((lookup) => lookup.probe());
        unpaid?.chargeRepeats?.(this.#repeatsOf(asked));
        unpaid = undefined;
        for (const lookup of suspects) {
          await (isBulk
            ? this.turns.run(admission?.client ?? "", (turn) => lookup.askStore(turn))
            : lookup.askStore());
        }
        if (suspects.length > 0) { for (const lookup of lookups) lookup.probeAgain(); }
      } while (sealedRuns !== this.#sealedRuns);
      const positions = condition === undefined ? [] : asked.absentPositions();
      if (condition === undefined || positions.length === 0) break;
      this.#requireRoom(positions.length);
      spends = this.#spendsFor(positions, await condition.admit(positions));
    }
    // No await since the last probe: no other request can have added these digests or redeemed these ids.
    this.#append(asked, spends);
    this.#committer.wake();
    for (const sequence of asked.numbers) this.#tracer.digestReceived(sequence);
    return asked.numbers;
  }

  /** The repeats in `asked`. Digests that only the store can tell from new ones count as stored. */
  #repeatsOf({ numbers }: Lookup): Repeats {
    let stored = 0;
    let recent = 0;
    for (const number of numbers) {
      if (number === PERHAPS_SEALED) stored++;
      else if (number >= 0) this.#reader?.isInMemory(number) ?? true ? recent++ : stored++;
    }
    return { stored, recent };
  }

  /** Increases whenever sealing moves digests from memory to the store. */
  get #sealedRuns(): number {
    return this.#index.sealedRuns + (this.#spent?.index.sealedRuns ?? 0);
  }

  #spendsFor(positions: readonly number[], ids: Bytes): Spends | undefined {
    if (ids.length === 0) return undefined;
    if (this.#spent !== undefined && ids.length === positions.length * HASH_LENGTH) {
      return { positions, ids: new Lookup(this.#spent.index, ids) };
    }
    throw new CountersignError(
      "internal",
      `Cannot redeem tokens: got ${ids.length} bytes of ids for ${positions.length} hashes`,
    );
  }

  /** Assigns sequences to new digests and redeems their tokens: all or none. */
  #append({ words, hashes, numbers, absent }: Lookup, spends: Spends | undefined): void {
    this.#requireRoom(absent);
    if (spends !== undefined) requireUnspent(numbers, spends);
    let nextSpend = 0;
    for (let i = 0; i < numbers.length; i++) {
      const spend = spends?.positions[nextSpend] === i ? nextSpend++ : undefined;
      if (numbers[i]! >= 0) continue;
      // A request may repeat a digest: the second occurrence finds the first.
      numbers[i] = this.#index.takeProbed(words, i, hashes);
      if (spend !== undefined) this.#spent!.append(spends!.ids.words, spend, numbers[i]!);
    }
  }

  #requireRoom(count: number): void {
    const { backlog } = this.#committer;
    if (count > 0 && backlog + count > MAX_BACKLOG) throw overloaded(backlog);
  }
}

/**
 * Throws `token_spent` unless each id for a digest that is still new is unredeemed and occurs once. For a
 * digest that another request has added meanwhile, nothing is redeemed.
 */
function requireUnspent(sequences: readonly number[], { positions, ids }: Spends): void {
  const needed: number[] = [];
  positions.forEach((position, i) => {
    if (sequences[position]! < 0) needed.push(i);
  });
  const unspent = ids.firstOfEach(needed.filter((i) => ids.numbers[i]! < 0));
  if (unspent.length === needed.length) return;
  // Both lists ascend: their first difference is the first id that cannot be redeemed.
  throw tokenSpent(positions[needed.find((i, at) => unspent[at] !== i)!]!);
}

function overloaded(backlog: number): CountersignError {
  return new CountersignError(
    "overloaded",
    `${backlog} of at most ${MAX_BACKLOG} hashes wait for a commit; retry later`,
  );
}

function tokenSpent(position: number): CountersignError {
  return new CountersignError(
    "token_spent",
    `The token at index ${position} is spent`,
  );
}
