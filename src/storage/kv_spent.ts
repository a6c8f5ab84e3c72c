/**
 * {@linkcode SpentStore} on Deno KV.
 *
 * @module
 */

import { HASH_LENGTH } from "../bytes.ts";
import type { SpentRow } from "../format/records.ts";
import type { SpentStore } from "../gateway/spent_ports.ts";
import { logKeys } from "./keys.ts";
import type { FencedKv } from "./kv_commit.ts";
import { KV_LOG_LIMITS } from "./limits.ts";
import { decodeSpentRow } from "./spent_codec.ts";

/** What was spent, under `["sp", N]`. */
export class KvSpentStore implements SpentStore {
  readonly #kv: FencedKv;

  constructor(kv: FencedKv) {
    this.#kv = kv;
  }

  async rows(start: number, end: number): Promise<SpentRow[]> {
    // A row that begins before is at most a whole row before.
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
