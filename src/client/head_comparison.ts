/**
 * Compares a verified tree head with the remembered one. This detects a gateway that shows different
 * logs to different clients, or at different times. Only two signed heads that contradict each other are
 * a fork: an answer that is missing or damaged accuses nobody.
 *
 * @module
 */

import { type Bytes, bytesOfHex, HASH_LENGTH } from "../base/bytes.ts";
import type { CryptoSuite } from "../proof/crypto/crypto_suite.ts";
import type { ConsistencyProof } from "../proof/format/bundle.ts";
import type { NetworkConfiguration } from "../proof/format/network.ts";
import type { SignedTreeHead } from "../proof/format/tree_head.ts";
import { showFirstRoot } from "../proof/merkle/shown_root.ts";
import { judgeGrowth } from "../proof/verify/contradiction.ts";
import { checkGrowth, compareHeads } from "../proof/verify/head_memory.ts";
import { decodePath } from "../proof/verify/merkle_checks.ts";
import type { SignedOutcome } from "../proof/verify/signed_outcome.ts";
import { verifySignedTreeHead } from "../proof/verify/tree_head.ts";

/**
 * `same` size and root; `extends` the remembered head, or is `outdated` and precedes it, proved;
 * `fork`: two histories are proved; `unproven`: the proof does not verify, which anyone can cause by
 * damaging it; `other_keys`: the remembered head does not verify under this configuration.
 */
export type HeadFinding =
  | "same"
  | "extends"
  | "outdated"
  | "fork"
  | "unproven"
  | "other_keys";

export interface HeadComparison {
  readonly finding: HeadFinding;
  /** Verification of the remembered head; only for `other_keys`. */
  readonly outcome?: SignedOutcome;
  /** The gateway's proof, if sizes differ. */
  readonly proof?: ConsistencyProof;
  /** Only for `fork`. */
  readonly fork?: ForkedHeads;
}

export interface HeadPair {
  /** The remembered head. It verified when it was stored. */
  readonly known: SignedTreeHead;
  /** Verified under the same configuration. */
  readonly seen: SignedTreeHead;
}

/** Two signed heads of one log that no log can have both, with the `path` of a contradiction. */
export interface ForkedHeads {
  /** The smaller head. */
  readonly first: SignedTreeHead;
  readonly second: SignedTreeHead;
  readonly path: readonly Bytes[];
}

interface Verifier {
  readonly crypto: CryptoSuite;
  readonly network: NetworkConfiguration;
}

/** Compares two heads. Asks for a proof from `consistency` if sizes differ, and rejects like it. */
export async function compareWithRemembered(
  verifier: Verifier,
  pair: HeadPair,
  consistency: (first: number, second: number) => Promise<ConsistencyProof>,
): Promise<HeadComparison> {
  const { crypto, network } = verifier;
  const { known, seen } = pair;
  const outcome = await verifySignedTreeHead(crypto, network, known);
  if (!outcome.valid) return { finding: "other_keys", outcome };
  const relation = compareHeads(known.tree_head, seen.tree_head);
  if (relation === "same") return { finding: "same" };
  if (relation === "fork") {
    return { finding: "fork", fork: { first: known, second: seen, path: [] } };
  }
  const [first, second] = ascending(pair).map(({ tree_head }) => tree_head.tree_size);
  // RFC 9162 defines no proof from an empty tree, and none is needed.
  const proof = first! > 0 ? await consistency(first!, second!) : undefined;
  const heads = { known: known.tree_head, seen };
  const { valid } = await checkGrowth(crypto, network, heads, proof?.consistency_path ?? []);
  if (valid) {
    return { finding: relation === "larger" ? "extends" : "outdated", ...proof && { proof } };
  }
  if (proof === undefined) return { finding: "unproven" };
  const fork = await forkIn(verifier, pair, proof);
  return fork === undefined ? { finding: "unproven", proof } : { finding: "fork", proof, fork };
}

/**
 * The contradiction that `proof`, which does not lead from one head to the other, shows: by another signed
 * root for the size of one of them, or by a path from another root of the first's size.
 */
async function forkIn(
  { crypto, network }: Verifier,
  pair: HeadPair,
  proof: ConsistencyProof,
): Promise<ForkedHeads | undefined> {
  const [first, second] = ascending(pair) as [SignedTreeHead, SignedTreeHead];
  const path = pathWithFirstRoot(proof);
  const isProved = path !== undefined &&
    judgeGrowth(crypto.kernels, first.tree_head, second.tree_head, path) === "contradicts";
  if (isProved) return { first, second, path };
  for (const shown of [proof.first_sth, proof.second_sth]) {
    const { valid } = await verifySignedTreeHead(crypto, network, shown);
    if (!valid) continue;
    for (const head of [pair.known, pair.seen]) {
      if (compareHeads(head.tree_head, shown.tree_head) === "fork") {
        return { first: head, second: shown, path: [] };
      }
    }
  }
  return undefined;
}

/** The path of `proof`, with the root from which it leads where RFC 9162 omits that root. */
function pathWithFirstRoot({ first, first_sth, consistency_path }: ConsistencyProof) {
  const path = decodePath(consistency_path);
  const root = bytesOfHex(first_sth.tree_head.root_hash, HASH_LENGTH);
  return path && root && first > 0 ? showFirstRoot(first, root, path) : undefined;
}

function ascending({ known, seen }: HeadPair): SignedTreeHead[] {
  return [known, seen].toSorted((a, b) => a.tree_head.tree_size - b.tree_head.tree_size);
}
