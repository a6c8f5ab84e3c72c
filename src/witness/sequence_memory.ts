/**
 * The digest that a witness signed for each sequence from the cosigned size on (protocol.md "Witness"):
 * a copy in memory of its state.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../bytes.ts";
import type { DigestRun } from "./ports.ts";

/** Sequences per block. Memory is allocated and freed by the block. */
const BLOCK_SIZE = 2 ** 12;

/** The digests of the sequences [n * BLOCK_SIZE, (n + 1) * BLOCK_SIZE). */
interface Block {
  readonly digests: Uint8Array;
  /** 1 where there is a digest. */
  readonly present: Uint8Array;
}

/** A part of a round that lies in one block. */
interface Run {
  /** Number of the block. */
  readonly block: number;
  /** Offset in the block. */
  readonly start: number;
  readonly digests: Uint8Array;
}

/** Signed digests by sequence, from a minimum that only rises. */
export class SequenceMemory {
  #minimum = 0;
  readonly #blocks = new Map<number, Block>();

  /** Forgets the sequences below `size`. */
  advance(size: number): void {
    if (size <= this.#minimum) return;
    this.#minimum = size;
    const lowest = Math.floor(size / BLOCK_SIZE);
    for (const number of this.#blocks.keys()) {
      if (number < lowest) this.#blocks.delete(number);
    }
  }

  /** True when one of packed `digests`, from sequence `first` on, differs from a remembered one. */
  contradicts(first: number, digests: Bytes): boolean {
    return this.#runs(first, digests).some((run) => {
      const block = this.#blocks.get(run.block);
      return block !== undefined && differs(block, run);
    });
  }

  /** True when a digest of a sequence from `size` on is remembered. */
  reaches(size: number): boolean {
    for (const [number, { present }] of this.#blocks) {
      const start = Math.max(0, size - number * BLOCK_SIZE);
      if (start < BLOCK_SIZE && present.indexOf(1, start) >= 0) return true;
    }
    return false;
  }

  /** One more than the largest remembered sequence; 0 if none is remembered. */
  get end(): number {
    let end = 0;
    for (const [number, { present }] of this.#blocks) {
      const last = present.lastIndexOf(1);
      if (last >= 0) end = Math.max(end, number * BLOCK_SIZE + last + 1);
    }
    return end;
  }

  /** Remembers packed `digests` from sequence `first` on. Returns the runs that are new. */
  remember(first: number, digests: Bytes): DigestRun[] {
    const added: DigestRun[] = [];
    for (const { block: number, start, digests: run } of this.#runs(first, digests)) {
      let block = this.#blocks.get(number);
      if (block === undefined) {
        block = {
          digests: new Uint8Array(BLOCK_SIZE * HASH_LENGTH),
          present: new Uint8Array(BLOCK_SIZE),
        };
        this.#blocks.set(number, block);
      }
      for (const [from, to] of absentRanges(block, start, start + run.length / HASH_LENGTH)) {
        const absent = run.slice((from - start) * HASH_LENGTH, (to - start) * HASH_LENGTH);
        block.digests.set(absent, from * HASH_LENGTH);
        block.present.fill(1, from, to);
        added.push({ first: number * BLOCK_SIZE + from, digests: absent });
      }
    }
    return added;
  }

  /** A round, split at the borders of blocks. */
  #runs(first: number, digests: Bytes): Run[] {
    const runs: Run[] = [];
    const end = first + digests.length / HASH_LENGTH;
    for (let at = first; at < end;) {
      const block = Math.floor(at / BLOCK_SIZE);
      const stop = Math.min(end, (block + 1) * BLOCK_SIZE);
      runs.push({
        block,
        start: at - block * BLOCK_SIZE,
        digests: digests.subarray((at - first) * HASH_LENGTH, (stop - first) * HASH_LENGTH),
      });
      at = stop;
    }
    return runs;
  }
}

/** The offsets in [start, end) of `block` without a digest, as ranges. */
function absentRanges({ present }: Block, start: number, end: number): [number, number][] {
  const ranges: [number, number][] = [];
  const next = (value: number, from: number): number => {
    const found = present.indexOf(value, from);
    return found < 0 || found > end ? end : found;
  };
  for (let from = next(0, start); from < end;) {
    const to = next(1, from);
    ranges.push([from, to]);
    from = next(0, to);
  }
  return ranges;
}

function differs(block: Block, { start, digests }: Run): boolean {
  const count = digests.length / HASH_LENGTH;
  const known = block.present.indexOf(1, start);
  // Most rounds are new: no digest is present, and no byte is compared.
  if (known < 0 || known >= start + count) return false;
  for (let i = 0; i < digests.length; i++) {
    const offset = start + Math.floor(i / HASH_LENGTH);
    if (block.present[offset] === 1 && block.digests[start * HASH_LENGTH + i] !== digests[i]) {
      return true;
    }
  }
  return false;
}
