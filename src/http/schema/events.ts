/**
 * Schemas of the frames of the event stream (protocol.md "Events").
 *
 * @module
 */

import { z } from "@hono/zod-openapi";
import { EVENT_TYPES, type EventType } from "../../gateway/event_ports.ts";
import { encodeCursor, START_POSITION } from "../../gateway/event_position.ts";
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
  { description: "A position in each list of the log. Opaque; never expires", example: CURSOR },
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
  sequence: count("Order of acceptance from 0, and index of the leaf in the log"),
}).openapi("AttestationPlace", { example: POSITION });

const ANCHORED_HEAD = {
  tree_size: count("Size of the tree head that it covers", FIRST_STH.tree_head.tree_size),
  root_hash: Hash,
};

const CrossAnchorSummary = z.strictObject({ witnessing_network: NetworkId, ...ANCHORED_HEAD })
  .openapi("CrossAnchorSummary", {
    description: "The anchor itself is in the bundles of what it covers",
    example: CROSS_ANCHOR_SUMMARY,
  });

const ExternalAnchorSummary = z.strictObject({
  provider: z.string().openapi({ description: "Kind of service" }),
  status: z.enum(["pending", "confirmed"]),
  ...ANCHORED_HEAD,
}).openapi("ExternalAnchorSummary", {
  description: "The anchor itself is in the bundles of what it covers",
  example: EXTERNAL_ANCHOR_SUMMARY,
});

/** The components of the documents. */
export const EVENT_COMPONENTS = {
  "attestation.accepted": "AttestationAccepted",
  "attestation.confirmed": "AttestationConfirmed",
  "batch.closed": "BatchClosed",
  "sth.published": "TreeHeadPublished",
  "cross_anchor.added": "CrossAnchorAdded",
  "external_anchor.added": "ExternalAnchorAdded",
} as const satisfies Readonly<Record<EventType, string>>;

/** One type of event, with the values of its example. */
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

/** Every type of event. */
export const EVENT_SCHEMAS = {
  "attestation.accepted": event("attestation.accepted", {
    description: "A hash is on disk and has its sequence",
    at: "When the hash was accepted",
    data: AttestationPlace,
    example: { at: SIGNED_ATTESTATION.attestation.timestamp, data: POSITION },
  }),
  "attestation.confirmed": event("attestation.confirmed", {
    description: "The threshold's signatures are on disk",
    at: "The attestation's own time",
    data: AttestationPlace,
    example: { at: SIGNED_ATTESTATION.attestation.timestamp, data: POSITION },
  }),
  "batch.closed": event("batch.closed", {
    description: "A batch was appended to the log, and its tree head was published",
    at: "Time of the closing tree head",
    data: Batch,
    example: { at: BATCH.period_end, data: BATCH },
  }),
  "sth.published": event("sth.published", {
    description: "A tree head was cosigned by the threshold and published",
    at: "Time of the tree head",
    data: SignedTreeHead,
    example: { at: FIRST_STH.tree_head.timestamp, data: FIRST_STH },
  }),
  "cross_anchor.added": event("cross_anchor.added", {
    description: "A peer network has cosigned a tree head of this log",
    at: "The peer's time",
    data: CrossAnchorSummary,
    example: { at: FIRST_STH.tree_head.timestamp, data: CROSS_ANCHOR_SUMMARY },
  }),
  "external_anchor.added": event("external_anchor.added", {
    description: "An external service accepted or confirmed a tree head of this log",
    at: "The service's time",
    data: ExternalAnchorSummary,
    example: { at: EXTERNAL_ANCHOR.timestamp, data: EXTERNAL_ANCHOR_SUMMARY },
  }),
} as const;

export const Hello = z.strictObject({
  type: z.literal("hello"),
  network_id: NetworkId,
  cursor: EventCursor,
  heartbeat_seconds: z.int().min(1).openapi({
    description: "Seconds between the server's pings or comments",
    example: FEED_LIMITS.heartbeatSeconds,
  }),
}).openapi("EventsHello", {
  description: "The first frame; the events after its cursor follow",
  example: {
    type: "hello",
    network_id: NETWORK.id,
    cursor: CURSOR,
    heartbeat_seconds: FEED_LIMITS.heartbeatSeconds,
  },
});

export const Gap = z.strictObject({ type: z.literal("gap") }).openapi("EventsGap", {
  description:
    "The log has not reached the requested cursor: the stream starts at the cursor of `hello`",
  example: { type: "gap" },
});

export const Lagged = z.strictObject({ type: z.literal("lagged"), cursor: EventCursor })
  .openapi("EventsLagged", {
    description: "The last frame of a slow reader, which resumes with the cursor",
    example: { type: "lagged", cursor: CURSOR },
  });
