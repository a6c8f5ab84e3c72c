/**
 * The proofs of many stamps with few requests. All bundles of a batch share the tree head and the
 * anchors: one of them is fetched, and the paths of the others come from tiles of the log.
 *
 * @module
 */

import { bytesOfHex, HASH_LENGTH, hexOf } from "../../base/bytes.ts";
import type { GatewayClient } from "../../client/gateway_client.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { CountersignError } from "../../base/errors.ts";
import type { ProofBundle, SignedAttestation } from "../../proof/format/bundle.ts";
import { verifyInclusion } from "../../proof/merkle/proof.ts";
import { tileWidth } from "../../proof/merkle/tile.ts";
import { TileProver } from "../../proof/merkle/tile_proof.ts";
import { attestationLeaf } from "../../proof/verify/attestation.ts";
import type { StampRow } from "./stamp_rows.ts";

const CACHES = { tiles: 1_024, sizes: 64 };

/** A proof, and its text as the gateway writes it. */
export type Proof = NonNullable<StampRow["bundle"]>;

export interface ProofSource {
  /** The gateway's bundle of a signed row. */
  readonly fetchProof: (row: StampRow) => Promise<Proof>;
  readonly tile: GatewayClient["tile"];
  readonly kernels: Kernels;
}

type Shared = Omit<ProofBundle, "signed_attestation" | "batch_inclusion"> & {
  readonly batch_inclusion: NonNullable<ProofBundle["batch_inclusion"]>;
};

export class BulkProofs {
  readonly #source: ProofSource;
  readonly #prover: TileProver;
  /** Parts of the known batches. */
  readonly #shared: Shared[] = [];
  /** Known size of the log, and the first position that was not batched when the gateway answered. */
  #size = 0;
  #unbatched = Infinity;
  /** The fetch of a batch's first bundle. */
  #fetching: Promise<Proof> | undefined;
  #hasTiles = true;

  constructor(source: ProofSource) {
    this.#source = source;
    const nodes = async (level: number, index: number, width: number) => {
      // The latest size has the widest tiles, which serve all sizes.
      const widest = Math.max(width, tileWidth(level, index, this.#size));
      return (await source.tile(level, index, widest)).subarray(0, width * HASH_LENGTH);
    };
    this.#prover = new TileProver(source.kernels, { nodes }, CACHES);
  }

  /** Sorts signed rows by their positions, and fetches the latest proof, which covers most tiles. */
  async prepare(rows: readonly StampRow[]): Promise<readonly StampRow[]> {
    const sorted = rows.toSorted((a, b) => positionOf(a) - positionOf(b));
    const last = sorted.at(-1);
    // The caller gets the error when it asks for this proof.
    if (sorted.length > 1 && last !== undefined) await this.#fetch(last).catch(() => {});
    return sorted;
  }

  /** The proof of a signed row: the gateway's, or one made from it and tiles. */
  async proof(row: StampRow): Promise<Proof> {
    const signed = row.job?.signed_attestation;
    if (signed === undefined || signed.attestation.hash !== row.hash) {
      return await this.#source.fetchProof(row);
    }
    const { sequence } = signed.attestation;
    for (;;) {
      if (sequence >= this.#unbatched) return unbatchedProof(signed);
      const shared = this.#shared.find(({ batch_inclusion: { batch } }) =>
        batch.first_index <= sequence && sequence < batch.tree_size
      );
      if (shared !== undefined) {
        const made = this.#hasTiles ? await this.#make(signed, shared) : undefined;
        return made ?? await this.#source.fetchProof(row);
      }
      if (this.#fetching === undefined) return await this.#fetch(row);
      // Its caller gets the error.
      await this.#fetching.catch(() => {});
    }
  }

  /** The gateway's proof. Remembers what other rows share with it. */
  async #fetch(row: StampRow): Promise<Proof> {
    try {
      const proof = await (this.#fetching = this.#source.fetchProof(row));
      const { batch_inclusion, cross_anchors, external_anchors } = proof.value;
      if (batch_inclusion === null) {
        this.#unbatched = Math.min(this.#unbatched, positionOf(row));
      } else {
        this.#shared.push({ batch_inclusion, cross_anchors, external_anchors });
        this.#size = Math.max(this.#size, batch_inclusion.batch.tree_size);
      }
      return proof;
    } finally {
      this.#fetching = undefined;
    }
  }

  /** `undefined` if the tiles do not lead to the batch's root, or cannot be had. */
  async #make(
    signed: SignedAttestation,
    { batch_inclusion: { batch, sth }, cross_anchors, external_anchors }: Shared,
  ): Promise<Proof | undefined> {
    const { kernels } = this.#source;
    const { hash, sequence: index } = signed.attestation;
    const { tree_size: size, root_hash: root } = batch;
    let path: readonly Uint8Array[];
    try {
      path = await this.#prover.inclusionPath(index, size);
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error;
      this.#hasTiles = false;
      return undefined;
    }
    const leafHash = attestationLeaf(kernels, signed.attestation);
    const rootBytes = bytesOfHex(root, HASH_LENGTH) ?? new Uint8Array();
    if (!verifyInclusion(kernels, { leafHash, index, size, path, root: rootBytes })) {
      return undefined;
    }
    const merkle_proof = {
      hash,
      leaf_hash: hexOf(leafHash),
      leaf_index: index,
      tree_size: size,
      inclusion_path: path.map((node) => hexOf(node)),
      root_hash: root,
      batch_id: batch.id,
    };
    return proofOf({
      signed_attestation: signed,
      batch_inclusion: { batch, merkle_proof, sth },
      cross_anchors,
      external_anchors,
    });
  }
}

function positionOf({ job }: StampRow): number {
  return job?.signed_attestation?.attestation.sequence ?? -1;
}

function unbatchedProof(signed: SignedAttestation): Proof {
  return proofOf({
    signed_attestation: signed,
    batch_inclusion: null,
    cross_anchors: [],
    external_anchors: [],
  });
}

function proofOf(value: ProofBundle): Proof {
  return { value, text: JSON.stringify(value) };
}
