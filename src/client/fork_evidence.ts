/**
 * Evidence that a log has two histories: a JSON text with all that was seen. If the log key's
 * signatures are known, it includes the contradiction that peers exchange, which
 * `countersign log contradictions --file` verifies offline.
 *
 * @module
 */

import { tryParse } from "../errors.ts";
import type { ConsistencyProof } from "../format/bundle.ts";
import {
  type Contradiction,
  contradictionMembers,
  encodeContradiction,
  type LoggedTreeHead,
  parseContradiction,
} from "../format/federation.ts";
import { Fields } from "../format/fields.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { parseStrictJson } from "../format/strict_json.ts";
import { verifyContradiction } from "../verify/contradiction.ts";
import type { CryptoSuite } from "../crypto/crypto_suite.ts";
import { pathWithFirstRoot } from "./head_comparison.ts";
import type { RememberedHead } from "./remembered_head.ts";

export interface EvidenceContext {
  readonly crypto: CryptoSuite;
  readonly network: NetworkConfiguration;
  readonly fingerprint: string;
  /** Unix seconds. */
  readonly now: () => number;
}

export interface Fork {
  /** The JSON text. */
  readonly evidence: string;
  /** JSON of a contradiction that verifies, if both log signatures are known. */
  readonly contradiction?: string;
}

/** The evidence of a fork between two verified heads. */
export async function forkOf(
  context: EvidenceContext,
  { known, seen }: { readonly known: RememberedHead; readonly seen: RememberedHead },
  proof: ConsistencyProof | undefined,
): Promise<Fork> {
  const contradiction = await contradictionOf(context, [known, seen], proof);
  const members = {
    found: "two histories of one log",
    network_id: context.network.id,
    fingerprint: context.fingerprint,
    found_at: context.now(),
    known_seen_at: known.seenAt,
    known: known.sth,
    seen: seen.sth,
    ...(proof && { consistency_proof: proof }),
    ...(contradiction && { contradiction: contradictionMembers(contradiction) }),
  };
  return {
    evidence: `${JSON.stringify(members, undefined, 2)}\n`,
    ...(contradiction && { contradiction: encodeContradiction(contradiction) }),
  };
}

/** The contradiction in stored evidence; `undefined` if there is none, or it is malformed. */
export function contradictionIn(evidence: string): string | undefined {
  const code = "malformed_text";
  return tryParse(() => {
    const fields = new Fields(parseStrictJson(evidence, code), { where: "evidence", code }, [
      "contradiction",
    ], { ignoreUnknown: true });
    return encodeContradiction(
      parseContradiction(JSON.stringify(fields.value("contradiction")), code),
    );
  });
}

/** `undefined` unless the contradiction verifies. */
async function contradictionOf(
  { crypto, network, now }: EvidenceContext,
  heads: readonly [RememberedHead, RememberedHead],
  proof: ConsistencyProof | undefined,
): Promise<Contradiction | undefined> {
  const [first, second] = heads
    .toSorted((a, b) => a.sth.tree_head.tree_size - b.sth.tree_head.tree_size)
    .map(loggedHead);
  const path = proof === undefined ? [] : pathWithFirstRoot(proof);
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

function loggedHead({ sth, logSignature }: RememberedHead): LoggedTreeHead | undefined {
  return logSignature && { sth, logSignature };
}
