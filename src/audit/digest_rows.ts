/**
 * The rows of accepted digests, read once: contiguous from 0, and handed on to whoever wants every
 * digest. Of what was read a round asks for its own part; the rest is let go.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH, isCount } from "../bytes.ts";
import type { IntakeRow } from "../format/records.ts";
import { Cursor } from "./cursor.ts";
import type { FaultLog } from "./faults.ts";
import type { Stored } from "./ports.ts";

/** Takes every digest that can be read, in sequence order; parts that are missing are left out. */
export interface DigestSink {
  add(first: number, digests: Bytes): void | Promise<void>;
}

/** Digests of consecutive sequences. */
interface KeptRow {
  readonly first: number;
  readonly end: number;
  readonly digests: Bytes;
}

/** Reads rows as far as they are asked for. */
export class DigestRows {
  readonly #rows: Cursor<Stored<IntakeRow>>;
  readonly #sinks: readonly DigestSink[];
  readonly #faults: FaultLog;
  #kept: KeptRow[] = [];
  #count = 0;
  #end = 0;
  /** True when the row before was damaged: where the next one has to begin is not known. */
  #isTorn = false;

  constructor(
    rows: AsyncIterable<Stored<IntakeRow>>,
    sinks: readonly DigestSink[],
    faults: FaultLog,
  ) {
    this.#rows = new Cursor(rows);
    this.#sinks = sinks;
    this.#faults = faults;
  }

  /** Sequence after the last digest that was read. */
  get end(): number {
    return this.#end;
  }

  /** Rows that were read. */
  get count(): number {
    return this.#count;
  }

  /** True when the last row that was read is damaged: it may hold more than can be told. */
  get isTorn(): boolean {
    return this.#isTorn;
  }

  /**
   * Digests of [first, end), packed; `undefined` when not all of them can be read. `first` never
   * falls from call to call.
   */
  async read(first: number, end: number): Promise<Bytes | undefined> {
    this.#letGo(first);
    while (this.#end < end && await this.#pull()) this.#letGo(first);
    const parts: Bytes[] = [];
    let next = first;
    for (const row of this.#kept) {
      if (row.first > next || next >= end) break;
      const to = Math.min(row.end, end);
      parts.push(
        row.digests.subarray((next - row.first) * HASH_LENGTH, (to - row.first) * HASH_LENGTH),
      );
      next = to;
    }
    return next === end ? concat(...parts) : undefined;
  }

  /** Reads what no round asked for. */
  async finish(): Promise<void> {
    while (await this.#pull()) this.#kept.length = 0;
  }

  #letGo(first: number): void {
    const keep = this.#kept.findIndex((row) => row.end > first);
    this.#kept.splice(0, keep < 0 ? this.#kept.length : keep);
  }

  /** Takes one row; false at the end. */
  async #pull(): Promise<boolean> {
    const row = await this.#rows.next();
    if (row === undefined) return false;
    this.#count++;
    const { key: first } = row;
    if (first !== this.#end && !this.#isTorn) {
      this.#faults.add("row", this.#end, `a row from sequence ${this.#end}`, `one from ${first}`);
    }
    this.#isTorn = "damage" in row;
    if ("damage" in row) {
      this.#faults.add("row", first, "a time and 1 or more digests", row.damage);
      this.#end = first;
      return true;
    }
    const { acceptedAt } = row.value;
    if (!isCount(acceptedAt)) {
      this.#faults.add("row", first, "Unix seconds below 2^53", String(acceptedAt));
    }
    const digests = await this.#untilNext(first, row.value.digests);
    this.#end = first + digests.length / HASH_LENGTH;
    this.#kept.push({ first, end: this.#end, digests });
    for (const sink of this.#sinks) await sink.add(first, digests);
    return true;
  }

  /** Of two rows that overlap the later one holds: the first is cut where it begins. */
  async #untilNext(first: number, digests: Bytes): Promise<Bytes> {
    const end = first + digests.length / HASH_LENGTH;
    const following = await this.#rows.peek();
    if (following === undefined || following.key >= end) return digests;
    this.#faults.add("row", first, `an end at ${following.key}, where the next begins`, `${end}`);
    return digests.slice(0, (following.key - first) * HASH_LENGTH);
  }
}
