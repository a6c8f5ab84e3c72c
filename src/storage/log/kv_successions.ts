/**
 * {@linkcode SuccessionStore} on any engine: JSON under `["ep", N]` and `["epl", N]`.
 *
 * @module
 */

import { textOf, utf8 } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import {
  parseSuccession,
  parseSuccessionChain,
  type Succession,
  type SuccessionLink,
} from "../../format/succession.ts";
import type { CommitOutcome, SuccessionReads, SuccessionStore } from "../../gateway/ports.ts";
import { absent, bytesAt, type StoreReads } from "../store_engine.ts";
import type { FencedKv } from "./kv_commit.ts";
import { logKeys } from "./log_keys.ts";

/** The link in the bytes of a row; `store_corrupt`. */
export function decodeLink(epoch: number, bytes: Uint8Array): SuccessionLink {
  const [link] = parseSuccessionChain(`[${textOf(bytes, "store_corrupt")}]`, "store_corrupt");
  if (link!.predecessor.epoch + 1 === epoch) return link!;
  throw new CountersignError("store_corrupt", `Cannot use link ${epoch}: it is of another epoch`);
}

/** The succession in the bytes of a row; `store_corrupt`. */
export function decodeSuccession(epoch: number, bytes: Uint8Array): Succession {
  const succession = parseSuccession(textOf(bytes, "store_corrupt"), "store_corrupt");
  if (succession.predecessor.epoch + 1 === epoch) return succession;
  throw new CountersignError(
    "store_corrupt",
    `Cannot use succession ${epoch}: it is of another epoch`,
  );
}

export class KvSuccessionReads implements SuccessionReads {
  readonly #reads: StoreReads;

  constructor(reads: StoreReads) {
    this.#reads = reads;
  }

  async links(): Promise<SuccessionLink[]> {
    const links: SuccessionLink[] = [];
    for await (const { key, value } of this.#reads.list<unknown>({ prefix: logKeys.links() })) {
      const epoch = links.length + 1;
      if (key[1] !== epoch) {
        throw new CountersignError(
          "store_corrupt",
          `Cannot read the links of the store: that to epoch ${epoch} is missing`,
        );
      }
      links.push(decodeLink(epoch, bytesAt(key, value)));
    }
    return links;
  }
}

/** {@linkcode KvSuccessionReads} with commits. */
export class KvSuccessionStore extends KvSuccessionReads implements SuccessionStore {
  readonly #kv: FencedKv;

  constructor(kv: FencedKv) {
    // Through the handle that writes: what was committed is read at once.
    super(kv.handles.writes);
    this.#kv = kv;
  }

  async document(epoch: number): Promise<Succession | undefined> {
    const key = logKeys.succession(epoch);
    const { value } = await this.#kv.handles.writes.get<unknown>(key);
    return value === null ? undefined : decodeSuccession(epoch, bytesAt(key, value));
  }

  commitDocument(epoch: number, succession: Succession): Promise<CommitOutcome> {
    const value = utf8(JSON.stringify(succession));
    return this.#kv.commit((operation) => operation.set(logKeys.succession(epoch), value));
  }

  async link(epoch: number): Promise<SuccessionLink | undefined> {
    const key = logKeys.link(epoch);
    const { value } = await this.#kv.handles.writes.get<unknown>(key);
    return value === null ? undefined : decodeLink(epoch, bytesAt(key, value));
  }

  commitLink(epoch: number, link: SuccessionLink): Promise<CommitOutcome> {
    const key = logKeys.link(epoch);
    const value = utf8(JSON.stringify(link));
    return this.#kv.commit((operation) => operation.check(absent(key)).set(key, value));
  }
}
