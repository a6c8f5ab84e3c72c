/**
 * Random numbers that a seed determines; the only ones of a simulation.
 *
 * @module
 */

import type { Bytes } from "../src/base/bytes.ts";

/** sfc32 (Doty-Humphrey), seeded by a 32-bit number and the number of a stream. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, stream = 0) {
    this.#a = seed >>> 0;
    this.#b = stream >>> 0;
    this.#c = Math.floor(seed / 2 ** 32) >>> 0;
    // Mixes the state, because seeds are close together.
    for (let i = 0; i < 15; i++) this.word();
  }

  /** 32 random bits. */
  word(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum | 0;
    return sum >>> 0;
  }

  /** An integer in [0, `count`). */
  below(count: number): number {
    return Math.floor(this.word() / 2 ** 32 * count);
  }

  /** An integer in [`least`, `most`]. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** True with `probability`. */
  chance(probability: number): boolean {
    return this.word() < probability * 2 ** 32;
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** One of the names, with probability proportional to its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const entries = Object.entries<number>(weights) as [Name, number][];
    let at = this.word() / 2 ** 32 * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      at -= weight;
      if (at < 0) return name;
    }
    return entries.at(-1)![0];
  }

  bytes(count: number): Bytes {
    const bytes = new Uint8Array(count);
    for (let i = 0; i < count; i++) bytes[i] = this.word();
    return bytes;
  }

  /** `count` digests, packed. */
  digests(count: number): Bytes {
    const words = new Uint32Array(8 * count);
    for (let i = 0; i < words.length; i++) words[i] = this.word();
    return new Uint8Array(words.buffer);
  }

  shuffle<T>(items: readonly T[]): T[] {
    return items.map((item) => ({ item, key: this.word() }))
      .sort((a, b) => a.key - b.key).map(({ item }) => item);
  }
}
