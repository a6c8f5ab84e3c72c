/**
 * {@linkcode FederationStore} on Deno KV.
 *
 * @module
 */

import type { Contradiction, FederationStore, SeenTreeHead } from "../../federation/ports.ts";
import { uint64 } from "../../bytes.ts";
import type { CrossAnchorRecord } from "../../format/records.ts";
import type { ListedAnchor } from "../../gateway/events/event_ports.ts";
import {
  decodeContradiction,
  decodeCrossAnchor,
  decodeSeenHead,
  encodeContradiction,
  encodeCrossAnchor,
  encodeSeenHead,
} from "./anchor_codec.ts";
import { type AnchorDatabase, anchorKeys, type AnchorOperation } from "./anchor_database.ts";
import type { KvAnchorList } from "./kv_anchor_list.ts";

/** Cross-anchors, peers' heads and contradictions. */
export class KvFederationStore implements FederationStore {
  readonly #database: AnchorDatabase;
  readonly #listing: KvAnchorList | undefined;
  /** The addition in progress. The next contradiction gets its number after it. */
  #adding: Promise<unknown> = Promise.resolve();

  /** Adds every new cross-anchor to `list`. */
  constructor(database: AnchorDatabase, list?: KvAnchorList) {
    this.#database = database;
    this.#listing = list;
  }

  async saveCrossAnchor(record: CrossAnchorRecord): Promise<void> {
    const { peer, treeHead: { tree_size: size } } = record;
    const key = anchorKeys.crossAnchor(peer, size);
    const value = encodeCrossAnchor(record);
    const what = `cross-anchor ${size} by ${peer}`;
    const set = (operation: AnchorOperation) => void operation.set(key, value);
    if (this.#listing === undefined) await this.#database.commit(what, set);
    else await this.#listing.commit(what, { keys: [key], listed: listedOf(record) }, set);
  }

  firstCrossAnchor(peer: string, size: number): Promise<CrossAnchorRecord | undefined> {
    return this.#crossAnchor(peer, { limit: 1 }, size);
  }

  lastCrossAnchor(peer: string): Promise<CrossAnchorRecord | undefined> {
    return this.#crossAnchor(peer, { limit: 1, reverse: true }, 0);
  }

  async seenHead(origin: string): Promise<SeenTreeHead | undefined> {
    const value = await this.#database.get(anchorKeys.seen(origin));
    return value && decodeSeenHead(origin, value);
  }

  async saveSeenHead(head: SeenTreeHead): Promise<void> {
    const { network_id: origin } = head.sth.tree_head;
    const value = encodeSeenHead(head);
    await this.#database.commit(`head of ${origin}`, (operation) => {
      operation.set(anchorKeys.seen(origin), value);
    });
  }

  addContradiction(contradiction: Contradiction): Promise<void> {
    const added = this.#adding.then(() => this.#add(contradiction));
    this.#adding = added.catch(() => {});
    return added;
  }

  async contradictions(limit: number): Promise<Contradiction[]> {
    const found: Contradiction[] = [];
    const selector = { prefix: anchorKeys.contradictions() };
    for await (const { key, value } of this.#database.list(selector, { limit })) {
      found.push(decodeContradiction(key[1] as number, value));
    }
    return found;
  }

  async #add(contradiction: Contradiction): Promise<void> {
    const { origin, first, second } = contradiction;
    const [one, other] = [first, second].map(({ sth: { tree_head: head } }) =>
      [head.tree_size, head.root_hash] as const
    ) as [readonly [number, string], readonly [number, string]];
    // Heads of one size are ordered by root.
    const [a, b] = one[0] === other[0] && other[1] < one[1] ? [other, one] : [one, other];
    const pair = anchorKeys.pair(origin, [...a, ...b]);
    const number = await this.#nextNumber();
    const value = encodeContradiction(contradiction);
    // The check fails if the pair exists, also from an earlier attempt of this commit.
    await this.#database.commit(`contradiction of ${origin}`, (operation) => {
      operation.checkAbsent(pair).set(pair, uint64(number))
        .set(anchorKeys.contradiction(number), value);
    });
  }

  async #crossAnchor(
    peer: string,
    options: Deno.KvListOptions,
    start: number,
  ): Promise<CrossAnchorRecord | undefined> {
    const selector = {
      prefix: anchorKeys.crossAnchors(peer),
      start: anchorKeys.crossAnchor(peer, start),
    };
    for await (const { key, value } of this.#database.list(selector, options)) {
      return decodeCrossAnchor(peer, key[2] as number, value);
    }
    return undefined;
  }

  async #nextNumber(): Promise<number> {
    const selector = { prefix: anchorKeys.contradictions() };
    for await (const { key } of this.#database.list(selector, { limit: 1, reverse: true })) {
      return (key[1] as number) + 1;
    }
    return 0;
  }
}

function listedOf({ peer, treeHead }: CrossAnchorRecord): ListedAnchor {
  const { timestamp, tree_size, root_hash } = treeHead;
  return {
    type: "cross_anchor.added",
    at: timestamp,
    data: JSON.stringify({ witnessing_network: peer, tree_size, root_hash }),
  };
}
