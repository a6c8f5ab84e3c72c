/**
 * Proofs of inclusion and consistency.
 *
 * @module
 */

import type { SignatureScheme } from "../../../../src/proof/format/signature_set.ts";
import { digestOf } from "../test_network.ts";
import { contradictionCases, growthCases } from "./history_cases.ts";
import { type Edit, edits, print, type RawJson, rawOf } from "./raw_json.ts";
import type { Vector, VectorKind } from "./vector.ts";
import { BATCH_SIZE, HEAD_TIME, type Home, LOG_SIZE, peers, SEQUENCE } from "./world.ts";

/** Makes a case of one kind. */
export type MakeProofCase = (
  name: string,
  rules: readonly string[],
  input: RawJson,
  rest?: Partial<Vector>,
) => Vector;

/** Every case of a home network's proofs. */
export function proofCases(home: Home): Vector[] {
  const of =
    (kind: VectorKind, rest: Partial<Vector>): MakeProofCase => (name, rules, input, other) => ({
      name: `${home.scheme}: ${kind.replace("_", " ")} ${name}`,
      kind,
      ...(rules.length > 0 && { rules }),
      network: home.scheme,
      ...rest,
      ...other,
      input: print(input),
    });
  return [
    ...inclusionCases(home, of),
    ...merkleCases(home, of),
    ...consistencyCases(home, of),
    ...growthCases(home, of),
    ...contradictionCases(home, of),
  ];
}

/** The maker of cases of `kind`, each with the members of `rest`. */
export type MakeKind = (kind: VectorKind, rest: Partial<Vector>) => MakeProofCase;

function inclusionCases({ log, scheme }: Home, of: MakeKind): Vector[] {
  const sth = log.sth(BATCH_SIZE, HEAD_TIME);
  const proof = log.inclusionProof(SEQUENCE, sth);
  const { hash } = proof;
  const make = of("inclusion_proof", { expected: { hash } });
  const signed = (sequence: number) => ({
    signed_attestation: JSON.stringify(log.attestations[sequence]),
  });
  const [first = ""] = proof.inclusion_path;
  const path = (inclusion_path: readonly string[]) => rawOf({ ...proof, inclusion_path });
  const other = log.inclusionProof(SEQUENCE + 1, sth);
  const edited = [...edits(rawOf(proof))].filter(({ name }) => !name.startsWith("sth."));
  return [
    make("alone", ["P10"], rawOf(proof)),
    make("with its attestation", ["P10"], rawOf(proof), signed(SEQUENCE)),
    make("of the expected size", ["P10"], rawOf(proof), {
      expected: { hash, tree_size: BATCH_SIZE },
    }),
    make("of another size than the expected", ["P3"], rawOf(proof), {
      expected: { hash, tree_size: LOG_SIZE },
    }),
    make("of another hash than the expected", ["P2"], rawOf(proof), {
      expected: { hash: digestOf("no") },
    }),
    make("of another leaf under the same hash", ["P10"], rawOf({ ...other, hash })),
    make(
      "of another leaf, with the attestation",
      ["P8"],
      rawOf({ ...other, hash }),
      signed(SEQUENCE),
    ),
    make("with another attestation", ["P8"], rawOf(proof), signed(SEQUENCE + 1)),
    make("with an attestation of another network", ["P7", "A1"], rawOf(proof), {
      signed_attestation: JSON.stringify(otherNetworkAttestation()),
    }),
    make(
      "under a head that one witness signed",
      ["P1", "S7"],
      rawOf(log.inclusionProof(SEQUENCE, log.sth(BATCH_SIZE, HEAD_TIME, [0]))),
    ),
    make("of a leaf beyond the tree", ["P5"], rawOf({ ...proof, leaf_index: BATCH_SIZE })),
    make("of another tree size than its head's", ["P4"], rawOf({ ...proof, tree_size: LOG_SIZE })),
    make("with an empty path", ["P6"], path([])),
    make("with a path that is too short", ["P6"], path(proof.inclusion_path.slice(1))),
    make("with a path that is too long", ["P6"], path([...proof.inclusion_path, first])),
    make("with a path in reverse", ["P6"], path(proof.inclusion_path.toReversed())),
    make("in a tree of one leaf", ["P10"], rawOf(log.inclusionProof(0, log.sth(1, HEAD_TIME))), {
      expected: { hash: log.attestations[0]!.attestation.hash },
    }),
    ...Array.from({ length: LOG_SIZE }, (_, i) => i).map((i) =>
      make(
        `of leaf ${i} of ${LOG_SIZE}`,
        ["P10"],
        rawOf(log.inclusionProof(i, log.sth(LOG_SIZE, HEAD_TIME))),
        {
          network: scheme,
          expected: { hash: log.attestations[i]!.attestation.hash, tree_size: LOG_SIZE },
          ...signed(i),
        },
      )
    ),
    ...ofOneScheme(scheme, edited).map(({ name, json }) => make(name, [], json)),
  ];
}

/** The edits of the scheme `ed25519`; without signatures, the other scheme has the same. */
function ofOneScheme(scheme: SignatureScheme, all: readonly Edit[]): readonly Edit[] {
  return scheme === "ed25519" ? all : [];
}

function otherNetworkAttestation() {
  return {
    ...peers.alpha.sign("x"),
    attestation: { hash: digestOf("x"), timestamp: 1, network_id: peers.alpha.id, sequence: 0 },
    round: { index: 0, size: 1, inclusion_path: [], beacon: null },
  };
}

function merkleCases({ log, scheme }: Home, of: MakeKind): Vector[] {
  const sth = log.sth(BATCH_SIZE, HEAD_TIME);
  const proof = log.merkleProof(SEQUENCE, sth);
  const { hash } = proof;
  const make = of("merkle_proof", { expected: { hash }, sth: JSON.stringify(sth) });
  const under = (head: object) => ({ sth: JSON.stringify(head) });
  return [
    make("alone", ["P10"], rawOf(proof)),
    make("with its attestation", ["P10"], rawOf(proof), {
      signed_attestation: JSON.stringify(log.attestations[SEQUENCE]),
    }),
    make("with another root", ["P9"], rawOf({ ...proof, root_hash: digestOf("root") })),
    make("with another batch", ["P9"], rawOf({ ...proof, batch_id: LOG_SIZE })),
    make(
      "under the head of another size",
      ["P4"],
      rawOf(proof),
      under(log.sth(LOG_SIZE, HEAD_TIME)),
    ),
    make(
      "under a head that one witness signed",
      ["P1", "S7"],
      rawOf(proof),
      under(log.sth(BATCH_SIZE, HEAD_TIME, [0])),
    ),
    ...ofOneScheme(scheme, [...edits(rawOf(proof))]).map(({ name, json }) => make(name, [], json)),
  ];
}

function consistencyCases({ log, fork, network }: Home, of: MakeKind): Vector[] {
  const at = (size: number, places?: number[]) => log.sth(size, HEAD_TIME + size, places);
  const proof = (first: number, second: number) => log.consistencyProof(at(first), at(second));
  const make = (name: string, rules: readonly string[], value: object, first = 6, second = 14) =>
    of("consistency_proof", { expected: { first, second } })(name, rules, rawOf(value));
  const good = proof(6, 14);
  const [node = ""] = good.consistency_path;
  const path = (consistency_path: readonly string[]) => ({ ...good, consistency_path });
  const pairs = [];
  for (let first = 1; first <= LOG_SIZE; first += 3) {
    for (let second = first; second <= LOG_SIZE; second += 4) pairs.push([first, second] as const);
  }
  const empty = network.signHead(log.head(0, HEAD_TIME));
  const edited = [...edits(rawOf(good))].filter(({ name }) => !/^(first|second)_sth\./.test(name));
  return [
    ...pairs.map(([first, second]) =>
      make(`from ${first} to ${second}`, ["N6"], proof(first, second), first, second)
    ),
    make("from another size than the expected", ["N3"], good, 5, 14),
    make("to another size than the expected", ["N3"], good, 6, 13),
    make("of another size than its head's", ["N4"], { ...good, first: 5 }, 5, 14),
    make("whose first head one witness signed", ["N1", "S7"], { ...good, first_sth: at(6, [0]) }),
    make("whose second head one witness signed", ["N2", "S7"], {
      ...good,
      second_sth: at(14, [0]),
    }),
    make("from a fork", ["N5"], { ...good, first_sth: fork.sth(6, HEAD_TIME) }),
    make("to a fork", ["N5"], { ...good, second_sth: fork.sth(14, HEAD_TIME) }),
    make(
      "between forks of one size",
      ["N5"],
      {
        ...proof(6, 6),
        second_sth: fork.sth(6, HEAD_TIME),
      },
      6,
      6,
    ),
    make(
      "between equal trees with a path",
      ["N5"],
      { ...proof(6, 6), consistency_path: [node] },
      6,
      6,
    ),
    make(
      "from the empty tree",
      ["N5"],
      {
        first: 0,
        second: 6,
        first_sth: empty,
        second_sth: at(6),
        consistency_path: [],
      },
      0,
      6,
    ),
    make(
      "to a smaller tree",
      ["N5"],
      {
        first: 14,
        second: 6,
        first_sth: at(14),
        second_sth: at(6),
        consistency_path: good.consistency_path,
      },
      14,
      6,
    ),
    make("with an empty path", ["N5"], path([])),
    make("with a path that is too short", ["N5"], path(good.consistency_path.slice(1))),
    make("with a path that is too long", ["N5"], path([...good.consistency_path, node])),
    make("with a path in reverse", ["N5"], path(good.consistency_path.toReversed())),
    ...ofOneScheme(network.configuration.signature_scheme, edited).map(({ name, json }) =>
      of("consistency_proof", { expected: { first: 6, second: 14 } })(name, [], json)
    ),
  ];
}
