/**
 * Assigns sequences to new digests and redeems their tokens. Synchronous, so that no two digests get the
 * same sequence, and all or nothing. It looks up digests in memory only: callers ask the store before.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import type { Assigned, AssignRequest, SequencerLink } from "../fronts/ports.ts";
import { ABSENT } from "../index/digest_index.ts";
import type { HashIndex } from "../index/hash_index.ts";
import { wordsOf } from "../index/keyed_hash.ts";
import type { SpentIds } from "../index/spent_ids.ts";
import type { Tracer } from "../tracer.ts";
import type { Committer } from "./committer.ts";

/** Digests that may wait for a commit; more are refused. */
const MAX_BACKLOG = 65_536;

/** Gives an intake its sequences: an {@linkcode Assigner} in its thread, or a {@linkcode LinkAssigner}. */
export interface SequenceSource {
  /** How many digests wait for a commit. */
  readonly backlog: number;
  /** A sequence below this one that was found in memory is final; a later one has to be assigned again. */
  readonly finalEnd: number;
  /**
   * Assigns a sequence to digest `i` of `words`. The caller found in this turn that the digest is new and
   * has room. Absent if it takes a promise.
   */
  take?(words: Uint32Array, i: number): number;
  /**
   * {@linkcode SequencerLink.assign} for digests that are in no sealed run. Without a promise, the
   * sequences may not be durable yet.
   */
  assign(request: AssignRequest): Assigned | undefined | Promise<Assigned | undefined>;
  /** Resolves when every digest below `end` is on disk; rejects with `storage_failed`, `shutting_down`. */
  whenDurable(end: number): Promise<void>;
}

/** Assigns the sequences of one log. */
export class Assigner implements SequenceSource {
  readonly finalEnd = Infinity;
  readonly #index: HashIndex;
  readonly #committer: Pick<Committer, "backlog" | "wake" | "whenDurable">;
  readonly #spent: SpentIds | undefined;
  #refusal: string | undefined;

  /** Without `spent`, no token can be redeemed. */
  constructor(
    index: HashIndex,
    committer: Pick<Committer, "backlog" | "wake" | "whenDurable">,
    spent?: SpentIds,
  ) {
    this.#index = index;
    this.#committer = committer;
    this.#spent = spent;
  }

  get backlog(): number {
    return this.#committer.backlog;
  }

  whenDurable(end: number): Promise<void> {
    return this.#committer.whenDurable(end);
  }

  /** The log has ended: only a digest of this gateway's own is assigned a sequence. */
  end(refusal: string): void {
    this.#refusal = refusal;
  }

  take(words: Uint32Array, i: number): number {
    this.#requireOpen();
    const sequence = this.#index.append(words, i);
    this.#committer.wake();
    return sequence;
  }

  /** The sequence of a digest of this gateway's own that is in no sealed run: assigned, or found. */
  takeOwn(digest: Bytes): number {
    const sequence = this.#index.take(wordsOf(digest), 0);
    this.#committer.wake();
    return sequence;
  }

  /**
   * The sequences of the digests, which may not be durable yet. `undefined` if `sealedRuns` is out of date.
   * Throws `overloaded` or `token_spent`; then no sequence was assigned.
   */
  assign(request: AssignRequest): Assigned | undefined {
    if (request.sealedRuns !== this.#sealedRuns) return undefined;
    this.#requireOpen();
    const { digests, spends } = request;
    const words = wordsOf(digests);
    const count = digests.length / HASH_LENGTH;
    // If even new digests have room, the first look-up can append them.
    if (this.backlog + count > MAX_BACKLOG) requireRoom(this.backlog, this.#countNew(words, count));
    if (spends !== undefined) this.#requireUnspent(digests, spends);
    const ids = spends && wordsOf(spends.ids);
    const sequences = new Array<number>(count);
    const firstNew = this.#index.end;
    let nextSpend = 0;
    for (let i = 0; i < count; i++) {
      const spend = spends?.positions[nextSpend] === i ? nextSpend++ : undefined;
      const { end } = this.#index;
      const sequence = this.#index.take(words, i);
      sequences[i] = sequence;
      if (spend !== undefined && sequence === end) this.#spent!.append(ids!, spend, sequence);
    }
    this.#committer.wake();
    return { sequences, firstNew };
  }

  #requireOpen(): void {
    if (this.#refusal !== undefined) throw new CountersignError("log_ended", this.#refusal);
  }

  /** Increases whenever sealing moves digests or ids from memory to the store. */
  get #sealedRuns(): number {
    return this.#index.sealedRuns + (this.#spent?.index.sealedRuns ?? 0);
  }

  #countNew(words: Uint32Array, count: number): number {
    let found = 0;
    for (let i = 0; i < count; i++) {
      if (this.#index.probeUnsealed(words, i) === ABSENT) found++;
    }
    return found;
  }

  /** Throws `token_spent` unless each id for a digest that is still new is unredeemed and occurs once. */
  #requireUnspent(
    digests: Bytes,
    { positions, ids }: NonNullable<AssignRequest["spends"]>,
  ): void {
    if (this.#spent === undefined) {
      throw new CountersignError("internal", "Cannot redeem tokens: their index is not loaded");
    }
    const words = wordsOf(digests);
    const idWords = wordsOf(ids);
    const needed = new Set<string>();
    for (const [i, position] of positions.entries()) {
      if (this.#index.probeUnsealed(words, position) !== ABSENT) continue;
      const id = ids.subarray(i * HASH_LENGTH, (i + 1) * HASH_LENGTH).toHex();
      if (needed.has(id) || this.#spent.index.probeUnsealed(idWords, i) !== ABSENT) {
        throw tokenSpent(digests, position);
      }
      needed.add(id);
    }
  }
}

/** The sequencer's progress as a front knows it. */
export interface KnownProgress {
  /** Sequence after the last digest on disk. */
  readonly durable: number;
  /** How many digests wait for a commit. */
  readonly backlog: number;
}

/** Has sequences assigned over a link. All of them are durable. */
export class LinkAssigner implements SequenceSource {
  readonly #link: SequencerLink;
  readonly #progress: KnownProgress;
  readonly #tracer: Pick<Tracer, "currentRequest"> | undefined;

  /** Without `tracer`, no request is traced. */
  constructor(
    link: SequencerLink,
    progress: KnownProgress,
    tracer?: Pick<Tracer, "currentRequest">,
  ) {
    this.#link = link;
    this.#progress = progress;
    this.#tracer = tracer;
  }

  get backlog(): number {
    return this.#progress.backlog;
  }

  get finalEnd(): number {
    return this.#progress.durable;
  }

  async assign(request: AssignRequest): Promise<Assigned | undefined> {
    const trace = this.#tracer?.currentRequest();
    const assigned = await this.#link.assign(
      trace === undefined ? request : { ...request, trace },
    );
    // The run that was sealed since is among the updates.
    if (assigned === undefined) this.#link.catchUp();
    return assigned;
  }

  whenDurable(): Promise<void> {
    return Promise.resolve();
  }
}

/** Throws `overloaded` unless `count` more digests may wait for a commit. */
export function requireRoom(backlog: number, count: number): void {
  if (count === 0 || backlog + count <= MAX_BACKLOG) return;
  throw new CountersignError(
    "overloaded",
    `${backlog} of at most ${MAX_BACKLOG} hashes wait for a commit; retry later`,
  );
}

/** The error for the digest at `position`, whose token was redeemed for another one. */
export function tokenSpent(digests: Bytes, position: number): CountersignError {
  const hash = digests.subarray(position * HASH_LENGTH, (position + 1) * HASH_LENGTH).toHex();
  return new CountersignError("token_spent", `The token for hash ${hash} is spent`);
}
