/**
 * The offline verifier: everything that it takes to check a network's answers against a pinned
 * configuration, in a browser as on a server. No clock, no environment, no I/O.
 *
 *     const crypto = await portableCrypto();
 *     const trust = { network: parseNetwork(pinned), peers: [] };
 *     const verdict = await verifyBundle(crypto, trust, parseBundle(text), { hash });
 *
 * @module
 */

export {
  parseBundle,
  parseConsistencyProof,
  parseInclusionProof,
  parseMerkleProof,
  parseSignedAttestation,
  parseSignedTreeHead,
} from "../format/bundle.ts";
export {
  type Contradiction,
  type LoggedTreeHead,
  parseContradiction,
} from "../format/federation.ts";
export { type NetworkConfiguration, parseNetwork } from "../format/network.ts";
export { attestationLeaf, type AttestationResult, verifySignedAttestation } from "./attestation.ts";
export { verifyBundle } from "./bundle.ts";
export { type ContradictionResult, verifyContradiction } from "./contradiction.ts";
export type { Trust } from "./cross_anchors.ts";
export { checkGrowth, compareHeads, type GrowthResult, type HeadRelation } from "./head_memory.ts";
export {
  type ConsistencyResult,
  type ExpectedInclusion,
  type InclusionResult,
  verifyConsistencyProof,
  verifyInclusionProof,
  verifyMerkleProof,
} from "./log_proofs.ts";
export {
  type CheckpointResult,
  type KnownKey,
  type NoteResult,
  type VerifiedLine,
  verifyCheckpoint,
  verifyNote,
} from "./note.ts";
export { verifyLoggedTreeHead } from "./logged_tree_head.ts";
export { type Failure, type Outcome, VERIFY_REASONS, type VerifyReason } from "./reasons.ts";
export type { SignedOutcome } from "./signed_outcome.ts";
export {
  type SignatureCount,
  type ThresholdReason,
  type ThresholdResult,
  verifyThreshold,
} from "./threshold.ts";
export {
  attestationTime,
  type FailedTimeSource,
  quicknetVerifier,
  type TimeBound,
  type TimeBracket,
  type TimeContradiction,
  withTimeBounds,
} from "./time_bracket.ts";
export { verifySignedTreeHead } from "./tree_head.ts";
export {
  type CrossAnchorLayer,
  type ExternalAnchorBinding,
  type ExternalAnchorSummary,
  type FederationSummary,
  type Layer,
  type LayerStatus,
  type Level,
  NOT_PROVEN,
  type SignedLayer,
  type Verdict,
  type VerdictLayers,
} from "./verdict.ts";
export { portableCrypto, type VerifierCrypto } from "./verifier_crypto.ts";
