/**
 * Schemas of the network configuration, health, status and opinions (protocol.md "Configuration",
 * "Resources", "Requests").
 *
 * @module
 */

import { z } from "@hono/zod-openapi";
import { PUBLIC_KEY_LENGTH } from "../../format/signature_set.ts";
import type { HealthStatus } from "../../gateway/gateway_service.ts";
import { VERIFY_REASONS, type VerifyReason } from "../../verify/reasons.ts";
import { NETWORK } from "./examples.ts";
import { count, hex, NetworkId, orNull, time, WitnessId } from "./primitives.ts";

const SCHEME = z.enum(["ed25519", "bls"]);
const Threshold = z.int().min(1).openapi({
  description: "Number of witnesses that must sign",
  example: NETWORK.threshold,
});

export const GatewayConfig = z.strictObject({
  id: NetworkId,
  threshold: Threshold,
  signature_scheme: SCHEME,
  witness_count: z.int().min(1),
}).openapi("GatewayConfig", {
  example: { id: NETWORK.id, threshold: 2, signature_scheme: "ed25519", witness_count: 3 },
});

const Vkey = z.string().regex(/^[^+\s]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*$/).openapi({
  description: "C2SP verifier key",
  example: NETWORK.log_vkey,
});

const Ed25519Witness = z.strictObject({
  id: WitnessId,
  pubkey: hex(PUBLIC_KEY_LENGTH.ed25519, "Ed25519 public key"),
  vkey: Vkey,
}).openapi("Ed25519Witness", { example: NETWORK.witnesses[0] });

const BlsWitness = z.strictObject({
  id: WitnessId,
  pubkey: hex(PUBLIC_KEY_LENGTH.bls, "BLS12-381 public key in G2, compressed"),
  proof_of_possession: hex(48, "Signature of the key over itself"),
}).openapi("BlsWitness");

const PeerNetwork = z.strictObject({
  id: NetworkId,
  gateway_url: z.url().optional(),
  min_witnesses: count("Number of its witnesses that must cosign").optional(),
}).openapi("PeerNetwork", { example: NETWORK.federation.peer_networks[0] });

const NETWORK_MEMBERS = {
  id: NetworkId,
  threshold: Threshold,
  federation: z.strictObject({
    enabled: z.boolean(),
    peer_networks: z.array(PeerNetwork),
    cross_anchor_threshold: count("Number of peers that must cosign a tree head"),
  }).openapi("FederationPolicy", { example: NETWORK.federation }),
  log_vkey: Vkey.optional(),
  merge_delay_seconds: count("Seconds within which the log includes a confirmed attestation", 60)
    .optional(),
};

export const Network = z.union([
  z.strictObject({
    ...NETWORK_MEMBERS,
    signature_scheme: z.literal("ed25519"),
    witnesses: z.array(Ed25519Witness).min(1),
  }).openapi("Ed25519Network", { example: NETWORK }),
  z.strictObject({
    ...NETWORK_MEMBERS,
    signature_scheme: z.literal("bls"),
    witnesses: z.array(BlsWitness).min(1),
  }).openapi("BlsNetwork"),
]).openapi("Network", { example: NETWORK });

const HEALTH_STATUS = z.enum([
  "ok",
  "signing_stalled",
  "publishing_stalled",
  "witnesses_unavailable",
  "store_rolled_back",
  "storage_failed",
  "shutting_down",
]) satisfies z.ZodType<
  HealthStatus
>;

export const Health = z.strictObject({ status: z.literal("ok") })
  .openapi("Health", { example: { status: "ok" } });

export const Unhealthy = z.strictObject({ status: HEALTH_STATUS.exclude(["ok"]) })
  .openapi("Unhealthy", { example: { status: "shutting_down" } });

const WitnessHealth = z.strictObject({
  id: WitnessId,
  healthy: z.boolean(),
  last_seen_at: time("When it last answered successfully").optional(),
  last_error: z.string().optional().openapi({
    description: "Error code of the current failure",
    example: "witness_unreachable",
  }),
  failing: z.array(z.enum(["probe", "cosign", "sign"])).min(1).readonly().optional().openapi({
    description: "Operations that fail now: the probe, cosigning of tree heads, signing of rounds",
  }),
}).openapi("WitnessHealth", {
  example: { id: NETWORK.witnesses[0]!.id, healthy: true, last_seen_at: 1766275200 },
});

const PeerStatus = z.strictObject({
  id: NetworkId,
  last_cross_anchor: z.strictObject({
    tree_size: count("Size of the largest tree head of this log that it cosigned"),
    age: count("Seconds since the timestamp of its cosignature"),
  }).optional(),
  failing: z.boolean().openapi({ description: "Whether the last request to this peer failed" }),
}).openapi("PeerStatus", {
  example: {
    id: "peer.example",
    last_cross_anchor: { tree_size: 3, age: 12 },
    failing: false,
  },
});

const AnchorStatus = z.strictObject({
  provider: z.string().openapi({ description: "Kind of service", example: "rfc3161" }),
  service: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/).optional().openapi({
    description: "The gateway's name for the service; only where it has several of this provider",
  }),
  last: z.strictObject({
    tree_size: count("Size of the largest tree head that it anchored"),
    age: count("Seconds since the time that the service states"),
    status: z.enum(["pending", "confirmed"]),
  }).optional(),
}).openapi("AnchorStatus", {
  example: { provider: "rfc3161", last: { tree_size: 3, age: 12, status: "confirmed" } },
});

/** Status of anchoring. A gateway without peers and services omits them. */
const ANCHORING_MEMBERS = {
  peers: z.array(PeerStatus).optional(),
  anchors: z.array(AnchorStatus).optional(),
  contradictions: count("Number of contradictions that this gateway holds against peers")
    .optional(),
};

export const Status = z.strictObject({
  status: HEALTH_STATUS,
  witnesses: z.array(WitnessHealth),
  pending_count: count("Number of unconfirmed jobs"),
  oldest_pending_age: count("Age of the oldest unconfirmed job in seconds").optional(),
  sth: z.strictObject({
    tree_size: count("Size of the latest published tree head"),
    age: count("Its age in seconds"),
  }).optional(),
  beacon: orNull(
    z.strictObject({
      round: count("Round of the latest drand beacon"),
      age: count("Its age in seconds"),
    }),
  ).optional().openapi({
    description: "Absent if the network uses no beacon; null while no recent round is known",
  }),
  ...ANCHORING_MEMBERS,
}).openapi("Status", {
  example: {
    status: "ok",
    witnesses: NETWORK.witnesses.map(({ id }) => ({ id, healthy: true })),
    pending_count: 0,
    sth: { tree_size: 3, age: 12 },
  },
});

const REASONS = Object.keys(VERIFY_REASONS) as VerifyReason[];

const TimeBound = z.strictObject({
  time: time("The bound"),
  source: z.string().openapi({ description: "Source of the bound", example: "attestation" }),
  word: z.string().openapi({
    description: "Who must be honest for the bound to hold",
    example: `2 witnesses of ${NETWORK.id}`,
  }),
}).openapi("TimeBound");

const TimeBracket = z.strictObject({
  not_before: z.array(TimeBound).openapi({
    description: "Latest first; empty without a beacon",
  }),
  not_after: z.array(TimeBound).openapi({ description: "Earliest first" }),
  failed: z.array(z.strictObject({ source: z.string(), reason: z.enum(REASONS) })).openapi({
    description: "Sources that do not verify; they set no bound",
  }),
  contradictions: z.array(z.strictObject({ not_before: TimeBound, not_after: TimeBound })).openapi({
    description: "Pairs of bounds that exclude each other; one of the two is wrong",
  }),
}).openapi("TimeBracket", {
  description: "Bounds on the time of signing. Present exactly when `valid` is true",
});

export const Opinion = z.strictObject({
  valid: z.boolean(),
  verified_signatures: count("Number of distinct configured witnesses whose signatures verify"),
  required_signatures: Threshold,
  reason: z.enum(REASONS).optional().openapi({
    description: "Present exactly when `valid` is false",
    example: "signature_invalid",
  }),
  time: TimeBracket.optional(),
}).openapi("Opinion", {
  example: { valid: true, verified_signatures: 2, required_signatures: 2 },
});
