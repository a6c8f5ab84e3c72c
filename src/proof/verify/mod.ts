/**
 * The offline verifier of docs/verification.md. It checks a network's answers against a pinned
 * configuration, in a browser or on a server, without clock, environment or I/O. This module and its
 * imports are all the code that can make a false proof look valid. `head_memory.ts` compares tree heads
 * over time; `contradiction.ts` verifies evidence against a network.
 *
 *     const crypto = await portableCrypto();
 *     const trust = { network: parseNetwork(pinned), peers: [] };
 *     const verdict = await verifyBundle(crypto, trust, parseBundle(text), { hash });
 *
 * `verifyBundle()` follows the chain of a configuration that carries one. For the other functions follow
 * it first, and use the configuration only if that succeeds:
 *
 *     const { network, failure } = await followSuccession(crypto, parseNetwork(pinned), []);
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
export { parseNetwork } from "../format/network_reader.ts";
export { attestationLeaf, verifySignedAttestation } from "./attestation.ts";
export { verifyBundle } from "./bundle.ts";
export type { Trust } from "./cross_anchors.ts";
export { type FollowedNetwork, type FollowResult, followSuccession } from "./followed_network.ts";
export { verifyConsistencyProof, verifyInclusionProof, verifyMerkleProof } from "./log_proofs.ts";
export { verifyCheckpoint } from "./checkpoint.ts";
export { VERIFY_REASONS, type VerifyReason } from "./reasons.ts";
export { type TimeBracket } from "./time_bracket.ts";
export { verifySignedTreeHead } from "./tree_head.ts";
export {
  type CrossAnchorLayer,
  type Layer,
  type LayerStatus,
  type Level,
  NOT_PROVEN,
  type SignedLayer,
  type Verdict,
} from "./verdict.ts";
export { portableCrypto, type VerifierCrypto } from "./verifier_crypto.ts";
