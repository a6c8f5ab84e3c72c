/**
 * Checks the spent ids: numbered from 0 without gaps, in the order of the log, and for stored digests.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../bytes.ts";
import type { SpentRow } from "../format/records.ts";
import { Cursor } from "./cursor.ts";
import type { DigestSink } from "./digest_rows.ts";
import type { FaultLog } from "./faults.ts";
import type { Stored } from "./ports.ts";

/** A valid row whose digests are not checked yet. */
interface PendingRow {
  readonly number: number;
  readonly intakeRow: number;
  readonly lastOffset: number;
}

/** Reads spent rows as the intake rows arrive. */
export class SpentCheck implements DigestSink {
  readonly #rows: Cursor<Stored<SpentRow>>;
  readonly #sinks: readonly DigestSink[];
  readonly #faults: FaultLog;
  #count = 0;
  #end = 0;
  /** The number of its ids is then unknown. */
  #previousRowDamaged = false;
  #next: PendingRow | undefined;
  /** Sequence of the last intake row with spent ids. */
  #intakeRow = -1;
  /** Sequence after the last digest that arrived. */
  #digestsEnd = 0;

  /** Passes every readable id to `sinks`, by its number. */
  constructor(
    rows: AsyncIterable<Stored<SpentRow>>,
    sinks: readonly DigestSink[],
    faults: FaultLog,
  ) {
    this.#rows = new Cursor(rows);
    this.#sinks = sinks;
    this.#faults = faults;
  }

  /** Number after the last id that was read. */
  get end(): number {
    return this.#end;
  }

  /** Rows that were read. */
  get count(): number {
    return this.#count;
  }

  /** The digests of one intake row, from sequence `first` on. */
  async add(first: number, digests: Bytes): Promise<void> {
    const end = first + digests.length / HASH_LENGTH;
    while (await this.#pull() && this.#next!.intakeRow < end) {
      const { number, intakeRow, lastOffset } = this.#next!;
      this.#next = undefined;
      // A gap between intake rows was reported there.
      if (intakeRow >= this.#digestsEnd && intakeRow < first) continue;
      if (intakeRow !== first) {
        this.#add(number, "the beginning of an intake row", `sequence ${intakeRow}`);
      } else if (first + lastOffset >= end) {
        this.#add(number, `digests below ${end}`, `one at ${first + lastOffset}`);
      }
    }
    this.#digestsEnd = end;
  }

  /** Reports ids for digests beyond the last one. */
  async finish(): Promise<void> {
    while (await this.#pull()) {
      const { number, intakeRow } = this.#next!;
      this.#add(number, `digests below ${this.#digestsEnd}`, `a row at ${intakeRow}`);
      this.#next = undefined;
    }
  }

  /** Reads up to the next valid row; false at the end. */
  async #pull(): Promise<boolean> {
    while (this.#next === undefined) {
      const row = await this.#rows.next();
      if (row === undefined) return false;
      await this.#take(row);
    }
    return true;
  }

  async #take(row: Stored<SpentRow>): Promise<void> {
    const { key: number } = row;
    this.#count++;
    if (number !== this.#end && !this.#previousRowDamaged) {
      this.#add(this.#end, `a row from number ${this.#end}`, `one from ${number}`);
    }
    this.#previousRowDamaged = "damage" in row;
    this.#end = number;
    if ("damage" in row) {
      return this.#add(number, "an intake row, offsets in it and an id for each", row.damage);
    }
    const { intakeRow, offsets, ids } = row.value;
    this.#end = number + ids.length / HASH_LENGTH;
    for (const sink of this.#sinks) await sink.add(number, ids);
    if (!await this.#isInOrder(intakeRow)) {
      return this.#add(number, "intake rows that ascend", `row ${intakeRow}`);
    }
    this.#intakeRow = intakeRow;
    this.#next = { number, intakeRow, lastOffset: offsets.at(-1)! };
  }

  /** Of two rows that do not ascend, the one that does not follow the earlier rows is wrong. */
  async #isInOrder(intakeRow: number): Promise<boolean> {
    if (intakeRow <= this.#intakeRow) return false;
    const following = await this.#rows.peek();
    if (following === undefined || "damage" in following) return true;
    const next = following.value.intakeRow;
    return next >= intakeRow || next <= this.#intakeRow;
  }

  #add(number: number, required: string, found: string): void {
    this.#faults.add("spent", number, required, found);
  }
}
