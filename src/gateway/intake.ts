/**
 * Intake: finds duplicates and gives every new digest its sequence. Sequences are handed out
 * synchronously, so that no two requests can be given one, and answered when they are durable. What
 * an admission has spent for new digests is spent in the step in which they are given theirs.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../bytes.ts";
import { type Clock, systemClock } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import { FairTurns } from "../fair_turns.ts";
import type { AttestationReader } from "./attestation_reader.ts";
import type { Committer } from "./committer.ts";
import { type HashIndex, PERHAPS_SEALED } from "./hash_index.ts";
import { DIGEST_WORDS } from "./keyed_hash.ts";
import { Lookup } from "./lookup.ts";
import type { Admission, Repeats } from "./ports.ts";
import type { SpentIds } from "./spent_ids.ts";
import { NO_TRACER, type Tracer } from "./tracer.ts";

/** Digests that may wait for a commit before more are refused. */
const MAX_BACKLOG = 65_536;
/** What an admission is asked for a request of one digest. */
const ONLY_PLACE: readonly number[] = [0];

/** What is to be spent for the digests at `places` of a request, in that order. */
interface Spends {
  readonly places: readonly number[];
  readonly ids: Lookup;
}

export interface IntakeOptions {
  /** Without it, no token can be spent. */
  readonly spent?: SpentIds | undefined;
  /** Without it, no request is traced. */
  readonly tracer?: Tracer;
  /** Tells which attestations memory holds; without it, all. */
  readonly reader?: Pick<AttestationReader, "isInMemory">;
  /** The machine's where absent. */
  readonly clock?: Clock;
}

/** Idempotent by digest: between concurrent requests and across restarts. */
export class Intake {
  readonly #index: HashIndex;
  readonly #committer: Committer;
  readonly #spent: SpentIds | undefined;
  readonly #tracer: Tracer;
  readonly #reader: Pick<AttestationReader, "isInMemory"> | undefined;
  /** Turns of clients whose bulk requests read the store. */
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
   * Sequence of digest `i` of `words`, given out now when it is new and nothing has to be asked or
   * spent; else a promise of it. Durable when the committer says so. `overloaded`, `token_spent`, or
   * what `admission` refuses with, in which case none was given out.
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
    const answer = admission.admit(ONLY_PLACE);
    if (answer instanceof Promise || answer.length > 0) {
      return this.#takeSlowly(words, i, { admit: () => answer });
    }
    const sequence = this.#index.append(words, i);
    this.#committer.wake();
    this.#tracer.digestReceived(sequence);
    return sequence;
  }

  /**
   * Sequences of packed digests, once all are durable; `overloaded`, `token_spent` or what `admission`
   * refuses with, in which case none of them is taken.
   */
  async submit(digests: Bytes, admission?: Admission): Promise<readonly number[]> {
    const sequences = await this.#resolve(digests, admission, true);
    let end = 0;
    for (const sequence of sequences) end = Math.max(end, sequence + 1);
    await this.#committer.whenDurable(end);
    return sequences;
  }

  /** {@linkcode take} in the general way; `words` may be used for others once it has returned. */
  async #takeSlowly(words: Uint32Array, i: number, admission?: Admission): Promise<number> {
    const { buffer } = words.slice(i * DIGEST_WORDS, (i + 1) * DIGEST_WORDS);
    const [sequence] = await this.#resolve(new Uint8Array(buffer), admission, false);
    return sequence!;
  }

  /**
   * Returns sequences of packed digests before any is durable, with look-ups in the store where
   * needed. A bulk request is charged for its repeats, and asks the store in turns with others.
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
      // A run that is sealed while the store is asked may have taken digests with it: ask again.
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
      const places = condition === undefined ? [] : asked.absentPlaces();
      if (condition === undefined || places.length === 0) break;
      this.#requireRoom(places.length);
      spends = this.#spendsFor(places, await condition.admit(places));
    }
    // No wait since the last probe: nobody else can have been given what is unknown here, or have
    // spent what is not spent.
    this.#append(asked, spends);
    this.#committer.wake();
    for (const sequence of asked.numbers) this.#tracer.digestReceived(sequence);
    return asked.numbers;
  }

  /** The repeats that `asked` found, with those that only the store can tell from new ones. */
  #repeatsOf({ numbers }: Lookup): Repeats {
    let stored = 0;
    let recent = 0;
    for (const number of numbers) {
      if (number === PERHAPS_SEALED) stored++;
      else if (number >= 0) this.#reader?.isInMemory(number) ?? true ? recent++ : stored++;
    }
    return { stored, recent };
  }

  /** How often sealing has moved something from memory to the store. */
  get #sealedRuns(): number {
    return this.#index.sealedRuns + (this.#spent?.index.sealedRuns ?? 0);
  }

  #spendsFor(places: readonly number[], ids: Bytes): Spends | undefined {
    if (ids.length === 0) return undefined;
    if (this.#spent !== undefined && ids.length === places.length * HASH_LENGTH) {
      return { places, ids: new Lookup(this.#spent.index, ids) };
    }
    throw new CountersignError(
      "internal",
      `Cannot accept digests: nothing to spend, or ${HASH_LENGTH} bytes for each of ` +
        `${places.length} and a gateway that spends, required, found ${ids.length} bytes`,
    );
  }

  /** Gives those that are new their sequences, and spends what is spent for them: all or nothing. */
  #append({ words, hashes, numbers, absent }: Lookup, spends: Spends | undefined): void {
    this.#requireRoom(absent);
    if (spends !== undefined) requireUnspent(numbers, spends);
    let nextSpend = 0;
    for (let i = 0; i < numbers.length; i++) {
      const spend = spends?.places[nextSpend] === i ? nextSpend++ : undefined;
      if (numbers[i]! >= 0) continue;
      // Within one request a digest may stand twice: the second finds the first.
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
 * Of what is to be spent for digests that are still new, nothing was spent and nothing stands twice.
 * Who was overtaken by another request with the same digest spends nothing for it.
 */
function requireUnspent(sequences: readonly number[], { places, ids }: Spends): void {
  const needed: number[] = [];
  places.forEach((place, i) => {
    if (sequences[place]! < 0) needed.push(i);
  });
  const unspent = ids.firstOfEach(needed.filter((i) => ids.numbers[i]! < 0));
  if (unspent.length === needed.length) return;
  // Both ascend: where they part is the first that cannot be spent.
  throw tokenSpent(places[needed.find((i, at) => unspent[at] !== i)!]!);
}

function overloaded(backlog: number): CountersignError {
  return new CountersignError(
    "overloaded",
    `Cannot accept digests: at most ${MAX_BACKLOG} waiting required, found ${backlog}`,
  );
}

function tokenSpent(place: number): CountersignError {
  return new CountersignError(
    "token_spent",
    `Cannot accept digests: tokens that are spent once required, found one at index ${place} that ` +
      "was spent before",
  );
}
