/**
 * The durable state of a log, stricter than any store: refuses and records as a violation each
 * commit that overwrites a write-once record, leaves a gap, overlaps stored records, exceeds a
 * limit, or changes when its records are encoded and decoded.
 *
 * @module
 */

import { isDeepStrictEqual } from "node:util";
import { equalBytes, HASH_LENGTH, isCount } from "../../src/base/bytes.ts";
import type { Bytes } from "../../src/base/bytes.ts";
import { CountersignError } from "../../src/base/errors.ts";
import {
  addsSignatures,
  type IntakeRow,
  type RoundRecord,
  type SpentRow,
  type SthRecord,
} from "../../src/proof/format/records.ts";
import type { Succession, SuccessionLink } from "../../src/proof/format/succession.ts";
import { MAX_ROUND_SIZE } from "../../src/proof/format/round.ts";
import { RUN_BUCKETS } from "../../src/gateway/index/index_run.ts";
import type { HeadCommit, LogLimits, StoredHead } from "../../src/gateway/ports.ts";
import { fullTiles, partialWidth, TILE_WIDTH } from "../../src/proof/merkle/tile.ts";
import {
  decodeRound,
  decodeSth,
  encodeRound,
  encodeSth,
} from "../../src/proof/format/record_codec.ts";
import {
  decodeIntakeRow,
  decodeSpentRow,
  encodeIntakeRow,
  encodeSpentRow,
  encodeStoredRound,
  encodeStoredSth,
} from "../../src/storage/log/record_codec.ts";
import { Random } from "../random.ts";
import { SEED } from "../seed.ts";

/** Small, so that a few dozen digests fill several commits. */
export const SMALL_LIMITS: LogLimits = {
  digestsPerRow: 4,
  intakeRowsPerCommit: 3,
  spendingRowsPerCommit: 2,
  roundsPerCommit: 2,
  indexRowsPerCommit: 256,
};

/** Deno KV's limits of one commit; of checks, as many as our commits need. */
const MAX_MUTATIONS = 1_000;
const MAX_CHECKS = 10;
const MAX_COMMIT_BYTES = 819_200;
const MAX_VALUE_BYTES = 65_536;
const KEY_BYTES = 32;
/** More than the largest batch fills. */
const MAX_TILES = 80;

/** The size of one commit, in the units of the limits. */
interface CommitSize {
  /** Including the fence's. */
  readonly checks: number;
  readonly values: readonly Bytes[];
}

/** The records of a commit, for observers of the log. */
export type LogChange =
  | {
    readonly kind: "rows";
    readonly rows: readonly IntakeRow[];
    readonly rounds: readonly RoundRecord[];
    readonly spent: readonly SpentRow[];
  }
  | { readonly kind: "head"; readonly change: HeadCommit }
  | { readonly kind: "sth"; readonly record: SthRecord }
  | { readonly kind: "signatures"; readonly record: SthRecord };

/** Buckets by run, then by bucket. */
export type RunBuckets = Map<number, Map<number, Bytes>>;

/**
 * The state and its rules, shared by successive stores. Fields are public because tests corrupt
 * them.
 */
export class MemoryLog {
  readonly limits: LogLimits;
  /** By the epoch that they lead to. */
  readonly documents = new Map<number, Succession>();
  readonly links = new Map<number, SuccessionLink>();
  readonly indexKey: Bytes = new Random(SEED).bytes(8);
  readonly rows = new Map<number, IntakeRow>();
  readonly rounds = new Map<number, RoundRecord>();
  readonly sths = new Map<number, SthRecord>();
  /** By `level/index`. */
  readonly tiles = new Map<string, Bytes>();
  /** Of the full tiles of level 0. */
  readonly upperNodes = new Map<number, Bytes>();
  /** By run, then by bucket. */
  readonly buckets: RunBuckets = new Map();
  readonly doneRuns = new Set<number>();
  /** By the number of the first id. */
  readonly spent = new Map<number, SpentRow>();
  readonly spentBuckets: RunBuckets = new Map();
  readonly doneSpentRuns = new Set<number>();
  head: { head: StoredHead; version: string } | undefined;
  edges: Bytes[] = [];
  fence = "";
  /** How often it lost its latest changes. What was on its way to it before never reaches it. */
  era = 0;
  #versions = 0;
  readonly violations: string[] = [];
  /** Called after each stored commit. */
  watch: (change: LogChange) => void = () => {};

  constructor(limits: LogLimits = SMALL_LIMITS) {
    this.limits = limits;
  }

  /** Sequence after the last accepted digest. */
  get end(): number {
    let last = -1;
    for (const first of this.rows.keys()) last = Math.max(last, first);
    return last < 0 ? 0 : last + countOf(this.rows.get(last)!);
  }

  /** Number after the last redeemed id. */
  get spentEnd(): number {
    return [...this.spent.values()].reduce((sum, { offsets }) => sum + offsets.length, 0);
  }

  /** A backup: an independent copy of the state. */
  copy(): MemoryLog {
    const copy = new MemoryLog(this.limits);
    copy.indexKey.set(this.indexKey);
    for (const [key, row] of this.rows) copy.rows.set(key, structuredClone(row));
    for (const [key, round] of this.rounds) copy.rounds.set(key, structuredClone(round));
    for (const [key, sth] of this.sths) copy.sths.set(key, structuredClone(sth));
    for (const [key, tile] of this.tiles) copy.tiles.set(key, tile.slice());
    for (const [key, nodes] of this.upperNodes) copy.upperNodes.set(key, nodes.slice());
    for (const [run, buckets] of this.buckets) copy.buckets.set(run, structuredClone(buckets));
    for (const run of this.doneRuns) copy.doneRuns.add(run);
    for (const [key, row] of this.spent) copy.spent.set(key, structuredClone(row));
    for (const [run, rows] of this.spentBuckets) copy.spentBuckets.set(run, structuredClone(rows));
    for (const run of this.doneSpentRuns) copy.doneSpentRuns.add(run);
    copy.head = structuredClone(this.head);
    copy.edges = structuredClone(this.edges);
    copy.#versions = this.#versions;
    return copy;
  }

  setRows(
    rows: readonly IntakeRow[],
    rounds: readonly RoundRecord[],
    spent: readonly SpentRow[],
  ): "stored" | "conflict" {
    const { intakeRowsPerCommit, spendingRowsPerCommit, roundsPerCommit } = this.limits;
    this.#require(rows.length + rounds.length > 0, "a commit of nothing");
    const mostRows = spent.length > 0 ? spendingRowsPerCommit : intakeRowsPerCommit;
    this.#require(rows.length <= mostRows, "rows in one commit");
    this.#require(rounds.length <= roundsPerCommit, "rounds in one commit");
    this.#measure({
      checks: 1 + Math.min(1, rows.length) + rounds.length,
      values: [
        ...rows.map(encodeIntakeRow),
        ...rounds.map(encodeStoredRound),
        ...spent.map(encodeSpentRow),
      ],
    });
    const [first] = rows;
    if (first !== undefined && this.rows.has(first.first)) return "conflict";
    if (rounds.some((round) => this.rounds.has(round.first))) return "conflict";
    this.#checkRounds(rounds, this.#checkRows(rows));
    this.#checkSpent(spent, rows);
    for (const row of rows) this.rows.set(row.first, row);
    for (const round of rounds) this.rounds.set(round.first, round);
    for (const row of spent) this.spent.set(row.first, row);
    this.watch({ kind: "rows", rows, rounds, spent });
    return "stored";
  }

  moveHead(change: HeadCommit): "stored" | "conflict" {
    const { head: { size, root }, tiles, edges } = change;
    this.#require(tiles.length <= MAX_TILES, "tiles in one commit");
    this.#measure({
      checks: 2,
      values: [...tiles.flatMap((tile) => [tile.hashes, tile.upperNodes]), ...edges],
    });
    if (change.replaces !== (this.head?.version ?? null)) return "conflict";
    const before = this.head?.head.size ?? 0;
    this.#require(isCount(size) && size > before, "a head that does not grow");
    this.#require(root.length === HASH_LENGTH, "bytes of a root");
    const names = tiles.map(({ level, index }) => `${level}/${index}`);
    this.#require(new Set(names).size === names.length, "a tile twice in one commit");
    for (const [i, { level, index, hashes, upperNodes }] of tiles.entries()) {
      const isNew = index >= fullTiles(level, before) && index < fullTiles(level, size);
      this.#require(isNew, `tile ${names[i]} that has not become full`);
      this.#require(hashes.length === TILE_WIDTH * HASH_LENGTH, `bytes of tile ${names[i]}`);
      this.#require(upperNodes.length === 8 * HASH_LENGTH, `upper nodes of tile ${names[i]}`);
      this.#require(!this.tiles.has(names[i]!), `tile ${names[i]} overwritten`);
    }
    edges.forEach((edge, level) => {
      const width = partialWidth(level, size) * HASH_LENGTH;
      this.#require(edge.length === width, `bytes of edge ${level}`);
    });
    tiles.forEach(({ level, index, hashes, upperNodes }, i) => {
      this.tiles.set(names[i]!, hashes);
      if (level === 0) this.upperNodes.set(index, upperNodes);
    });
    this.edges = [...edges];
    this.head = { head: change.head, version: `v${++this.#versions}` };
    this.watch({ kind: "head", change });
    return "stored";
  }

  setSth(record: SthRecord): "stored" | "conflict" {
    const { size } = record;
    this.#measure({ checks: 2, values: [encodeStoredSth(record)] });
    if (this.sths.has(size)) return "conflict";
    const isLast = isCount(size) && [...this.sths.keys()].every((other) => other < size);
    this.#require(isLast, `a published head of ${size} that is not the largest`);
    this.#requireWhole(`published head ${size}`, record, decodeSth(size, encodeSth(record)));
    this.sths.set(size, record);
    this.watch({ kind: "sth", record });
    return "stored";
  }

  replaceSth(stored: SthRecord, record: SthRecord): "stored" | "conflict" {
    const { size } = stored;
    this.#measure({ checks: 2, values: [encodeStoredSth(record)] });
    const found = this.sths.get(size);
    if (found === undefined || !equalBytes(encodeSth(found), encodeSth(stored))) return "conflict";
    this.#require(addsSignatures(found, record), `a head of ${size} without its signatures`);
    this.sths.set(size, record);
    this.watch({ kind: "signatures", record });
    return "stored";
  }

  /** Of the digests, or of the redeemed ids. */
  setBuckets(
    index: "digests" | "spent",
    { run, rows, done }: {
      readonly run: number;
      readonly rows: readonly { readonly bucket: number; readonly entries: Bytes }[];
      readonly done: boolean;
    },
  ): "stored" {
    const standing = index === "digests" ? this.buckets : this.spentBuckets;
    const doneRuns = index === "digests" ? this.doneRuns : this.doneSpentRuns;
    this.#require(rows.length > 0, "a commit of nothing");
    this.#require(rows.length <= this.limits.indexRowsPerCommit, "index rows in one commit");
    this.#measure({ checks: 1, values: rows.map(({ entries }) => entries) });
    this.#require(isCount(run) && run <= doneRuns.size, `run ${run} before the one below it`);
    const buckets = standing.get(run) ?? new Map<number, Bytes>();
    rows.forEach(({ bucket, entries }, i) => {
      const name = `bucket ${run}/${bucket}`;
      const follows = i === 0 || rows[i - 1]!.bucket < bucket;
      this.#require(follows && isCount(bucket) && bucket < RUN_BUCKETS, `${name} out of order`);
      const stands = buckets.get(bucket);
      // A run is a function of the log, so a repeated commit must have the same content.
      const isSame = stands === undefined || equalBytes(stands, entries);
      this.#require(isSame, `${name} overwritten`);
    });
    for (const { bucket, entries } of rows) buckets.set(bucket, entries);
    standing.set(run, buckets);
    if (done) doneRuns.add(run);
    return "stored";
  }

  /** Returns the sequence after `rows`, which must continue the log without a gap. */
  #checkRows(rows: readonly IntakeRow[]): number {
    let next = this.end;
    for (const row of rows) {
      const name = `row ${row.first}`;
      const count = countOf(row);
      this.#require(row.first === next, `${name} where ${next} is next`);
      this.#require(count >= 1 && count <= this.limits.digestsPerRow, `digests of ${name}`);
      this.#requireWhole(name, row, decodeIntakeRow(row.first, encodeIntakeRow(row)));
      next += count;
    }
    return next;
  }

  /** Requires consecutive numbers, a row of the same commit for each id, and no repeated id. */
  #checkSpent(spent: readonly SpentRow[], rows: readonly IntakeRow[]): void {
    let next = this.spentEnd;
    let last = -1;
    for (const row of spent) {
      const name = `spent row ${row.first}`;
      this.#require(row.first === next, `${name} where ${next} is next`);
      const intakeRow = rows.find(({ first }) => first === row.intakeRow);
      this.#require(intakeRow !== undefined && row.intakeRow > last, `${name} beside no new row`);
      this.#require(
        row.offsets.at(-1)! < countOf(intakeRow!),
        `${name} of digests that are not there`,
      );
      this.#requireWhole(name, row, decodeSpentRow(row.first, encodeSpentRow(row)));
      next += row.offsets.length;
      last = row.intakeRow;
    }
  }

  /** Requires rounds of accepted digests below `end`, without overlaps. */
  #checkRounds(rounds: readonly RoundRecord[], end: number): void {
    const standing = [...this.rounds.values()];
    for (const [i, round] of rounds.entries()) {
      const { first, size } = round;
      const name = `round ${first}`;
      this.#require(isCount(first) && size >= 1 && size <= MAX_ROUND_SIZE, `size of ${name}`);
      this.#require(first + size <= end, `${name} of what is not accepted`);
      const others = [...standing, ...rounds.slice(0, i)];
      const isApart = others.every((other) =>
        first + size <= other.first || other.first + other.size <= first
      );
      this.#require(isApart, `${name} within another`);
      this.#requireWhole(name, round, decodeRound(first, encodeRound(round)));
    }
  }

  #requireWhole(what: string, record: unknown, decoded: unknown): void {
    this.#require(isDeepStrictEqual(record, decoded), `${what} that its encoding changes`);
  }

  #measure({ checks, values }: CommitSize): void {
    const bytes = values.reduce((sum, value) => sum + value.length + KEY_BYTES, 0);
    this.#require(checks <= MAX_CHECKS, "checks in one commit");
    this.#require(values.length + 2 <= MAX_MUTATIONS, "mutations in one commit");
    this.#require(bytes <= MAX_COMMIT_BYTES, "bytes in one commit");
    this.#require(values.every(({ length }) => length <= MAX_VALUE_BYTES), "bytes in one value");
  }

  #require(holds: boolean, what: string): void {
    if (holds) return;
    this.violations.push(what);
    throw new CountersignError("internal", `Cannot commit: the store's rules required, ${what}`);
  }
}

function countOf(row: IntakeRow): number {
  return row.digests.length / HASH_LENGTH;
}
