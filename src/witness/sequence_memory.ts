/**
 * Which digest a witness signed for which sequence (contract B8), so that it does not sign another
 * one for the same place.
 *
 * Covers the sequences from the size that it has cosigned, below which it signs nothing, up to
 * {@linkcode REMEMBERED_SEQUENCES} further on. A sequence beyond those is signed and not remembered:
 * to refuse it would stop a network whose heads are long in coming, and what is lost is a second
 * line of defence, since two attestations of one sequence convict whoever made them in any case.
 * The memory does not outlive the process.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../bytes.ts";

/** How far above the cosigned size digests are remembered: at most 33 MiB. */
export const REMEMBERED_SEQUENCES = 2 ** 20;

/** Sequences per block: memory is taken and given back by the block. */
const BLOCK_SIZE = 2 ** 12;

/** The digests of the sequences [n * BLOCK_SIZE, (n + 1) * BLOCK_SIZE). */
interface Block {
  readonly digests: Uint8Array;
  /** 1 where a digest stands. */
  readonly present: Uint8Array;
}

/** A part of a round that lies in one block. */
interface Run {
  /** Number of the block. */
  readonly block: number;
  /** Place within the block. */
  readonly start: number;
  readonly digests: Uint8Array;
}

/** Signed digests by sequence, from a floor that only rises. */
export class SequenceMemory {
  #floor = 0;
  readonly #blocks = new Map<number, Block>();

  /** Forgets the sequences below `size`. */
  advance(size: number): void {
    if (size <= this.#floor) return;
    this.#floor = size;
    const lowest = Math.floor(size / BLOCK_SIZE);
    for (const number of this.#blocks.keys()) {
      if (number < lowest) this.#blocks.delete(number);
    }
  }

  /** True when packed `digests`, the first of sequence `first`, differ from a remembered one. */
  contradicts(first: number, digests: Bytes): boolean {
    return this.#runs(first, digests).some((run) => {
      const block = this.#blocks.get(run.block);
      return block !== undefined && differs(block, run);
    });
  }

  /** Remembers packed `digests`, the first of sequence `first`. */
  remember(first: number, digests: Bytes): void {
    for (const { block: number, start, digests: run } of this.#runs(first, digests)) {
      let block = this.#blocks.get(number);
      if (block === undefined) {
        block = {
          digests: new Uint8Array(BLOCK_SIZE * HASH_LENGTH),
          present: new Uint8Array(BLOCK_SIZE),
        };
        this.#blocks.set(number, block);
      }
      block.digests.set(run, start * HASH_LENGTH);
      block.present.fill(1, start, start + run.length / HASH_LENGTH);
    }
  }

  /** The remembered part of a round, cut at the borders of blocks. */
  #runs(first: number, digests: Bytes): Run[] {
    const runs: Run[] = [];
    const end = Math.min(
      first + digests.length / HASH_LENGTH,
      this.#floor + REMEMBERED_SEQUENCES,
    );
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

function differs(block: Block, { start, digests }: Run): boolean {
  const count = digests.length / HASH_LENGTH;
  const known = block.present.indexOf(1, start);
  // A round is new as a rule: nothing of it is present, and no byte is compared.
  if (known < 0 || known >= start + count) return false;
  for (let i = 0; i < digests.length; i++) {
    const place = start + Math.floor(i / HASH_LENGTH);
    if (block.present[place] === 1 && block.digests[start * HASH_LENGTH + i] !== digests[i]) {
      return true;
    }
  }
  return false;
}
