/**
 * Checks the spent ids: numbered from 0 without gaps, in the order of the log, and for stored digests.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../../base/bytes.ts";
import type { SpentRow } from "../../proof/format/records.ts";
import { ContiguousRows } from "./contiguous_rows.ts";
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
  readonly #rows: ContiguousRows<SpentRow>;
  readonly #sinks: readonly DigestSink[];
  readonly #faults: FaultLog;
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
    this.#rows = new ContiguousRows(rows, "spent", faults);
    this.#sinks = sinks;
    this.#faults = faults;
  }

  /** Number after the last id that was read. */
  get end(): number {
    return this.#rows.end;
  }

  /** Rows that were read. */
  get count(): number {
    return this.#rows.count;
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
        this.#add(number, `no intake row begins at ${intakeRow}`);
      } else if (first + lastOffset >= end) {
        this.#add(number, `digest ${first + lastOffset} is not in intake row ${intakeRow}`);
      }
    }
    this.#digestsEnd = end;
  }

  /** Reports ids for digests beyond the last one. */
  async finish(): Promise<void> {
    while (await this.#pull()) {
      const { number, intakeRow } = this.#next!;
      this.#add(number, `intake row ${intakeRow} is beyond the log of ${this.#digestsEnd} digests`);
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

  async #take({ key: number, value }: { readonly key: number; readonly value: SpentRow }) {
    const { intakeRow, offsets, ids } = value;
    this.#rows.end = number + ids.length / HASH_LENGTH;
    for (const sink of this.#sinks) await sink.add(number, ids);
    if (!await this.#isInOrder(intakeRow)) {
      return this.#add(number, `intake row ${intakeRow} is not in ascending order`);
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

  #add(number: number, problem: string): void {
    this.#faults.add("spent", number, problem);
  }
}
