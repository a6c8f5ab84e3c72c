/**
 * {@linkcode SthStore} on Deno KV.
 *
 * @module
 */

import type { SthRecord } from "../format/records.ts";
import type { CommitOutcome, SthStore } from "../gateway/ports.ts";
import { logKeys } from "./keys.ts";
import { absent, type FencedKv } from "./kv_commit.ts";
import { decodeSth, encodeSth } from "./record_codec.ts";

/** Published tree heads under `["sth", S]`. */
export class KvSthStore implements SthStore {
  readonly #kv: FencedKv;

  constructor(kv: FencedKv) {
    this.#kv = kv;
  }

  commit(record: SthRecord): Promise<CommitOutcome> {
    const key = logKeys.sth(record.size);
    return this.#kv.commit((operation) => operation.check(absent(key)).set(key, encodeSth(record)));
  }

  async at(size: number): Promise<SthRecord | undefined> {
    const { value } = await this.#kv.reads.get<Uint8Array>(logKeys.sth(size));
    return value === null ? undefined : decodeSth(size, value);
  }

  async firstAbove(size: number): Promise<SthRecord | undefined> {
    const selector = { prefix: logKeys.sths(), start: logKeys.sth(size + 1) };
    const [record] = await this.#list(selector, { limit: 1 });
    return record;
  }

  below(before: number, limit: number): Promise<SthRecord[]> {
    const selector = { prefix: logKeys.sths(), end: logKeys.sth(before) };
    return this.#list(selector, { reverse: true, limit });
  }

  async #list(selector: Deno.KvListSelector, options: Deno.KvListOptions): Promise<SthRecord[]> {
    const records: SthRecord[] = [];
    for await (const entry of this.#kv.reads.list<Uint8Array>(selector, options)) {
      records.push(decodeSth(entry.key[1] as number, entry.value));
    }
    return records;
  }
}
