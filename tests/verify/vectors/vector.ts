/**
 * One case of the verification vectors (`docs/vectors/README.md`), and the runner that judges it with
 * this verifier.
 *
 * @module
 */

import { hexOf } from "../../../src/bytes.ts";
import type { BlsVerifier } from "../../../src/crypto/bls_verifier.ts";
import { CountersignError } from "../../../src/errors.ts";
import { type NetworkConfiguration, parseNetwork } from "../../../src/format/network.ts";
import {
  parseBundle,
  parseConsistencyProof,
  parseInclusionProof,
  parseMerkleProof,
  parseSignedAttestation,
  parseSignedTreeHead,
  type SignedLayer,
  type Verdict,
  type VerifierCrypto,
  verifyBundle,
  verifyCheckpoint,
  verifyConsistencyProof,
  verifyInclusionProof,
  verifyMerkleProof,
  verifySignedAttestation,
  verifySignedTreeHead,
} from "../../../src/verify/mod.ts";
import { parseContradiction } from "../../../src/format/federation.ts";
import { parseSuccessionChain } from "../../../src/format/succession.ts";
import { epochText } from "../../../src/verify/epoch_text.ts";
import { type FollowedNetwork, followSuccession } from "../../../src/verify/followed_network.ts";
import { checkGrowth } from "../../../src/verify/head_memory.ts";
import { verifyContradiction } from "../../../src/verify/contradiction.ts";

/** The kind of a case's `input`. */
export type VectorKind =
  | "bundle"
  | "checkpoint"
  | "configuration"
  | "consistency_proof"
  | "contradiction"
  | "growth"
  | "inclusion_proof"
  | "merkle_proof"
  | "signed_attestation"
  | "tree_head";

/** One case. */
export interface Vector {
  readonly name: string;
  readonly kind: VectorKind;
  /** Rules of docs/verification.md that the case is about. */
  readonly rules?: readonly string[];
  /** Names of configurations in `networks.json`. */
  readonly network?: string;
  readonly peers?: readonly string[];
  readonly expected?: {
    readonly hash?: string;
    readonly tree_size?: number;
    readonly first?: number;
    readonly second?: number;
  };
  /** Exact texts of further resources. */
  readonly sth?: string;
  readonly signed_attestation?: string;
  /** The head that the verifier remembers, for kind `growth`. */
  readonly known?: { readonly network_id: string; readonly tree_size: number; root_hash: string };
  readonly consistency_path?: readonly string[];
  /** The chains that the verifier keeps, of the network and of peers. */
  readonly followed?: readonly string[];
  /** The exact text under test. */
  readonly input: string;
}

/** The expected result. */
export type Expectation = { readonly result: string } & { readonly [name: string]: unknown };

/** Configurations by name, parsed once. */
export type Configurations = ReadonlyMap<string, NetworkConfiguration>;

/** The result of this verifier with `crypto`. */
export async function judge(
  crypto: VerifierCrypto,
  configurations: Configurations,
  vector: Vector,
): Promise<Expectation> {
  try {
    return await judgeReadable(crypto, configurations, vector);
  } catch (error) {
    if (!(error instanceof CountersignError) || error.code === "internal") throw error;
    return { result: "malformed", reason: error.code };
  }
}

async function judgeReadable(
  crypto: VerifierCrypto,
  configurations: Configurations,
  vector: Vector,
): Promise<Expectation> {
  const { kind, input, expected = {} } = vector;
  const named = (name = "") => configurations.get(name)!;
  const kept = (vector.followed ?? []).map((text) => parseSuccessionChain(text));
  const follow = async (one: NetworkConfiguration): Promise<FollowedNetwork> => {
    const links = kept.find(([first]) => first?.predecessor.id === one.id) ?? [];
    return (await followSuccession(crypto, one, links)).network;
  };
  const network = vector.network === undefined
    ? named(vector.network)
    : await follow(named(vector.network));
  const { hash = "", tree_size: treeSize, first = 0, second = 0 } = expected;
  const leaf = {
    hash,
    ...(treeSize !== undefined && { treeSize }),
    ...(vector.signed_attestation !== undefined &&
      { signedAttestation: parseSignedAttestation(vector.signed_attestation) }),
  };
  switch (kind) {
    case "configuration":
      parseNetwork(input, crypto.bls);
      return { result: "valid" };
    case "bundle": {
      const peers = await Promise.all((vector.peers ?? []).map((name) => follow(named(name))));
      const trust = { network, peers };
      const verdict = await verifyBundle(crypto, trust, parseBundle(input), expected);
      return verdictOf(verdict, verdict.followed ?? trust.network);
    }
    case "signed_attestation":
      return outcomeOf(
        await verifySignedAttestation(crypto, network, parseSignedAttestation(input)),
      );
    case "tree_head":
      return outcomeOf(await verifySignedTreeHead(crypto, network, parseSignedTreeHead(input)));
    case "checkpoint":
      return outcomeOf(await verifyCheckpoint(crypto, network, input));
    case "merkle_proof": {
      const signed = { proof: parseMerkleProof(input), sth: parseSignedTreeHead(vector.sth!) };
      return outcomeOf(await verifyMerkleProof(crypto, network, signed, leaf));
    }
    case "inclusion_proof":
      return outcomeOf(
        await verifyInclusionProof(crypto, network, parseInclusionProof(input), leaf),
      );
    case "consistency_proof": {
      const proof = parseConsistencyProof(input);
      return outcomeOf(await verifyConsistencyProof(crypto, network, proof, { first, second }));
    }
    case "contradiction": {
      const contradiction = parseContradiction(input, "malformed_bundle");
      return outcomeOf(await verifyContradiction(crypto, network, contradiction));
    }
    case "growth": {
      const heads = { known: vector.known!, seen: parseSignedTreeHead(input) };
      const path = vector.consistency_path ?? [];
      const { relation, ...outcome } = await checkGrowth(crypto, network, heads, path);
      return { ...outcomeOf(outcome), ...(relation && { relation }) };
    }
  }
}

function outcomeOf(
  { valid, reason, verified }: {
    readonly valid: boolean;
    readonly reason?: string;
    readonly verified?: number;
  },
): Expectation {
  return {
    result: valid ? "valid" : "invalid",
    ...(reason !== undefined && { reason }),
    ...(verified !== undefined && { verified }),
  };
}

function verdictOf(
  { valid, level, layers, time }: Verdict,
  network: FollowedNetwork,
): Expectation {
  const { attestation, batch, cross_anchors, federation, external_anchors, witnessed } = layers;
  return {
    ...outcomeOf({ ...attestation, valid }),
    level,
    keys: epochText(network),
    attestation: layerOf(attestation),
    batch: layerOf(batch),
    cross_anchors: cross_anchors.map((anchor) => ({
      ...layerOf(anchor),
      counted: anchor.counted,
    })),
    federation: {
      counted: federation.counted,
      ...(federation.reason && { reason: federation.reason }),
    },
    external_anchors: external_anchors.anchors.map(({ bound, reason }) => ({
      bound,
      ...(reason && { reason }),
    })),
    ...(witnessed && { witnessed: layerOf(witnessed) }),
    time: {
      not_before: time.not_before.map((bound) => bound.time),
      not_after: time.not_after.map((bound) => bound.time),
      failed: time.failed.map(({ reason }) => reason),
      contradictions: time.contradictions.length,
    },
  };
}

function layerOf({ status, reason, signatures }: SignedLayer) {
  return {
    status,
    ...(reason && { reason }),
    ...(signatures && { verified: signatures.verified }),
  };
}

/** `crypto` that computes each result of BLS once: most cases share their signatures with others. */
export function remembering(crypto: VerifierCrypto): VerifierCrypto {
  const results = new Map<string, boolean>();
  const hex = (_: string, value: unknown) => value instanceof Uint8Array ? hexOf(value) : value;
  const once = <A extends unknown[]>(compute: (...args: A) => boolean) => (...args: A): boolean => {
    const key = JSON.stringify(args, hex);
    const result = results.get(key) ?? compute(...args);
    results.set(key, result);
    return result;
  };
  const bls: BlsVerifier = {
    keyValidate: once((...args) => crypto.bls.keyValidate(...args)),
    verify: once((...args) => crypto.bls.verify(...args)),
    fastAggregateVerify: once((...args) => crypto.bls.fastAggregateVerify(...args)),
  };
  return { ...crypto, bls };
}
