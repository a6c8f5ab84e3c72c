/**
 * The published log: tree heads, batches, consistency proofs, tiles and the checkpoint. Growth that is
 * committed but not yet cosigned is never shown.
 *
 * @module
 */

import { type Bytes, concat, equalBytes, hexOf } from "../../base/bytes.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { CountersignError } from "../../base/errors.ts";
import type { Batch, ConsistencyProof } from "../../proof/format/bundle.ts";
import { consistencyReceiptOf } from "../../proof/format/cose_receipt.ts";
import type { LoggedTreeHead } from "../../proof/format/federation.ts";
import type { SthRecord } from "../../proof/format/records.ts";
import type { SignedTreeHead, TreeHead } from "../../proof/format/tree_head.ts";
import type { LeafTexts } from "../../proof/merkle/round_tree.ts";
import { TILE_WIDTH, tileWidth } from "../../proof/merkle/tile.ts";
import type { TileProver } from "../../proof/merkle/tile_proof.ts";
import type { Report } from "../../base/report.ts";
import { Listeners } from "../observer.ts";
import type { AnchorSource } from "../ports.ts";
import { checkpointNote, signedHeadOf } from "../sequencing/checkpoint_note.ts";
import type { CommittedTree } from "../sequencing/committed_tree.ts";
import { type CosignedHeads, withCosigned } from "../sequencing/cosigned_heads.ts";
import type { PublishedHeads } from "../sequencing/published_heads.ts";
import type { Epochs } from "../succession/epochs.ts";
import { whenAll } from "../../base/when_ready.ts";
import type { ReadAttestation } from "./attestation_json.ts";
import type { AttestationReader } from "./attestation_reader.ts";

export interface PublishedLogContext {
  readonly epochs: Epochs;
  readonly heads: Pick<PublishedHeads, "latest" | "size" | "at" | "closing" | "previous" | "below">;
  /** The committed tree, and proofs over it. */
  readonly tree: Pick<CommittedTree, "nodes">;
  readonly tiles: TileProver;
  readonly reader: Pick<AttestationReader, "texts">;
  /** Absent without foreign witnesses and ML-DSA-44 keys. */
  readonly anchors: Pick<AnchorSource, "latestWitnessed" | "witnessedAt"> | undefined;
  readonly kernels: Kernels;
  readonly report: Report;
}

/** The published log of one gateway. All methods may fail with `store_corrupt`. */
export class PublishedLog {
  readonly #context: PublishedLogContext;
  readonly #published: Listeners;
  readonly #cosigned: Listeners;
  /** Heads whose root the tiles hash to. */
  readonly #proved = new WeakSet<SthRecord>();
  #heads: CosignedHeads;

  constructor(context: PublishedLogContext) {
    this.#context = context;
    this.#published = new Listeners(context.report);
    this.#cosigned = new Listeners(context.report);
    const { latest } = context.heads;
    this.#heads = { latest, checkpoint: latest };
  }

  /** Called when a head is published or gets further signatures, or the latest one is cosigned again. */
  cosigned(record: SthRecord): void {
    const size = this.#heads.latest?.size ?? 0;
    this.#heads = withCosigned(this.#heads, record);
    // Cosigning a head again publishes nothing: the first time of a size stays.
    if (record.size > size) this.#published.notify();
    this.#cosigned.notify();
  }

  /** Calls `listener` after each publication of a head, until `signal` aborts. */
  onPublished(listener: () => void, signal: AbortSignal): void {
    this.#published.listen(listener, signal);
  }

  /** The same for each change of a head. */
  onCosigned(listener: () => void, signal: AbortSignal): void {
    this.#cosigned.listen(listener, signal);
  }

  /** The latest published head, not as it was cosigned again; `withLog` includes the log's signatures. */
  latest(withLog = false): LoggedTreeHead | undefined {
    const { latest } = this.#context.heads;
    return latest && { sth: this.sthOf(latest, withLog), logSignature: latest.logSignature };
  }

  /** The tree head published at the smallest size above `size`. */
  async firstAbove(size: number): Promise<TreeHead | undefined> {
    const record = await this.#context.heads.closing(size);
    return record && this.sthOf(record).tree_head;
  }

  /** The STH first published at exactly `size`; `withLog` includes the log's signatures. */
  async sthAt(size: number, withLog = false): Promise<SignedTreeHead | undefined> {
    const record = await this.#context.heads.at(size);
    return record && this.sthOf(record, withLog);
  }

  sthOf(record: SthRecord, withLog = false): SignedTreeHead {
    return signedHeadOf(this.#context.epochs.ofHead(record.size), record, withLog);
  }

  /** The record of the head of exactly `size`; `tree_size_not_published`. */
  async headAt(size: number): Promise<SthRecord> {
    const record = await this.#context.heads.at(size);
    if (record !== undefined) return record;
    throw new CountersignError(
      "tree_size_not_published",
      `No tree head of size ${size} is published`,
    );
  }

  /** Batches of id below `before` (all when `undefined`), latest first, at most `limit`. */
  async batches(before: number | undefined, limit: number): Promise<readonly Batch[]> {
    const records = await this.#context.heads.below(before ?? Number.MAX_SAFE_INTEGER, limit);
    return await Promise.all(records.map((record) => this.batchOf(record)));
  }

  async batch(id: number): Promise<Batch | undefined> {
    const record = await this.#context.heads.at(id);
    return record && await this.batchOf(record);
  }

  /** The batch that `record` closed. */
  async batchOf(record: SthRecord): Promise<Batch> {
    const previous = await this.#context.heads.previous(record.size);
    const firstIndex = previous?.size ?? 0;
    return {
      id: record.size,
      network_id: this.#context.epochs.current.network.id,
      root_hash: record.root.toHex(),
      tree_size: record.size,
      first_index: firstIndex,
      attestation_count: record.size - firstIndex,
      period_start: previous?.timestamp ?? 0,
      period_end: record.timestamp,
    };
  }

  /** `malformed_parameter` unless 1 <= first <= second, `tree_size_not_published`. */
  async consistency(first: number, second: number): Promise<ConsistencyProof> {
    if (first < 1 || second < first) {
      throw new CountersignError(
        "malformed_parameter",
        `Cannot prove consistency from ${first} to ${second}: 1 <= first <= second must hold`,
      );
    }
    const heads = [await this.headAt(first), await this.headAt(second)] as const;
    const path = await this.consistencyPath(first, second);
    for (const head of heads) await this.#requireRoot(head);
    return {
      first,
      second,
      first_sth: this.sthOf(heads[0]),
      second_sth: this.sthOf(heads[1]),
      consistency_path: path.map((node) => node.toHex()),
    };
  }

  /** {@linkcode consistency} as a COSE receipt; also `malformed_parameter` for equal sizes. */
  async consistencyReceipt(first: number, second: number): Promise<Bytes> {
    const { consistency_path: path } = await this.consistency(first, second);
    if (first === second) {
      throw new CountersignError(
        "malformed_parameter",
        `Cannot write a receipt of consistency from ${first} to ${second}: the sizes are equal`,
      );
    }
    const sth = this.sthOf(await this.headAt(second), true);
    const { network } = this.#context.epochs.ofHead(second);
    return consistencyReceiptOf(network, { first, sth, path });
  }

  /**
   * RFC 9162 section 2.1.4 path between sizes of the published tree, 1 <= first <= second;
   * `tree_size_not_published`.
   */
  async consistencyPath(first: number, second: number): Promise<Bytes[]> {
    this.#requirePublished(second);
    return await this.#context.tiles.consistencyPath(first, second);
  }

  /** The root of the first `size` leaves; `tree_size_not_published`. */
  async root(size: number): Promise<Bytes> {
    this.#requirePublished(size);
    return await this.#context.tiles.root(size);
  }

  /**
   * Hex of the inclusion path of an attestation in the tree of a published head. Rejects, and never throws: its
   * callers wait for several reads.
   */
  inclusionPath(
    { sequence, leafHash }: Pick<ReadAttestation, "sequence" | "leafHash">,
    head: SthRecord,
  ): string[] | Promise<string[]> {
    let path: string[] | Promise<string[]>;
    try {
      path = this.#context.tiles.inclusionHex(sequence, head.size, leafHash);
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#proved.has(head) ? path : whenAll([path, this.#requireRoot(head)], (path) => path);
  }

  /** The latest checkpoint as a C2SP signed note with cosignatures. */
  checkpoint(): string | undefined {
    const { checkpoint } = this.#heads;
    return checkpoint && this.checkpointOf(checkpoint, this.#context.anchors?.latestWitnessed);
  }

  /** The checkpoint of the STH first published at exactly `size`. */
  async checkpointAt(size: number): Promise<string | undefined> {
    const { heads, anchors } = this.#context;
    const record = await heads.at(size);
    return record && this.checkpointOf(record, await anchors?.witnessedAt(size));
  }

  /** The checkpoint of `record`, with the lines of `witnessed` if they are over the same tree. */
  checkpointOf(record: SthRecord, witnessed: AnchorSource["latestWitnessed"]): string {
    const isSame = witnessed?.size === record.size && witnessed.rootHash === hexOf(record.root);
    const stored = isSame ? witnessed.lines : [];
    return checkpointNote(this.#context.epochs.ofHead(record.size), record, stored);
  }

  /** First `width` hashes of a tile, if the published tree has them. */
  async tile(level: number, index: number, width: number): Promise<Bytes | undefined> {
    if (width > tileWidth(level, index, this.#context.heads.size)) return undefined;
    return await this.#context.tree.nodes(level, index, width);
  }

  /**
   * First `width` entries of an entry bundle (c2sp.org/tlog-tiles), if the published tree has them. Each
   * is a 16-bit length and the attestation's text. They are derived from digests and rounds, and have to
   * hash to the leaves of the tile.
   */
  async entries(index: number, width: number): Promise<Bytes | undefined> {
    const { heads, reader, kernels, tree } = this.#context;
    if (width > tileWidth(0, index, heads.size)) return undefined;
    const start = index * TILE_WIDTH;
    const parts = await reader.texts(start, start + width);
    const leaves = concat(...parts.map(({ entries, ends }) => kernels.leafHashes(entries, ends)));
    if (!equalBytes(leaves, await tree.nodes(0, index, width))) {
      throw new CountersignError(
        "store_corrupt",
        `Cannot serve attestations ${start} to ${
          start + width - 1
        }: as stored, they do not hash to ` +
          "the leaves of the tree",
      );
    }
    return entryBundle(parts);
  }

  #requirePublished(size: number): void {
    const published = this.#context.heads.size;
    if (size <= published) return;
    throw new CountersignError(
      "tree_size_not_published",
      `Tree size ${size} is not published: the latest is ${published}`,
    );
  }

  /** Rejects unless the tiles hash to the signed root. */
  async #requireRoot(head: SthRecord): Promise<void> {
    if (this.#proved.has(head)) return;
    if (!equalBytes(await this.#context.tiles.root(head.size), head.root)) {
      throw new CountersignError(
        "store_corrupt",
        `Cannot prove: the stored tiles do not hash to the signed root at size ${head.size}`,
      );
    }
    this.#proved.add(head);
  }
}

/** Each entry after its length, as 16 bits. */
function entryBundle(parts: readonly LeafTexts[]): Bytes {
  const lengths = parts.map(({ entries, ends }) => entries.length + 2 * ends.length);
  const bundle = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  const view = new DataView(bundle.buffer);
  let at = 0;
  for (const { entries, ends } of parts) {
    let start = 0;
    for (const end of ends) {
      view.setUint16(at, end - start);
      bundle.set(entries.subarray(start, end), at + 2);
      at += 2 + end - start;
      start = end;
    }
  }
  return bundle;
}
