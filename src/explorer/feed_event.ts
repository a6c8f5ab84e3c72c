/**
 * Events (protocol.md "Events") as short texts. Events are not signed: the page verifies nothing by
 * them.
 *
 * @module
 */

import { HASH_LENGTH, isCount, isHex } from "../base/bytes.ts";
import { type EventFrame, eventMember } from "../client/event_frames.ts";
import type { JsonValue } from "../proof/format/strict_json.ts";
import type { Route } from "./route.ts";
import { countText, plural } from "./text.ts";

/** Types that are rare in any log, and types with one event for each attestation. */
export const LOG_EVENT_TYPES = [
  "batch.closed",
  "sth.published",
  "cross_anchor.added",
  "external_anchor.added",
] as const;
export const ATTESTATION_EVENT_TYPES = ["attestation.accepted", "attestation.confirmed"] as const;

export type ReceivedEvent = Pick<EventFrame, "id" | "type" | "at" | "data">;

/** An event as the page lists it. */
export interface FeedEvent {
  readonly id: string;
  readonly type: string;
  /** Unix seconds. */
  readonly at: number;
  readonly text: string;
  /** The page with details. */
  readonly route?: Route;
}

/** Describes `event`. Its data is not checked: unknown data gives a shorter text. */
export function describeEvent({ id, type, at, data }: ReceivedEvent): FeedEvent {
  return { id, type, at, ...describe(type, data) };
}

function describe(type: string, data: JsonValue): Pick<FeedEvent, "text" | "route"> {
  const hash = eventMember(data, "hash");
  switch (type) {
    case "attestation.accepted":
    case "attestation.confirmed": {
      const word = type === "attestation.accepted" ? "accepted" : "signed";
      return typeof hash === "string" && isHex(hash, HASH_LENGTH)
        ? { text: `${hash.slice(0, 16)}... ${word}`, route: { page: "proof", hash } }
        : { text: `A hash ${word}` };
    }
    case "batch.closed":
      return describeBatch(data);
    case "sth.published":
    case "cross_anchor.added":
    case "external_anchor.added":
      return describeHead(type, data);
    default:
      return { text: "An event of an unknown type" };
  }
}

function describeBatch(data: JsonValue): Pick<FeedEvent, "text" | "route"> {
  const [id, count] = [eventMember(data, "id"), eventMember(data, "attestation_count")];
  if (!isCount(id)) return { text: "A batch closed" };
  const size = isCount(count) ? ` with ${plural(count, "attestation")}` : "";
  return { text: `Batch ${countText(id)} closed${size}`, route: { page: "batch", id } };
}

function describeHead(type: string, data: JsonValue): Pick<FeedEvent, "text" | "route"> {
  const head = eventMember(data, "tree_head");
  const size = eventMember(head ?? data, "tree_size");
  const who = eventMember(data, type === "cross_anchor.added" ? "witnessing_network" : "provider");
  const by = typeof who === "string" ? ` by ${who}` : "";
  const what = isCount(size) ? `Tree head of size ${countText(size)}` : "A tree head";
  const done = {
    "sth.published": "published",
    "cross_anchor.added": `cosigned${by}`,
    "external_anchor.added": `anchored${by}`,
  }[type];
  const route: Route | undefined = isCount(size) ? { page: "batch", id: size } : undefined;
  return { text: `${what} ${done}`, ...(route && { route }) };
}
