/**
 * Examples of the components of the OpenAPI and AsyncAPI documents, by name.
 *
 * @module
 */

import type { Components } from "../../proof/format/schema.ts";
import type { JsonObject, JsonValue } from "../../proof/format/strict_json.ts";
import { encodeCursor, START_POSITION } from "../../gateway/events/event_ports.ts";
import { FEED_LIMITS } from "../events/event_bounds.ts";
import {
  BATCH,
  CONSISTENCY_PROOF,
  CONTRADICTION,
  CROSS_ANCHOR,
  EXTERNAL_ANCHOR,
  FIRST_STH,
  HASH,
  INCLUSION_PROOF,
  MERKLE_PROOF,
  NETWORK,
  PROOF_BUNDLE,
  SEEN_TREE_HEAD,
  SIGNED_ATTESTATION,
} from "./examples.ts";

const { timestamp } = SIGNED_ATTESTATION.attestation;
const { tree_size, root_hash, timestamp: publishedAt } = FIRST_STH.tree_head;

const CURSOR = encodeCursor({ ...START_POSITION, accepted: 3, confirmed: 2, batches: 2, heads: 2 });
const SEQUENCED_HASH = { hash: HASH, sequence: 0 };
const CROSS_ANCHOR_SUMMARY = {
  witnessing_network: CROSS_ANCHOR.witnessing_network,
  tree_size,
  root_hash,
};
const EXTERNAL_ANCHOR_SUMMARY = {
  provider: EXTERNAL_ANCHOR.provider,
  status: "confirmed",
  tree_size,
  root_hash,
};

function event(type: string, at: number, data: JsonObject): JsonObject {
  return { id: CURSOR, type, at, data };
}

const WAITING_JOB = {
  hash: HASH,
  status: "pending",
  progress: "unconfirmed",
  attempts: 0,
  created_at: timestamp,
  updated_at: timestamp,
  next_attempt_at: timestamp,
};

const CONFIRMED_JOB = {
  hash: HASH,
  status: "confirmed",
  progress: "confirmed",
  attempts: 1,
  created_at: timestamp,
  updated_at: timestamp,
  signed_attestation: SIGNED_ATTESTATION,
};

const WITNESSES = NETWORK.witnesses.map(({ id }) => ({
  id,
  healthy: true,
  last_seen_at: timestamp,
}));

const EXAMPLES: Readonly<Record<string, JsonValue>> = {
  AdmissionOffer: { mode: "open", issuers: [] },
  AnchorStatus: { provider: "rfc3161", last: { tree_size: 3, age: 12, status: "confirmed" } },
  AnyContradiction: CONTRADICTION,
  Attestation: SIGNED_ATTESTATION.attestation,
  AttestationAccepted: event("attestation.accepted", timestamp, SEQUENCED_HASH),
  AttestationConfirmed: event("attestation.confirmed", timestamp, SEQUENCED_HASH),
  Batch: BATCH,
  BatchClosed: event("batch.closed", BATCH.period_end, BATCH),
  BatchInclusion: PROOF_BUNDLE.batch_inclusion,
  BatchedJob: {
    ...CONFIRMED_JOB,
    progress: "batched",
    updated_at: BATCH.period_end,
    batch_id: BATCH.id,
  },
  BulkSubmission: { hashes: [HASH] },
  ConfirmedJob: CONFIRMED_JOB,
  ConsistencyProof: CONSISTENCY_PROOF,
  Contradiction: CONTRADICTION,
  CrossAnchor: CROSS_ANCHOR,
  CrossAnchorAdded: event("cross_anchor.added", publishedAt, CROSS_ANCHOR_SUMMARY),
  CrossAnchorSummary: CROSS_ANCHOR_SUMMARY,
  Ed25519CrossAnchor: CROSS_ANCHOR,
  Ed25519Network: NETWORK,
  Ed25519SignedAttestation: SIGNED_ATTESTATION,
  Ed25519SignedTreeHead: FIRST_STH,
  Ed25519Witness: NETWORK.witnesses[0]!,
  EventCursor: CURSOR,
  EventsGap: { type: "gap" },
  EventsHello: {
    type: "hello",
    network_id: NETWORK.id,
    cursor: CURSOR,
    heartbeat_seconds: FEED_LIMITS.heartbeatSeconds,
  },
  EventsLagged: { type: "lagged", cursor: CURSOR },
  ExternalAnchor: EXTERNAL_ANCHOR,
  ExternalAnchorAdded: event(
    "external_anchor.added",
    EXTERNAL_ANCHOR.timestamp,
    EXTERNAL_ANCHOR_SUMMARY,
  ),
  ExternalAnchorSummary: EXTERNAL_ANCHOR_SUMMARY,
  FederationPolicy: NETWORK.federation,
  GatewayConfig: { id: NETWORK.id, threshold: 2, signature_scheme: "ed25519", witness_count: 3 },
  Hash: HASH,
  HashPath: SIGNED_ATTESTATION.round.inclusion_path,
  Health: { status: "ok" },
  InclusionProof: INCLUSION_PROOF,
  JobSnapshot: CONFIRMED_JOB,
  LastError: {
    code: "threshold_not_met",
    message: "Cannot sign round: 1 of 2 required signatures",
  },
  LoggedTreeHead: CONTRADICTION.first,
  MerkleProofResponse: MERKLE_PROOF,
  Network: NETWORK,
  NetworkId: NETWORK.id,
  Opinion: { valid: true, verified_signatures: 2, required_signatures: 2 },
  PeerNetwork: NETWORK.federation.peer_networks[0]!,
  PeerStatus: { id: "peer.example", last_cross_anchor: { tree_size: 3, age: 12 }, failing: false },
  ProofBundle: PROOF_BUNDLE,
  RoundInclusion: SIGNED_ATTESTATION.round,
  SeenTreeHead: SEEN_TREE_HEAD,
  SequencedHash: SEQUENCED_HASH,
  SignedAttestation: SIGNED_ATTESTATION,
  SignedTreeHead: FIRST_STH,
  Status: {
    status: "ok",
    witnesses: WITNESSES,
    pending_count: 0,
    sth: { tree_size: 3, age: 12 },
  },
  Submission: { hash: HASH, issuer_token: null },
  TreeHead: FIRST_STH.tree_head,
  TreeHeadPublished: event("sth.published", publishedAt, FIRST_STH),
  Unhealthy: { status: "shutting_down" },
  WaitingJob: WAITING_JOB,
  WitnessHealth: WITNESSES[0]!,
  WitnessId: NETWORK.witnesses[0]!.id,
  WitnessSignature: SIGNED_ATTESTATION.signatures[0]!,
};

/** The schema of a list with the example of the component in it; other schemas unchanged. */
export function withListExample(schema: JsonObject): JsonObject {
  const { items } = schema as { readonly items?: { readonly $ref?: string } };
  const example = EXAMPLES[items?.$ref?.split("/").at(-1) ?? ""];
  return { ...schema, ...(example !== undefined && { example: [example] }) };
}

/** `components` with their examples. */
export function withExamples(components: Components): Components {
  return Object.fromEntries(
    Object.entries(components).map(([name, schema]) => {
      const example = EXAMPLES[name];
      return [name, { ...schema, ...(example !== undefined && { example }) }];
    }),
  );
}
