/**
 * Evidence that a log has two histories. The file holds everything that was seen; where the log key's
 * signatures are at hand there is also the form that peers exchange, which
 * `countersign log contradictions --file` verifies offline.
 *
 * @module
 */

import { bytesOfHex, HASH_LENGTH } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { ConsistencyProof } from "../format/bundle.ts";
import {
  type Contradiction,
  contradictionMembers,
  type LoggedTreeHead,
  parseContradiction,
} from "../format/federation.ts";
import { Fields } from "../format/fields.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { parseStrictJson } from "../format/strict_json.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";
import { showFirstRoot } from "../merkle/shown_root.ts";
import { judgeGrowth, verifyContradiction } from "../verify/contradiction.ts";
import { compareHeads } from "../verify/head_memory.ts";
import { decodePath } from "../verify/merkle_checks.ts";
import { verifySignedTreeHead } from "../verify/tree_head.ts";
import type { CryptoSuite } from "../crypto/crypto_suite.ts";
import type { RememberedHead } from "./remembered_head.ts";

/** What evidence is made with. */
export interface EvidenceContext {
  readonly crypto: CryptoSuite;
  readonly network: NetworkConfiguration;
  readonly fingerprint: string;
  /** Unix seconds. */
  readonly now: () => number;
}

/** A fork that is proved. */
export interface Fork {
  /** JSON of all that was seen. */
  readonly evidence: string;
  /** JSON of a contradiction that verifies by itself, where both log signatures are known. */
  readonly contradiction?: string;
}

/**
 * Whether `proof`, which does not lead from one head to the other, shows that no log can have both:
 * by another signed root for the size of one of them, or by a path from another root of the first's
 * size. Any other proof shows nothing, since anyone can damage one.
 */
export async function provedFork(
  { crypto, network }: EvidenceContext,
  { known, seen }: { readonly known: RememberedHead; readonly seen: SignedTreeHead },
  proof: ConsistencyProof,
): Promise<boolean> {
  for (const shown of [proof.first_sth, proof.second_sth]) {
    const { valid } = await verifySignedTreeHead(crypto, network, shown);
    if (!valid) continue;
    for (const { tree_head } of [known.sth, seen]) {
      if (compareHeads(tree_head, shown.tree_head) === "fork") return true;
    }
  }
  const [first, second] = ascending(known.sth, seen);
  const path = shownPath(proof);
  return path !== undefined &&
    judgeGrowth(crypto.kernels, first.tree_head, second.tree_head, path) === "contradicts";
}

/** The evidence of a fork between two heads that verified. */
export async function forkOf(
  context: EvidenceContext,
  { known, seen }: { readonly known: RememberedHead; readonly seen: RememberedHead },
  proof: ConsistencyProof | undefined,
): Promise<Fork> {
  const contradiction = await contradictionOf(context, [known, seen], proof);
  const evidence = indented({
    found: "two histories of one log",
    network_id: context.network.id,
    fingerprint: context.fingerprint,
    found_at: context.now(),
    known_seen_at: known.seenAt,
    known: known.sth,
    seen: seen.sth,
    ...(proof && { consistency_proof: proof }),
    ...(contradiction && { contradiction: contradictionMembers(contradiction) }),
  });
  return { evidence, ...(contradiction && { contradiction: textOf(contradiction) }) };
}

/** The contradiction in evidence that was kept, where there is one that can be read. */
export function contradictionIn(evidence: string): string | undefined {
  const code = "malformed_text";
  try {
    const fields = new Fields(parseStrictJson(evidence, code), { where: "evidence", code }, [
      "contradiction",
    ], { ignoreUnknown: true });
    return textOf(parseContradiction(JSON.stringify(fields.value("contradiction")), code));
  } catch (error) {
    if (error instanceof CountersignError) return undefined;
    throw error;
  }
}

/** Only what verifies is handed out as a contradiction. */
async function contradictionOf(
  { crypto, network, now }: EvidenceContext,
  heads: readonly [RememberedHead, RememberedHead],
  proof: ConsistencyProof | undefined,
): Promise<Contradiction | undefined> {
  const [first, second] = heads
    .toSorted((a, b) => a.sth.tree_head.tree_size - b.sth.tree_head.tree_size)
    .map(loggedHead);
  const path = proof === undefined ? [] : shownPath(proof);
  if (first === undefined || second === undefined || path === undefined) return undefined;
  const contradiction: Contradiction = {
    origin: network.id,
    foundAt: now(),
    first,
    second,
    path,
  };
  const { valid } = await verifyContradiction(crypto, network, contradiction);
  return valid ? contradiction : undefined;
}

function textOf(contradiction: Contradiction): string {
  return indented(contradictionMembers(contradiction));
}

function loggedHead({ sth, logSignature }: RememberedHead): LoggedTreeHead | undefined {
  return logSignature && { sth, logSignature };
}

/** The path of `proof` with the root that it leads from where RFC 9162 leaves that out. */
function shownPath({ first, first_sth, consistency_path }: ConsistencyProof) {
  const path = decodePath(consistency_path);
  const root = bytesOfHex(first_sth.tree_head.root_hash, HASH_LENGTH);
  return path && root && first > 0 ? showFirstRoot(first, root, path) : undefined;
}

function ascending(a: SignedTreeHead, b: SignedTreeHead) {
  return [a, b].toSorted((x, y) => x.tree_head.tree_size - y.tree_head.tree_size) as [
    SignedTreeHead,
    SignedTreeHead,
  ];
}

function indented(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
