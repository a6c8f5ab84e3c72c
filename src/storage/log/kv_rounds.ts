/**
 * {@linkcode RoundStore} and {@linkcode SpentStore} on any engine.
 *
 * @module
 */

import { HASH_LENGTH } from "../../base/bytes.ts";
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
  decodeStoredRound,
  encodeIntakeRow,
  encodeSpentRow,
  encodeStoredRound,
} from "./record_codec.ts";

/** Accepted digests under `["in", F]`, spent ids under `["sp", N]`, signed rounds under `["rd", F]`. */
export class KvRoundReads implements RoundReads {
  readonly limits: LogLimits = KV_LOG_LIMITS;
  readonly #rows: NumberedRecords<IntakeRow>;
  readonly #rounds: NumberedRecords<RoundRecord>;
  readonly #cached = new IntakeRows();
  /** Whether the rows that were read last have many digests: then few rows are around a leaf. */
  #areRowsLong = true;

  constructor(reads: StoreReads) {
    this.#rows = new NumberedRecords(reads, logKeys.intakes(), decodeIntakeRow);
    this.#rounds = new NumberedRecords(reads, logKeys.rounds(), decodeStoredRound);
  }

  rowAt(first: number): Promise<IntakeRow | undefined> {
    return this.#rows.at(first);
  }

  async rows(start: number, end: number): Promise<IntakeRow[]> {
    if (start >= end) return [];
    if (end - start > CACHED_READ) return await this.#listRows(start, end);
    return this.#cached.rows(start, end) ?? await this.#readRows(start, end);
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

  /** Caches what it reads: the neighbours as well if rows are long, since a proof needs them next. */
  async #readRows(start: number, end: number): Promise<IntakeRow[]> {
    const rows = this.#areRowsLong
      ? await this.#listRows(Math.max(0, start - NEIGHBOURS), end + NEIGHBOURS)
      : await this.#onlyRows(start, end);
    const [first, last] = [rows.at(0), rows.at(-1)];
    if (first !== undefined) {
      this.#areRowsLong = endOf(last!) - first.first >= LONG_ROW * rows.length;
    }
    this.#cached.add(rows);
    return overlapping(rows, start, end);
  }

  /** The rows from the one that has `start`. */
  async #onlyRows(start: number, end: number): Promise<IntakeRow[]> {
    const row = await this.#rows.last(start + 1);
    if (row === undefined) return [];
    const next = endOf(row);
    return next >= end ? [row] : [row, ...await this.#rows.list({ start: next, end })];
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
      for (const round of rounds) {
        operation.set(logKeys.round(round.first), encodeStoredRound(round));
      }
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

/** Sequences of the largest read whose rows are cached. */
export const CACHED_READ = 64;

/** How far before and after a leaf the leaves of its group are: 32 of the log's tree, or of its round's. */
const NEIGHBOURS = 31;

/** If the rows of a read have fewer digests on average, the next read is without neighbours. */
const LONG_ROW = 8;

/** About 1 KiB each. */
const MAX_ROWS = 8192;

/** The rows that were read lately. */
export class IntakeRows {
  /** By first sequence. */
  readonly #rows = new RecentlyUsed<number, IntakeRow>(MAX_ROWS);

  /** Rows that overlap [start, end), ascending, if all are cached. */
  rows(start: number, end: number): IntakeRow[] | undefined {
    const rows: IntakeRow[] = [];
    for (let next = start; next < end;) {
      const row = this.#rowOf(next);
      if (row === undefined) return undefined;
      rows.push(row);
      next = endOf(row);
    }
    return rows;
  }

  add(rows: readonly IntakeRow[]): void {
    for (const row of rows) this.#rows.set(row.first, row);
  }

  #rowOf(sequence: number): IntakeRow | undefined {
    for (let first = sequence; first >= earliestRow(sequence); first--) {
      const row = this.#rows.get(first);
      if (row !== undefined) return endOf(row) > sequence ? row : undefined;
    }
    return undefined;
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
