/**
 * Bounds of event streams and of the listener for event sockets.
 *
 * @module
 */

import type { FeedLimits } from "../../gateway/events/event_feed.ts";

/** Open and closing event streams of a process. */
export const EVENT_CONNECTIONS = 10_000;
/** Limits of event streams. Readers of one filter share the queue; 4,000 ticks are 20 seconds. */
export const FEED_LIMITS: FeedLimits = {
  buffered: 64 * 1024,
  queue: 8_192,
  stalledTicks: 4_000,
  /** A socket ends that does not answer a ping for twice as long. */
  heartbeatSeconds: 30,
};
/** Milliseconds that a client has to read the last frames of an event stream. */
export const STREAM_END_MS = 5_000;

/** Bounds of one connection to the listener for event sockets, and of all its handshakes. */
export const SOCKET_BOUNDS = {
  /** Milliseconds from accepting a connection to its 101; on the runtime's own path, to its opening. */
  handshakeMs: 5_000,
  /** Bytes of a request head. */
  handshakeBytes: 8 * 1024,
  /** Unfinished handshakes; one more drops the oldest. */
  handshakes: 512,
  /** Control frames of a client between two heartbeats: it has one ping to answer. */
  controlFrames: 64,
  /** Milliseconds that a client has to end a connection after our Close frame. */
  closeMs: 5_000,
  /** Bytes that a client may send after our Close frame, because they were in flight. */
  discardedBytes: 64 * 1024,
} as const;
