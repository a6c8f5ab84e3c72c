/**
 * The log of a test network, all of it in memory: rounds, tree heads, proofs, bundles and anchors.
 *
 * @module
 */

import { type Bytes, concat, hexOf, utf8 } from "../../../src/base/bytes.ts";
import { portableKernels as kernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { type Attestation, encodeAttestation } from "../../../src/proof/format/attestation.ts";
import type {
  Batch,
  BatchInclusion,
  ConsistencyProof,
  CrossAnchor,
  InclusionProof,
  MerkleProof,
  ProofBundle,
  SignedAttestation,
} from "../../../src/proof/format/bundle.ts";
import type { ExternalAnchor } from "../../../src/proof/format/external_anchor.ts";
import { type Beacon, encodeRoundMessage } from "../../../src/proof/format/round.ts";
import {
  encodeCheckpointBody,
  type SignedTreeHead,
  type TreeHead,
} from "../../../src/proof/format/tree_head.ts";
import { copyNodes } from "../../../src/proof/merkle/nodes.ts";
import { consistencyRanges, inclusionRanges, type Range } from "../../../src/proof/merkle/proof.ts";
import { pathInLevels, treeLevels, treeRoot } from "../../../src/proof/merkle/tree.ts";
import type { TestNetwork } from "./test_network.ts";

/** Options of one round of a test log. */
export interface RoundOptions {
  readonly timestamp: number;
  readonly places?: readonly number[];
  readonly beacon?: Beacon;
}

/** The log of a test network, all of it in memory. */
export class TestLog {
  /** Who signs from now on; of another epoch after a succession. */
  network: TestNetwork;
  readonly attestations: SignedAttestation[] = [];
  #leaves: Bytes = new Uint8Array();

  constructor(network: TestNetwork) {
    this.network = network;
  }

  get size(): number {
    return this.attestations.length;
  }

  /** Attests `hashes` together, as one round. */
  addRound(hashes: readonly string[], { timestamp, places, beacon }: RoundOptions): void {
    const network_id = this.network.id;
    const attestations: Attestation[] = hashes.map((hash, i) => ({
      hash,
      timestamp,
      network_id,
      sequence: this.size + i,
    }));
    const leaves = concat(...attestations.map((attestation) => {
      const text = utf8(encodeAttestation(attestation));
      return kernels.leafHashes(text, Uint32Array.of(text.length));
    }));
    const size = hashes.length;
    const levels = treeLevels(kernels, leaves);
    const message = encodeRoundMessage({
      network_id,
      timestamp,
      size,
      root: hexOf(treeRoot(kernels, leaves)),
      beacon: beacon ?? null,
    });
    const set = this.network.sign(message, places);
    this.attestations.push(...attestations.map((attestation, index) => ({
      attestation,
      round: {
        index,
        size,
        inclusion_path: pathInLevels(levels, index).map(hexOf),
        beacon: beacon ?? null,
      },
      ...set,
    })));
    this.#leaves = concat(this.#leaves, leaves);
  }

  leafHash(sequence: number): string {
    return hexOf(copyNodes(this.#leaves, sequence, sequence + 1));
  }

  head(tree_size: number, timestamp: number): TreeHead {
    const root_hash = this.#hashOf({ start: 0, end: tree_size });
    return { network_id: this.network.id, tree_size, timestamp, root_hash };
  }

  sth(
    size: number,
    timestamp: number,
    places?: readonly number[],
  ): SignedTreeHead {
    return this.network.signHead(this.head(size, timestamp), places);
  }

  inclusionPath(sequence: number, size: number): string[] {
    return inclusionRanges(sequence, size).map((range) => this.#hashOf(range));
  }

  consistencyPath(first: number, second: number): string[] {
    return consistencyRanges(first, second).map((range) => this.#hashOf(range));
  }

  merkleProof(sequence: number, sth: SignedTreeHead): MerkleProof {
    const { sth: _, ...proof } = this.inclusionProof(sequence, sth);
    const { root_hash, tree_size } = sth.tree_head;
    return { ...proof, root_hash, batch_id: tree_size };
  }

  inclusionProof(sequence: number, sth: SignedTreeHead): InclusionProof {
    const { tree_size } = sth.tree_head;
    return {
      hash: this.attestations[sequence]!.attestation.hash,
      leaf_hash: this.leafHash(sequence),
      leaf_index: sequence,
      tree_size,
      inclusion_path: this.inclusionPath(sequence, tree_size),
      sth,
    };
  }

  consistencyProof(first_sth: SignedTreeHead, second_sth: SignedTreeHead): ConsistencyProof {
    const first = first_sth.tree_head.tree_size;
    const second = second_sth.tree_head.tree_size;
    const consistency_path = this.consistencyPath(first, second);
    return { first, second, first_sth, second_sth, consistency_path };
  }

  /** The inclusion of `sequence` in the batch that `sth` closes after `previous`. */
  batchInclusion(
    sequence: number,
    sth: SignedTreeHead,
    previous?: SignedTreeHead,
  ): BatchInclusion {
    const { tree_size, root_hash, timestamp } = sth.tree_head;
    const first_index = previous?.tree_head.tree_size ?? 0;
    const batch: Batch = {
      id: tree_size,
      network_id: this.network.id,
      root_hash,
      tree_size,
      first_index,
      attestation_count: tree_size - first_index,
      period_start: previous?.tree_head.timestamp ?? 0,
      period_end: timestamp,
    };
    return { batch, merkle_proof: this.merkleProof(sequence, sth), sth };
  }

  bundle(sequence: number, inclusion: BatchInclusion | null = null): ProofBundle {
    return {
      signed_attestation: this.attestations[sequence]!,
      batch_inclusion: inclusion,
      cross_anchors: [],
      external_anchors: [],
    };
  }

  /** The head of `size` cosigned by `peer`, and the path to it from a batch that closes at `from`. */
  crossAnchor(
    peer: TestNetwork,
    { from, size, timestamp, places }: {
      readonly from: number;
      readonly size: number;
      readonly timestamp: number;
      readonly places?: readonly number[];
    },
  ): CrossAnchor {
    return {
      witnessing_network: peer.id,
      consistency_path: this.consistencyPath(from, size),
      ...peer.signHead(this.head(size, timestamp), places),
    };
  }

  externalAnchor(
    { from, size, timestamp }: {
      readonly from: number;
      readonly size: number;
      readonly timestamp: number;
    },
  ): ExternalAnchor {
    const tree_head = this.head(size, timestamp);
    return {
      provider: "rfc3161",
      status: "anchored",
      timestamp: timestamp + 1,
      tree_head,
      consistency_path: this.consistencyPath(from, size),
      digest: hexOf(kernels.sha256(utf8(encodeCheckpointBody(tree_head)))),
      proof: { token: "00" },
    };
  }

  #hashOf({ start, end }: Range): string {
    return hexOf(treeRoot(kernels, copyNodes(this.#leaves, start, end)));
  }
}
