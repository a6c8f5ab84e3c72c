/**
 * {@linkcode SuccessionStore} on any engine: JSON under `["ep", N]` and `["epl", N]`. What does not fit into
 * one value follows under `[..., N, 1]`, `[..., N, 2]` and so on, in the same commit.
 *
 * @module
 */

import { type Bytes, concat, textOf, utf8 } from "../../base/bytes.ts";
import { CountersignError, expectedError } from "../../base/errors.ts";
import {
  parseSuccession,
  parseSuccessionChain,
  type Succession,
  type SuccessionLink,
} from "../../proof/format/succession.ts";
import type { CommitOutcome, SuccessionReads, SuccessionStore } from "../../gateway/ports.ts";
import { absent, bytesAt, type StoreCommit, type StoreReads } from "../store_engine.ts";
import type { FencedKv } from "./kv_commit.ts";
import { logKeys } from "./log_keys.ts";

/** Bytes of a value; Deno KV takes at most 65,536. */
const PART_BYTES = 60_000;
/** Together less than Deno KV takes in a commit. */
const MAX_PARTS = 13;

/** The link in the bytes of a row; `store_corrupt`. */
export function decodeLink(epoch: number, bytes: Uint8Array): SuccessionLink {
  const link = parsed(logKeys.link(epoch), bytes, (text) => {
    const [link] = parseSuccessionChain(`[${text}]`, "store_corrupt");
    if (link !== undefined) return link;
    throw new CountersignError("store_corrupt", "it is empty");
  });
  if (link.predecessor.epoch + 1 === epoch) return link;
  throw new CountersignError("store_corrupt", `Cannot use link ${epoch}: it is of another epoch`);
}

/** The succession in the bytes of a row; `store_corrupt`. */
export function decodeSuccession(epoch: number, bytes: Uint8Array): Succession {
  const key = logKeys.succession(epoch);
  const succession = parsed(key, bytes, (text) => parseSuccession(text, "store_corrupt"));
  if (succession.predecessor.epoch + 1 === epoch) return succession;
  throw new CountersignError(
    "store_corrupt",
    `Cannot use succession ${epoch}: it is of another epoch`,
  );
}

/** What `parse` reads in the bytes of the row at `key`; `store_corrupt`, which names the row. */
function parsed<T>(key: Deno.KvKey, bytes: Uint8Array, parse: (text: string) => T): T {
  try {
    return parse(textOf(bytes, "store_corrupt"));
  } catch (error) {
    const cause = expectedError(error);
    const message = `Cannot read the record ${JSON.stringify(key)} of the store: ${cause.message}`;
    throw new CountersignError("store_corrupt", message, { cause });
  }
}

export class KvSuccessionReads implements SuccessionReads {
  readonly #reads: StoreReads;

  constructor(reads: StoreReads) {
    this.#reads = reads;
  }

  async links(): Promise<SuccessionLink[]> {
    const values: Bytes[][] = [];
    for await (const { key, value } of this.#reads.list<unknown>({ prefix: logKeys.links() })) {
      const [, epoch, part = 0] = key;
      if (part === 0) values.push([]);
      if (epoch !== values.length) {
        throw new CountersignError(
          "store_corrupt",
          `Cannot read the links of the store: that to epoch ${values.length} is missing`,
        );
      }
      values.at(-1)?.push(concat(bytesAt(key, value)));
    }
    return values.map((parts, i) => decodeLink(i + 1, concat(...parts)));
  }
}

/** {@linkcode KvSuccessionReads} with commits. */
export class KvSuccessionStore extends KvSuccessionReads implements SuccessionStore {
  readonly #kv: FencedKv;

  constructor(kv: FencedKv) {
    // Reads through the handle that writes, so they see each commit at once.
    super(kv.handles.writes);
    this.#kv = kv;
  }

  async document(epoch: number): Promise<Succession | undefined> {
    const bytes = await this.#whole(logKeys.succession(epoch));
    return bytes && decodeSuccession(epoch, bytes);
  }

  commitDocument(epoch: number, succession: Succession): Promise<CommitOutcome> {
    return this.#kv.commit((operation) =>
      setWhole(operation, logKeys.succession(epoch), utf8(JSON.stringify(succession)))
    );
  }

  async link(epoch: number): Promise<SuccessionLink | undefined> {
    const bytes = await this.#whole(logKeys.link(epoch));
    return bytes && decodeLink(epoch, bytes);
  }

  commitLink(epoch: number, link: SuccessionLink): Promise<CommitOutcome> {
    const key = logKeys.link(epoch);
    return this.#kv.commit((operation) =>
      setWhole(operation.check(absent(key)), key, utf8(JSON.stringify(link)))
    );
  }

  async #whole(key: Deno.KvKey): Promise<Bytes | undefined> {
    const { writes } = this.#kv.handles;
    const { value } = await writes.get<unknown>(key);
    if (value === null) return undefined;
    const parts = [concat(bytesAt(key, value))];
    const further = { start: [...key, 1], end: [...key, MAX_PARTS] };
    for await (const { key, value } of writes.list<unknown>(further)) {
      parts.push(concat(bytesAt(key, value)));
    }
    return concat(...parts);
  }
}

/** Sets `bytes`, and removes what a longer value left. */
function setWhole(operation: StoreCommit, key: Deno.KvKey, bytes: Bytes): StoreCommit {
  if (bytes.length > MAX_PARTS * PART_BYTES) {
    throw new CountersignError(
      "storage_failed",
      `a succession has ${bytes.length} bytes, and the store takes ${MAX_PARTS * PART_BYTES}`,
    );
  }
  operation.set(key, bytes.slice(0, PART_BYTES));
  for (let part = 1; part < MAX_PARTS; part++) {
    const bytesOfPart = bytes.slice(part * PART_BYTES, (part + 1) * PART_BYTES);
    if (bytesOfPart.length > 0) operation.set([...key, part], bytesOfPart);
    else operation.delete([...key, part]);
  }
  return operation;
}
