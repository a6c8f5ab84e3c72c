/**
 * Evidence that a log has two histories: two signed heads that contradict each other, in the JSON that
 * `countersign log contradictions --file` verifies offline. With the log key's signatures of both heads
 * it is the contradiction that peers exchange.
 *
 * @module
 */

import { fromHex } from "../base/bytes.ts";
import { forkEvidenceMembers, type ShownTreeHead } from "../proof/format/federation.ts";
import type { SignedTreeHead } from "../proof/format/tree_head.ts";
import type { FollowedNetwork } from "../proof/verify/followed_network.ts";
import { compareHeads } from "../proof/verify/head_memory.ts";
import { verifyLoggedTreeHead } from "../proof/verify/logged_tree_head.ts";
import type { CryptoSuite } from "../proof/crypto/crypto_suite.ts";
import type { ForkedHeads } from "./head_comparison.ts";

export interface EvidenceContext {
  readonly crypto: CryptoSuite;
  readonly network: FollowedNetwork;
  /** Unix seconds. */
  readonly now: () => number;
}

/** The members of the evidence. `logged`: heads of which the log key's signature may be known. */
export async function forkEvidence(
  context: EvidenceContext,
  { first, second, path }: ForkedHeads,
  logged: readonly ShownTreeHead[] = [],
) {
  return forkEvidenceMembers({
    origin: context.network.id,
    foundAt: context.now(),
    first: await withLogSignature(context, first, logged),
    second: await withLogSignature(context, second, logged),
    path,
  });
}

/** Without a signature that does not verify: it would make the evidence worthless. */
async function withLogSignature(
  { crypto, network }: EvidenceContext,
  sth: SignedTreeHead,
  logged: readonly ShownTreeHead[],
): Promise<ShownTreeHead> {
  const { tree_head: head, log_signature } = sth;
  const same = logged.find((one) => compareHeads(one.sth.tree_head, head) === "same");
  const own = log_signature === undefined ? undefined : fromHex(log_signature);
  for (const logSignature of [own, same?.logSignature]) {
    if (logSignature === undefined) continue;
    const signed = { sth, logSignature };
    if ((await verifyLoggedTreeHead(crypto, network, signed)).valid) return signed;
  }
  return { sth };
}
