/**
 * {@linkcode StoredLog} on any engine. Writes nothing and does not take the fence. The caller must lock a
 * file.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import {
  type StoreAnomaly,
  type Stored,
  type StoredIndex,
  type StoredLog,
  TILE_LEVELS,
} from "../../logs/audit/ports.ts";
import { type Bytes, bytesOfHex, concat } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import type { IntakeRow, RoundRecord, SpentRow, SthRecord } from "../../proof/format/records.ts";
import { sortRun } from "../../gateway/index/index_run.ts";
import { KeyedHash, wordsOf } from "../../gateway/index/keyed_hash.ts";
import { RUN_LEAVES } from "../../gateway/index/recent_digests.ts";
import { probeDatabase } from "../database_probe.ts";
import { keyText, KvRecords } from "../kv_records.ts";
import { bytesAt, type StoreReads } from "../store_engine.ts";
import { openAuditedReads } from "../sqlite_reads.ts";
import { reasonOf } from "../store_fault.ts";
import { checkMeta, META_KEY, unmarked } from "../store_meta.ts";
import { INDEX_KEY_LENGTH, type LogMeta } from "./kv_log_store.ts";
import { digestIndexKeys, type IndexKeys, logKeys, spentIndexKeys } from "./log_keys.ts";
import {
  decodeBucket,
  decodeHead,
  decodeIntakeRow,
  decodeSpentRow,
  decodeStoredRound,
  decodeStoredSth,
} from "./record_codec.ts";

export class KvStoredLog implements StoredLog {
  readonly index: StoredIndex | undefined;
  readonly spentIndex: StoredIndex | undefined;
  readonly #kv: StoreReads;
  readonly #records: KvRecords;
  readonly #anomalies: readonly StoreAnomaly[];

  constructor(kv: StoreReads, indexKey: Bytes | undefined, anomalies: readonly StoreAnomaly[]) {
    this.#kv = kv;
    this.#records = new KvRecords(kv);
    this.#anomalies = anomalies;
    this.index = indexKey && new KvStoredIndex(this.#records, digestIndexKeys, indexKey);
    this.spentIndex = indexKey && new KvStoredIndex(this.#records, spentIndexKeys, indexKey);
  }

  async *anomalies(): AsyncGenerator<StoreAnomaly> {
    yield* this.#anomalies;
    for (const key of this.#records.strays) yield unknownKey(key);
    for (const [start, end] of unusedRanges()) {
      const keys = await this.#records.keys(start, end);
      if (!(keys instanceof Array)) {
        yield { place: "keys", problem: `cannot list the keys: ${keys.reason}` };
        continue;
      }
      for (const key of keys) {
        // The range may begin with a key of ours that has no numbers.
        if (key.length === 1 && key[0] === start[0]) continue;
        yield unknownKey(keyText(key));
      }
    }
  }

  async length(): Promise<number> {
    return await this.#records.last(logKeys.intakes()) ?? 0;
  }

  rows(): AsyncIterable<Stored<IntakeRow>> {
    return this.#records.under(logKeys.intakes(), decodeIntakeRow);
  }

  spent(): AsyncIterable<Stored<SpentRow>> {
    return this.#records.under(logKeys.spents(), decodeSpentRow);
  }

  rounds(): AsyncIterable<Stored<RoundRecord>> {
    return this.#records.under(logKeys.rounds(), decodeStoredRound);
  }

  sths(): AsyncIterable<Stored<SthRecord>> {
    return this.#records.under(logKeys.sths(), decodeStoredSth);
  }

  async head(): Promise<Stored<Bytes> | undefined> {
    const found = await this.#records.at(logKeys.head());
    if (found === undefined) return undefined;
    if ("damage" in found) return { key: 0, damage: found.damage };
    try {
      const { size, root } = decodeHead(bytesAt(logKeys.head(), found.value));
      return { key: size, value: root };
    } catch (error) {
      return { key: 0, damage: reasonOf(error) };
    }
  }

  edges(): AsyncIterable<Stored<Bytes>> {
    return this.#records.under(logKeys.edges(), (_, value) => concat(value));
  }

  tiles(level: number): AsyncIterable<Stored<Bytes>> {
    return this.#records.under(logKeys.tiles(level), (_, value) => concat(value));
  }

  upperNodes(): AsyncIterable<Stored<Bytes>> {
    return this.#records.under(logKeys.allUpperNodes(), (_, value) => concat(value));
  }

  close(): void {
    this.#kv.close();
  }
}

/** The file of a log, open for an audit. */
export interface AuditedFile {
  readonly reads: StoreReads;
  /** The damage that SQLite finds in it. */
  readonly found: readonly StoreAnomaly[];
}

/**
 * Opens the store at `path` for reading. `configuration_missing` when there is no file, `file_failed` for a
 * file that is not a store; rejects like `probeDatabase`.
 */
export async function openAuditedFile(path: string): Promise<AuditedFile> {
  await requireFile(path);
  probeDatabase(path);
  const found = databaseAnomalies(path);
  return { reads: openAuditedReads(path), found };
}

/**
 * The log in `kv`, which messages call `name`. Closes `kv` if it rejects. `isCopy` accepts an unfinished
 * copy.
 */
export async function storedLogIn(
  kv: StoreReads,
  name: string,
  networkDigest: string,
  { found = [], isCopy = false }: {
    readonly found?: readonly StoreAnomaly[];
    readonly isCopy?: boolean;
  } = {},
): Promise<KvStoredLog> {
  try {
    const anomalies = [...found];
    const meta = await new KvRecords(kv).at(META_KEY);
    if (meta === undefined) await requireAnyRecord(kv, name);
    const value = meta !== undefined && "value" in meta ? meta.value : undefined;
    if (!isMeta(value)) {
      const problem = meta === undefined
        ? "the record is missing"
        : "damage" in meta
        ? meta.damage
        : "the value is not a format, an index key and a network";
      return new KvStoredLog(kv, undefined, [...anomalies, { place: "meta", problem }]);
    }
    // A log that was moved can be checked where it was, and a copy before it is finished.
    const isReadable = isCopy || value.mark?.state === "moved";
    checkMeta(isReadable ? unmarked(value) : value, networkDigest);
    const indexKey = bytesOfHex(value.index_key, INDEX_KEY_LENGTH);
    if (indexKey === undefined) {
      anomalies.push({ place: "meta", problem: "the index key is not 8 bytes of hex" });
    }
    return new KvStoredLog(kv, indexKey, anomalies);
  } catch (error) {
    kv.close();
    throw error;
  }
}

async function requireFile(path: string): Promise<void> {
  const size = await Deno.stat(path).then((file) => file.size, () => undefined);
  if (size !== undefined && size > 0) return;
  throw new CountersignError(
    "configuration_missing",
    `Cannot check store "${path}": the file ${size === undefined ? "does not exist" : "is empty"}`,
  );
}

async function requireAnyRecord(kv: StoreReads, name: string): Promise<void> {
  for await (const _ of kv.list({ prefix: [] }, { limit: 1 })) return;
  throw new CountersignError(
    "file_failed",
    `Cannot check store "${name}": it is a database without records`,
  );
}

/** The damage that SQLite finds in the table of records. */
function databaseAnomalies(path: string): StoreAnomaly[] {
  const place = "database";
  try {
    using database = new DatabaseSync(path, { readOnly: true });
    return database.prepare("PRAGMA integrity_check(kv)").all()
      .map((row) => String(row["integrity_check"]))
      .filter((problem) => problem !== "ok")
      .map((problem) => ({ place, problem }));
  } catch (cause) {
    return [{ place, problem: reasonOf(cause) }];
  }
}

function isMeta(value: unknown): value is LogMeta {
  if (typeof value !== "object" || value === null) return false;
  const { format_version, index_key, network } = value as Record<string, unknown>;
  return typeof format_version === "number" && typeof index_key === "string" &&
    typeof network === "string";
}

function unknownKey(key: string): StoreAnomaly {
  return { place: "keys", problem: `unknown key ${key}` };
}

/** First parts of the log's keys, in key order, and whether numbers follow. */
const FIRST_PARTS: readonly (readonly [name: string, hasNumbers: boolean])[] = [
  ["e", true],
  ["ep", true],
  ["epl", true],
  ["fence", false],
  ["head", false],
  ["in", true],
  ["ix", true],
  ["ixd", true],
  ["meta", false],
  ["n", true],
  ["place", false],
  ["rd", true],
  ["sp", true],
  ["sth", true],
  ["sx", true],
  ["sxd", true],
  ["t", true],
];

/**
 * The ranges between the log's keys. A range may begin with a key that has no numbers. The store orders
 * by type first: bytes, texts, numbers, big integers, booleans.
 */
function* unusedRanges(): Generator<readonly [start: Deno.KvKey, end: Deno.KvKey]> {
  let start: Deno.KvKey = [new Uint8Array()];
  for (const [name, hasNumbers] of FIRST_PARTS) {
    yield [start, [name]];
    if (!hasNumbers) {
      start = [name];
      continue;
    }
    yield [[name], [name, 0]];
    start = [name, Number.MAX_SAFE_INTEGER];
  }
  yield [start, [true]];
  yield [["t", TILE_LEVELS], ["t", Number.MAX_SAFE_INTEGER]];
}

/** Larger than any run. */
const END = Number.MAX_SAFE_INTEGER;
/** Enough for 2^36 attestations. */
const MAX_RUNS = 2 ** 16;

class KvStoredIndex implements StoredIndex {
  readonly runLeaves = RUN_LEAVES;
  readonly #records: KvRecords;
  readonly #keys: IndexKeys;
  readonly #key: Bytes;

  /** `key` determines the buckets of entries; `keys` are the keys of the store. */
  constructor(records: KvRecords, keys: IndexKeys, key: Bytes) {
    this.#records = records;
    this.#keys = keys;
    this.#key = key;
  }

  async runs(): Promise<{ run: number; isDone: boolean }[]> {
    const runs = new Map<number, boolean>();
    // There is no list of runs, so the first key after each run is looked up.
    for (let next = 0; next < END;) {
      const keys = await this.#records.keys(this.#keys.run(next), this.#keys.run(END), 1);
      const run = keys instanceof Array ? keys[0]?.[1] : undefined;
      if (typeof run !== "number") break;
      runs.set(run, false);
      next = Math.floor(run) + 1;
    }
    const done = await this.#records.keys(this.#keys.done(0), this.#keys.done(END), MAX_RUNS);
    for (const key of done instanceof Array ? done : []) runs.set(key[1] as number, true);
    return [...runs].map(([run, isDone]) => ({ run, isDone })).sort((a, b) => a.run - b.run);
  }

  async bucketsOf(digests: Bytes): Promise<readonly Bytes[]> {
    const hash = new KeyedHash(this.#key);
    return (await sortRun(hash, wordsOf(digests), () => Promise.resolve())).buckets;
  }

  buckets(run: number): AsyncIterable<Stored<Bytes>> {
    return this.#records.under(
      this.#keys.run(run),
      (bucket, value) => concat(decodeBucket(run, bucket, value)),
    );
  }
}
