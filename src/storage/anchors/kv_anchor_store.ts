/**
 * {@linkcode AnchorStore} on any engine.
 *
 * @module
 */

import type { AnchorReads, AnchorStore } from "../../gateway/anchors/ports.ts";
import type { AnchorProgress, AnchorRecord } from "../../proof/format/records.ts";
import type { ListedAnchor } from "../../gateway/events/event_ports.ts";
import type { NumberedRecords } from "../numbered_records.ts";
import { decodeAnchor, encodeAnchor } from "./anchor_codec.ts";
import { type AnchorDatabase, anchorKeys, type AnchorValues } from "./anchor_database.ts";
import type { KvAnchorList } from "./kv_anchor_list.ts";

/** External anchors under `["ea", service, status, size]`. */
export class KvAnchorReads implements AnchorReads {
  readonly #values: AnchorValues;

  constructor(values: AnchorValues) {
    this.#values = values;
  }

  firstConfirmed(service: string, size: number): Promise<AnchorRecord | undefined> {
    return this.#records(service, "confirmed").first(size);
  }

  firstPending(service: string, size: number): Promise<AnchorRecord | undefined> {
    return this.#records(service, "pending").first(size);
  }

  pending(service: string, after: number, limit: number): Promise<AnchorRecord[]> {
    return this.#records(service, "pending").list({ start: after + 1, limit });
  }

  async last(service: string): Promise<AnchorRecord | undefined> {
    const pending = await this.#records(service, "pending").last();
    const confirmed = await this.lastConfirmed(service);
    if (pending === undefined || confirmed === undefined) return pending ?? confirmed;
    return pending.treeHead.tree_size > confirmed.treeHead.tree_size ? pending : confirmed;
  }

  lastConfirmed(service: string): Promise<AnchorRecord | undefined> {
    return this.#records(service, "confirmed").last();
  }

  #records(service: string, status: AnchorProgress): NumberedRecords<AnchorRecord> {
    return this.#values.records(
      anchorKeys.anchors(service, status),
      (size, value) => decodeAnchor({ service, status, size }, value),
    );
  }
}

/** The same, and writes them. */
export class KvAnchorStore extends KvAnchorReads implements AnchorStore {
  readonly #list: KvAnchorList;

  /** Adds every new anchor, and every confirmation, to `list`. */
  constructor(database: AnchorDatabase, list: KvAnchorList) {
    super(database);
    this.#list = list;
  }

  async save(record: AnchorRecord): Promise<void> {
    const { service, status, treeHead: { tree_size: size } } = record;
    const pending = anchorKeys.anchor(service, "pending", size);
    const confirmed = anchorKeys.anchor(service, "confirmed", size);
    const value = encodeAnchor(record);
    const isConfirmed = status === "confirmed";
    await this.#list.commit(
      `${status} anchor ${size} of ${service}`,
      { keys: isConfirmed ? [confirmed] : [confirmed, pending], listed: listedOf(record) },
      // A pending anchor is not stored once there is a confirmed one.
      isConfirmed
        ? { set: [[confirmed, value]], remove: [pending] }
        : { absent: [confirmed], set: [[pending, value]] },
    );
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
