/**
 * Lies about how tree heads and leaves hang together.
 *
 * @module
 */

import type {
  ConsistencyProof,
  InclusionProof,
  MerkleProof,
} from "../../src/proof/format/bundle.ts";
import { editing, forwarded, fromImpostor, otherHex, refusing } from "./changes.ts";
import type { Lie } from "./lie.ts";
import { each, included, NO_GROWTH } from "./expected_reports.ts";
import { HASH, OTHER_HASH, SIZES, type World } from "./world.ts";

const [FIRST, , THIRD] = SIZES;

/** A path that does not verify: to a client that remembers a head, the gateway shows two logs. */
const NOT_CONSISTENT = {
  ...each(NO_GROWTH, "sth verify", "sth of a size", "log proof verify"),
  "consistency": "0 shown",
  "consistency verify": "1 invalid consistency_invalid consistency_path",
  "check of growth": "larger invalid consistency_invalid consistency_path",
  "check of the consistency": "invalid consistency_invalid consistency_path",
};

function consistencyLie(
  name: string,
  edit: (proof: ConsistencyProof, world: World) => unknown,
  says: Lie["says"],
): Lie {
  const changes = [
    editing<ConsistencyProof>(["consistency"], (proof, { world }) => edit(proof, world)),
  ];
  return { name, changes, says };
}

const consistency: readonly Lie[] = [
  consistencyLie("a consistency path that leads elsewhere", (proof) => ({
    ...proof,
    consistency_path: proof.consistency_path.map(otherHex),
  }), NOT_CONSISTENT),
  consistencyLie(
    "no consistency path",
    (proof) => ({ ...proof, consistency_path: [] }),
    NOT_CONSISTENT,
  ),
  consistencyLie("a path longer than any tree", (proof) => ({
    ...proof,
    consistency_path: Array.from({ length: 64 }, () => HASH),
  }), NOT_CONSISTENT),
  consistencyLie("consistency of two heads in the wrong order", (proof) => ({
    ...proof,
    first_sth: proof.second_sth,
    second_sth: proof.first_sth,
  }), {
    "consistency": "0 shown",
    "consistency verify": "1 invalid field_mismatch first",
    "check of the consistency": "invalid field_mismatch first",
  }),
  consistencyLie(
    "consistency of other sizes",
    async (_, world) => await world.consistency(FIRST, FIRST),
    {
      ...NOT_CONSISTENT,
      "consistency verify": "1 invalid tree_size_mismatch second",
      "check of the consistency": "invalid tree_size_mismatch second",
    },
  ),
  consistencyLie("consistency with a head that one witness signed", (proof, { keys }) => ({
    ...proof,
    first_sth: keys.signHead(proof.first_sth.tree_head, [0]),
  }), {
    "consistency": "0 shown",
    "consistency verify": "1 invalid threshold_not_met first_sth",
    "check of the consistency": "invalid threshold_not_met first_sth",
  }),
];

function inclusionLie(
  name: string,
  edit: (proof: InclusionProof, world: World) => unknown,
  says: Lie["says"],
): Lie {
  const changes = [
    editing<InclusionProof>(["inclusion"], (proof, { world }) => edit(proof, world)),
  ];
  return { name, changes, says };
}

const inclusion: readonly Lie[] = [
  {
    name: "an inclusion proof of another hash",
    changes: forwarded(
      ["inclusion"],
      ({ url }) =>
        `/v1/log/proof?hash=${OTHER_HASH}&tree_size=${url.searchParams.get("tree_size")}`,
    ),
    says: included("hash_mismatch hash"),
  },
  inclusionLie("an inclusion proof of another leaf under this hash", async (proof, world) => ({
    ...await world.inclusion(OTHER_HASH, proof.tree_size),
    hash: HASH,
  }), included("field_mismatch leaf_index")),
  inclusionLie(
    "an inclusion proof in another tree",
    async (_, world) => await world.inclusion(HASH, THIRD),
    {
      "log proof of a size": "1 invalid tree_size_mismatch tree_size",
      "check of the inclusion": "invalid tree_size_mismatch tree_size",
    },
  ),
  inclusionLie("an inclusion path that leads elsewhere", (proof) => ({
    ...proof,
    inclusion_path: proof.inclusion_path.map(otherHex),
  }), included("inclusion_invalid inclusion_path")),
  inclusionLie("an inclusion proof beyond the tree", (proof) => ({
    ...proof,
    leaf_index: proof.tree_size,
  }), included("leaf_beyond_tree leaf_index")),
  inclusionLie("an inclusion proof whose head is smaller", async (proof, world) => ({
    ...proof,
    sth: await world.sth(FIRST),
  }), included("field_mismatch tree_size")),
  {
    name: "a hash that is denied in the log",
    changes: refusing(["inclusion"], 404, "hash_unknown"),
    says: {
      ...each(
        "1 gateway_refused 404 hash_unknown",
        "log proof",
        "log proof verify",
        "log proof of a size",
      ),
      "check of the inclusion": "nothing: 404",
    },
  },
];

const merkleProofs: readonly Lie[] = [
  {
    name: "the Merkle proof of another hash",
    changes: forwarded(["proof"], () => `/v1/proof/${OTHER_HASH}`),
    says: {
      "proof": "1 proof_refused: it is about hash HASH instead of HASH",
      "check of the proof": "invalid hash_mismatch hash",
    },
  },
  {
    name: "a Merkle proof of another leaf under this hash",
    changes: [
      editing<MerkleProof>(["proof"], async (_, { honest }) => ({
        ...await (await honest(`/v1/proof/${OTHER_HASH}`)).json(),
        hash: HASH,
      })),
    ],
    says: {
      "proof": "0 shown",
      "check of the proof": "invalid field_mismatch leaf_index",
    },
  },
  {
    name: "a Merkle proof to another root",
    changes: [
      editing<MerkleProof>(["proof"], (proof) => ({
        ...proof,
        root_hash: otherHex(proof.root_hash),
      })),
    ],
    says: { "proof": "0 shown", "check of the proof": "invalid field_mismatch root_hash" },
  },
  {
    name: "a Merkle proof of a fork",
    changes: fromImpostor("fork", ["proof"]),
    says: {
      "proof": "0 shown",
      "check of the proof": "invalid inclusion_invalid inclusion_path",
    },
  },
];

export const logProofLies: readonly Lie[] = [...consistency, ...inclusion, ...merkleProofs];
