/**
 * Bundles and proofs of single attestations (protocol.md "Resources"), written as JSON text directly.
 * Attestations of one batch share text that is made once. A test compares it with JSON.stringify.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import type { Bytes } from "../../base/bytes.ts";
import { parseBundle } from "../../proof/format/bundle.ts";
import { coseReceiptOf } from "../../proof/format/cose_receipt.ts";
import type { SthRecord } from "../../proof/format/records.ts";
import { tlogProofOf } from "../../proof/format/tlog_proof.ts";
import { whenAll, whenReady } from "../../base/when_ready.ts";
import type { AnchorSource } from "../ports.ts";
import type { PublishedHeads } from "../sequencing/published_heads.ts";
import type { Epochs } from "../succession/epochs.ts";
import { AnchorFinder, type AnchorTexts, type KeptAnchors, NO_ANCHORS } from "./anchor_texts.ts";
import { hashesJson, type ReadAttestation, signedAttestationJson } from "./attestation_json.ts";
import type { AttestationReader, ChargeRead } from "./attestation_reader.ts";
import type { PublishedLog } from "./published_log.ts";

export interface ProofsContext {
  readonly networkId: string;
  /** Bundles have the chain of links, if there is one. */
  readonly epochs: Pick<Epochs, "links" | "chainJson" | "ofHead">;
  readonly reader: Pick<AttestationReader, "locate" | "read" | "sharedOf" | "isConfirmed">;
  readonly heads: Pick<PublishedHeads, "at" | "closing" | "latest">;
  readonly log: Pick<
    PublishedLog,
    "batchOf" | "checkpointOf" | "consistencyPath" | "headAt" | "inclusionPath" | "sthOf"
  >;
  /** Absent if no bundle has an anchor. */
  readonly anchors: Pick<AnchorSource, "version" | "covering"> | undefined;
  /** Called for damage because of which a bundle omits an anchor. */
  readonly damaged: (error: CountersignError) => void;
}

/** What witnesses attested of a hash. */
export interface AttestedProof {
  /** Unix seconds. */
  readonly timestamp: number;
  readonly sequence: number;
  /** JSON of a `ProofBundle` without a batch. */
  readonly bundle: string;
}

/** Texts that the proofs under one published head share. */
interface HeadTexts {
  /** JSON of the signed tree head. */
  readonly sth: string;
  /** Hex. */
  readonly root: string;
  /** JSON of the batch that the head closed, made on first use. */
  batch?: string;
  readonly anchors: KeptAnchors;
}

/** Writes the JSON of a proof in the tree of `size` leaves. */
type ProofWriter = (
  read: ReadAttestation,
  size: number,
  path: readonly string[],
  head: HeadTexts,
) => string;

/**
 * The proofs of one gateway, by hash. All methods fail with `hash_unknown` or, if the store is damaged,
 * `store_corrupt`. They answer without a promise if all data is in memory. With `charge`, the caller pays
 * for a read of the store.
 */
export class Proofs {
  readonly #context: ProofsContext;
  /** Texts of heads in memory, and of others while they are in use. */
  readonly #texts = new WeakMap<SthRecord, HeadTexts>();
  readonly #anchors: AnchorFinder | undefined;

  constructor(context: ProofsContext) {
    this.#context = context;
    const { anchors, heads, log, damaged } = context;
    this.#anchors = anchors && new AnchorFinder({ anchors, heads, log, damaged });
  }

  /** JSON of the `ProofBundle`, `withLog` with the log's signature; `not_confirmed`. */
  bundle(hash: string, charge?: ChargeRead, withLog = false): string | Promise<string> {
    const { reader, heads } = this.#context;
    return whenReady(reader.locate(hash, charge), (sequence) => {
      const read = reader.read(sequence, hash);
      if (read === undefined) throw notConfirmed();
      return whenAll([read, heads.closing(sequence)], (read, closing) => {
        if (read === undefined) throw notConfirmed();
        return this.#bundle(read, closing, withLog);
      });
    });
  }

  /** What is attested of a hash, without its place in the log; `not_confirmed`. */
  attested(hash: string, charge?: ChargeRead): AttestedProof | Promise<AttestedProof> {
    const { reader } = this.#context;
    return whenReady(
      reader.locate(hash, charge),
      (sequence) =>
        whenReady(reader.read(sequence, hash), (read) => {
          if (read === undefined) throw notConfirmed();
          const bundle = bundleJson(this.#signedJson(read), "null", NO_ANCHORS, this.#chainJson());
          return { timestamp: read.round.record.timestamp, sequence, bundle };
        }),
    );
  }

  /** The same as a tlog-proof (c2sp.org/tlog-proof); `not_confirmed`, `not_batched`. */
  async tlogProof(hash: string, charge?: ChargeRead): Promise<string> {
    const bundle = parseBundle(await this.bundle(hash, charge, true));
    if (bundle.batch_inclusion === null) throw notBatched();
    const { tree_size } = bundle.batch_inclusion.sth.tree_head;
    return tlogProofOf(this.#context.epochs.ofHead(tree_size).network, bundle);
  }

  /** The same as a COSE receipt of inclusion; `not_confirmed`, `not_batched`. */
  async coseReceipt(hash: string, charge?: ChargeRead): Promise<Bytes> {
    const bundle = parseBundle(await this.bundle(hash, charge, true));
    if (bundle.batch_inclusion === null) throw notBatched();
    const { tree_size } = bundle.batch_inclusion.sth.tree_head;
    return coseReceiptOf(this.#context.epochs.ofHead(tree_size).network, bundle);
  }

  /**
   * JSON of the `MerkleProof` in the tree of the head that closed its batch; `not_confirmed`,
   * `not_batched`.
   */
  merkleProof(hash: string, charge?: ChargeRead): string | Promise<string> {
    const { reader, heads } = this.#context;
    return whenReady(reader.locate(hash, charge), (sequence) => {
      // Says which without a round, which may be damaged.
      const missing = () => reader.isConfirmed(sequence) ? notBatched() : notConfirmed();
      const closing = heads.closing(sequence);
      if (closing === undefined) throw missing();
      return whenAll([reader.read(sequence, hash), closing], (read, closing) => {
        if (read === undefined || closing === undefined) throw missing();
        return this.#proof(merkleProofJson, read, closing);
      });
    });
  }

  /**
   * JSON of the `InclusionProof` in the tree of a published size; `tree_size_not_published`,
   * `not_confirmed`, and `malformed_parameter` if that tree does not have the leaf.
   */
  async inclusion(hash: string, treeSize: number, charge?: ChargeRead): Promise<string> {
    const { reader, log } = this.#context;
    const sequence = await reader.locate(hash, charge);
    const head = await log.headAt(treeSize);
    const read = await reader.read(sequence, hash);
    if (read === undefined) throw notConfirmed();
    if (sequence >= treeSize) {
      throw new CountersignError(
        "malformed_parameter",
        `Cannot prove inclusion: leaf ${sequence} is not in the tree of size ${treeSize}`,
      );
    }
    return await this.#proof(inclusionJson, read, head);
  }

  /** JSON of the list of external anchors; empty until the attestation is batched. */
  externalAnchors(hash: string): string | Promise<string> {
    const { reader, heads } = this.#context;
    return whenReady(
      reader.locate(hash),
      (sequence) =>
        whenReady(heads.closing(sequence), (closing) =>
          whenReady(
            closing === undefined ? NO_ANCHORS : this.#anchorsOf(closing),
            ({ externalAnchors }) => externalAnchors,
          )),
    );
  }

  #bundle(
    read: ReadAttestation,
    closing: SthRecord | undefined,
    withLog: boolean,
  ): string | Promise<string> {
    const signed = this.#signedJson(read);
    const chain = this.#chainJson();
    if (closing === undefined) return bundleJson(signed, "null", NO_ANCHORS, chain);
    const sth = withLog
      ? JSON.stringify(this.#context.log.sthOf(closing, true))
      : this.#textsOf(closing).sth;
    return whenAll(
      [
        this.#batchOf(closing),
        this.#proof(merkleProofJson, read, closing),
        this.#anchorsOf(closing),
      ],
      (batch, proof, anchors) =>
        whenReady(this.#witnessedJson(read, anchors), (witnessed) =>
          bundleJson(
            signed,
            `{"batch":${batch},"merkle_proof":${proof},"sth":${sth}}`,
            anchors,
            chain + witnessed,
          )),
    );
  }

  #signedJson(read: ReadAttestation): string {
    const { networkId, reader } = this.#context;
    return signedAttestationJson(networkId, read, reader.sharedOf(read));
  }

  /** The member `succession` after a comma, or an empty text. */
  #chainJson(): string {
    const { links, chainJson } = this.#context.epochs;
    return links.length === 0 ? "" : `,"succession":${chainJson}`;
  }

  /** The member `witnessed` after a comma, or an empty text. */
  #witnessedJson(
    read: ReadAttestation,
    { witnessed }: AnchorTexts,
  ): string | Promise<string> {
    if (witnessed === undefined) return "";
    const { head, checkpoint } = witnessed;
    return whenReady(
      this.#context.log.inclusionPath(read, head),
      (path) => `,"witnessed":{"checkpoint":${checkpoint},"inclusion_path":${hashesJson(path)}}`,
    );
  }

  #proof(write: ProofWriter, read: ReadAttestation, head: SthRecord): string | Promise<string> {
    return whenReady(
      this.#context.log.inclusionPath(read, head),
      (path) => write(read, head.size, path, this.#textsOf(head)),
    );
  }

  #anchorsOf(head: SthRecord): AnchorTexts | Promise<AnchorTexts> {
    return this.#anchors?.of(head, this.#textsOf(head).anchors) ?? NO_ANCHORS;
  }

  #batchOf(head: SthRecord): string | Promise<string> {
    const texts = this.#textsOf(head);
    return texts.batch ??
      this.#context.log.batchOf(head).then((batch) => texts.batch = JSON.stringify(batch));
  }

  #textsOf(head: SthRecord): HeadTexts {
    return this.#texts.getOrInsertComputed(head, () => {
      const sth = this.#context.log.sthOf(head);
      return { sth: JSON.stringify(sth), root: sth.tree_head.root_hash, anchors: {} };
    });
  }
}

const merkleProofJson: ProofWriter = (read, size, path, { root }) =>
  `${leafJson(read, size, path)},"root_hash":"${root}","batch_id":${size}}`;

const inclusionJson: ProofWriter = (read, size, path, { sth }) =>
  `${leafJson(read, size, path)},"sth":${sth}}`;

/** The first members of both kinds of proof. */
function leafJson(read: ReadAttestation, size: number, path: readonly string[]): string {
  return `{"hash":"${read.hash}","leaf_hash":"${read.leafHash}","leaf_index":${read.sequence},` +
    `"tree_size":${size},"inclusion_path":${hashesJson(path)}`;
}

/** `batchInclusion` is JSON, `null` for none; `rest` has the optional members, each after a comma. */
function bundleJson(
  signedAttestation: string,
  batchInclusion: string,
  { crossAnchors, externalAnchors }: AnchorTexts,
  rest: string,
): string {
  return `{"signed_attestation":${signedAttestation},"batch_inclusion":${batchInclusion},` +
    `"cross_anchors":${crossAnchors},"external_anchors":${externalAnchors}${rest}}`;
}

function notConfirmed(): CountersignError {
  return new CountersignError("not_confirmed", "The attestation is not confirmed yet; retry");
}

function notBatched(): CountersignError {
  return new CountersignError("not_batched", "The attestation is not in a batch yet; retry");
}
