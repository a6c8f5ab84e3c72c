/**
 * A log's durable memory, with rules stricter than those of any store: a commit that overwrites a
 * write-once record with other bytes, or that exceeds a limit, is refused and noted as a violation.
 *
 * @module
 */

import { equalBytes, HASH_LENGTH } from "../../src/bytes.ts";
import { CountersignError } from "../../src/errors.ts";
import type { Bytes } from "../../src/bytes.ts";
import type {
  HeadCommit,
  IntakeRow,
  LogLimits,
  RoundRecord,
  SthRecord,
  StoredHead,
} from "../../src/gateway/ports.ts";
import { encodeIntakeRow, encodeRound, encodeSth } from "../../src/storage/record_codec.ts";

/** Small, so that a few dozen digests fill several commits. */
export const SMALL_LIMITS: LogLimits = {
  digestsPerRow: 4,
  intakeRowsPerCommit: 3,
  roundsPerCommit: 2,
  tilesPerCommit: 80,
  indexRowsPerCommit: 256,
};

/** Deno KV's own limits of one commit. */
const MAX_MUTATIONS = 1_000;
const MAX_CHECKS = 10;
const MAX_COMMIT_BYTES = 819_200;
const MAX_VALUE_BYTES = 65_536;
const KEY_BYTES = 32;

/** One commit in terms of what limits count. */
interface CommitSize {
  /** The fence's included. */
  readonly checks: number;
  readonly values: readonly number[];
}

/** The state and its rules; stores over it come and go. Fields are public: tests corrupt them. */
export class MemoryLog {
  readonly limits: LogLimits;
  readonly indexKey: Bytes = crypto.getRandomValues(new Uint8Array(8));
  readonly rows = new Map<number, IntakeRow>();
  readonly rounds = new Map<number, RoundRecord>();
  readonly sths = new Map<number, SthRecord>();
  /** By `level/index`. */
  readonly tiles = new Map<string, Bytes>();
  /** By run, then by bucket. */
  readonly buckets = new Map<number, Map<number, Bytes>>();
  readonly doneRuns = new Set<number>();
  head: { head: StoredHead; version: string } | undefined;
  edges: Bytes[] = [];
  fence = "";
  #versions = 0;
  readonly violations: string[] = [];

  constructor(limits: LogLimits = SMALL_LIMITS) {
    this.limits = limits;
  }

  /** A backup: what it holds now, apart from it from here on. */
  copy(): MemoryLog {
    const copy = new MemoryLog(this.limits);
    copy.indexKey.set(this.indexKey);
    for (const [key, row] of this.rows) copy.rows.set(key, structuredClone(row));
    for (const [key, round] of this.rounds) copy.rounds.set(key, structuredClone(round));
    for (const [key, sth] of this.sths) copy.sths.set(key, structuredClone(sth));
    for (const [key, tile] of this.tiles) copy.tiles.set(key, tile.slice());
    for (const [run, buckets] of this.buckets) copy.buckets.set(run, structuredClone(buckets));
    for (const run of this.doneRuns) copy.doneRuns.add(run);
    copy.head = structuredClone(this.head);
    copy.edges = structuredClone(this.edges);
    copy.#versions = this.#versions;
    return copy;
  }

  setRows(rows: readonly IntakeRow[], rounds: readonly RoundRecord[]): "stored" | "conflict" {
    const { digestsPerRow, intakeRowsPerCommit, roundsPerCommit } = this.limits;
    this.#require(rows.length <= intakeRowsPerCommit, "rows in one commit");
    this.#require(rounds.length <= roundsPerCommit, "rounds in one commit");
    this.#measure({
      checks: 1 + Math.min(1, rows.length) + rounds.length,
      values: [...rows.map(encodeIntakeRow), ...rounds.map(encodeRound)].map((v) => v.length),
    });
    const [first] = rows;
    if (first !== undefined && this.rows.has(first.first)) return "conflict";
    if (rounds.some((round) => this.rounds.has(round.first))) return "conflict";
    let next = first?.first ?? 0;
    for (const row of rows) {
      const count = row.digests.length / HASH_LENGTH;
      this.#require(row.first === next, "a row that does not follow the last");
      this.#require(count >= 1 && count <= digestsPerRow, "digests in one row");
      this.#writeOnce(`row ${row.first}`, this.rows.get(row.first), row, encodeIntakeRow);
      next += count;
    }
    for (const row of rows) this.rows.set(row.first, row);
    for (const round of rounds) this.rounds.set(round.first, round);
    return "stored";
  }

  moveHead(change: HeadCommit): "stored" | "conflict" {
    this.#require(change.tiles.length <= this.limits.tilesPerCommit, "tiles in one commit");
    this.#measure({
      checks: 2,
      values: [...change.tiles.map((tile) => tile.hashes), ...change.edges].map((v) => v.length),
    });
    if (change.replaces !== (this.head?.version ?? null)) return "conflict";
    this.#require(change.head.size > (this.head?.head.size ?? 0), "a head that does not grow");
    for (const { level, index, hashes } of change.tiles) {
      const name = `${level}/${index}`;
      this.#writeOnce(`tile ${name}`, this.tiles.get(name), hashes, (tile) => tile);
      this.tiles.set(name, hashes);
    }
    this.edges = [...change.edges];
    this.head = { head: change.head, version: `v${++this.#versions}` };
    return "stored";
  }

  setSth(record: SthRecord): "stored" | "conflict" {
    this.#measure({ checks: 2, values: [encodeSth(record).length] });
    if (this.sths.has(record.size)) return "conflict";
    this.sths.set(record.size, record);
    return "stored";
  }

  setBuckets(
    run: number,
    rows: readonly { readonly bucket: number; readonly entries: Bytes }[],
    done: boolean,
  ): "stored" {
    this.#require(rows.length <= this.limits.indexRowsPerCommit, "index rows in one commit");
    this.#measure({ checks: 1, values: rows.map(({ entries }) => entries.length) });
    const buckets = this.buckets.get(run) ?? new Map<number, Bytes>();
    this.buckets.set(run, buckets);
    for (const { bucket, entries } of rows) {
      this.#writeOnce(`bucket ${run}/${bucket}`, buckets.get(bucket), entries, (bytes) => bytes);
      buckets.set(bucket, entries);
    }
    if (done) this.doneRuns.add(run);
    return "stored";
  }

  #writeOnce<T>(what: string, stands: T | undefined, next: T, encode: (value: T) => Bytes): void {
    const same = stands === undefined || equalBytes(encode(stands), encode(next));
    this.#require(same, `${what} overwritten`);
  }

  #measure({ checks, values }: CommitSize): void {
    const bytes = values.reduce((sum, value) => sum + value + KEY_BYTES, 0);
    this.#require(checks <= MAX_CHECKS, "checks in one commit");
    this.#require(values.length + 2 <= MAX_MUTATIONS, "mutations in one commit");
    this.#require(bytes <= MAX_COMMIT_BYTES, "bytes in one commit");
    this.#require(values.every((value) => value <= MAX_VALUE_BYTES), "bytes in one value");
  }

  #require(holds: boolean, what: string): void {
    if (holds) return;
    this.violations.push(what);
    throw new CountersignError("internal", `Cannot commit: the store's rules required, ${what}`);
  }
}
