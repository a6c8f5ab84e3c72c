/**
 * The closed list of reasons why a check fails, each with a sentence for people. The rules that give
 * them are in docs/verification.md; comments of this folder name the rule that a line checks (`A3`).
 *
 * @module
 */

/** Every reason and what it means. */
export const VERIFY_REASONS = {
  // Every signed resource.
  network_mismatch: "It is of another network than the trusted one.",
  field_mismatch: "A field contradicts the signed data that it repeats.",
  // Sets of signatures (verification.md "Signatures").
  scheme_mismatch: "Its signatures are of another scheme, ed25519 or bls, than the network's.",
  signer_duplicate: "It names a witness twice, so none of its signatures count.",
  signers_unordered: "Its witnesses are not in ascending order, so none of its signatures count.",
  signer_unknown: "Its combined signature names a witness that the configuration does not have.",
  signature_invalid: "The signature of a witness is wrong, so none of its signatures count.",
  threshold_not_met: "Fewer witnesses of the configuration have signed than it requires.",
  // Attestations.
  hash_mismatch: "It is about another hash than the expected one.",
  round_size_invalid: "The round's size is not from 1 to 512.",
  round_index_invalid: "The attestation's index is not in the round, or is above its sequence.",
  round_path_invalid: "The path to the round's root has the wrong length.",
  // Tree heads and proofs.
  empty_root_wrong: "An empty tree has another root.",
  tree_size_mismatch: "The proof is about another tree size than the expected one.",
  leaf_beyond_tree: "The tree ends before the attestation's position.",
  inclusion_invalid: "The inclusion path does not lead from the leaf to the signed root.",
  consistency_invalid:
    "The consistency path does not prove that one tree is a prefix of the other.",
  batch_count_wrong: "The batch's count is not the growth from its first index to its tree size.",
  batch_range_wrong: "The batch begins after the attestation's sequence.",
  head_outdated: "The gateway's latest tree head is smaller than one it showed before.",
  head_forked: "The log has signed two roots for one tree size: evidence of a fork.",
  // Cross-anchors and federation.
  anchor_precedes_batch: "The anchored tree head is older than the batch.",
  peer_is_home: "A network cannot be its own peer.",
  peer_not_pinned: "The configuration does not name this network as a peer.",
  peer_configuration_missing: "No configuration was supplied for this peer.",
  peer_key_shared:
    "The peer shares a key with the home network or with a peer that is configured before it.",
  peer_already_counted: "This peer is counted already.",
  peer_anchors_surplus: "Only the first 8 cross-anchors of a peer are verified.",
  min_witnesses_not_met: "Fewer of the peer's witnesses have signed than min_witnesses requires.",
  federation_disabled: "The configuration requires no peers, so none is counted.",
  cross_anchors_missing: "Fewer peers have cosigned than the configuration requires.",
  // Beacons.
  beacon_chain_unknown: "The beacon is of another chain than drand quicknet.",
  beacon_invalid: "The chain did not sign this beacon for its round.",
  // External anchors.
  digest_mismatch: "The anchored digest is not that of the tree head's checkpoint.",
  // Checkpoints.
  no_known_signature: "None of its signatures is by a known key.",
  log_key_missing: "The configuration has no key of this log.",
  log_signature_missing: "The log's signature is missing.",
  log_signature_invalid: "The log's signature is wrong.",
  // Contradictions.
  contradiction_unproven: "The path does not prove that the two tree heads contradict each other.",
  // Successions of configurations.
  core_invalid: "A configuration of the succession is invalid.",
  threshold_too_low: "In a succession, more than half of the witnesses have to sign.",
  succession_unrelated: "The succession does not lead from or to the pinned configuration.",
  succession_conflict: "It is another succession than the one that was followed.",
  successor_unsigned: "Not every witness of the succeeding configuration has signed.",
  boundary_wrong: "The epoch ends before a tree that was published in it, or before the last one.",
  log_ended: "The log ended before this position.",
  // Layers that were not checked.
  lower_layer_unverified: "A part that it needs does not verify.",
} as const;

/** A reason. */
export type VerifyReason = keyof typeof VERIFY_REASONS;

/** What `reason` means, as a part of a sentence. */
export function reasonClause(reason: VerifyReason): string {
  const sentence = VERIFY_REASONS[reason];
  return sentence[0]!.toLowerCase() + sentence.slice(1, -1);
}

/** Why a check failed, and the path of the field that failed it, such as `sth.tree_head`. */
export interface Failure<Reason extends VerifyReason = VerifyReason> {
  readonly reason: Reason;
  readonly field?: string;
}

/** The outcome of a check. It has a reason exactly when it is not valid. */
export interface Outcome extends Partial<Failure> {
  readonly valid: boolean;
}

/** The first of `fields` whose value differs from the signed or computed one. */
export function firstMismatch(
  fields: readonly (readonly [path: string, found: string | number, signed: string | number])[],
): Failure | undefined {
  const wrong = fields.find(([, found, signed]) => found !== signed);
  return wrong && { reason: "field_mismatch", field: wrong[0] };
}

/** The failure of the member `name` as a failure of the resource that contains it. */
export function within(name: string, outcome: Outcome): Failure | undefined {
  if (outcome.valid || outcome.reason === undefined) return undefined;
  return { reason: outcome.reason, field: outcome.field ? `${name}.${outcome.field}` : name };
}
