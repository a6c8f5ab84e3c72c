/**
 * Writes jobs of recent rounds (protocol.md "Resources") as bytes. It makes no strings: the bytes of a job
 * are those of a {@linkcode confirmedSnapshot} of the same round, with its own hash, sequence and inclusion
 * path.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, utf8 } from "../../base/bytes.ts";
import type { SthRecord } from "../../proof/format/records.ts";
import type { DigestIndex } from "../index/digest_index.ts";
import type { AttestationReader } from "../proving/attestation_reader.ts";
import type { ConfirmedRounds, RecentRound } from "../proving/confirmed_rounds.ts";
import type { PublishedHeads } from "../sequencing/published_heads.ts";
import { confirmedSnapshot } from "./job.ts";

const HEX_LENGTH = 2 * HASH_LENGTH;
/** A node of a path in quotes, with a comma before it. */
const NODE_LENGTH = HEX_LENGTH + 3;
/** Decimal digits of the largest integer on the wire. */
const MAX_DIGITS = 16;

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
  readonly #path: PathWriter;
  /** Text with room for two copies of the hash. */
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
    this.#path = new PathWriter(tree.levels);
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
    end = this.#path.write(target, end + this.#beforePath.length, index);
    target.set(this.#afterPath, end);
    return end + this.#afterPath.length;
  }
}

/** Writes inclusion paths of one tree, from leaf to root. Neighbours share all nodes but the lowest. */
class PathWriter {
  readonly #levels: readonly Bytes[];
  /** The last path, at the end: a comma before each node, and a bracket after all. */
  readonly #bytes: Bytes;
  /** By level: where in {@linkcode #bytes} the nodes from this level up begin. */
  readonly #starts: number[];
  /** The leaf of the last path; -1 before the first. */
  #index = -1;

  constructor(levels: readonly Bytes[]) {
    const height = levels.length - 1;
    const length = height * NODE_LENGTH;
    this.#levels = levels;
    this.#bytes = new Uint8Array(length + 1);
    this.#bytes[length] = CLOSING_BRACKET;
    this.#starts = new Array<number>(levels.length).fill(length);
  }

  /** Writes the path of the leaf at `index`; returns the end. */
  write(target: Bytes, at: number, index: number): number {
    const starts = this.#starts;
    // Siblings differ up to the highest bit that differs.
    let level = Math.min(starts.length - 1, 32 - Math.clz32(index ^ this.#index));
    while (level-- > 0) starts[level] = this.#writeNode(starts[level + 1]!, level, index);
    this.#index = index;
    target[at] = OPENING_BRACKET;
    const { length } = this.#bytes;
    const from = Math.min(starts[0]! + 1, length - 1);
    target.set(this.#bytes.subarray(from), at + 1);
    return at + 1 + length - from;
  }

  /** Writes the sibling at `level` on the path of leaf `index` before `end`; returns its start. */
  #writeNode(end: number, level: number, index: number): number {
    const nodes = this.#levels[level]!;
    const sibling = ((index >>> level) ^ 1) * HASH_LENGTH;
    // The last node of an odd level has none.
    if (sibling >= nodes.length) return end;
    const start = end - NODE_LENGTH;
    this.#bytes[start] = COMMA;
    this.#bytes[start + 1] = QUOTE;
    writeHex(this.#bytes, start + 2, nodes, sibling);
    this.#bytes[end - 1] = QUOTE;
    return start;
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
