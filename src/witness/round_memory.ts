/**
 * The rounds that a witness signed from the cosigned size on (protocol.md "Witness"): a copy in memory of
 * its state.
 *
 * @module
 */

import { type Bytes, concat, equalBytes, HASH_LENGTH } from "../base/bytes.ts";
import type { Beacon } from "../proof/format/round.ts";
import type { WitnessedRound } from "./ports.ts";

/** Sequences per block. Memory is allocated and freed by the block. */
const BLOCK_SIZE = 2 ** 12;

/** The sequences [n * BLOCK_SIZE, (n + 1) * BLOCK_SIZE). */
interface Block {
  readonly digests: Uint8Array;
  /** One more than the index of each sequence in its round; 0 where none is signed. */
  readonly places: Uint16Array;
}

/** What a round's text has besides its digests. */
interface Frame {
  readonly size: number;
  readonly timestamp: number;
  readonly beacon: Beacon | null;
}

/**
 * How a round relates to those that are remembered: it shares no sequence with them, is one of them, has
 * the digests of what it shares but another text, or has another digest.
 */
export type RoundMatch = "new" | "same" | "other_text" | "other_hash";

/** Signed rounds by sequence, from a minimum that only rises. No two share a sequence. */
export class RoundMemory {
  #minimum = 0;
  readonly #blocks = new Map<number, Block>();
  /** By first sequence. */
  readonly #frames = new Map<number, Frame>();

  /** Forgets rounds that end at or below `size`, by the block. */
  advance(size: number): void {
    if (size <= this.#minimum) return;
    const lowest = Math.floor(size / BLOCK_SIZE);
    const isInBlock = lowest === Math.floor(this.#minimum / BLOCK_SIZE);
    this.#minimum = size;
    if (isInBlock) return;
    for (const number of this.#blocks.keys()) {
      if (number < lowest) this.#blocks.delete(number);
    }
    for (const [first, frame] of this.#frames) {
      if (first + frame.size <= lowest * BLOCK_SIZE) this.#frames.delete(first);
    }
  }

  /** How `round` relates to the remembered rounds. */
  match({ first, digests, timestamp, beacon }: WitnessedRound): RoundMatch {
    let match: RoundMatch = "new";
    for (const { number, start, end, at } of runsOf(first, digests.length / HASH_LENGTH)) {
      const block = this.#blocks.get(number);
      if (block === undefined) continue;
      for (let offset = start; offset < end; offset++) {
        const place = block.places[offset]!;
        // Most rounds are new, and no digest is compared.
        if (place === 0) continue;
        const index = at + offset - start;
        if (!equalBytes(digestAt(block.digests, offset), digestAt(digests, index))) {
          return "other_hash";
        }
        if (match === "new") match = "same";
        if (place - 1 !== index) match = "other_text";
      }
    }
    if (match !== "same") return match;
    const frame = this.#frames.get(first)!;
    const isSame = frame.size === digests.length / HASH_LENGTH && frame.timestamp === timestamp &&
      equalBeacons(frame.beacon, beacon);
    return isSame ? "same" : "other_text";
  }

  /** Remembers a round that shares no sequence with a remembered one. */
  remember({ first, digests, timestamp, beacon }: WitnessedRound): void {
    const size = digests.length / HASH_LENGTH;
    this.#frames.set(first, { size, timestamp, beacon });
    for (const { number, start, end, at } of runsOf(first, size)) {
      let block = this.#blocks.get(number);
      if (block === undefined) {
        block = {
          digests: new Uint8Array(BLOCK_SIZE * HASH_LENGTH),
          places: new Uint16Array(BLOCK_SIZE),
        };
        this.#blocks.set(number, block);
      }
      const run = digests.subarray(at * HASH_LENGTH, (at + end - start) * HASH_LENGTH);
      block.digests.set(run, start * HASH_LENGTH);
      for (let offset = start; offset < end; offset++) {
        block.places[offset] = at + offset - start + 1;
      }
    }
  }

  /** The first `limit` of the rounds from the minimum on that end beyond `from`, ascending. */
  roundsFrom(from: number, limit: number): WitnessedRound[] {
    const rounds: WitnessedRound[] = [];
    let at = Math.max(from, this.#minimum);
    for (const number of [...this.#blocks.keys()].sort((a, b) => a - b)) {
      const { places } = this.#blocks.get(number)!;
      const start = number * BLOCK_SIZE;
      for (at = Math.max(at, start); at < start + BLOCK_SIZE && rounds.length < limit; at++) {
        const first = at + 1 - places[at - start]!;
        if (first > at) continue; // none is signed
        const { size, timestamp, beacon } = this.#frames.get(first)!;
        at = first + size - 1;
        if (first < this.#minimum) continue;
        const runs = runsOf(first, size).map(({ number, start, end }) =>
          this.#blocks.get(number)!.digests.subarray(start * HASH_LENGTH, end * HASH_LENGTH)
        );
        rounds.push({ first, digests: concat(...runs), timestamp, beacon });
      }
    }
    return rounds;
  }

  /** One more than the largest remembered sequence; 0 if none is remembered. */
  get end(): number {
    let end = 0;
    for (const [first, { size }] of this.#frames) end = Math.max(end, first + size);
    return end;
  }
}

/** The part of a round in one block: offsets there, and the index in the round of the first digest. */
interface Run {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly at: number;
}

/** The sequences [first, first + size), split at the borders of blocks. */
function runsOf(first: number, size: number): Run[] {
  const runs: Run[] = [];
  for (let at = 0; at < size;) {
    const number = Math.floor((first + at) / BLOCK_SIZE);
    const start = first + at - number * BLOCK_SIZE;
    const end = Math.min(BLOCK_SIZE, start + size - at);
    runs.push({ number, start, end, at });
    at += end - start;
  }
  return runs;
}

function digestAt(digests: Uint8Array, index: number): Bytes {
  return digests.subarray(index * HASH_LENGTH, (index + 1) * HASH_LENGTH) as Bytes;
}

function equalBeacons(a: Beacon | null, b: Beacon | null): boolean {
  if (a === null || b === null) return a === b;
  return a.chain_hash === b.chain_hash && a.round === b.round && a.signature === b.signature;
}
