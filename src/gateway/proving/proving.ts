/**
 * Proofs about published heads: O(log n) rows each. What is committed but not yet cosigned is never
 * proved.
 *
 * @module
 */

import { type Bytes, concat, equalBytes, utf8 } from "../../bytes.ts";
import type { Kernels } from "../../crypto/kernels.ts";
import { CountersignError } from "../../errors.ts";
import { encodeAttestation } from "../../format/attestation.ts";
import type { Batch, ConsistencyProof } from "../../format/bundle.ts";
import type { SthRecord } from "../../format/records.ts";
import type { SignedTreeHead } from "../../format/tree_head.ts";
import { TILE_WIDTH, tileWidth } from "../../merkle/tile.ts";
import { TileProver } from "../../merkle/tile_proof.ts";
import { AnchorFinder, type AnchorTexts, NO_ANCHORS } from "./anchor_texts.ts";
import type { AttestationReader } from "./attestation_reader.ts";
import { signedAttestationJson } from "../intake/job.ts";
import type { LogTree } from "../sequencing/log_tree.ts";
import type { AnchorSource } from "../ports.ts";
import {
  batchInclusionJson,
  bundleJson,
  type HeadTexts,
  headTexts,
  inclusionJson,
  merkleProofJson,
} from "./proof_text.ts";
import type { PublishedHeads } from "../sequencing/published_heads.ts";
import type { ReadAttestation } from "./read_attestation.ts";

/** 16 MiB of tiles, 2 MiB of paths above them and 8 MiB of right edges at most. */
const CACHES = { tiles: 1024, sizes: 8192 };

/** What proofs are made from. */
export interface ProverContext {
  readonly networkId: string;
  readonly tree: LogTree;
  readonly heads: PublishedHeads;
  readonly reader: AttestationReader;
  readonly kernels: Kernels;
  /** Absent where no bundle has an anchor. */
  readonly anchors: AnchorSource | undefined;
  /** Called for damage because of which a bundle omits an anchor. */
  readonly damaged: (error: CountersignError) => void;
}

/** Proves and describes what is published. */
export class Prover {
  readonly #context: ProverContext;
  readonly #tiles: TileProver;
  /** Of the heads in memory, and of others as long as someone holds them. */
  readonly #texts = new WeakMap<SthRecord, HeadTexts>();
  readonly #anchors: AnchorFinder | undefined;

  constructor(context: ProverContext) {
    this.#context = context;
    this.#tiles = new TileProver(context.kernels, context.tree, CACHES);
    const { anchors, heads, damaged } = context;
    this.#anchors = anchors && new AnchorFinder({
      anchors,
      heads,
      damaged,
      consistencyHex: async (first, second) =>
        (await this.consistencyPath(first, second)).map((node) => node.toHex()),
    });
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

  /** JSON of the bundle of an attestation, whose batch `closing` closed; none while it is open. */
  bundle(read: ReadAttestation, closing: SthRecord | undefined): string | Promise<string> {
    const { networkId, reader } = this.#context;
    const signed = signedAttestationJson(networkId, read, reader.sharedOf(read));
    if (closing === undefined) return bundleJson(signed, "null", NO_ANCHORS);
    const texts = this.#textsOf(closing);
    const batch = this.#batchJson(closing);
    const proof = this.merkleProof(read, closing);
    const anchors = this.#anchorsOf(closing);
    // All in memory is the hot path: it answers without an await.
    if (
      typeof batch === "string" && typeof proof === "string" && !(anchors instanceof Promise)
    ) {
      return bundleJson(signed, batchInclusionJson(batch, proof, texts), anchors);
    }
    return Promise.all([batch, proof, anchors]).then(([batch, proof, anchors]) =>
      bundleJson(signed, batchInclusionJson(batch, proof, texts), anchors)
    );
  }

  /** JSON of the external anchors of the batch that `closing` closed. */
  externalAnchors(closing: SthRecord): string | Promise<string> {
    const anchors = this.#anchorsOf(closing);
    return anchors instanceof Promise
      ? anchors.then(({ externalAnchors }) => externalAnchors)
      : anchors.externalAnchors;
  }

  /** JSON of the inclusion of an attestation in the tree of the head that closed its batch. */
  merkleProof(read: ReadAttestation, closing: SthRecord): string | Promise<string> {
    return this.#proof(merkleProofJson, read, closing);
  }

  /** JSON of the inclusion of an attestation in the tree of a published head. */
  inclusion(read: ReadAttestation, record: SthRecord): string | Promise<string> {
    return this.#proof(inclusionJson, read, record);
  }

  /** Consistency of two published heads. */
  async consistency(first: SthRecord, second: SthRecord): Promise<ConsistencyProof> {
    const path = await this.consistencyPath(first.size, second.size);
    for (const head of [first, second]) await this.#requireRoot(head, this.#textsOf(head));
    return {
      first: first.size,
      second: second.size,
      first_sth: this.sthOf(first),
      second_sth: this.sthOf(second),
      consistency_path: path.map((node) => node.toHex()),
    };
  }

  /** RFC 9162 section 2.1.4 path between sizes of the committed tree. */
  async consistencyPath(first: number, second: number): Promise<Bytes[]> {
    return await this.#tiles.consistencyPath(first, second);
  }

  /** The root of the first `size` leaves of the committed tree. */
  async root(size: number): Promise<Bytes> {
    return await this.#tiles.root(size);
  }

  /** First `width` nodes of a tile, when a published tree has them. */
  tile(level: number, index: number, width: number): Bytes | undefined | Promise<Bytes> {
    if (width > tileWidth(level, index, this.#context.heads.size)) return undefined;
    return this.#tiles.nodes(level, index, width);
  }

  /**
   * First `width` entries of a bundle (c2sp.org/tlog-tiles), derived from digests and rounds: each
   * a 16-bit length and the attestation's text. `store_corrupt` unless they hash to the tile's leaves.
   */
  async entries(index: number, width: number): Promise<Bytes | undefined> {
    if (width > tileWidth(0, index, this.#context.heads.size)) return undefined;
    const { reader, kernels } = this.#context;
    const start = index * TILE_WIDTH;
    const texts = (await reader.attestations(start, start + width)).map((attestation) =>
      utf8(encodeAttestation(attestation))
    );
    let end = 0;
    const ends = Uint32Array.from(texts, ({ length }) => end += length);
    const leaves = kernels.leafHashes(concat(...texts), ends);
    if (!equalBytes(leaves, await this.#tiles.nodes(0, index, width))) {
      throw new CountersignError(
        "store_corrupt",
        `Cannot use attestations ${start} to ${start + width - 1} of the store: ` +
          "those of the tree required, found others",
      );
    }
    return concat(
      ...texts.flatMap((text) => [Uint8Array.of(text.length >>> 8, text.length & 0xff), text]),
    );
  }

  #proof(
    write: typeof merkleProofJson,
    read: ReadAttestation,
    head: SthRecord,
  ): string | Promise<string> {
    const texts = this.#textsOf(head);
    const path = this.#tiles.inclusionHex(read.sequence, head.size);
    if (texts.isProved && !(path instanceof Promise)) return write(read, head.size, path, texts);
    return this.#firstProof(write, read, head, { texts, path });
  }

  async #firstProof(
    write: typeof merkleProofJson,
    read: ReadAttestation,
    head: SthRecord,
    found: { readonly texts: HeadTexts; readonly path: string[] | Promise<string[]> },
  ): Promise<string> {
    const path = await found.path;
    await this.#requireRoot(head, found.texts);
    return write(read, head.size, path, found.texts);
  }

  /** `store_corrupt` unless the tiles hash to the root that was signed. */
  async #requireRoot(head: SthRecord, texts: HeadTexts): Promise<void> {
    texts.isProved ||= equalBytes(await this.#tiles.root(head.size), head.root);
    if (texts.isProved) return;
    throw new CountersignError(
      "store_corrupt",
      `Cannot prove: tiles of the root at size ${head.size} required, found others`,
    );
  }

  #anchorsOf(head: SthRecord): AnchorTexts | Promise<AnchorTexts> {
    return this.#anchors?.of(head, this.#textsOf(head).anchors) ?? NO_ANCHORS;
  }

  #textsOf(head: SthRecord): HeadTexts {
    let texts = this.#texts.get(head);
    if (texts === undefined) this.#texts.set(head, texts = headTexts(this.sthOf(head)));
    return texts;
  }

  #batchJson(head: SthRecord): string | Promise<string> {
    const texts = this.#textsOf(head);
    if (texts.batch !== undefined) return texts.batch;
    return this.batchOf(head).then((batch) => texts.batch = JSON.stringify(batch));
  }
}
