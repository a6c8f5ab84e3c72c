/**
 * Writes jobs of recent rounds (protocol.md "Resources") as bytes. It makes no strings: the bytes of a job
 * are those of a {@linkcode confirmedSnapshot} of the same round, with its own hash, sequence and inclusion
 * path.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, utf8 } from "../../bytes.ts";
import type { SthRecord } from "../../format/records.ts";
import type { DigestIndex } from "../index/digest_index.ts";
import type { AttestationReader } from "../proving/attestation_reader.ts";
import type { ConfirmedRounds, RecentRound } from "../proving/confirmed_rounds.ts";
import type { PublishedHeads } from "../sequencing/published_heads.ts";
import { confirmedSnapshot } from "./job.ts";

const HEX_LENGTH = 2 * HASH_LENGTH;
/** A node of a path in quotes, with a comma. */
const NODE_LENGTH = HEX_LENGTH + 3;
/** Decimal digits of the largest integer on the wire. */
const MAX_DIGITS = 16;
/** Height of the subtrees whose leaves share the upper part of their paths. */
const SHARED_FROM = 4;

/** In texts that are cut into pieces. None of their values has such a character. */
const HASH_MARK = "\u0001";
const PATH_MARK = "\u0002";

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const ZERO = 0x30;

/** The two characters of each byte in hex. */
const HEX_DIGITS = utf8(
  Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte).toHex()).join(""),
);

/** The members of a snapshot, except those of the attestation, on which the jobs of a round may differ. */
export interface RoundJobContext {
  readonly networkId: string;
  readonly acceptedAt: number;
  /** As for {@linkcode confirmedSnapshot}. */
  readonly shared: string;
  readonly batch: { readonly id: number; readonly closedAt: number } | undefined;
}

/** Writes the jobs of a round. */
export class RoundJobs {
  readonly #first: number;
  readonly #levels: readonly Bytes[];
  /** By subtree: the upper part of its paths, each node with a comma before it. */
  readonly #upperPaths: (Bytes | undefined)[] = [];
  /** With room for the hash, twice. */
  readonly #beforeSequence: Bytes;
  readonly #firstHash: number;
  readonly #secondHash: number;
  readonly #beforeIndex = utf8('},"round":{"index":');
  readonly #beforePath: Bytes;
  readonly #afterPath: Bytes;
  /** No job is longer. */
  readonly maxLength: number;

  constructor({ record, tree }: RecentRound, { networkId, ...job }: RoundJobContext) {
    const round = { record };
    const { first } = record;
    const { json } = confirmedSnapshot(
      networkId,
      { round, hash: HASH_MARK, leafHash: "", sequence: first, pathJson: PATH_MARK },
      job,
    );
    const [start, middle, attested] = json.split(HASH_MARK) as [string, string, string];
    const beforeIndex = `${first}},"round":{"index":`;
    const sequenceAt = attested.indexOf(beforeIndex);
    const pathAt = attested.indexOf(PATH_MARK);
    const blank = "0".repeat(HEX_LENGTH);
    this.#first = first;
    this.#levels = tree.levels;
    this.#firstHash = start.length;
    this.#secondHash = start.length + HEX_LENGTH + middle.length;
    this.#beforeSequence = utf8(
      `${start}${blank}${middle}${blank}${attested.slice(0, sequenceAt)}`,
    );
    this.#beforePath = utf8(attested.slice(sequenceAt + beforeIndex.length + 1, pathAt));
    this.#afterPath = utf8(attested.slice(pathAt + PATH_MARK.length));
    this.maxLength = this.#beforeSequence.length + this.#beforeIndex.length + 2 * MAX_DIGITS +
      this.#beforePath.length + 2 + tree.levels.length * NODE_LENGTH + this.#afterPath.length;
  }

  /** Writes the job of `sequence` at `at` of `target`; returns the end. Its digest is at `from` of `digests`. */
  write(target: Bytes, at: number, job: {
    readonly sequence: number;
    readonly digests: Bytes;
    readonly from: number;
  }): number {
    const { sequence, digests, from } = job;
    const index = sequence - this.#first;
    target.set(this.#beforeSequence, at);
    writeHex(target, at + this.#firstHash, digests, from);
    writeHex(target, at + this.#secondHash, digests, from);
    let end = writeInteger(target, at + this.#beforeSequence.length, sequence);
    target.set(this.#beforeIndex, end);
    end = writeInteger(target, end + this.#beforeIndex.length, index);
    target.set(this.#beforePath, end);
    end = this.#writePath(target, end + this.#beforePath.length, index);
    target.set(this.#afterPath, end);
    return end + this.#afterPath.length;
  }

  /** Writes the inclusion path of the leaf at `index`, from leaf to root. */
  #writePath(target: Bytes, at: number, index: number): number {
    target[at] = OPENING_BRACKET;
    let end = at + 1;
    const top = Math.min(SHARED_FROM, this.#levels.length - 1);
    end = writeNodes(target, end, this.#levels, { index, from: 0, to: top });
    const upper = this.#upperPaths[index >>> SHARED_FROM] ??= this.#upperPathOf(index);
    target.set(upper, end);
    end += upper.length;
    // Each node ends with a comma.
    if (target[end - 1] === COMMA) end--;
    target[end] = CLOSING_BRACKET;
    return end + 1;
  }

  /** The path above the subtree of the leaf at `index`. */
  #upperPathOf(index: number): Bytes {
    const path = new Uint8Array(this.#levels.length * NODE_LENGTH);
    const to = this.#levels.length - 1;
    return path.subarray(0, writeNodes(path, 0, this.#levels, { index, from: SHARED_FROM, to }));
  }
}

export interface RecentJobsContext {
  readonly networkId: string;
  readonly confirmed: Pick<ConfirmedRounds, "find">;
  readonly index: Pick<DigestIndex, "acceptedInMemory">;
  readonly heads: Pick<PublishedHeads, "closing">;
  readonly reader: Pick<AttestationReader, "sharedOf">;
}

/** Finds the recent rounds of jobs. Consecutive jobs of a round with the same members share one writer. */
export class RecentJobs {
  readonly #context: RecentJobsContext;
  #round: RecentRound | undefined;
  #end = 0;
  #acceptedAt: number | undefined;
  #closing: SthRecord | undefined;
  #jobs: RoundJobs | undefined;

  constructor(context: RecentJobsContext) {
    this.#context = context;
  }

  /** Writes the job of `sequence`; `undefined` if its round, its time or its head is not in memory. */
  of(sequence: number): RoundJobs | undefined {
    const { confirmed, index, heads, reader, networkId } = this.#context;
    let round = this.#round;
    if (round === undefined || sequence < round.record.first || sequence >= this.#end) {
      round = confirmed.find(sequence);
      if (round === undefined) return undefined;
    }
    const acceptedAt = index.acceptedInMemory(sequence);
    const closing = heads.closing(sequence);
    if (acceptedAt === undefined || closing instanceof Promise) return undefined;
    if (round !== this.#round || acceptedAt !== this.#acceptedAt || closing !== this.#closing) {
      this.#jobs = new RoundJobs(round, {
        networkId,
        acceptedAt,
        shared: reader.sharedOf({ round }),
        batch: closing && { id: closing.size, closedAt: closing.timestamp },
      });
      this.#round = round;
      this.#end = round.record.first + round.record.size;
      this.#acceptedAt = acceptedAt;
      this.#closing = closing;
    }
    return this.#jobs;
  }
}

/** Writes the siblings of levels [from, to) on the path of leaf `index`, each with a comma after it. */
function writeNodes(
  target: Bytes,
  at: number,
  levels: readonly Bytes[],
  { index, from, to }: { readonly index: number; readonly from: number; readonly to: number },
): number {
  let end = at;
  for (let level = from; level < to; level++) {
    const nodes = levels[level]!;
    const sibling = ((index >>> level) ^ 1) * HASH_LENGTH;
    // The last node of an odd level has none.
    if (sibling >= nodes.length) continue;
    target[end] = QUOTE;
    writeHex(target, end + 1, nodes, sibling);
    target[end + 1 + HEX_LENGTH] = QUOTE;
    target[end + 2 + HEX_LENGTH] = COMMA;
    end += NODE_LENGTH;
  }
  return end;
}

/** Writes the hash at `from` of `source` in hex. */
function writeHex(target: Bytes, at: number, source: Bytes, from: number): void {
  for (let i = 0; i < HASH_LENGTH; i++) {
    const digits = 2 * source[from + i]!;
    target[at + 2 * i] = HEX_DIGITS[digits]!;
    target[at + 2 * i + 1] = HEX_DIGITS[digits + 1]!;
  }
}

/** Writes an integer in [0, 2^53) in decimal; returns the end. */
function writeInteger(target: Bytes, at: number, value: number): number {
  let end = at + 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) end++;
  let rest = value;
  for (let place = end - 1; place >= at; place--) {
    const higher = Math.floor(rest / 10);
    target[place] = ZERO + rest - 10 * higher;
    rest = higher;
  }
  return end;
}
