/**
 * Intake: finds duplicates, admits new digests and has sequences assigned to them. Sequences are returned
 * once they are durable. Tokens that an admission redeems for new digests are redeemed in the step that
 * assigns the sequences.
 *
 * An intake runs in the thread of its {@linkcode Assigner}, or in a front, over a link to it.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../../base/bytes.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import { FairTurns } from "../../base/fair_turns.ts";
import type { Assigned, AssignRequest } from "../fronts/ports.ts";
import { ABSENT, type DigestIndex, PERHAPS_SEALED } from "../index/digest_index.ts";
import { DIGEST_WORDS } from "../index/keyed_hash.ts";
import type { Admission, Repeats } from "../ports.ts";
import type { AttestationReader } from "../proving/attestation_reader.ts";
import { NO_TRACER, type Tracer } from "../tracer.ts";
import { requireRoom, type SequenceSource, tokenSpent } from "./assigner.ts";
import { Lookup, NOT_FINAL } from "./lookup.ts";

/** The positions of the new digests of a request for one digest. */
const ONLY_POSITION: readonly number[] = [0];

/** Token ids to redeem for the digests at `positions` of a request, in that order. */
interface Spends {
  readonly positions: readonly number[];
  readonly ids: Lookup;
}

export interface IntakeOptions {
  /** The index of redeemed ids; when absent, no token can be redeemed. */
  readonly spent?: DigestIndex | undefined;
  /** When absent, no request is traced. */
  readonly tracer?: Tracer;
  /** Knows which attestations are in memory; when absent, all are. */
  readonly reader?: Pick<AttestationReader, "isInMemory">;
  /** The machine's clock when absent. */
  readonly clock?: Clock;
}

/** Idempotent by digest, between concurrent requests and across restarts. */
export class Intake {
  readonly #index: DigestIndex;
  readonly #source: SequenceSource;
  readonly #spent: DigestIndex | undefined;
  readonly #tracer: Tracer;
  readonly #reader: Pick<AttestationReader, "isInMemory"> | undefined;
  /** Turns in which the bulk requests of clients read the store. */
  readonly turns: FairTurns;

  constructor(index: DigestIndex, source: SequenceSource, options: IntakeOptions = {}) {
    this.#index = index;
    this.#source = source;
    this.#spent = options.spent;
    this.#tracer = options.tracer ?? NO_TRACER;
    this.#reader = options.reader;
    this.turns = new FairTurns(options.clock ?? systemClock);
  }

  /**
   * The sequence of digest `i` of `words`. Over a link it is durable; else it is returned synchronously
   * unless the store has to be read or a token redeemed, and {@linkcode Committer.whenDurable} tells when it
   * is durable. Fails with `overloaded`, `token_spent` or an error of `admission`; then no sequence was
   * assigned. `words` may be reused after the call.
   */
  take(words: Uint32Array, i: number, admission?: Admission): number | Promise<number> {
    const found = this.#index.probe(words, i);
    if (found === PERHAPS_SEALED) return this.#takeSlowly(words, i, admission);
    if (found === ABSENT) {
      requireRoom(this.#source.backlog, 1);
      const ids = admission?.admit(ONLY_POSITION);
      if (ids instanceof Promise || ids !== undefined && ids.length > 0) {
        return this.#takeSlowly(words, i, { admit: () => ids });
      }
    } else if (found < this.#source.finalEnd) {
      this.#tracer.digestReceived(found);
      return found;
    }
    if (this.#source.take === undefined) {
      return this.#takeRemotely(digestAt(words, i), found === ABSENT ? admission : undefined);
    }
    const sequence = this.#source.take(words, i);
    this.#tracer.digestReceived(sequence);
    return sequence;
  }

  /**
   * The sequences of packed digests, once all are durable. Rejects with `overloaded`, `token_spent` or an
   * error of `admission`; then none of the digests is accepted.
   */
  async submit(digests: Bytes, admission?: Admission): Promise<readonly number[]> {
    const sequences = await this.#resolve(digests, admission, { isBulk: true });
    let end = 0;
    for (const sequence of sequences) end = Math.max(end, sequence + 1);
    await this.#source.whenDurable(end);
    return sequences;
  }

  /** {@linkcode take} with reads of the store. */
  async #takeSlowly(words: Uint32Array, i: number, admission?: Admission): Promise<number> {
    const [sequence] = await this.#resolve(digestAt(words, i), admission);
    return sequence!;
  }

  /** {@linkcode take} over a link, for a digest that is in no sealed run and that `admitted` has admitted. */
  async #takeRemotely(digest: Bytes, admitted: Admission | undefined): Promise<number> {
    const request = { digests: digest, sealedRuns: this.#sealedRuns };
    const assigned = await this.#source.assign(request);
    if (assigned === undefined) {
      return (await this.#resolve(digest, admitted, { admitted: ONLY_POSITION }))[0]!;
    }
    const sequence = assigned.sequences[0]!;
    if (sequence < assigned.firstNew) admitted?.repeated?.(1);
    this.#tracer.digestReceived(sequence);
    return sequence;
  }

  /**
   * Returns the sequences of packed digests before they are durable, with look-ups in the store if needed.
   * A bulk request is charged for its repeats and takes turns with others when it reads the store. The
   * digests at `admitted` were admitted before.
   */
  async #resolve(
    digests: Bytes,
    admission: Admission | undefined,
    { isBulk = false, admitted }: {
      readonly isBulk?: boolean;
      readonly admitted?: readonly number[];
    } = {},
  ): Promise<readonly number[]> {
    const asked = new Lookup(this.#index, digests, () => this.#source.finalEnd);
    let unpaid = isBulk ? admission : undefined;
    let condition = admitted === undefined ? admission : undefined;
    let spends: Spends | undefined;
    let firstNew: number | undefined;
    while (true) {
      const sealedRuns = this.#sealedRuns;
      const lookups = spends === undefined ? [asked] : [asked, spends.ids];
      const suspects = lookups.filter((lookup) => lookup.probe());
      unpaid?.chargeRepeats?.(this.#repeatsOf(asked));
      unpaid = undefined;
      for (const lookup of suspects) {
        await (isBulk
          ? this.turns.run(admission?.client ?? "", (turn) => lookup.askStore(turn))
          : lookup.askStore());
      }
      // If a run was sealed during the look-up, digests have moved from memory to the store: repeat.
      if (sealedRuns !== this.#sealedRuns) continue;
      if (suspects.length > 0) { for (const lookup of lookups) lookup.probeAgain(); }
      const positions = condition === undefined ? [] : asked.absentPositions();
      if (condition === undefined || positions.length === 0) {
        const assigned = this.#assign(asked, spends, sealedRuns);
        firstNew = assigned instanceof Promise ? await assigned : assigned;
        if (firstNew !== undefined) break;
        continue;
      }
      requireRoom(this.#source.backlog, positions.length);
      spends = this.#spendsFor(positions, await condition.admit(positions));
      condition = undefined;
      admitted = positions;
    }
    const end = firstNew;
    const repeated = admitted?.filter((position) => asked.numbers[position]! < end).length ?? 0;
    if (repeated > 0) admission?.repeated?.(repeated);
    for (const sequence of asked.numbers) this.#tracer.digestReceived(sequence);
    return asked.numbers;
  }

  /** The repeats in `asked`. Digests that only the store can tell from new ones count as stored. */
  #repeatsOf({ numbers }: Lookup): Repeats {
    let stored = 0;
    let recent = 0;
    for (const number of numbers) {
      if (number === PERHAPS_SEALED) stored++;
      else if (number === NOT_FINAL) recent++;
      else if (number >= 0) this.#reader?.isInMemory(number) ?? true ? recent++ : stored++;
    }
    return { stored, recent };
  }

  /** Increases whenever sealing moves digests from memory to the store. */
  get #sealedRuns(): number {
    return this.#index.sealedRuns + (this.#spent?.sealedRuns ?? 0);
  }

  #spendsFor(positions: readonly number[], ids: Bytes): Spends | undefined {
    if (ids.length === 0) return undefined;
    if (this.#spent !== undefined && ids.length === positions.length * HASH_LENGTH) {
      // Which ids in memory are redeemed, and whether their digests are still new, is known when the
      // sequences are assigned.
      return { positions, ids: new Lookup(this.#spent, ids, () => 0) };
    }
    throw new CountersignError(
      "internal",
      `Cannot redeem tokens: got ${ids.length} bytes of ids for ${positions.length} hashes`,
    );
  }

  /**
   * Has sequences assigned to digests without a final one. Returns {@linkcode Assigned.firstNew}, or
   * `undefined` if a run was sealed since the look-up. In the thread of the assigner nothing is awaited
   * between the last look-up and the assignment.
   */
  #assign(
    asked: Lookup,
    spends: Spends | undefined,
    sealedRuns: number,
  ): number | undefined | Promise<number | undefined> {
    const open = asked.openPositions();
    if (open.length === 0) return Infinity;
    const request: AssignRequest = {
      digests: asked.digestsAt(open),
      ...(spends !== undefined && { spends: spendsAt(open, asked.digests, spends) }),
      sealedRuns,
    };
    const settle = (assigned: Assigned | undefined) => {
      assigned?.sequences.forEach((sequence, i) => asked.numbers[open[i]!] = sequence);
      return assigned?.firstNew;
    };
    const assigned = this.#source.assign(request);
    return assigned instanceof Promise ? assigned.then(settle) : settle(assigned);
  }
}

/**
 * The spends for the digests at `open` positions of a request, as an assigner takes them. Throws
 * `token_spent` if the store has one of the ids.
 */
function spendsAt(
  open: readonly number[],
  digests: Bytes,
  { positions, ids }: Spends,
): NonNullable<AssignRequest["spends"]> {
  const indexes: number[] = [];
  const kept: number[] = [];
  let index = 0;
  for (const [i, position] of positions.entries()) {
    // Both lists ascend.
    while (open[index]! < position) index++;
    if (open[index] !== position) continue;
    if (ids.numbers[i]! >= 0) throw tokenSpent(digests, position);
    indexes.push(index);
    kept.push(i);
  }
  return { positions: indexes, ids: ids.digestsAt(kept) };
}

/** A copy of digest `i` of `words`, which are little-endian. */
function digestAt(words: Uint32Array, i: number): Bytes {
  const digest = new Uint8Array(HASH_LENGTH);
  // Byte by byte: a view of the words would allocate a buffer outside of the heap.
  for (let at = 0, word = i * DIGEST_WORDS; at < HASH_LENGTH; at += 4, word++) {
    const value = words[word]!;
    digest[at] = value;
    digest[at + 1] = value >>> 8;
    digest[at + 2] = value >>> 16;
    digest[at + 3] = value >>> 24;
  }
  return digest;
}
