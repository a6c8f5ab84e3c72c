/**
 * Compares a verified tree head with the remembered one. This detects a gateway that shows different
 * logs to different clients, or at different times.
 *
 * @module
 */

import { bytesOfHex, HASH_LENGTH } from "../bytes.ts";
import type { CryptoSuite } from "../crypto/crypto_suite.ts";
import type { ConsistencyProof } from "../format/bundle.ts";
import { GatewayRefusal } from "../format/gateway_refusal.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";
import { showFirstRoot } from "../merkle/shown_root.ts";
import { judgeGrowth } from "../verify/contradiction.ts";
import { checkGrowth, compareHeads } from "../verify/head_memory.ts";
import { decodePath } from "../verify/merkle_checks.ts";
import type { SignedOutcome } from "../verify/signed_outcome.ts";
import { verifySignedTreeHead } from "../verify/tree_head.ts";

/**
 * `same` size and root; `extends` the remembered head, or is `outdated` and precedes it, proved;
 * `fork`: two histories are proved; `unproven`: the proof does not verify, which anyone can cause by
 * damaging it; `denied`: the gateway does not know a head that its witnesses signed; `other_keys`: the
 * remembered head does not verify under this configuration.
 */
export type HeadFinding =
  | "same"
  | "extends"
  | "outdated"
  | "fork"
  | "unproven"
  | "denied"
  | "other_keys";

export interface HeadComparison {
  readonly finding: HeadFinding;
  /** Verification of the remembered head; only for `other_keys`. */
  readonly outcome?: SignedOutcome;
  /** The gateway's proof, if sizes differ. */
  readonly proof?: ConsistencyProof;
  /** Only for `denied`. */
  readonly refusal?: GatewayRefusal;
}

export interface HeadPair {
  /** The remembered head. It verified when it was stored. */
  readonly known: SignedTreeHead;
  /** Verified under the same configuration. */
  readonly seen: SignedTreeHead;
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
  if (relation === "same" || relation === "fork") return { finding: relation };
  const [first, second] = ascending(pair).map(({ tree_head }) => tree_head.tree_size);
  let proof: ConsistencyProof | undefined;
  try {
    // RFC 9162 defines no proof from an empty tree, and none is needed.
    if (first! > 0) proof = await consistency(first!, second!);
  } catch (error) {
    // Both sizes were published: a gateway that does not know one of them contradicts itself.
    if (!(error instanceof GatewayRefusal) || error.status !== 404) throw error;
    return { finding: "denied", refusal: error };
  }
  const heads = { known: known.tree_head, seen };
  const { valid } = await checkGrowth(crypto, network, heads, proof?.consistency_path ?? []);
  if (valid) {
    return { finding: relation === "larger" ? "extends" : "outdated", ...proof && { proof } };
  }
  if (proof === undefined) return { finding: "unproven" };
  return { finding: await isFork(verifier, pair, proof) ? "fork" : "unproven", proof };
}

/**
 * Whether `proof`, which does not lead from one head to the other, shows that no log can have both:
 * by another signed root for the size of one of them, or by a path from another root of the first's
 * size.
 */
async function isFork(
  { crypto, network }: Verifier,
  pair: HeadPair,
  proof: ConsistencyProof,
): Promise<boolean> {
  for (const shown of [proof.first_sth, proof.second_sth]) {
    const { valid } = await verifySignedTreeHead(crypto, network, shown);
    if (!valid) continue;
    for (const { tree_head } of [pair.known, pair.seen]) {
      if (compareHeads(tree_head, shown.tree_head) === "fork") return true;
    }
  }
  const [first, second] = ascending(pair);
  const path = pathWithFirstRoot(proof);
  return path !== undefined &&
    judgeGrowth(crypto.kernels, first!.tree_head, second!.tree_head, path) === "contradicts";
}

/** The path of `proof`, with the root from which it leads where RFC 9162 omits that root. */
export function pathWithFirstRoot({ first, first_sth, consistency_path }: ConsistencyProof) {
  const path = decodePath(consistency_path);
  const root = bytesOfHex(first_sth.tree_head.root_hash, HASH_LENGTH);
  return path && root && first > 0 ? showFirstRoot(first, root, path) : undefined;
}

function ascending({ known, seen }: HeadPair): SignedTreeHead[] {
  return [known, seen].toSorted((a, b) => a.tree_head.tree_size - b.tree_head.tree_size);
}
