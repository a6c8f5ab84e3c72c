/**
 * {@linkcode FederationStore} on any engine.
 *
 * @module
 */

import type { AnyContradiction, SeenTreeHead } from "../../proof/format/federation.ts";
import type { FederationReads, FederationStore } from "../../gateway/federation/ports.ts";
import { uint64 } from "../../base/bytes.ts";
import type { CrossAnchorRecord } from "../../proof/format/records.ts";
import type { SuccessionLink } from "../../proof/format/succession.ts";
import type { ListedAnchor } from "../../gateway/events/event_ports.ts";
import type { NumberedRecords } from "../numbered_records.ts";
import {
  decodeContradiction,
  decodeCrossAnchor,
  decodePeerLink,
  decodeSeenHead,
  encodeContradiction,
  encodeCrossAnchor,
  encodePeerLink,
  encodeSeenHead,
} from "./anchor_codec.ts";
import { type AnchorDatabase, anchorKeys, type AnchorValues } from "./anchor_database.ts";
import type { KvAnchorList } from "./kv_anchor_list.ts";

/** Cross-anchors, peers' heads and contradictions. */
export class KvFederationReads implements FederationReads {
  readonly #values: AnchorValues;

  constructor(values: AnchorValues) {
    this.#values = values;
  }

  firstCrossAnchor(peer: string, size: number): Promise<CrossAnchorRecord | undefined> {
    return this.#crossAnchors(peer).first(size);
  }

  lastCrossAnchor(peer: string): Promise<CrossAnchorRecord | undefined> {
    return this.#crossAnchors(peer).last();
  }

  async seenHead(origin: string): Promise<SeenTreeHead | undefined> {
    const value = await this.#values.get(anchorKeys.seen(origin));
    return value && decodeSeenHead(origin, value);
  }

  peerLinks(peer: string): Promise<readonly SuccessionLink[]> {
    return this.#values.records(
      anchorKeys.peerLinks(peer),
      (epoch, value) => decodePeerLink(peer, epoch, value),
    ).list({});
  }

  contradictions(start: number, limit: number): Promise<AnyContradiction[]> {
    return numberedContradictions(this.#values).list({ start, limit });
  }

  #crossAnchors(peer: string): NumberedRecords<CrossAnchorRecord> {
    return this.#values.records(
      anchorKeys.crossAnchors(peer),
      (size, value) => decodeCrossAnchor(peer, size, value),
    );
  }
}

/** The same, and writes them. */
export class KvFederationStore extends KvFederationReads implements FederationStore {
  readonly #database: AnchorDatabase;
  readonly #list: KvAnchorList;
  /** The addition in progress. The next contradiction gets its number after it. */
  #adding: Promise<unknown> = Promise.resolve();

  /** Adds every new cross-anchor to `list`. */
  constructor(database: AnchorDatabase, list: KvAnchorList) {
    super(database);
    this.#database = database;
    this.#list = list;
  }

  async saveCrossAnchor(record: CrossAnchorRecord): Promise<void> {
    const { peer, treeHead: { tree_size: size } } = record;
    const key = anchorKeys.crossAnchor(peer, size);
    await this.#list.commit(
      `cross-anchor ${size} by ${peer}`,
      { keys: [key], listed: listedOf(record) },
      { set: [[key, encodeCrossAnchor(record)]] },
    );
  }

  async saveSeenHead(head: SeenTreeHead): Promise<void> {
    const { network_id: origin } = head.sth.tree_head;
    await this.#database.commit(`head of ${origin}`, {
      set: [[anchorKeys.seen(origin), encodeSeenHead(head)]],
    });
  }

  async savePeerLink(peer: string, link: SuccessionLink): Promise<void> {
    const { epoch } = link.predecessor;
    const key = anchorKeys.peerLink(peer, epoch);
    await this.#database.commit(`link ${epoch} of ${peer}`, {
      absent: [key],
      set: [[key, encodePeerLink(link)]],
    });
  }

  addContradiction(contradiction: AnyContradiction): Promise<void> {
    const added = this.#adding.then(() => this.#add(contradiction));
    this.#adding = added.catch(() => {});
    return added;
  }

  async #add(contradiction: AnyContradiction): Promise<void> {
    const { origin } = contradiction;
    const pair = anchorKeys.pair(origin, pairOf(contradiction));
    const number = await numberedContradictions(this.#database).nextNumber();
    // The check fails if the pair exists, also from an earlier attempt of this commit.
    await this.#database.commit(`contradiction of ${origin}`, {
      absent: [pair],
      set: [
        [pair, uint64(number)],
        [anchorKeys.contradiction(number), encodeContradiction(contradiction)],
      ],
    });
  }
}

/** The key of a pair, in either order. */
function pairOf(contradiction: AnyContradiction): readonly (number | string)[] {
  if (!("path" in contradiction)) return [contradiction.first.predecessor.epoch];
  const { first, second } = contradiction;
  const [one, other] = [first, second].map(({ sth: { tree_head: head } }) =>
    [head.tree_size, head.root_hash] as const
  ) as [readonly [number, string], readonly [number, string]];
  // Heads of one size are ordered by root.
  return one[0] === other[0] && other[1] < one[1] ? [...other, ...one] : [...one, ...other];
}

function numberedContradictions(values: AnchorValues): NumberedRecords<AnyContradiction> {
  return values.records(anchorKeys.contradictions(), decodeContradiction);
}

function listedOf({ peer, treeHead }: CrossAnchorRecord): ListedAnchor {
  const { timestamp, tree_size, root_hash } = treeHead;
  return {
    type: "cross_anchor.added",
    at: timestamp,
    data: JSON.stringify({ witnessing_network: peer, tree_size, root_hash }),
  };
}
