/**
 * Proofs about published heads: O(log n) rows each. What is committed but not yet cosigned is never
 * proved.
 *
 * @module
 */

import { type Bytes, concat } from "../bytes.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { CountersignError } from "../errors.ts";
import { encodeAttestation } from "../format/attestation.ts";
import { utf8 } from "../bytes.ts";
import type { Batch, ConsistencyProof, InclusionProof, MerkleProof } from "../format/bundle.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";
import { tileWidth } from "../merkle/tile.ts";
import { consistencyPath, inclusionPath } from "../merkle/tile_proof.ts";
import type { AttestationReader, ReadAttestation } from "./attestation_reader.ts";
import type { LogTree } from "./log_tree.ts";
import type { SthRecord } from "./ports.ts";
import type { PublishedHeads } from "./published_heads.ts";

/** What proofs are made from. */
export interface ProverContext {
  readonly networkId: string;
  readonly tree: LogTree;
  readonly heads: PublishedHeads;
  readonly reader: AttestationReader;
  readonly kernels: Kernels;
}

/** Proves and describes what is published. */
export class Prover {
  readonly #context: ProverContext;

  constructor(context: ProverContext) {
    this.#context = context;
  }

  /** The wire resource of a published head. */
  sthOf(record: SthRecord): SignedTreeHead {
    return {
      tree_head: {
        network_id: this.#context.networkId,
        tree_size: record.size,
        timestamp: record.timestamp,
        root_hash: record.root.toHex(),
      },
      ...this.#context.reader.signatureSetOf(record.signatures),
    };
  }

  /** The published head of exactly `size`; `tree_size_not_published`. */
  async headAt(size: number): Promise<SthRecord> {
    const record = await this.#context.heads.at(size);
    if (record !== undefined) return record;
    throw new CountersignError(
      "tree_size_not_published",
      `Cannot find tree head: a published size required, found ${size}`,
    );
  }

  /** The batch that `record` closed. */
  async batchOf(record: SthRecord): Promise<Batch> {
    const previous = await this.#context.heads.previous(record.size);
    const firstIndex = previous?.size ?? 0;
    return {
      id: record.size,
      network_id: this.#context.networkId,
      root_hash: record.root.toHex(),
      tree_size: record.size,
      first_index: firstIndex,
      attestation_count: record.size - firstIndex,
      period_start: previous?.timestamp ?? 0,
      period_end: record.timestamp,
    };
  }

  /** Inclusion of an attestation in the tree of the head that closed its batch. */
  async merkleProof(read: ReadAttestation, closing: SthRecord): Promise<MerkleProof> {
    return {
      ...await this.#leafPath(read, closing.size),
      root_hash: closing.root.toHex(),
      batch_id: closing.size,
    };
  }

  /** Inclusion of an attestation in the tree of a published head. */
  async inclusion(read: ReadAttestation, record: SthRecord): Promise<InclusionProof> {
    return { ...await this.#leafPath(read, record.size), sth: this.sthOf(record) };
  }

  /** Consistency of two published heads. */
  async consistency(first: SthRecord, second: SthRecord): Promise<ConsistencyProof> {
    const path = await this.consistencyPath(first.size, second.size);
    return {
      first: first.size,
      second: second.size,
      first_sth: this.sthOf(first),
      second_sth: this.sthOf(second),
      consistency_path: path.map((node) => node.toHex()),
    };
  }

  /** RFC 9162 section 2.1.4 path between sizes of the committed tree. */
  consistencyPath(first: number, second: number): Promise<Bytes[]> {
    if (first === second) return Promise.resolve([]);
    return consistencyPath(this.#context.kernels, this.#context.tree, first, second);
  }

  /** First `width` nodes of a tile, when a published tree has them. */
  async tile(level: number, index: number, width: number): Promise<Bytes | undefined> {
    if (width > tileWidth(level, index, this.#context.heads.size)) return undefined;
    return (await this.#context.tree.nodes(level, index, width)).slice() as Bytes;
  }

  /**
   * First `width` entries of a bundle (c2sp.org/tlog-tiles), derived from digests and rounds: each
   * a 16-bit length and the attestation's text.
   */
  async entries(index: number, width: number): Promise<Bytes | undefined> {
    if (width > tileWidth(0, index, this.#context.heads.size)) return undefined;
    const start = index * 256;
    const parts: Uint8Array[] = [];
    for (const attestation of await this.#context.reader.attestations(start, start + width)) {
      const text = utf8(encodeAttestation(attestation));
      parts.push(Uint8Array.of(text.length >>> 8, text.length & 0xff), text);
    }
    return concat(...parts);
  }

  async #leafPath(
    read: ReadAttestation,
    treeSize: number,
  ): Promise<Omit<MerkleProof, "root_hash" | "batch_id">> {
    const { kernels, tree, networkId } = this.#context;
    const text = encodeAttestation({
      hash: read.hash,
      timestamp: read.record.timestamp,
      network_id: networkId,
      sequence: read.sequence,
    });
    const entry = utf8(text);
    const path = await inclusionPath(kernels, tree, read.sequence, treeSize);
    return {
      hash: read.hash,
      leaf_hash: kernels.leafHashes(entry, Uint32Array.of(entry.length)).toHex(),
      leaf_index: read.sequence,
      tree_size: treeSize,
      inclusion_path: path.map((node) => node.toHex()),
    };
  }
}
