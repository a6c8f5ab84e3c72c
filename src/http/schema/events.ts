/**
 * Schemas of the frames of the event stream (protocol.md "Events").
 *
 * @module
 */

import { z } from "@hono/zod-openapi";
import {
  encodeCursor,
  EVENT_TYPES,
  type EventType,
  START_POSITION,
} from "../../gateway/events/event_ports.ts";
import {
  BATCH,
  CROSS_ANCHOR,
  EXTERNAL_ANCHOR,
  FIRST_STH,
  HASH,
  NETWORK,
  SIGNED_ATTESTATION,
} from "./examples.ts";
import { FEED_LIMITS } from "../limits.ts";
import { count, Hash, NetworkId, time } from "./primitives.ts";
import { Batch } from "./proofs.ts";
import { SignedTreeHead } from "./signed.ts";

const CURSOR = encodeCursor({ ...START_POSITION, accepted: 3, confirmed: 2, batches: 2, heads: 2 });

export const CURSOR_PATTERN = /^v1(\.(0|[1-9][0-9]{0,15})){5}$/;

export const EventCursor = z.string().regex(CURSOR_PATTERN).openapi(
  "EventCursor",
  { description: "Opaque position in the event stream. Never expires", example: CURSOR },
);

export const EventTypeName = z.enum(EVENT_TYPES).openapi("EventType", {
  description: "Type of an event",
  example: "sth.published",
});

const POSITION = { hash: HASH, sequence: 0 };
const HEAD = {
  tree_size: FIRST_STH.tree_head.tree_size,
  root_hash: FIRST_STH.tree_head.root_hash,
};
const CROSS_ANCHOR_SUMMARY = { witnessing_network: CROSS_ANCHOR.witnessing_network, ...HEAD };
const EXTERNAL_ANCHOR_SUMMARY = {
  provider: EXTERNAL_ANCHOR.provider,
  status: "confirmed",
  ...HEAD,
} as const;

const AttestationPlace = z.strictObject({
  hash: Hash,
  sequence: count("Order of acceptance, from 0; also the index of the leaf in the log"),
}).openapi("AttestationPlace", { example: POSITION });

const ANCHORED_HEAD = {
  tree_size: count("Size of the anchored tree head", FIRST_STH.tree_head.tree_size),
  root_hash: Hash,
};

const CrossAnchorSummary = z.strictObject({ witnessing_network: NetworkId, ...ANCHORED_HEAD })
  .openapi("CrossAnchorSummary", {
    description: "The bundles of the attestations that it covers hold the anchor itself",
    example: CROSS_ANCHOR_SUMMARY,
  });

const ExternalAnchorSummary = z.strictObject({
  provider: z.string().openapi({ description: "Kind of service" }),
  status: z.enum(["pending", "confirmed"]),
  ...ANCHORED_HEAD,
}).openapi("ExternalAnchorSummary", {
  description: "The bundles of the attestations that it covers hold the anchor itself",
  example: EXTERNAL_ANCHOR_SUMMARY,
});

/** Component names in the OpenAPI and AsyncAPI documents. */
export const EVENT_COMPONENTS = {
  "attestation.accepted": "AttestationAccepted",
  "attestation.confirmed": "AttestationConfirmed",
  "batch.closed": "BatchClosed",
  "sth.published": "TreeHeadPublished",
  "cross_anchor.added": "CrossAnchorAdded",
  "external_anchor.added": "ExternalAnchorAdded",
} as const satisfies Readonly<Record<EventType, string>>;

/** Schema of one event type. */
function event<const Type extends EventType, Data extends z.ZodType>(
  type: Type,
  text: {
    readonly description: string;
    readonly at: string;
    readonly data: Data;
    readonly example: { readonly at: number; readonly data: z.input<Data> };
  },
) {
  return z.strictObject({
    id: EventCursor,
    type: z.literal(type),
    at: time(text.at),
    data: text.data,
  }).openapi(EVENT_COMPONENTS[type], {
    description: text.description,
    example: { id: CURSOR, type, ...text.example },
  });
}

/** Schemas of all event types. */
export const EVENT_SCHEMAS = {
  "attestation.accepted": event("attestation.accepted", {
    description: "A hash was stored and has a sequence",
    at: "When the hash was accepted",
    data: AttestationPlace,
    example: { at: SIGNED_ATTESTATION.attestation.timestamp, data: POSITION },
  }),
  "attestation.confirmed": event("attestation.confirmed", {
    description: "The signatures of the threshold were stored",
    at: "Timestamp of the attestation",
    data: AttestationPlace,
    example: { at: SIGNED_ATTESTATION.attestation.timestamp, data: POSITION },
  }),
  "batch.closed": event("batch.closed", {
    description: "A batch was appended to the log and its tree head published",
    at: "Timestamp of the closing tree head",
    data: Batch,
    example: { at: BATCH.period_end, data: BATCH },
  }),
  "sth.published": event("sth.published", {
    description: "The threshold cosigned a tree head, and the gateway published it",
    at: "Timestamp of the tree head",
    data: SignedTreeHead,
    example: { at: FIRST_STH.tree_head.timestamp, data: FIRST_STH },
  }),
  "cross_anchor.added": event("cross_anchor.added", {
    description: "A peer network cosigned a tree head of this log",
    at: "Timestamp of the peer's cosignature",
    data: CrossAnchorSummary,
    example: { at: FIRST_STH.tree_head.timestamp, data: CROSS_ANCHOR_SUMMARY },
  }),
  "external_anchor.added": event("external_anchor.added", {
    description: "An external service accepted or confirmed a tree head of this log",
    at: "Time that the service states",
    data: ExternalAnchorSummary,
    example: { at: EXTERNAL_ANCHOR.timestamp, data: EXTERNAL_ANCHOR_SUMMARY },
  }),
} as const;

export const Hello = z.strictObject({
  type: z.literal("hello"),
  network_id: NetworkId,
  cursor: EventCursor,
  heartbeat_seconds: z.int().min(1).openapi({
    description: "Seconds between pings (WebSocket) or comments (Server-Sent Events)",
    example: FEED_LIMITS.heartbeatSeconds,
  }),
}).openapi("EventsHello", {
  description: "The first frame. The events after its cursor follow",
  example: {
    type: "hello",
    network_id: NETWORK.id,
    cursor: CURSOR,
    heartbeat_seconds: FEED_LIMITS.heartbeatSeconds,
  },
});

export const Gap = z.strictObject({ type: z.literal("gap") }).openapi("EventsGap", {
  description:
    "The requested cursor is ahead of the log; the stream starts at the cursor of `hello`",
  example: { type: "gap" },
});

export const Lagged = z.strictObject({ type: z.literal("lagged"), cursor: EventCursor })
  .openapi("EventsLagged", {
    description: "Sent before the server disconnects a slow reader; resume from the cursor",
    example: { type: "lagged", cursor: CURSOR },
  });
