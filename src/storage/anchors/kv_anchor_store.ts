/**
 * {@linkcode AnchorStore} on Deno KV.
 *
 * @module
 */

import type { AnchorStore } from "../../anchors/ports.ts";
import type { AnchorRecord, AnchorStatus } from "../../format/records.ts";
import type { ListedAnchor } from "../../gateway/events/event_ports.ts";
import { decodeAnchor, encodeAnchor } from "./anchor_codec.ts";
import { type AnchorDatabase, anchorKeys, type AnchorOperation } from "./anchor_database.ts";
import type { KvAnchorList } from "./kv_anchor_list.ts";

/** External anchors under `["ea", service, status, size]`. */
export class KvAnchorStore implements AnchorStore {
  readonly #database: AnchorDatabase;
  readonly #listing: KvAnchorList | undefined;

  /** Adds every new anchor, and every confirmation, to `list`. */
  constructor(database: AnchorDatabase, list?: KvAnchorList) {
    this.#database = database;
    this.#listing = list;
  }

  async save(record: AnchorRecord): Promise<void> {
    const { service, status, treeHead: { tree_size: size } } = record;
    const [pending, confirmed] = (["pending", "confirmed"] as const).map((status) =>
      anchorKeys.anchor(service, status, size)
    ) as [Deno.KvKey, Deno.KvKey];
    const value = encodeAnchor(record);
    const what = `${status} anchor ${size} of ${service}`;
    const set = (operation: AnchorOperation) => {
      if (status === "confirmed") operation.set(confirmed, value).delete(pending);
      // A confirmed anchor already exists: then the pending one is not stored.
      else operation.checkAbsent(confirmed).set(pending, value);
    };
    const keys = status === "confirmed" ? [confirmed] : [confirmed, pending];
    if (this.#listing === undefined) await this.#database.commit(what, set);
    else await this.#listing.commit(what, { keys, listed: listedOf(record) }, set);
  }

  firstConfirmed(service: string, size: number): Promise<AnchorRecord | undefined> {
    return this.#first(service, "confirmed", size);
  }

  firstPending(service: string, size: number): Promise<AnchorRecord | undefined> {
    return this.#first(service, "pending", size);
  }

  pending(service: string, after: number, limit: number): Promise<AnchorRecord[]> {
    return this.#list(service, "pending", after + 1, { limit });
  }

  async last(service: string): Promise<AnchorRecord | undefined> {
    const [pending] = await this.#list(service, "pending", 0, { limit: 1, reverse: true });
    const confirmed = await this.lastConfirmed(service);
    if (pending === undefined || confirmed === undefined) return pending ?? confirmed;
    return pending.treeHead.tree_size > confirmed.treeHead.tree_size ? pending : confirmed;
  }

  async lastConfirmed(service: string): Promise<AnchorRecord | undefined> {
    const [last] = await this.#list(service, "confirmed", 0, { limit: 1, reverse: true });
    return last;
  }

  async #first(
    service: string,
    status: AnchorStatus,
    size: number,
  ): Promise<AnchorRecord | undefined> {
    const [first] = await this.#list(service, status, size, { limit: 1 });
    return first;
  }

  async #list(
    service: string,
    status: AnchorStatus,
    start: number,
    options: Deno.KvListOptions,
  ): Promise<AnchorRecord[]> {
    const records: AnchorRecord[] = [];
    const selector = {
      prefix: anchorKeys.anchors(service, status),
      start: anchorKeys.anchor(service, status, start),
    };
    for await (const { key, value } of this.#database.list(selector, options)) {
      records.push(decodeAnchor({ service, status, size: key[3] as number }, value));
    }
    return records;
  }
}

/** Without the service's name, which is the operator's own. */
function listedOf({ provider, status, timestamp, treeHead }: AnchorRecord): ListedAnchor {
  const { tree_size, root_hash } = treeHead;
  return {
    type: "external_anchor.added",
    at: timestamp,
    data: JSON.stringify({ provider, status, tree_size, root_hash }),
  };
}
