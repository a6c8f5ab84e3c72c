/**
 * The end of a frozen log, and the log that continues it (verification.md "Succession").
 * The freeze names the next log; the first entry of the next log names the last head of the frozen one.
 *
 * @module
 */

import type { ProofBundle } from "../format/bundle.ts";
import { previousLogDigest } from "../format/previous_log.ts";
import type { NextLog } from "../format/succession.ts";
import type { CheckpointBody } from "../format/tree_head.ts";
import { fingerprintOf } from "../format/trust_core.ts";
import { verifyBundle } from "./bundle.ts";
import type { FollowedNetwork } from "./followed_network.ts";
import { type Failure, within } from "./reasons.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

/** How a log ended. */
export interface LogEnd {
  /** Its last head. */
  readonly head: CheckpointBody;
  readonly next?: NextLog;
}

/** `undefined` if the log goes on. */
export function endOfLog({ id: network_id, links }: FollowedNetwork): LogEnd | undefined {
  const last = links?.at(-1);
  if (last === undefined || last.successor !== null) return undefined;
  const { end: { tree_size, root_hash }, next_log: next } = last;
  return { head: { network_id, tree_size, root_hash }, ...(next && { next }) };
}

/**
 * Why `next` is not the log that continues the one that ended with `end`, if so. `first` is the bundle
 * of its first entry.
 */
export async function checkNextLog(
  crypto: VerifierCrypto,
  end: LogEnd,
  next: FollowedNetwork,
  first: ProofBundle,
): Promise<Failure | undefined> {
  const trust = { network: next, peers: [] };
  const hash = previousLogDigest(end.head);
  const { valid, followed = next, layers } = await verifyBundle(crypto, trust, first, { hash });
  if (!valid) return within("first_entry", { ...layers.attestation, valid });
  const began = followed.epochs?.[0]?.network ?? next;
  if (end.next?.origin !== next.id || end.next.core !== fingerprintOf(began)) {
    return { reason: "succession_unrelated", field: "next_log" };
  }
  return first.signed_attestation.attestation.sequence === 0
    ? undefined
    : { reason: "field_mismatch", field: "first_entry.signed_attestation.attestation.sequence" };
}
