/**
 * Random numbers that a seed determines.
 *
 * @module
 */

import type { Bytes } from "../../src/base/bytes.ts";

/** Mulberry32, with 32 bits of state. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** An integer in [0, 2^32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** An integer in [0, bound); 0 when there is none. */
  below(bound: number): number {
    return bound <= 1 ? 0 : this.next() % bound;
  }

  /** True with probability 1 / `times`. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  bytes(length: number): Bytes {
    return Uint8Array.from({ length }, () => this.next() >>> 24);
  }
}

/** Derives a seed from a name and a seed, so that targets do not share their mutations. */
export function seedOf(name: string, seed: number): number {
  let mixed = seed ^ 0x9e3779b9;
  for (const character of name) mixed = Math.imul(mixed ^ character.codePointAt(0)!, 0x01000193);
  return mixed >>> 0;
}
