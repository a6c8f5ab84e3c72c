/**
 * One case of the verification vectors (`docs/vectors/README.md`), and the runner that judges it with
 * this verifier.
 *
 * @module
 */

import { fromHex, textOf, utf8 } from "../../../../src/base/bytes.ts";
import { leafHash } from "../../../../src/proof/crypto/hashing.ts";
import { CountersignError } from "../../../../src/base/errors.ts";
import { parseAttestation } from "../../../../src/proof/format/attestation.ts";
import { parseCoseReceipt } from "../../../../src/proof/format/cose_receipt.ts";
import type { NetworkConfiguration } from "../../../../src/proof/format/network.ts";
import { parseNetwork } from "../../../../src/proof/format/network_reader.ts";
import {
  parseBundle,
  parseConsistencyProof,
  parseInclusionProof,
  parseMerkleProof,
  parseSignedAttestation,
  parseSignedTreeHead,
  type VerifierCrypto,
  verifyBundle,
  verifyCheckpoint,
  verifyConsistencyProof,
  verifyInclusionProof,
  verifyMerkleProof,
  verifySignedAttestation,
  verifySignedTreeHead,
} from "../../../../src/proof/verify/mod.ts";
import { parseVkey } from "../../../../src/proof/format/note_key.ts";
import { verifyCoseReceipt } from "../../../../src/proof/verify/cose_receipt.ts";
import { parseContradiction } from "../../../../src/proof/format/federation.ts";
import { parseSuccessionChain } from "../../../../src/proof/format/succession.ts";
import {
  type Distrust,
  type FollowedNetwork,
  followSuccession,
} from "../../../../src/proof/verify/followed_network.ts";
import { checkGrowth } from "../../../../src/proof/verify/head_memory.ts";
import { verifyContradiction } from "../../../../src/proof/verify/contradiction.ts";
import { parseTimestamp } from "../../../../src/proof/timestamp/attested_token.ts";
import { verifyTimestamp } from "../../../../src/proof/timestamp/verify_timestamp.ts";
import { readRoots } from "../../../../src/proof/timestamp/certificate.ts";
import type { Trust } from "../../../../src/proof/verify/cross_anchors.ts";
import { type Expectation, outcomeOf, verdictOf } from "./expectation.ts";

/** The kind of a case's `input`. */
export type VectorKind =
  | "bundle"
  | "checkpoint"
  | "configuration"
  | "consistency_proof"
  | "contradiction"
  | "cose_receipt"
  | "growth"
  | "inclusion_proof"
  | "merkle_proof"
  | "signed_attestation"
  | "timestamp"
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
    /** Of the entry of a COSE receipt that does not contain it. */
    readonly leaf_hash?: string;
    readonly tree_size?: number;
    readonly first?: number;
    readonly second?: number;
  };
  /** Exact texts of further resources. */
  readonly sth?: string;
  readonly signed_attestation?: string;
  /** The head that the verifier remembers, for kinds `growth` and `cose_receipt`. */
  readonly known?: { readonly network_id: string; readonly tree_size: number; root_hash: string };
  readonly consistency_path?: readonly string[];
  /** The chains that the verifier keeps, of the network and of peers. */
  readonly followed?: readonly string[];
  /** Witnesses that the verifier does not trust, as WITNESS or WITNESS@SIZE. */
  readonly distrust?: readonly string[];
  /** What a time-stamp token must be of; absent for any content. */
  readonly content?: string | undefined;
  /** PEM of the roots that a time-stamp token must lead to. */
  readonly roots?: readonly string[];
  /** The exact text under test; of a COSE receipt or time-stamp token its bytes in hex. */
  readonly input: string;
}

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
  const distrust = (vector.distrust ?? []).map((text): Distrust => {
    const [witness, size = "0"] = text.split("@");
    return { witness: witness!, size: Number(size) };
  });
  const follow = async (one: NetworkConfiguration): Promise<FollowedNetwork> => {
    // `verifyBundle` follows the chain that a configuration carries.
    let network = kind === "bundle" ? one : (await followSuccession(crypto, one, [])).network;
    for (const links of kept) {
      if (links[0]?.predecessor.id !== one.id) continue;
      network = (await followSuccession(crypto, network, links)).network;
    }
    return distrust.length === 0 ? network : { ...network, distrust };
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
    case "configuration": {
      const { failure } = await followSuccession(crypto, parseNetwork(input, crypto.bls), []);
      return failure === undefined
        ? { result: "valid" }
        : { result: "malformed", reason: "invalid_configuration" };
    }
    case "cose_receipt":
      return outcomeOf(await judgeReceipt(crypto, network, vector));
    case "bundle": {
      const peers = await Promise.all((vector.peers ?? []).map((name) => follow(named(name))));
      const trust = { network, peers };
      const verdict = await verifyBundle(crypto, trust, parseBundle(input), expected);
      return verdictOf(verdict, verdict.followed ?? trust.network);
    }
    case "timestamp": {
      const peers = await Promise.all((vector.peers ?? []).map((name) => follow(named(name))));
      return await judgeTimestamp(crypto, { network, peers }, vector);
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

async function judgeTimestamp(
  crypto: VerifierCrypto,
  trust: Trust,
  { input, content, roots = [] }: Vector,
): Promise<Expectation> {
  const token = parseTimestamp(fromHex(input));
  const { hash } = token.info.imprint;
  const digest = content === undefined
    ? undefined
    : new Uint8Array(await globalThis.crypto.subtle.digest(hash, utf8(content)));
  const { authority, info, proof, valid, reason, field } = await verifyTimestamp(
    crypto,
    trust,
    token,
    { digest, roots: roots.flatMap((text) => readRoots(utf8(text))) },
  );
  return {
    ...outcomeOf({ valid, ...(reason && { reason }) }),
    ...(reason === "field_mismatch" && { field }),
    authority: authority.status,
    gen_time: info.genTime,
    ...(proof && { proof: verdictOf(proof.verdict, proof.verdict.followed ?? trust.network) }),
  };
}

/** Steps 1 to 5 of "COSE receipt". */
async function judgeReceipt(
  crypto: VerifierCrypto,
  { log_vkey: vkey }: NetworkConfiguration,
  { input, known, expected = {} }: Vector,
): Promise<{ readonly valid: boolean; readonly reason?: string }> {
  const receipt = parseCoseReceipt(fromHex(input));
  const { entry, origin, proof } = receipt;
  const leaf = expected.leaf_hash === undefined
    ? entry && leafHash(crypto.kernels, entry)
    : fromHex(expected.leaf_hash);
  const { valid, reason } = await verifyCoseReceipt(
    crypto,
    vkey === undefined ? [] : [parseVkey(vkey)],
    receipt,
    { ...(leaf && { leafHash: leaf }), ...(known && { firstRoot: fromHex(known.root_hash) }) },
  );
  if (!valid) return { valid, ...(reason && { reason }) };
  if (entry === undefined || proof.kind !== "inclusion") return { valid };
  const { network_id, sequence, hash } = parseAttestation(textOf(entry));
  if (network_id !== origin || sequence !== proof.index) {
    return { valid: false, reason: "field_mismatch" };
  }
  return (expected.hash ?? hash) === hash ? { valid } : { valid: false, reason: "hash_mismatch" };
}
