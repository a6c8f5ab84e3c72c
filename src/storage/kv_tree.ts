/**
 * {@linkcode TreeStore} on Deno KV.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH, uint64 } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type {
  CommitOutcome,
  HeadCommit,
  HeadVersion,
  StoredHead,
  TreeStore,
} from "../gateway/ports.ts";
import { logKeys } from "./keys.ts";
import { absent, type FencedKv } from "./kv_commit.ts";

/** The head under `["head"]`, edges under `["e", L]`, full tiles under `["t", L, N]`. */
export class KvTreeStore implements TreeStore {
  readonly #kv: FencedKv;

  constructor(kv: FencedKv) {
    this.#kv = kv;
  }

  async head(): Promise<{ head: StoredHead; version: HeadVersion } | undefined> {
    const entry = await this.#kv.handles.writes.get<Uint8Array>(logKeys.head());
    if (entry.value === null) return undefined;
    if (entry.value.length !== 8 + HASH_LENGTH) {
      throw new CountersignError(
        "store_corrupt",
        `Cannot read head of the store: 40 bytes required, found ${entry.value.length}`,
      );
    }
    const view = new DataView(entry.value.buffer, entry.value.byteOffset);
    return {
      head: { size: Number(view.getBigUint64(0)), root: entry.value.slice(8) as Bytes },
      version: entry.versionstamp,
    };
  }

  async edges(): Promise<Bytes[]> {
    const edges: Bytes[] = [];
    const selector = { prefix: logKeys.edges() };
    for await (const entry of this.#kv.handles.writes.list<Bytes>(selector)) {
      if (entry.key[1] !== edges.length) {
        throw new CountersignError(
          "store_corrupt",
          `Cannot read edges of the store: level ${edges.length} required, found ${
            String(entry.key[1])
          }`,
        );
      }
      edges.push(entry.value);
    }
    return edges;
  }

  async tile(level: number, index: number): Promise<Bytes | undefined> {
    const { value } = await this.#kv.reads.get<Bytes>(logKeys.tile(level, index));
    return value ?? undefined;
  }

  commit(change: HeadCommit): Promise<CommitOutcome> {
    return this.#kv.commit((operation) => {
      const key = logKeys.head();
      operation.check(
        change.replaces === null ? absent(key) : { key, versionstamp: change.replaces },
      );
      for (const { level, index, hashes } of change.tiles) {
        operation.set(logKeys.tile(level, index), hashes);
      }
      change.edges.forEach((edge, level) => operation.set(logKeys.edge(level), edge));
      return operation.set(key, concat(uint64(change.head.size), change.head.root));
    });
  }
}
