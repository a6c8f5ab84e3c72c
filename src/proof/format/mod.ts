/**
 * Readers and writers of what gateways, witnesses and logs exchange (docs/formats.md,
 * docs/protocol.md). Each reader accepts one spelling of a value; it checks no signature.
 *
 * @module
 */

export { CountersignError, type ErrorCode, hasCode } from "../../base/errors.ts";
export { type Attestation, encodeAttestation, parseAttestation } from "./attestation.ts";
export {
  type Batch,
  type BatchInclusion,
  type ConsistencyProof,
  type CrossAnchor,
  type InclusionProof,
  type MerkleProof,
  parseBundle,
  parseConsistencyProof,
  parseInclusionProof,
  parseMerkleProof,
  parseSignedAttestation,
  parseSignedTreeHead,
  type ProofBundle,
  type SignedAttestation,
} from "./bundle.ts";
export { type ExternalAnchor, parseExternalAnchors } from "./external_anchor.ts";
export {
  type AnyContradiction,
  type Contradiction,
  parseContradiction,
  parseContradictions,
} from "./federation.ts";
export { type GatewayStatus, parseGatewayStatus } from "./gateway_status.ts";
export {
  type JobProgress,
  type JobSnapshotMembers,
  type JobStatus,
  parseJobSnapshot,
  parseJobSnapshots,
} from "./job_snapshot.ts";
export { encodeLogCheckpoint, type LogCheckpoint, parseLogCheckpoint } from "./log_checkpoint.ts";
export type { FederationPolicy, NetworkConfiguration, PeerNetwork, WitnessKey } from "./network.ts";
export { parseNetwork } from "./network_reader.ts";
export { type Note, type NoteSignature, parseNote } from "./note.ts";
export { publicNetwork, publicNetworkJson } from "./public_network.ts";
export { fingerprintOf } from "./trust_core.ts";
export { type JsonObject, type JsonValue, parseStrictJson } from "./strict_json.ts";
export {
  type CheckpointBody,
  encodeCheckpointBody,
  parseCheckpointBody,
  type SignedTreeHead,
  type TreeHead,
} from "./tree_head.ts";
