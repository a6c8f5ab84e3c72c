/**
 * Reads rows of numbered items, and checks that they are contiguous from number 0.
 *
 * @module
 */

import { Cursor } from "./cursor.ts";
import type { FaultLog, FaultPart } from "./faults.ts";
import type { Stored } from "./ports.ts";

/** A readable row: its first number and its value. */
type ReadRow<T> = Extract<Stored<T>, { readonly value: T }>;

export class ContiguousRows<T> {
  readonly #rows: Cursor<Stored<T>>;
  readonly #part: FaultPart;
  readonly #faults: FaultLog;
  #count = 0;
  /** The number of its items, and so the start of the next row, is unknown. */
  #previousRowDamaged = false;
  /** Number after the last item that was read. The reader sets it after each row. */
  end = 0;

  constructor(rows: AsyncIterable<Stored<T>>, part: FaultPart, faults: FaultLog) {
    this.#rows = new Cursor(rows);
    this.#part = part;
    this.#faults = faults;
  }

  /** Rows that were read, damaged ones included. */
  get count(): number {
    return this.#count;
  }

  /** True when the last row read is damaged. */
  get previousRowDamaged(): boolean {
    return this.#previousRowDamaged;
  }

  /** The next row, without reading it. */
  peek(): Promise<Stored<T> | undefined> {
    return this.#rows.peek();
  }

  /** Reads up to the next readable row; `undefined` at the end. */
  async next(): Promise<ReadRow<T> | undefined> {
    for (let row = await this.#rows.next(); row !== undefined; row = await this.#rows.next()) {
      const { key: first } = row;
      this.#count++;
      if (first !== this.end && !this.#previousRowDamaged) {
        const problem = `no row begins at ${this.end}; the next one begins at ${first}`;
        this.#faults.add(this.#part, this.end, problem);
      }
      this.end = first;
      this.#previousRowDamaged = "damage" in row;
      if ("value" in row) return row;
      this.#faults.add(this.#part, first, `the row is damaged: ${row.damage}`);
    }
    return undefined;
  }
}
