/**
 * Verifies answers offline, with the product's verifier, against one configuration.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH, hexOf, textOf } from "../../src/base/bytes.ts";
import { loadBls } from "../../src/proof/crypto/best_bls.ts";
import { verifyNative } from "../../src/proof/crypto/ed25519_native.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { parseAttestation } from "../../src/proof/format/attestation.ts";
import {
  parseBundle,
  parseMerkleProof,
  parseSignedAttestation,
  parseSignedTreeHead,
} from "../../src/proof/format/bundle.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import { TILE_WIDTH, type TileAddress, tilePath } from "../../src/proof/merkle/tile.ts";
import { parseTimestamp } from "../../src/proof/timestamp/attested_token.ts";
import { verifyTimestamp } from "../../src/proof/timestamp/verify_timestamp.ts";
import { verifySignedAttestation } from "../../src/proof/verify/attestation.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { verifyMerkleProof } from "../../src/proof/verify/log_proofs.ts";
import { verifyCheckpoint } from "../../src/proof/verify/checkpoint.ts";
import type { CryptoSuite } from "../../src/proof/crypto/crypto_suite.ts";
import type { Asker } from "./asker.ts";
import { entriesOf } from "./entry_bundle.ts";
import { isTileOf } from "./tile_check.ts";

/** Maximum milliseconds until a confirmed hash is under a published head. */
const PUBLISHED_MS = 30_000;
/** Number of fully verified jobs of one bulk answer. */
const JOBS_OF_BULK = 5;

/** The checked members of a job snapshot. */
interface Job {
  readonly hash: string;
  readonly signed_attestation?: unknown;
}

/** All methods reject if their argument does not verify. */
export class SampleVerifier {
  readonly #crypto: CryptoSuite;
  readonly #network: NetworkConfiguration;
  readonly #asker: Asker;

  private constructor(crypto: CryptoSuite, network: NetworkConfiguration, asker: Asker) {
    this.#crypto = crypto;
    this.#network = network;
    this.#asker = asker;
  }

  static async create(network: NetworkConfiguration, asker: Asker): Promise<SampleVerifier> {
    const crypto = { kernels: portableKernels, ed25519: verifyNative, bls: await loadBls() };
    return new SampleVerifier(crypto, network, asker);
  }

  /**
   * Verifies the answer to a submission of `hashes`: a snapshot of each in this order with valid
   * signatures, and later each is in the log at its sequence.
   */
  async submitted(hashes: readonly string[], text: string): Promise<void> {
    const parsed: Job | Job[] = JSON.parse(text);
    const jobs = Array.isArray(parsed) ? parsed : [parsed];
    require(jobs.length === hashes.length, `${hashes.length} jobs`);
    require(jobs.every((job, i) => job.hash === hashes[i]), "jobs of the hashes submitted");
    for (const job of jobs.slice(0, JOBS_OF_BULK)) {
      const promised = job.signed_attestation === undefined
        ? undefined
        : await this.snapshot(job.hash, JSON.stringify(job));
      await this.#inLog(job.hash, promised);
    }
  }

  /** Verifies the snapshot of a confirmed job; returns its sequence. */
  async snapshot(hash: string, text: string): Promise<number> {
    const job: Job = JSON.parse(text);
    const signed = parseSignedAttestation(JSON.stringify(job.signed_attestation));
    const { valid } = await verifySignedAttestation(this.#crypto, this.#network, signed);
    require(valid && signed.attestation.hash === hash, `a signed attestation of ${hash}`);
    return signed.attestation.sequence;
  }

  /** Verifies a reply with a token of `digest`, and later that the digest is in the log at its sequence. */
  async timestamp(digest: Bytes, reply: Bytes): Promise<void> {
    const hash = hexOf(digest);
    const trust = { network: this.#network, peers: [] };
    const token = parseTimestamp(reply);
    const { valid, proof } = await verifyTimestamp(this.#crypto, trust, token, { digest });
    require(valid, `a time-stamp token of ${hash}`);
    await this.#inLog(hash, proof!.bundle.signed_attestation.attestation.sequence);
  }

  async bundle(hash: string, text: string): Promise<void> {
    await this.#verifiedBundle(hash, text);
  }

  /**
   * Verifies a Merkle proof under the head of its size, for the leaf of the bundle's signatures.
   */
  async proof(hash: string, text: string): Promise<void> {
    const proof = parseMerkleProof(text);
    const sth = parseSignedTreeHead(await this.#asker.text(`/v1/log/sth/${proof.tree_size}`));
    const bundle = parseBundle(await this.#asker.text(`/v1/bundle/${hash}`));
    const { valid } = await verifyMerkleProof(this.#crypto, this.#network, { proof, sth }, {
      hash,
      signedAttestation: bundle.signed_attestation,
    });
    require(valid, `a proof of ${hash}`);
  }

  /**
   * Verifies that all leaves of a full tile or entry bundle are in the tree of the latest
   * checkpoint.
   */
  async tile({ level, index, width }: TileAddress, body: Uint8Array<ArrayBuffer>): Promise<void> {
    const text = await this.#asker.text("/checkpoint");
    const checkpoint = await verifyCheckpoint(this.#crypto, this.#network, text);
    require(checkpoint.valid, "a checkpoint of the network");
    const leaves = level === "entries" ? this.#leavesOf(body, index) : body;
    require(leaves.length === width * HASH_LENGTH, `${width} leaves`);
    const read = (level: number, index: number, width: number) =>
      this.#asker.bytes(`/${tilePath(level, index, width)}`);
    const size = checkpoint.head.tree_size;
    const root = Uint8Array.fromHex(checkpoint.head.root_hash);
    const isThere = await isTileOf(this.#crypto.kernels, read, { leaves, index }, { size, root });
    require(isThere, `tile ${index} under the checkpoint`);
  }

  #leavesOf(bundle: Uint8Array<ArrayBuffer>, index: number): Uint8Array<ArrayBuffer> {
    const entries = entriesOf(bundle);
    entries.forEach((entry, i) => {
      const { sequence } = parseAttestation(textOf(entry));
      require(sequence === index * TILE_WIDTH + i, `an entry of sequence ${sequence} in its place`);
    });
    let end = 0;
    const ends = Uint32Array.from(entries, ({ length }) => end += length);
    return this.#crypto.kernels.leafHashes(concat(...entries), ends);
  }

  async #inLog(hash: string, promised: number | undefined): Promise<void> {
    const text = await this.#asker.text(`/v1/attestations/${hash}`, "wait=30");
    const sequence = await this.snapshot(hash, text);
    require(promised === undefined || promised === sequence, `${hash} at ${promised}`);
    await this.#asker.published(sequence + 1, PUBLISHED_MS);
    const bundled = await this.#verifiedBundle(hash, await this.#asker.text(`/v1/bundle/${hash}`));
    require(bundled === sequence, `${hash} in the log at ${sequence}`);
  }

  /** Returns the sequence. */
  async #verifiedBundle(hash: string, text: string): Promise<number> {
    const bundle = parseBundle(text);
    const trust = { network: this.#network, peers: [] };
    const verdict = await verifyBundle(this.#crypto, trust, bundle, { hash });
    require(verdict.level === "batched", `a batched bundle of ${hash}`);
    return bundle.signed_attestation.attestation.sequence;
  }
}

function require(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Cannot verify answer: ${what} required, found another`);
}
