/**
 * Proofs from a mirror: the tree under its verified checkpoint. Nothing of the gateway is needed.
 *
 * @module
 */

import { hexOf, textOf, utf8 } from "../../base/bytes.ts";
import { leafHash } from "../../proof/crypto/hashing.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { CountersignError } from "../../base/errors.ts";
import {
  type Attestation,
  encodeAttestation,
  parseAttestation,
} from "../../proof/format/attestation.ts";
import type {
  BatchInclusion,
  ConsistencyProof,
  InclusionProof,
} from "../../proof/format/bundle.ts";
import type { SignedTreeHead } from "../../proof/format/tree_head.ts";
import { TILE_WIDTH } from "../../proof/merkle/tile.ts";
import { TileProver } from "../../proof/merkle/tile_proof.ts";
import type { CryptoSuite } from "../../proof/crypto/crypto_suite.ts";
import type { FollowedNetwork } from "../../proof/verify/followed_network.ts";
import { type CheckpointRule, NetworkRule } from "./checkpoint_rule.ts";
import type { AcceptedCheckpoint, LogSource } from "./ports.ts";
import { signedHeadIn } from "./signed_head.ts";
import { VerifiedTree } from "./verified_tree.ts";

export interface MirrorContext {
  readonly kernels: Kernels;
  readonly source: LogSource;
  readonly rule: CheckpointRule;
}

const PROOF_CACHES = { tiles: 64, sizes: 8 };

/** A mirror at its checkpoint. Methods reject with `proof_refused` for damaged data. */
export class Mirror {
  /** URL or folder, for messages. */
  readonly name: string;
  readonly checkpoint: AcceptedCheckpoint;
  readonly #kernels: Kernels;
  readonly #tree: VerifiedTree;
  readonly #prover: TileProver;

  private constructor(
    kernels: Kernels,
    name: string,
    checkpoint: AcceptedCheckpoint,
    tree: VerifiedTree,
  ) {
    this.name = name;
    this.checkpoint = checkpoint;
    this.#kernels = kernels;
    this.#tree = tree;
    this.#prover = new TileProver(kernels, tree, PROOF_CACHES);
  }

  /** Verifies the checkpoint. `no_tree_head` without one. */
  static async open({ kernels, source, rule }: MirrorContext): Promise<Mirror> {
    const text = await source.checkpoint();
    if (text === undefined) {
      throw new CountersignError(
        "no_tree_head",
        `Cannot use mirror ${source.name}: it has no checkpoint`,
      );
    }
    const checkpoint = await rule.accept(text);
    const tree = await VerifiedTree.open({ kernels, source }, checkpoint);
    return new Mirror(kernels, source.name, checkpoint, tree);
  }

  get size(): number {
    return this.checkpoint.size;
  }

  /** The proof between two signed heads of at most the mirror's size, the first not the larger one. */
  async consistency(first: SignedTreeHead, second: SignedTreeHead): Promise<ConsistencyProof> {
    const sizes = [first.tree_head.tree_size, second.tree_head.tree_size] as const;
    const path = await this.#prover.consistencyPath(...sizes);
    return {
      first: sizes[0],
      second: sizes[1],
      first_sth: first,
      second_sth: second,
      consistency_path: path.map(hexOf),
    };
  }

  /**
   * The proof that `attestation` is in the tree of `sth`, a head of at most the mirror's size.
   * `not_batched` if the tree is too small for its sequence.
   */
  async inclusion(attestation: Attestation, sth: SignedTreeHead): Promise<InclusionProof> {
    const { hash, sequence: index } = attestation;
    const { tree_size: size } = sth.tree_head;
    if (index >= size) {
      throw new CountersignError(
        "not_batched",
        `Cannot prove attestation ${index} from the mirror: its tree has ${size} entries`,
      );
    }
    const leaf = leafHash(this.#kernels, utf8(encodeAttestation(attestation)));
    return {
      hash,
      leaf_hash: hexOf(leaf),
      leaf_index: index,
      tree_size: size,
      inclusion_path: (await this.#prover.inclusionPath(index, size)).map(hexOf),
      sth,
    };
  }

  /**
   * {@linkcode Mirror.inclusion} as the part of a bundle. A mirror does not know where batches begin, so
   * the batch is the whole tree.
   */
  async batchInclusion(attestation: Attestation, sth: SignedTreeHead): Promise<BatchInclusion> {
    const { sth: _, ...proof } = await this.inclusion(attestation, sth);
    const { network_id, tree_size, root_hash, timestamp } = sth.tree_head;
    return {
      batch: {
        id: tree_size,
        network_id,
        root_hash,
        tree_size,
        first_index: 0,
        attestation_count: tree_size,
        period_start: 0,
        period_end: timestamp,
      },
      merkle_proof: { ...proof, root_hash, batch_id: tree_size },
      sth,
    };
  }

  /** The attestation at `index`; `not_batched` if the tree is too small. */
  async at(index: number): Promise<Attestation> {
    if (index >= this.size) {
      throw new CountersignError(
        "not_batched",
        `The mirror has no attestation ${index}: its tree has ${this.size} entries`,
      );
    }
    const { entries } = await this.#tree.entries(Math.floor(index / TILE_WIDTH));
    return parseAttestation(textOf(entries[index % TILE_WIDTH]!));
  }

  /** The attestation of `hash`, searched from the newest entry; `hash_unknown`. Reads the whole log. */
  async find(hash: string): Promise<Attestation> {
    for (let index = Math.ceil(this.size / TILE_WIDTH) - 1; index >= 0; index--) {
      const { entries } = await this.#tree.entries(index);
      for (const entry of entries) {
        // Most entries are skipped without being parsed.
        if (!textOf(entry).includes(hash)) continue;
        const attestation = parseAttestation(textOf(entry));
        if (attestation.hash === hash) return attestation;
      }
    }
    throw new CountersignError("hash_unknown", `The mirror has no attestation of ${hash}`);
  }
}

/** A mirror of a network, with its signed head. */
export interface SignedMirror {
  readonly mirror: Mirror;
  readonly sth: SignedTreeHead;
  /** With the epochs that its chain leads to. */
  readonly network: FollowedNetwork;
}

/**
 * Opens the mirror in `source`, whose checkpoint the threshold of `pinned`, or of a later epoch of it,
 * signed.
 */
export async function openSignedMirror(
  crypto: CryptoSuite,
  pinned: FollowedNetwork,
  source: LogSource,
): Promise<SignedMirror> {
  const { kernels } = crypto;
  const rule = new NetworkRule(crypto, pinned, [source]);
  const mirror = await Mirror.open({ kernels, source, rule });
  const { network } = rule;
  const sth = await signedHeadIn(crypto, network, mirror.checkpoint.text);
  if (sth !== undefined) return { mirror, sth, network };
  throw new CountersignError(
    "proof_refused",
    `Cannot use mirror ${source.name}: too few witnesses cosigned its checkpoint at the same time`,
  );
}
