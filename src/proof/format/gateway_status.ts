/**
 * The answer of `GET /v1/status` (protocol.md "Requests"). Clients ignore unknown members, and accept
 * unknown states and kinds of work.
 *
 * @module
 */

import type { ErrorCode } from "../../base/errors.ts";
import { PUBLIC_URL } from "./network.ts";
import { NETWORK_ID, SERVICE, WITNESS_ID } from "./names.ts";
import { count, FLAG, flag, list, object, type Of, orNull, TEXT, text, time } from "./schema.ts";

export const HEALTH_STATES = [
  "ok",
  /** Digests are accepted, but too few witnesses answer now to meet the threshold. */
  "degraded",
  "signing_stalled",
  "publishing_stalled",
  /** The threshold has not agreed with the store since the start: no digest is accepted yet. */
  "witnesses_unavailable",
  "store_rolled_back",
  "storage_failed",
  "shutting_down",
  /** Another process takes the digests of this log. */
  "standby",
  /** The log has ended: it can only be read. */
  "log_ended",
] as const;

/** Health of a gateway. */
export type HealthStatus = (typeof HEALTH_STATES)[number];

/** States in which `GET /health` answers 200: digests are accepted, and none has waited for long. */
export const HEALTHY_STATES = ["ok", "degraded"] as const satisfies readonly HealthStatus[];

export function isHealthy(status: HealthStatus): boolean {
  return HEALTHY_STATES.some((state) => state === status);
}

const WITNESS_HEALTH = object({
  id: WITNESS_ID,
  healthy: FLAG,
  embedded: flag("True if it runs in the gateway's process, which has its key: for trials")
    .optional(),
  last_seen_at: time("When it last answered successfully").optional(),
  last_error: text("Error code of the current failure").with({ example: "witness_unreachable" })
    .optional(),
  failing: list(TEXT.with({ enum: ["probe", "cosign", "sign"] })).with({
    minItems: 1,
    description: "Operations that fail now: the probe, cosigning of tree heads, signing of rounds",
  }).optional(),
}, "ignored").named("WitnessHealth");

const PEER_STATUS = object({
  id: NETWORK_ID,
  last_cross_anchor: object({
    tree_size: count("Size of the largest tree head of this log that it cosigned"),
    age: count("Seconds since the timestamp of its cosignature"),
  }, "ignored").optional(),
  failing: flag("Whether the last request to this peer failed"),
}, "ignored").named("PeerStatus");

const ANCHOR_STATUS = object({
  provider: text("Kind of service").with({ example: "rfc3161" }),
  service: SERVICE.optional(),
  last: object({
    tree_size: count("Size of the largest tree head that it anchored"),
    age: count("Seconds since the time that the service states"),
    status: TEXT.with({ enum: ["pending", "confirmed"] }),
  }, "ignored").optional(),
}, "ignored").named("AnchorStatus");

const FOREIGN_WITNESS_STATUS = object({
  name: text("Name of its first key").with({ example: "witness.example/north" }),
  url: PUBLIC_URL.optional(),
  last_cosigned: object({
    tree_size: count("Size of the last checkpoint that it cosigned since the gateway's start"),
    age: count("Seconds since then"),
  }, "ignored").optional(),
  behind: count("Entries of the latest tree head beyond that size").optional(),
  last_error: text("Error code of the current failure").with({ example: "witness_unreachable" })
    .optional(),
  failing_for: count("Seconds since its first failure after its last good answer").optional(),
  next_attempt_at: time("When it is asked again after a failure").optional(),
}, "ignored").named("ForeignWitnessStatus");

const FOREIGN_QUORUM = object({
  met: flag("Whether the latest tree head has enough cosignatures for the gateway's policy"),
  tree_size: count("Size of the largest tree head that had them").optional(),
  behind_for: count("Seconds for which no checkpoint that was sent has had them").optional(),
}, "ignored").named("ForeignQuorum", { description: "Absent without a policy" });

export const GATEWAY_STATUS = object({
  status: TEXT.with({ enum: HEALTH_STATES }),
  witnesses: list(WITNESS_HEALTH),
  pending_count: count("Number of unconfirmed jobs"),
  oldest_pending_age: count("Age of the oldest unconfirmed job in seconds").optional(),
  sth: object({
    tree_size: count("Size of the latest published tree head"),
    age: count("Its age in seconds"),
  }, "ignored").optional(),
  beacon: orNull(object({
    round: count("Round of the latest drand beacon"),
    age: count("Its age in seconds"),
  }, "ignored")).with({
    description: "Absent if the network uses no beacon; null while no recent round is known",
  }).optional(),
  peers: list(PEER_STATUS).optional(),
  anchors: list(ANCHOR_STATUS).optional(),
  contradictions: count("Number of contradictions that this gateway holds against peers")
    .optional(),
  foreign_witnesses: list(FOREIGN_WITNESS_STATUS).optional(),
  foreign_quorum: FOREIGN_QUORUM.optional(),
  succession: object({
    epoch: count("Number of the present configuration"),
    next: count("The epoch that a succession leads to").optional(),
    step: TEXT.with({ enum: ["checking", "ending", "beginning"] }).optional(),
    tree_size: count("Where the present epoch ends").optional(),
    waits_for: list(WITNESS_ID).optional(),
    frozen: flag("The log has ended for good").optional(),
  }, "ignored").named("SuccessionStatus", {
    description: "Absent in epoch 0 while no succession is applied",
  }).optional(),
}, "ignored").named("Status");

/** Adds the members that a gateway without peers, anchor services or foreign witnesses omits. */
const WITH_DEFAULTS = GATEWAY_STATUS.map(
  (status) => ({ peers: [], anchors: [], contradictions: 0, foreign_witnesses: [], ...status }),
  "",
);

type ListMember = "peers" | "anchors" | "contradictions" | "foreign_witnesses";
export type GatewayStatus =
  & Required<Pick<Of<typeof GATEWAY_STATUS>, ListMember>>
  & Of<typeof GATEWAY_STATUS>;
export type WitnessHealth = Of<typeof WITNESS_HEALTH>;
export type PeerStatus = Of<typeof PEER_STATUS>;
export type AnchorStatus = Of<typeof ANCHOR_STATUS>;
export type ForeignWitnessStatus = Of<typeof FOREIGN_WITNESS_STATUS>;
export type ForeignQuorumStatus = Of<typeof FOREIGN_QUORUM>;

/** A foreign witness as the gateway knows it. Times are Unix seconds. */
export interface ForeignWitnessState {
  readonly name: string;
  readonly publicUrl?: string;
  /** Its last cosignature since the start. */
  readonly last?: { readonly treeSize: number; readonly at: number };
  /** Code of its last failure, if it failed since its last good answer. */
  readonly lastError?: ErrorCode;
  /** Time of the first failure since its last good answer. */
  readonly failingSince?: number;
  readonly nextAttemptAt?: number;
}

/** Whether the checkpoints that are sent to foreign witnesses get enough cosignatures for the policy. */
export interface ForeignQuorum {
  /** Size of the largest checkpoint that got enough since the start. */
  readonly size: number;
  /** Since when no checkpoint got enough, in Unix seconds. Absent if the last one did. */
  readonly behindSince?: number;
}

/** Parses a status; `gateway_refused`. */
export function parseGatewayStatus(text: string): GatewayStatus {
  return WITH_DEFAULTS.parseText(text, { where: "status", code: "gateway_refused" });
}
