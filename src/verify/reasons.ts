/**
 * Why something did not verify: one closed vocabulary, each with a sentence for people.
 *
 * @module
 */

/** Every reason and what it means. */
export const VERIFY_REASONS = {
  // Of every signed resource.
  network_mismatch: "It names another network than the pinned one.",
  field_mismatch: "A field that repeats signed or computed data differs from it.",
  // Of a set of signatures (protocol.md "Signature schemes").
  scheme_mismatch: "The signatures have the shape of another scheme than the network's.",
  signer_duplicate: "A witness is named twice, which makes the whole set invalid.",
  signers_unordered: "The witnesses are not in ascending order, which makes the set invalid.",
  signer_unknown: "An aggregate names a witness that is not configured, which makes it invalid.",
  signature_invalid: "A configured witness's signature is wrong, which makes the set invalid.",
  threshold_not_met: "Fewer configured witnesses have signed than the network requires.",
  // Of an attestation.
  hash_mismatch: "It is about another hash than the one expected.",
  round_size_invalid: "The round has not 1 to 512 attestations.",
  round_index_invalid: "The attestation's place is not one of its round.",
  round_path_invalid: "The path to the round's root has not the length that its place needs.",
  // Of tree heads and proofs.
  empty_root_wrong: "A tree without leaves has another root.",
  tree_size_mismatch: "The proof is about another tree size than the one expected.",
  leaf_beyond_tree: "The tree head is too small to hold the attestation at its sequence.",
  inclusion_invalid: "The inclusion path does not lead from the leaf to the signed root.",
  consistency_invalid: "The consistency path does not show one tree to be a prefix of the other.",
  batch_count_wrong: "The batch's count is not the growth from its first index to its tree size.",
  batch_range_wrong: "The batch begins after the attestation that it should hold.",
  head_outdated: "The gateway shows as its latest a smaller tree head than it has shown before.",
  head_forked: "The log has signed two roots for one tree size: evidence of a fork.",
  // Of a cross-anchor, and of federation as a whole (protocol.md "Resources").
  anchor_precedes_batch: "The anchored tree head is older than the batch.",
  peer_is_home: "A network cannot be its own peer.",
  peer_not_pinned: "The pinned configuration does not name this network as a peer.",
  peer_configuration_missing: "No configuration was supplied for this peer.",
  peer_key_shared: "The peer shares a key with the home network or with a peer already counted.",
  peer_already_counted: "An anchor of this peer has been counted, and a peer counts once.",
  peer_anchors_surplus: "More anchors of this peer stand before it than are verified.",
  min_witnesses_not_met: "Fewer of the peer's witnesses have signed than the pin requires.",
  federation_disabled: "The pinned configuration does not ask for cross-anchors.",
  cross_anchors_missing: "Fewer peers count than the pinned configuration requires.",
  // Of a beacon.
  beacon_chain_unknown: "It is of another chain than drand quicknet.",
  beacon_invalid: "It is not what the chain signed for its round.",
  // Of an external anchor.
  digest_mismatch: "The anchored digest is not that of the tree head's checkpoint.",
  // Of a note or checkpoint.
  no_known_signature: "No line is a signature by a known key.",
  log_key_missing: "The pinned configuration has no log key.",
  log_signature_missing: "The log's own signature is not there.",
  log_signature_invalid: "The log's own signature is wrong.",
  // Of evidence against a network.
  contradiction_unproven: "Nothing shows that the two tree heads cannot be of one log.",
  // Of what was not looked at.
  lower_layer_unverified: "It was not checked, because what it builds on is not verified.",
} as const;

/** A member of the vocabulary. */
export type VerifyReason = keyof typeof VERIFY_REASONS;

/** Why something failed, and which field of it shows that, as a path such as `sth.tree_head`. */
export interface Failure<Reason extends VerifyReason = VerifyReason> {
  readonly reason: Reason;
  readonly field?: string;
}

/** The outcome of a check: a reason exactly when it is not valid. */
export interface Outcome extends Partial<Failure> {
  readonly valid: boolean;
}

/** The first of `fields` whose found value differs from the signed or computed one. */
export function firstMismatch(
  fields: readonly (readonly [path: string, found: string | number, signed: string | number])[],
): Failure | undefined {
  const wrong = fields.find(([, found, signed]) => found !== signed);
  return wrong && { reason: "field_mismatch", field: wrong[0] };
}

/** The failure of `outcome` as one of the resource that holds it in `name`. */
export function within(name: string, outcome: Outcome): Failure | undefined {
  if (outcome.valid || outcome.reason === undefined) return undefined;
  return { reason: outcome.reason, field: outcome.field ? `${name}.${outcome.field}` : name };
}
