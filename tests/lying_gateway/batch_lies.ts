/**
 * Lies about the batch of an attestation.
 *
 * @module
 */

import {
  type BatchInclusion,
  bundles,
  forwarded,
  fromImpostor,
  inclusions,
  jobs,
  otherHex,
} from "./changes.ts";
import { batched, each, FORK, NOT_YET_BATCHED, OVERDUE, UNPINNED } from "./expected_reports.ts";
import type { Lie } from "./lie.ts";
import { HASH, MERGE_DELAY_SECONDS, OTHER_HASH, SIZES, type World } from "./world.ts";

const NO_BATCH =
  "proof_refused: the gateway said that it is in the log, and its proof does not show it. Run the command again";
const OTHER_JOB = "proof_refused: the gateway stated two attestations of it. Tell its operator";
const BASIC = "basic, cross_anchors_missing, unbound anchor";
const OTHER_BUNDLE = "invalid, hash_mismatch signed_attestation.attestation.hash, " +
  "cross_anchors_missing, unbound anchor";

const BOTH = ["ed25519", "bls"] as const;

function inclusionLie(
  name: string,
  edit: (inclusion: BatchInclusion, world: World) => unknown,
  says: Lie["says"],
  schemes: Lie["schemes"] = ["ed25519"],
): Lie {
  return { name, changes: inclusions(edit), says, schemes };
}

/** `inclusion` with members of its batch replaced. */
function withBatch(change: (batch: BatchInclusion["batch"]) => object) {
  return (inclusion: BatchInclusion) => ({
    ...inclusion,
    batch: { ...inclusion.batch, ...change(inclusion.batch) },
  });
}

function withProof(change: (proof: BatchInclusion["merkle_proof"]) => object) {
  return (inclusion: BatchInclusion) => ({
    ...inclusion,
    merkle_proof: { ...inclusion.merkle_proof, ...change(inclusion.merkle_proof) },
  });
}

export const batchLies: readonly Lie[] = [
  inclusionLie("no batch, and batched", () => null, {
    "stamp save": `1 ${NO_BATCH}`,
    "stamp at first": `1 ${NO_BATCH}`,
    "bundle": "0 shown",
    ...each(`0 ${BASIC}`, "verify-proof", "verify-proof at first"),
    "check of the bundle": BASIC,
  }, BOTH),
  {
    name: "a batch withheld long after the merge delay",
    changes: [
      ...bundles((bundle) => ({ ...bundle, batch_inclusion: null, cross_anchors: [] })),
      ...jobs(({ batch_id: _, ...job }) => ({ ...job, progress: "confirmed" })),
    ],
    aheadSeconds: 2 * MERGE_DELAY_SECONDS,
    says: {
      "stamp": "0 verified",
      "stamp several": "0 verified, verified",
      "stamp save": NOT_YET_BATCHED,
      "stamp at first": `${NOT_YET_BATCHED}${UNPINNED}`,
      "status": `0 shown${OVERDUE}`,
      "bundle": "0 shown",
      ...each(`0 ${BASIC}, overdue`, "verify-proof", "verify-proof at first"),
      "check of the bundle": BASIC,
    },
  },
  inclusionLie(
    "the proof of another leaf",
    async (inclusion, world) => ({
      ...inclusion,
      merkle_proof: (await world.honest.bundle(OTHER_HASH)).batch_inclusion.merkle_proof,
    }),
    batched("field_mismatch", "merkle_proof.hash"),
    BOTH,
  ),
  inclusionLie("the proof of another leaf under this hash", async (inclusion, world) => {
    const { merkle_proof } = (await world.honest.bundle(OTHER_HASH)).batch_inclusion;
    const { hash, leaf_hash, leaf_index } = inclusion.merkle_proof;
    return { ...inclusion, merkle_proof: { ...merkle_proof, hash, leaf_hash, leaf_index } };
  }, batched("inclusion_invalid", "merkle_proof.inclusion_path")),
  inclusionLie(
    "another leaf hash",
    withProof(({ leaf_hash }) => ({
      leaf_hash: otherHex(leaf_hash),
    })),
    batched("field_mismatch", "merkle_proof.leaf_hash"),
  ),
  inclusionLie(
    "another place in the log",
    withProof(({ leaf_index }) => ({
      leaf_index: leaf_index - 1,
    })),
    batched("field_mismatch", "merkle_proof.leaf_index"),
  ),
  inclusionLie(
    "a path that leads elsewhere",
    withProof(({ inclusion_path }) => ({
      inclusion_path: inclusion_path.map(otherHex),
    })),
    batched("inclusion_invalid", "merkle_proof.inclusion_path"),
  ),
  inclusionLie(
    "a path that ends early",
    withProof(({ inclusion_path }) => ({
      inclusion_path: inclusion_path.slice(1),
    })),
    batched("inclusion_invalid", "merkle_proof.inclusion_path"),
  ),
  inclusionLie(
    "a proof of another tree size",
    withProof(({ tree_size }) => ({
      tree_size: tree_size + 4,
    })),
    batched("field_mismatch", "merkle_proof.tree_size"),
  ),
  inclusionLie(
    "a proof to another root",
    withProof(({ root_hash }) => ({
      root_hash: otherHex(root_hash),
    })),
    batched("field_mismatch", "merkle_proof.root_hash"),
  ),
  inclusionLie(
    "a batch of another size",
    withBatch(({ tree_size }) => ({
      tree_size: tree_size + 4,
    })),
    batched("field_mismatch", "batch.tree_size"),
  ),
  inclusionLie(
    "a batch of another id",
    withBatch(({ id }) => ({ id: id + 4 })),
    batched("field_mismatch", "batch.id"),
  ),
  inclusionLie(
    "a batch with another root",
    withBatch(({ root_hash }) => ({
      root_hash: otherHex(root_hash),
    })),
    batched("field_mismatch", "batch.root_hash"),
  ),
  inclusionLie(
    "a batch of another network",
    withBatch(() => ({
      network_id: "evil.example/log",
    })),
    batched("field_mismatch", "batch.network_id"),
  ),
  inclusionLie(
    "a batch that closes at another time",
    withBatch(({ period_end }) => ({
      period_end: period_end - 60,
    })),
    batched("field_mismatch", "batch.period_end"),
  ),
  inclusionLie(
    "a batch of more attestations than it grew by",
    withBatch((batch) => ({
      attestation_count: batch.attestation_count + 1,
    })),
    batched("batch_count_wrong", "batch.attestation_count"),
  ),
  inclusionLie("the next batch, which begins later", async (_, world) => {
    const { sth, ...proof } = await world.inclusion(HASH, SIZES[2]);
    const { root_hash } = sth.tree_head;
    return {
      batch: await world.honest.get(`/v1/batches/${SIZES[2]}`),
      merkle_proof: { ...proof, root_hash, batch_id: SIZES[2] },
      sth,
    };
  }, batched("batch_range_wrong", "batch.first_index")),
  inclusionLie("the previous head, which is too small", async (inclusion, world) => ({
    ...inclusion,
    sth: await world.sth(SIZES[0]),
  }), batched("field_mismatch", "merkle_proof.tree_size")),
  inclusionLie(
    "the head of a fork that two witnesses sign",
    async (inclusion, world) => ({
      ...inclusion,
      sth: await world.fork.sth(SIZES[1]),
    }),
    batched("field_mismatch", "merkle_proof.root_hash"),
    BOTH,
  ),
  {
    name: "the bundle of a fork that two witnesses sign",
    changes: fromImpostor("fork", ["bundle"]),
    says: {
      "stamp save": `1 ${OTHER_JOB}`,
      "stamp at first": `1 ${OTHER_JOB}`,
      "bundle": "0 shown",
      "verify-proof": FORK,
      // Whoever remembers nothing, and has no peers' signatures, cannot tell a fork from the log.
      "verify-proof at first": "0 batched, cross_anchors_missing",
      "check of the bundle": "batched, cross_anchors_missing",
      ...each("invalid field_mismatch leaf_index", "check of the inclusion", "check of the proof"),
    },
    schemes: BOTH,
  },
  {
    name: "the bundle of another hash",
    changes: forwarded(["bundle"], () => `/v1/bundle/${OTHER_HASH}`),
    says: {
      "stamp save": "1 proof_refused hash_mismatch",
      "stamp at first": "1 proof_refused hash_mismatch",
      "bundle": "1 proof_refused: it is about hash HASH instead of HASH",
      ...each(`1 ${OTHER_BUNDLE}`, "verify-proof", "verify-proof at first"),
      "check of the bundle": OTHER_BUNDLE,
      ...each("invalid field_mismatch hash", "check of the inclusion", "check of the proof"),
    },
  },
];
