/**
 * {@linkcode RoundStore} and {@linkcode SpentStore} on any engine.
 *
 * @module
 */

import { HASH_LENGTH } from "../../base/bytes.ts";
import { decodeRound, encodeRound } from "../../proof/format/record_codec.ts";
import type { IntakeRow, RoundRecord, SpentRow } from "../../proof/format/records.ts";
import type {
  CommitOutcome,
  LogLimits,
  RoundReads,
  RoundStore,
  SpentStore,
} from "../../gateway/ports.ts";
import { RecentlyUsed } from "../../base/recently_used.ts";
import { NumberedRecords } from "../numbered_records.ts";
import { absent, type StoreReads } from "../store_engine.ts";
import { KV_LOG_LIMITS } from "./commit_limits.ts";
import type { FencedKv } from "./kv_commit.ts";
import { logKeys } from "./log_keys.ts";
import {
  decodeIntakeRow,
  decodeSpentRow,
  encodeIntakeRow,
  encodeSpentRow,
} from "./record_codec.ts";

/** Accepted digests under `["in", F]`, spent ids under `["sp", N]`, signed rounds under `["rd", F]`. */
export class KvRoundReads implements RoundReads {
  readonly limits: LogLimits = KV_LOG_LIMITS;
  readonly #rows: NumberedRecords<IntakeRow>;
  readonly #rounds: NumberedRecords<RoundRecord>;
  readonly #windows = new IntakeWindows();

  constructor(reads: StoreReads) {
    this.#rows = new NumberedRecords(reads, logKeys.intakes(), decodeIntakeRow);
    this.#rounds = new NumberedRecords(reads, logKeys.rounds(), decodeRound);
  }

  rowAt(first: number): Promise<IntakeRow | undefined> {
    return this.#rows.at(first);
  }

  async rows(start: number, end: number): Promise<IntakeRow[]> {
    if (start >= end) return [];
    return this.#windows.rows(start, end) ?? await this.#readRows(start, end);
  }

  lastRow(): Promise<IntakeRow | undefined> {
    return this.#rows.last();
  }

  roundAt(first: number): Promise<RoundRecord | undefined> {
    return this.#rounds.at(first);
  }

  roundBefore(sequence: number): Promise<RoundRecord | undefined> {
    return this.#rounds.last(sequence + 1);
  }

  rounds(start: number, end: number, limit: number): Promise<RoundRecord[]> {
    return this.#rounds.list({ start, end, limit });
  }

  async #readRows(start: number, end: number): Promise<IntakeRow[]> {
    if (end - start > WINDOW) return await this.#listRows(start, end);
    // Callers who read a few rows usually read their neighbours next.
    const first = Math.floor(start / WINDOW);
    const last = Math.floor((end - 1) / WINDOW);
    const rows = await this.#listRows(first * WINDOW, (last + 1) * WINDOW);
    for (let window = first; window <= last; window++) this.#windows.add(window, rows);
    return overlapping(rows, start, end);
  }

  async #listRows(start: number, end: number): Promise<IntakeRow[]> {
    return overlapping(await this.#rows.list({ start: earliestRow(start), end }), start, end);
  }
}

/** {@linkcode KvRoundReads} with commits. */
export class KvRoundStore extends KvRoundReads implements RoundStore {
  readonly #kv: FencedKv;

  constructor(kv: FencedKv) {
    super(kv.reads);
    this.#kv = kv;
  }

  commit(
    rows: readonly IntakeRow[],
    rounds: readonly RoundRecord[],
    spent: readonly SpentRow[] = [],
  ): Promise<CommitOutcome> {
    return this.#kv.commit((operation) => {
      const [first] = rows;
      if (first !== undefined) operation.check(absent(logKeys.intake(first.first)));
      for (const round of rounds) operation.check(absent(logKeys.round(round.first)));
      for (const row of rows) operation.set(logKeys.intake(row.first), encodeIntakeRow(row));
      for (const row of spent) operation.set(logKeys.spent(row.first), encodeSpentRow(row));
      for (const round of rounds) operation.set(logKeys.round(round.first), encodeRound(round));
      return operation;
    });
  }
}

/** Spent ids under `["sp", N]`; {@linkcode KvRoundStore} writes them. */
export class KvSpentStore implements SpentStore {
  readonly #records: NumberedRecords<SpentRow>;

  constructor(reads: StoreReads) {
    this.#records = new NumberedRecords(reads, logKeys.spents(), decodeSpentRow);
  }

  async rows(start: number, end: number): Promise<SpentRow[]> {
    if (start >= end) return [];
    const rows = await this.#records.list({ start: earliestRow(start), end });
    return rows.filter(({ first, ids }) => first + ids.length / HASH_LENGTH > start);
  }

  lastRow(): Promise<SpentRow | undefined> {
    return this.#records.last();
  }
}

/** The earliest key of the row that has item `start`. */
function earliestRow(start: number): number {
  return Math.max(0, start - KV_LOG_LIMITS.digestsPerRow + 1);
}

/** Sequences per window. */
export const WINDOW = 64;

/** About 3 KiB each. */
const MAX_WINDOWS = 4096;

export class IntakeWindows {
  /** Rows that overlap a window, ascending. */
  readonly #windows = new RecentlyUsed<number, readonly IntakeRow[]>(MAX_WINDOWS);

  /** Rows that overlap [start, end), ascending, if all are cached. */
  rows(start: number, end: number): IntakeRow[] | undefined {
    if (end - start > WINDOW) return undefined;
    const first = Math.floor(start / WINDOW);
    const last = Math.floor((end - 1) / WINDOW);
    const rows = this.#windows.get(first);
    if (rows === undefined || first === last) return rows && overlapping(rows, start, end);
    const further = this.#windows.get(last);
    if (further === undefined) return undefined;
    const seen = rows.at(-1)!.first;
    return overlapping([...rows, ...further.filter((row) => row.first > seen)], start, end);
  }

  /** Caches the consecutive `rows` that overlap `window`, if they cover all of it. */
  add(window: number, rows: readonly IntakeRow[]): void {
    const start = window * WINDOW;
    const end = start + WINDOW;
    const part = overlapping(rows, start, end);
    const isCovered = part.length > 0 && part[0]!.first <= start && endOf(part.at(-1)!) >= end;
    if (isCovered) this.#windows.set(window, part);
  }
}

/** The `rows` that overlap [start, end). */
export function overlapping(rows: readonly IntakeRow[], start: number, end: number): IntakeRow[] {
  return rows.filter((row) => row.first < end && endOf(row) > start);
}

/** Sequence after the last digest of `row`. */
function endOf(row: IntakeRow): number {
  return row.first + row.digests.length / HASH_LENGTH;
}
