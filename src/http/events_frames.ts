/**
 * Frames of the event stream that are no events (protocol.md "Events"), alike on sockets and
 * streams.
 *
 * @module
 */

import type { EventEnd } from "../gateway/event_reader.ts";
import { HEARTBEAT_SECONDS } from "./limits.ts";

/** Close codes (RFC 6455 section 7.4.1 and the registry that it opens). */
export const CLOSE_CODE: Readonly<Record<EventEnd | "spoke" | "malformed", number>> = {
  stopping: 1001,
  malformed: 1002,
  spoke: 1008,
  failed: 1011,
  lagged: 1013,
};

export function helloFrame(networkId: string, cursor: string): string {
  return JSON.stringify({
    type: "hello",
    network_id: networkId,
    cursor,
    heartbeat_seconds: HEARTBEAT_SECONDS,
  });
}

export const GAP_FRAME = JSON.stringify({ type: "gap" });

export function laggedFrame(cursor: string): string {
  return JSON.stringify({ type: "lagged", cursor });
}
