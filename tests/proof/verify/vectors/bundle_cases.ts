/**
 * Bundles of every level, with the faults of the attestation, the batch and the beacon.
 *
 * @module
 */

import type { BatchInclusion, ProofBundle } from "../../../../src/proof/format/bundle.ts";
import type { Beacon } from "../../../../src/proof/format/round.ts";
import { forged, QUICKNET_BEACONS, QUICKNET_TIME } from "../../../beacons.ts";
import { TestLog } from "../test_log.ts";
import { digestOf, type TestNetwork } from "../test_network.ts";
import { withLogSignature } from "./head_cases.ts";
import { type Edit, edit, edits, print, type RawJson, type RawObject, rawOf } from "./raw_json.ts";
import type { Vector } from "./vector.ts";
import {
  BATCH_SIZE,
  HEAD_TIME,
  type Home,
  peers,
  PREVIOUS_SIZE,
  ROUND_TIME,
  SEQUENCE,
} from "./world.ts";

/** Names of the peers' configurations that a verifier of federated bundles has. */
export const PEER_NAMES = ["alpha", "beta", "shared", "strict"];

/** Makes a case of a bundle. */
export type MakeBundleCase = (
  name: string,
  rules: readonly string[],
  bundle: ProofBundle | RawObject,
  rest?: Partial<Vector>,
) => Vector;

/** The inclusion of attestation `sequence` in the batch that closes at `BATCH_SIZE`. */
export function batchOf({ log }: Home, sequence = SEQUENCE): BatchInclusion {
  const previous = log.sth(PREVIOUS_SIZE, HEAD_TIME - 20);
  return log.batchInclusion(sequence, log.sth(BATCH_SIZE, HEAD_TIME), previous);
}

/** A bundle of `SEQUENCE` of level *batched*. */
export function batchedBundle(home: Home): ProofBundle {
  return home.log.bundle(SEQUENCE, batchOf(home));
}

/** {@linkcode MakeBundleCase} of a home network. */
export function bundleCaseOf({ scheme }: Home): MakeBundleCase {
  return (name, rules, bundle, rest = {}) => ({
    name: `${scheme}: ${name}`,
    kind: "bundle",
    ...(rules.length > 0 && { rules }),
    network: scheme,
    peers: PEER_NAMES,
    ...rest,
    input: print("members" in bundle ? bundle : rawOf(bundle)),
  });
}

/** The edits of the members of `bundle` below any of `paths`. */
export function editsBelow(bundle: ProofBundle, paths: readonly string[]): Edit[] {
  return [...edits(rawOf(bundle))].filter(({ name }) =>
    paths.some((path) => name.startsWith(path)) && !name.endsWith("with an escaped character")
  );
}

/** Every case of a home network's bundles without anchors. */
export function bundleCases(home: Home): Vector[] {
  const make = bundleCaseOf(home);
  return [
    ...levelCases(home, make),
    ...spellingCases(home, make),
    ...attestationCases(home, make),
    ...batchCases(home, make),
    ...logSignatureCases(home, make),
    ...timeCases(home, make),
    // Only sets of signatures differ between the schemes.
    ...editsBelow(
      batchedBundle(home),
      home.scheme === "bls" ? ["batch_inclusion.sth.sign"] : [
        "batch_inclusion",
        "cross_anchors",
        "external_anchors",
        "resource",
        "signed_attestation ",
      ],
    ).filter(({ name }) => !isShapeOfSmallerResource(name))
      .map(({ name, json }) => make(name, [], json as RawObject)),
  ];
}

/** Cases of tree heads and Merkle proofs cover these with smaller texts. */
function isShapeOfSmallerResource(name: string): boolean {
  const part =
    /^batch_inclusion\.(sth|merkle_proof)\.\S+ (removed|twice|spelt|in cap|one dig|an obj|with an)/;
  return part.test(name) || /\.\S+ null$/.test(name);
}

function levelCases(home: Home, make: MakeBundleCase): Vector[] {
  const bundle = batchedBundle(home);
  const { hash } = bundle.signed_attestation.attestation;
  return [
    make("without a batch", ["B1"], { ...bundle, batch_inclusion: null }),
    make("with a batch", ["B9"], bundle),
    make("of the expected hash", [], bundle, { expected: { hash } }),
    make("of another hash than the expected", ["A6"], bundle, {
      expected: { hash: digestOf("another content") },
    }),
    make("under a threshold that its signatures do not meet", ["S7", "B2"], bundle, {
      network: `${home.scheme} threshold 3`,
    }),
    make("under another network's configuration", ["A1", "B2"], bundle, { network: "alpha" }),
  ];
}

function logSignatureCases(home: Home, make: MakeBundleCase): Vector[] {
  const bundle = batchedBundle(home);
  const inclusion = bundle.batch_inclusion!;
  const signedBy = (key: TestNetwork["log"]) => ({
    ...bundle,
    batch_inclusion: { ...inclusion, sth: withLogSignature(inclusion.sth, key) },
  });
  const wrong = signedBy(peers.alpha.log);
  return [
    make("a batch with the log's signature", ["B9"], signedBy(home.network.log)),
    make("a batch with a log's signature of another key", ["H5"], wrong),
    make("a batch with a log's signature, and no log key pinned", ["B9"], wrong, {
      network: `${home.scheme} without log key`,
    }),
  ];
}

function spellingCases(home: Home, make: MakeBundleCase): Vector[] {
  const bundle = rawOf(batchedBundle(home)) as RawObject;
  const reversed = (json: RawJson): RawJson =>
    typeof json === "string"
      ? json
      : "members" in json
      ? { members: json.members.map(([n, v]) => [n, reversed(v)] as const).toReversed() }
      : json.map(reversed);
  const whole = print(bundle);
  const text = (name: string, rules: readonly string[], input: string): Vector => ({
    ...make(name, rules, bundle),
    input,
  });
  const at = (path: string, change: (value: RawJson) => RawJson) =>
    edit(bundle, path, change) as RawObject;
  const sequence = "signed_attestation.attestation.sequence";
  const nested = (depth: number) => `${"[".repeat(depth)}0${"]".repeat(depth)}`;
  return [
    text("indented", ["J8"], JSON.stringify(JSON.parse(whole), undefined, 2)),
    text("with a line end after it", ["J8"], `${whole}\r\n`),
    make("with all members in reverse order", ["J8"], reversed(bundle) as RawObject),
    text("with an escaped member name", ["J8"], whole.replace('"sth"', '"s\\u0074h"')),
    text("with a second value after it", ["J1"], `${whole}{}`),
    text("with a byte order mark", ["J1"], `\ufeff${whole}`),
    text("cut short", ["J1"], whole.slice(0, -1)),
    text("empty", ["J1"], ""),
    text("a list", ["J7"], `[${whole}]`),
    text("with a comment", ["J1"], whole.replace("{", "{/**/")),
    text("with a trailing comma", ["J1"], `${whole.slice(0, -1)},}`),
    text("in single quotes", ["J1"], whole.replaceAll('"', "'")),
    text(
      "with a member twice, once escaped",
      ["J2"],
      whole.replace('"sth"', '"s\\u0074h":null,"sth"'),
    ),
    text(
      "with a member named __proto__",
      ["J3"],
      `{"__proto__":{},${whole.slice(1)}`,
    ),
    text("with a member whose name is empty", ["J3"], `{"":null,${whole.slice(1)}`),
    text(
      "with a member whose name is empty in the tree head",
      ["J3"],
      whole.replace('"tree_head":{', '"tree_head":{"":null,'),
    ),
    text(
      "with a member named constructor in a signature set",
      ["J3"],
      whole.replace('"signed_attestation":{', '"signed_attestation":{"constructor":1,'),
    ),
    make("with sequence 1e3", ["J4"], at(sequence, () => "1e3")),
    make("with sequence 4.0", ["J4"], at(sequence, () => "4.0")),
    make("with sequence -0", ["J4"], at("signed_attestation.round.index", () => "-0")),
    make("with sequence 2^53", ["J4"], at(sequence, () => "9007199254740992")),
    make("with sequence 04", ["J1"], at(sequence, () => "04")),
    make("with sequence 2^53 - 1", ["S6"], at(sequence, () => "9007199254740991")),
    make("with a list 33 levels deep", ["J6"], at("external_anchors", () => nested(33))),
    make("with batch_inclusion false", ["J7"], at("batch_inclusion", () => "false")),
    make("with cross_anchors null", ["J7"], at("cross_anchors", () => "null")),
  ];
}

function attestationCases(home: Home, make: MakeBundleCase): Vector[] {
  const { log, fork } = home;
  const bundle = batchedBundle(home);
  const { attestation, round } = bundle.signed_attestation;
  const signed = (change: object) => ({
    ...bundle,
    signed_attestation: { ...bundle.signed_attestation, ...change },
  });
  const [first] = round.inclusion_path;
  return [
    make("of another attestation's round", ["A5"], signed({ round: log.attestations[0]!.round })),
    make(
      "with another attestation of its round",
      ["S6"],
      signed({
        attestation: log.attestations[SEQUENCE + 1]!.attestation,
      }),
    ),
    make("with the batch of a fork", ["B8"], forkedBundle(home)),
    make("with an attestation of a fork", ["B4"], {
      ...bundle,
      signed_attestation: fork.attestations[SEQUENCE]!,
    }),
    make(
      "with a round path that is too short",
      ["A4"],
      signed({
        round: { ...round, inclusion_path: round.inclusion_path.slice(1) },
      }),
    ),
    make(
      "with a round path that is too long",
      ["A4"],
      signed({
        round: { ...round, inclusion_path: [...round.inclusion_path, first] },
      }),
    ),
    make(
      "with a sequence below its index",
      ["A3"],
      signed({
        attestation: { ...attestation, sequence: round.index - 1 },
      }),
    ),
    make(
      "with an index of its round's size",
      ["A3"],
      signed({
        round: { ...round, index: round.size },
      }),
    ),
    make("with a round of 0", ["A2"], signed({ round: { ...round, size: 0 } })),
    make("with a round of 513", ["A2"], signed({ round: { ...round, size: 513 } })),
  ];
}

/** An attestation of the log with the signed batch of another history of the same network. */
function forkedBundle(home: Home): ProofBundle {
  const { log, fork } = home;
  const other = batchOf({ ...home, log: fork });
  const { hash } = log.attestations[SEQUENCE]!.attestation;
  const merkle_proof = { ...other.merkle_proof, hash, leaf_hash: log.leafHash(SEQUENCE) };
  return log.bundle(SEQUENCE, { ...other, merkle_proof });
}

function batchCases(home: Home, make: MakeBundleCase): Vector[] {
  const { log, network } = home;
  const bundle = batchedBundle(home);
  const inclusion = bundle.batch_inclusion!;
  const { batch, merkle_proof: proof } = inclusion;
  const batched = (change: object) => ({
    ...bundle,
    batch_inclusion: { ...inclusion, ...change },
  });
  const ranged = (first_index: number) => ({
    ...batch,
    first_index,
    attestation_count: BATCH_SIZE - first_index,
  });
  const early = log.batchInclusion(SEQUENCE - 1, log.sth(SEQUENCE, HEAD_TIME), log.sth(2, 7));
  const beyond = {
    ...early,
    merkle_proof: { ...early.merkle_proof, ...pick(proof, ["hash", "leaf_hash", "leaf_index"]) },
  };
  const [first] = proof.inclusion_path;
  const path = (inclusion_path: readonly (string | undefined)[]) =>
    batched({ merkle_proof: { ...proof, inclusion_path } });
  const empty = network.signHead({ ...inclusion.sth.tree_head, tree_size: 0 });
  return [
    make(
      "with a head that one witness signed",
      ["B3", "S7"],
      batched({
        sth: log.sth(BATCH_SIZE, HEAD_TIME, [1]),
      }),
    ),
    make(
      "with a head of another time than the batch's",
      ["B4"],
      batched({
        sth: log.sth(BATCH_SIZE, HEAD_TIME + 1),
      }),
    ),
    make("with a signed empty tree of another root", ["B3", "H2"], batched({ sth: empty })),
    make("with a batch that begins at 0", ["B10"], batched({ batch: ranged(0) })),
    make("with a batch that begins at its sequence", ["B10"], batched({ batch: ranged(SEQUENCE) })),
    make(
      "with a batch that begins after its sequence",
      ["B6"],
      batched({
        batch: ranged(SEQUENCE + 1),
      }),
    ),
    make(
      "with a count of one more",
      ["B5"],
      batched({
        batch: { ...batch, attestation_count: batch.attestation_count + 1 },
      }),
    ),
    make(
      "with a first index beyond the tree",
      ["B5"],
      batched({
        batch: { ...batch, first_index: BATCH_SIZE + 1, attestation_count: 0 },
      }),
    ),
    make(
      "with period_start after period_end",
      ["B10"],
      batched({
        batch: { ...batch, period_start: batch.period_end + 1 },
      }),
    ),
    make("with a head that is too small for its sequence", ["B7"], {
      ...bundle,
      batch_inclusion: beyond,
    }),
    make("with an empty path", ["B8"], path([])),
    make("with a path that is too short", ["B8"], path(proof.inclusion_path.slice(1))),
    make("with a path that is too long", ["B8"], path([...proof.inclusion_path, first])),
    make("with a path in reverse", ["B8"], path(proof.inclusion_path.toReversed())),
    make("with the path of another leaf", ["B8"], path(log.inclusionPath(5, BATCH_SIZE))),
    make("with the path to another size", ["B8"], path(log.inclusionPath(SEQUENCE, 14))),
  ];
}

function timeCases(home: Home, make: MakeBundleCase): Vector[] {
  const [beacon, next] = QUICKNET_BEACONS;
  const of = (timestamp: number, used: Beacon | null) => {
    const log = new TestLog(home.network);
    log.addRound([digestOf("timed")], { timestamp, ...(used && { beacon: used }) });
    return log.bundle(0, log.batchInclusion(0, log.sth(1, timestamp + 9)));
  };
  return [
    make("without a beacon", ["T1"], of(ROUND_TIME, null)),
    make("with a beacon", ["T4"], of(ROUND_TIME, beacon)),
    make("with the beacon of its own second", ["T4"], of(QUICKNET_TIME, beacon)),
    make(
      "with a beacon of another chain",
      ["T2"],
      of(ROUND_TIME, {
        ...beacon,
        chain_hash: digestOf("another chain"),
      }),
    ),
    make("with a forged beacon", ["T3"], of(ROUND_TIME, forged(beacon))),
    make(
      "with the next round's signature",
      ["T3"],
      of(ROUND_TIME, {
        ...beacon,
        signature: next.signature,
      }),
    ),
    make("with a beacon of round 0", ["T3"], of(ROUND_TIME, { ...beacon, round: 0 })),
    make(
      "with a beacon whose time is beyond 2^53",
      ["T3"],
      of(ROUND_TIME, {
        ...beacon,
        round: 9_007_199_254_740_991,
      }),
    ),
    make("with a time before its beacon", ["T6"], of(QUICKNET_TIME - 1, beacon)),
    make("with all times before its beacon", ["T6"], of(QUICKNET_TIME - 100, beacon)),
  ];
}

function pick<T extends object>(value: T, names: readonly (keyof T)[]): Partial<T> {
  return Object.fromEntries(names.map((name) => [name, value[name]])) as Partial<T>;
}
