/**
 * Verifies evidence that a network has two successions of one configuration (verification.md
 * "Succession"), or contradicts itself in either way.
 *
 * @module
 */

import type { ForkEvidence } from "../format/federation.ts";
import type { SuccessionLink } from "../format/succession.ts";
import type { SuccessionConflict } from "../format/succession_conflict.ts";
import { coreDigest, fingerprintOf } from "../format/trust_core.ts";
import { type ContradictionResult, verifyContradiction } from "./contradiction.ts";
import { type FollowedNetwork, sameSuccession } from "./followed_network.ts";
import { type Failure, type Outcome, within } from "./reasons.ts";
import { verifyLink } from "./succession_link.ts";
import type { VerifierCrypto } from "./verifier_crypto.ts";

/** Whether a conflict is proved. It has a reason exactly when it is not. */
export interface ConflictResult extends Outcome {
  /** The witnesses that ended their epoch twice. An honest one does so only after losing its state. */
  readonly signedBoth: readonly string[];
}

/**
 * Evidence that `links`, a chain from epoch 0 on, contradict what `network` has followed, verified;
 * `undefined` if they agree, or if the other link is not valid. `foundAt` is in Unix seconds.
 */
export async function conflictIn(
  crypto: VerifierCrypto,
  network: FollowedNetwork,
  links: readonly SuccessionLink[],
  foundAt: number,
): Promise<SuccessionConflict | undefined> {
  for (const [i, first] of network.links?.entries() ?? []) {
    const second = links[i];
    if (second === undefined) return undefined;
    if (sameSuccession(first, second)) continue;
    const conflict = { origin: network.id, found_at: foundAt, first, second };
    return (await verifyConflict(crypto, network, conflict)).valid ? conflict : undefined;
  }
  return undefined;
}

/**
 * Verifies that `first` and `second` are valid links of one configuration that `network` is or was,
 * and that they differ in the succession or in the tree. `found_at` is not authenticated.
 */
export async function verifyConflict(
  crypto: VerifierCrypto,
  network: FollowedNetwork,
  { origin, first, second }: SuccessionConflict,
): Promise<ConflictResult> {
  const epochs = network.epochs ?? [{ network }];
  const accused = coreDigest(first.predecessor);
  const isKnown = epochs.some((epoch) => fingerprintOf(epoch.network) === accused);
  const unrelated = (field: string): Failure => ({ reason: "succession_unrelated", field });
  const failure: Failure | undefined = origin !== network.id
    ? { reason: "network_mismatch", field: "origin" }
    : !isKnown
    ? unrelated("first.predecessor")
    : coreDigest(second.predecessor) !== accused
    ? unrelated("second.predecessor")
    : within("first", { valid: false, ...await verifyLink(crypto, first) }) ??
      within("second", { valid: false, ...await verifyLink(crypto, second) }) ??
      (sameSuccession(first, second)
        ? { reason: "contradiction_unproven", field: "second" }
        : undefined);
  if (failure !== undefined) return { valid: false, ...failure, signedBoth: [] };
  const others = new Set(second.end.signatures.map(({ witness_id: id }) => id));
  const ids = first.end.signatures.map(({ witness_id: id }) => id);
  return { valid: true, signedBoth: ids.filter((id) => others.has(id)) };
}

/** Verifies evidence of either kind against the pinned configuration of the accused `network`. */
export async function verifyAnyContradiction(
  crypto: VerifierCrypto,
  network: FollowedNetwork,
  evidence: ForkEvidence | SuccessionConflict,
): Promise<ContradictionResult | ConflictResult> {
  return "path" in evidence
    ? await verifyContradiction(crypto, network, evidence)
    : await verifyConflict(crypto, network, evidence);
}
