/**
 * {@linkcode RoundStore} and {@linkcode SpentStore} on Deno KV.
 *
 * @module
 */

import { HASH_LENGTH } from "../../bytes.ts";
import type { IntakeRow, RoundRecord, SpentRow } from "../../format/records.ts";
import type { CommitOutcome, LogLimits, RoundStore, SpentStore } from "../../gateway/ports.ts";
import { IntakeWindows, overlapping, WINDOW } from "./intake_windows.ts";
import { logKeys } from "./keys.ts";
import { absent, type FencedKv } from "./kv_commit.ts";
import { KV_LOG_LIMITS } from "./commit_limits.ts";
import { decodeIntakeRow, decodeRound, encodeIntakeRow, encodeRound } from "./record_codec.ts";
import { decodeSpentRow, encodeSpentRow } from "./spent_codec.ts";

/** Accepted digests under `["in", F]`, spent ids under `["sp", N]`, signed rounds under `["rd", F]`. */
export class KvRoundStore implements RoundStore {
  readonly limits: LogLimits = KV_LOG_LIMITS;
  readonly #kv: FencedKv;
  readonly #windows = new IntakeWindows();

  constructor(kv: FencedKv) {
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

  async rowAt(first: number): Promise<IntakeRow | undefined> {
    const { value } = await this.#kv.reads.get<Uint8Array>(logKeys.intake(first));
    return value === null ? undefined : decodeIntakeRow(first, value);
  }

  async rows(start: number, end: number): Promise<IntakeRow[]> {
    if (start >= end) return [];
    return this.#windows.rows(start, end) ?? await this.#readRows(start, end);
  }

  async lastRow(): Promise<IntakeRow | undefined> {
    return await this.#rowBefore(Number.MAX_SAFE_INTEGER - 1);
  }

  async roundAt(first: number): Promise<RoundRecord | undefined> {
    const { value } = await this.#kv.reads.get<Uint8Array>(logKeys.round(first));
    return value === null ? undefined : decodeRound(first, value);
  }

  async roundBefore(sequence: number): Promise<RoundRecord | undefined> {
    const selector = { prefix: logKeys.rounds(), end: logKeys.round(sequence + 1) };
    const options = { reverse: true, limit: 1 };
    for await (const entry of this.#kv.reads.list<Uint8Array>(selector, options)) {
      return decodeRound(entry.key[1] as number, entry.value);
    }
    return undefined;
  }

  async rounds(start: number, end: number, limit: number): Promise<RoundRecord[]> {
    if (start >= end) return [];
    const rounds: RoundRecord[] = [];
    const selector = { start: logKeys.round(start), end: logKeys.round(end) };
    for await (const entry of this.#kv.reads.list<Uint8Array>(selector, { limit })) {
      rounds.push(decodeRound(entry.key[1] as number, entry.value));
    }
    return rounds;
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

  /** Rows that overlap [start, end). The first may begin up to one row before `start`. */
  async #listRows(start: number, end: number): Promise<IntakeRow[]> {
    const from = Math.max(0, start - this.limits.digestsPerRow + 1);
    const selector = { start: logKeys.intake(from), end: logKeys.intake(end) };
    const rows: IntakeRow[] = [];
    for await (const entry of this.#kv.reads.list<Uint8Array>(selector)) {
      rows.push(decodeIntakeRow(entry.key[1] as number, entry.value));
    }
    return overlapping(rows, start, end);
  }

  async #rowBefore(sequence: number): Promise<IntakeRow | undefined> {
    const selector = { prefix: logKeys.intakes(), end: logKeys.intake(sequence + 1) };
    const options = { reverse: true, limit: 1 };
    for await (const entry of this.#kv.reads.list<Uint8Array>(selector, options)) {
      return decodeIntakeRow(entry.key[1] as number, entry.value);
    }
    return undefined;
  }
}

/** Spent ids under `["sp", N]`; {@linkcode KvRoundStore} writes them. */
export class KvSpentStore implements SpentStore {
  readonly #kv: FencedKv;

  constructor(kv: FencedKv) {
    this.#kv = kv;
  }

  async rows(start: number, end: number): Promise<SpentRow[]> {
    // The first row may begin up to one row before `start`.
    const from = Math.max(0, start - KV_LOG_LIMITS.digestsPerRow + 1);
    const rows: SpentRow[] = [];
    if (start >= end) return rows;
    const selector = { start: logKeys.spent(from), end: logKeys.spent(end) };
    for await (const entry of this.#kv.reads.list<Uint8Array>(selector)) {
      const row = decodeSpentRow(entry.key[1] as number, entry.value);
      if (row.first + row.ids.length / HASH_LENGTH > start) rows.push(row);
    }
    return rows;
  }

  async lastRow(): Promise<SpentRow | undefined> {
    const selector = { prefix: logKeys.spents() };
    const options = { reverse: true, limit: 1 };
    for await (const entry of this.#kv.reads.list<Uint8Array>(selector, options)) {
      return decodeSpentRow(entry.key[1] as number, entry.value);
    }
    return undefined;
  }
}
