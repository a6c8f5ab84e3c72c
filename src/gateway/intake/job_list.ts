/**
 * The answer to a bulk request: a JSON list of job snapshots, written as bytes.
 *
 * @module
 */

import { type Bytes, utf8 } from "../../bytes.ts";
import type { JobSnapshot } from "./job.ts";
import type { RoundJobs } from "./round_jobs.ts";

const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/** Writes a list of jobs. */
export class JobListWriter {
  #bytes: Bytes;
  #length = 1;
  #count = 0;
  #waiting = -1;

  /** Overwrites `memory` while it is long enough. */
  constructor(memory: Bytes = new Uint8Array(1)) {
    this.#bytes = memory;
    this.#bytes[0] = OPENING_BRACKET;
  }

  /** Jobs so far. */
  get count(): number {
    return this.#count;
  }

  /** Index of the first job that is not terminal; -1 if all are. */
  get waiting(): number {
    return this.#waiting;
  }

  append({ json, terminal }: JobSnapshot): void {
    if (!terminal && this.#waiting < 0) this.#waiting = this.#count;
    const bytes = utf8(json);
    this.#reserve(bytes.length + 2, 1);
    this.#separate();
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Appends a job of a recent round; `left` is how many jobs of about its length follow. */
  appendRecent(jobs: RoundJobs, job: Parameters<RoundJobs["write"]>[2], left: number): void {
    this.#reserve(jobs.maxLength + 2, left + 1);
    this.#separate();
    this.#length = jobs.write(this.#bytes, this.#length, job);
  }

  /** The list and the memory that it is in. Nothing is appended to it any more. */
  end(): { readonly json: Bytes; readonly memory: Bytes } {
    this.#reserve(1, 1);
    this.#bytes[this.#length++] = CLOSING_BRACKET;
    return { json: this.#bytes.subarray(0, this.#length), memory: this.#bytes };
  }

  /** Makes room for `length` bytes; if there is none, for `times` as many. */
  #reserve(length: number, times: number): void {
    if (this.#length + length <= this.#bytes.length) return;
    const capacity = Math.max(this.#length + length * times, 2 * this.#length);
    const bytes = new Uint8Array(capacity);
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
  }

  #separate(): void {
    if (this.#count++ > 0) this.#bytes[this.#length++] = COMMA;
  }
}
