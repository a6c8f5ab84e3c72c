/**
 * Schemas of the frames of the event stream (protocol.md "Events").
 *
 * @module
 */

import { BATCH } from "../../proof/format/bundle.ts";
import { NETWORK_ID } from "../../proof/format/names.ts";
import {
  count,
  HASH,
  object,
  oneOf,
  pattern,
  type Schema,
  text,
  time,
} from "../../proof/format/schema.ts";
import { SIGNED_TREE_HEAD } from "../../proof/format/tree_head.ts";
import { EVENT_TYPES, type EventType } from "../../gateway/events/event_ports.ts";

export const CURSOR_PATTERN = /^v1(\.(0|[1-9][0-9]{0,15})){5}$/;

export const EVENT_CURSOR = pattern(CURSOR_PATTERN).named("EventCursor", {
  description: "Opaque position in the event stream. Never expires",
});

export const EVENT_TYPE = oneOf(EVENT_TYPES).named("EventType", {
  description: "Type of an event",
  example: "sth.published",
});

const SEQUENCED_HASH = object({
  hash: HASH,
  sequence: count("Order of acceptance, from 0; also the index of the leaf in the log"),
}).named("SequencedHash");

const ANCHORED_HEAD = { tree_size: count("Size of the anchored tree head"), root_hash: HASH };

const CROSS_ANCHOR_SUMMARY = object({ witnessing_network: NETWORK_ID, ...ANCHORED_HEAD })
  .named("CrossAnchorSummary", {
    description: "The bundles of the attestations that it covers hold the anchor itself",
  });

const EXTERNAL_ANCHOR_SUMMARY = object({
  provider: text("Kind of service"),
  status: oneOf(["pending", "confirmed"]),
  ...ANCHORED_HEAD,
}).named("ExternalAnchorSummary", {
  description: "The bundles of the attestations that it covers hold the anchor itself",
});

/** A frame with its name and title in the AsyncAPI document. */
export interface Frame {
  readonly name: string;
  readonly title: string;
  readonly schema: Schema<unknown>;
}

function event(type: EventType, component: string, text: {
  readonly description: string;
  readonly at: string;
  readonly data: Schema<unknown>;
}): Frame {
  const { description, at, data } = text;
  const schema = object({ id: EVENT_CURSOR, type: oneOf([type]), at: time(at), data });
  return {
    name: type.replace(".", "_"),
    title: type,
    schema: schema.named(component, { description }),
  };
}

/** By the `type` of the frame. */
export const FRAMES: Readonly<Record<"hello" | "gap" | "lagged" | EventType, Frame>> = {
  hello: {
    name: "hello",
    title: "First frame",
    schema: object({
      type: oneOf(["hello"]),
      network_id: NETWORK_ID,
      cursor: EVENT_CURSOR,
      heartbeat_seconds: count(
        "Seconds between pings (WebSocket) or comments (Server-Sent Events)",
      ).with({ minimum: 1 }),
    }).named("EventsHello", {
      description: "The first frame. The events after its cursor follow",
    }),
  },
  gap: {
    name: "gap",
    title: "Unknown cursor",
    schema: object({ type: oneOf(["gap"]) }).named("EventsGap", {
      description:
        "The requested cursor is ahead of the log; the stream starts at the cursor of `hello`",
    }),
  },
  lagged: {
    name: "lagged",
    title: "Last frame of a slow reader",
    schema: object({ type: oneOf(["lagged"]), cursor: EVENT_CURSOR }).named("EventsLagged", {
      description: "Sent before the server disconnects a slow reader; resume from the cursor",
    }),
  },
  "attestation.accepted": event("attestation.accepted", "AttestationAccepted", {
    description: "A hash was stored and has a sequence",
    at: "When the hash was accepted",
    data: SEQUENCED_HASH,
  }),
  "attestation.confirmed": event("attestation.confirmed", "AttestationConfirmed", {
    description: "The signatures of the threshold were stored",
    at: "Timestamp of the attestation",
    data: SEQUENCED_HASH,
  }),
  "batch.closed": event("batch.closed", "BatchClosed", {
    description: "A batch was appended to the log and its tree head published",
    at: "Timestamp of the closing tree head",
    data: BATCH,
  }),
  "sth.published": event("sth.published", "TreeHeadPublished", {
    description: "The threshold cosigned a tree head, and the gateway published it",
    at: "Timestamp of the tree head",
    data: SIGNED_TREE_HEAD,
  }),
  "cross_anchor.added": event("cross_anchor.added", "CrossAnchorAdded", {
    description: "A peer network cosigned a tree head of this log",
    at: "Timestamp of the peer's cosignature",
    data: CROSS_ANCHOR_SUMMARY,
  }),
  "external_anchor.added": event("external_anchor.added", "ExternalAnchorAdded", {
    description: "An external service accepted or confirmed a tree head of this log",
    at: "Time that the service states",
    data: EXTERNAL_ANCHOR_SUMMARY,
  }),
};
