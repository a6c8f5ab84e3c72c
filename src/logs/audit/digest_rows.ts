/**
 * Reads the rows of accepted digests once, checks that they are contiguous from 0, and passes every
 * digest to sinks. Keeps only the digests that rounds may still ask for.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH, isCount } from "../../base/bytes.ts";
import type { IntakeRow } from "../../proof/format/records.ts";
import { ContiguousRows } from "./contiguous_rows.ts";
import type { FaultLog } from "./faults.ts";
import type { Stored } from "./ports.ts";

/** Receives every readable digest in sequence order. */
export interface DigestSink {
  add(first: number, digests: Bytes): void | Promise<void>;
}

/** Digests of consecutive sequences. */
interface ReadRow {
  readonly first: number;
  readonly end: number;
  readonly digests: Bytes;
}

/** Reads rows on demand. */
export class DigestRows {
  readonly #rows: ContiguousRows<IntakeRow>;
  readonly #sinks: readonly DigestSink[];
  readonly #faults: FaultLog;
  #rowsRead: ReadRow[] = [];

  constructor(
    rows: AsyncIterable<Stored<IntakeRow>>,
    sinks: readonly DigestSink[],
    faults: FaultLog,
  ) {
    this.#rows = new ContiguousRows(rows, "row", faults);
    this.#sinks = sinks;
    this.#faults = faults;
  }

  /** Sequence after the last digest that was read. */
  get end(): number {
    return this.#rows.end;
  }

  /** Rows that were read. */
  get count(): number {
    return this.#rows.count;
  }

  /** True when the last row read is damaged: the number of its digests is unknown. */
  get previousRowDamaged(): boolean {
    return this.#rows.previousRowDamaged;
  }

  /**
   * Packed digests of [first, end); `undefined` when some cannot be read. `first` must not decrease from
   * call to call.
   */
  async read(first: number, end: number): Promise<Bytes | undefined> {
    this.#discardBefore(first);
    while (this.end < end && await this.#pull()) this.#discardBefore(first);
    const parts: Bytes[] = [];
    let next = first;
    for (const row of this.#rowsRead) {
      if (row.first > next || next >= end) break;
      const to = Math.min(row.end, end);
      parts.push(
        row.digests.subarray((next - row.first) * HASH_LENGTH, (to - row.first) * HASH_LENGTH),
      );
      next = to;
    }
    return next === end ? concat(...parts) : undefined;
  }

  /** Reads the remaining rows. */
  async finish(): Promise<void> {
    while (await this.#pull()) this.#rowsRead.length = 0;
  }

  #discardBefore(first: number): void {
    const keep = this.#rowsRead.findIndex((row) => row.end > first);
    this.#rowsRead.splice(0, keep < 0 ? this.#rowsRead.length : keep);
  }

  /** Reads one row; false at the end. */
  async #pull(): Promise<boolean> {
    const row = await this.#rows.next();
    if (row === undefined) return false;
    const { key: first, value: { acceptedAt } } = row;
    if (!isCount(acceptedAt)) {
      this.#faults.add("row", first, `the time ${acceptedAt} is not below 2^53`);
    }
    const digests = await this.#truncate(first, row.value.digests);
    this.#rows.end = first + digests.length / HASH_LENGTH;
    this.#rowsRead.push({ first, end: this.end, digests });
    for (const sink of this.#sinks) await sink.add(first, digests);
    return true;
  }

  /** Truncates a row where the next one begins, if they overlap. */
  async #truncate(first: number, digests: Bytes): Promise<Bytes> {
    const end = first + digests.length / HASH_LENGTH;
    const following = await this.#rows.peek();
    if (following === undefined || following.key >= end) return digests;
    this.#faults.add("row", first, `the row ends at ${end}, the next begins at ${following.key}`);
    return digests.slice(0, (following.key - first) * HASH_LENGTH);
  }
}
