/**
 * Looks at the memory and the descriptors of a process again and again.
 *
 * @module
 */

import { descriptorsOf, residentBytesOf } from "../load/process_usage.ts";

const LOOK_MS = 50;
/** Looks between two counts of descriptors, which take a millisecond for some thousands. */
const COUNT_EVERY = 5;

/** The resources of a process. */
export interface Held {
  readonly residentBytes: number;
  readonly descriptors: number;
}

export class ProcessWatch implements Disposable {
  readonly #pid: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #looks = 0;
  #peak: Held;

  constructor(pid: number) {
    this.#pid = pid;
    this.#peak = this.now();
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  now(): Held {
    return { residentBytes: this.#residentBytes(), descriptors: descriptorsOf(this.#pid) ?? NaN };
  }

  /** The most of each since the watch began, at the times that were looked at. */
  peak(): Held {
    this.#keep(this.now());
    return this.#peak;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (++this.#looks % COUNT_EVERY === 0) this.#keep(this.now());
    else this.#keep({ ...this.#peak, residentBytes: this.#residentBytes() });
  }

  #residentBytes(): number {
    return residentBytesOf(this.#pid) ?? NaN;
  }

  #keep({ residentBytes, descriptors }: Held): void {
    this.#peak = {
      residentBytes: Math.max(this.#peak.residentBytes, residentBytes),
      descriptors: Math.max(this.#peak.descriptors, descriptors),
    };
  }
}
