/**
 * What bounds a connection, a request and its answer, of every server: connections, bodies, times and
 * what is held. What a client may ask by time is configured (`config/limits.ts`), what waits for a
 * disk or for witnesses is bounded where it waits (`gateway/`). docs/operating.md has this as a table.
 *
 * The runtime bounds some things by itself, and others nobody here can (measured with Deno 2.9.6):
 *
 * - A header above 64 KiB, or of more than 200 fields, is answered 400 without a body before any code
 *   of ours runs. Below that each is read whole.
 * - A connection whose header is unfinished was still held after 45 s, one that is idle likewise; nor
 *   are connections counted before they ask something. Nothing here can end either.
 * - An answer that its client does not read stays in memory until the connection ends.
 *
 * For these a proxy stands in front: `deploy/nginx.conf`. What a client sends into a WebSocket of the
 * runtime has no bound either: WebSockets have a listener of their own (`event_socket_listener.ts`).
 *
 * @module
 */

import type { FeedLimits } from "../gateway/event_feed.ts";

/**
 * Requests in flight at one listener, held answers included. A connection has one, or 200 over HTTP/2:
 * without a bound of ours the number of descriptors is none.
 */
export const MAX_IN_FLIGHT = 16_384;

/** Bytes of a body (protocol.md "Requests"). */
export const BODY_LIMIT = 64 * 1024;
/** Of a bulk submission. */
export const BULK_BODY_LIMIT = 1024 * 1024;
/** Of a request to sign: a round of 512 hashes is 35 KiB, which may be laid out with white space. */
export const SIGN_BODY_LIMIT = 128 * 1024;
/** Of what a peer sends: a head with a thousand signatures and all its proofs stays below. */
export const PEER_BODY_LIMIT = 1024 * 1024;

/** Of a token request (RFC 9578): enough to tell one that is too long from one that is not read. */
export const ISSUER_BODY_LIMIT = 4 * 1024;

/** Values of a `SignedAttestation`: each signature is three, of which a body has room for 400. */
export const MAX_SIGNED_VALUES = 2_048;

/** Hashes of a bulk submission. */
export const BULK_LIMIT = 1000;

/**
 * JSON values in a body, eight times those of the largest request. A mebibyte of empty objects
 * would take a second to read and be refused after all.
 */
export const MAX_VALUES = 16_384;

/** What bodies may cost; 1 MiB in segments of a slow link, each its own piece, is some 2,000. */
export const BODY_BOUNDS = {
  /** Milliseconds from the head of a request to the end of its body. */
  timeMs: 20_000,
  /**
   * Milliseconds before `slowestRate` applies: a segment that is lost twice comes again after 3 s.
   * A body of at most 4 KiB ends by then.
   */
  graceMs: 5_000,
  /** Bytes that must have arrived for each second after the grace: a modem sends 5,000. */
  slowestRate: 4_096,
  /** Pieces in which a body may come: each costs an object and a turn, were it one byte. */
  pieces: 8_192,
  /**
   * Bytes that unfinished bodies may announce together, before anything of them is read. Those of at
   * most 4 KiB do not count; a body without a length counts as the most that its route takes.
   */
  bytesOfAll: 64 * 1024 * 1024,
  /** Of one client: 120 bulk requests of 1,000 hashes, all unfinished. */
  bytesOfOne: 8 * 1024 * 1024,
} as const;

/**
 * The longest `Prefer: wait` in seconds; a longer one is shortened to it (protocol.md "Requests").
 */
export const MAX_WAIT_SECONDS = 30;

/** Milliseconds that a refusal is held back while there are too many requests. */
export const REFUSAL_DELAY_MS = 50;
/** A client's refusals that are held for that long; as many more are held for twice as long. */
export const REFUSALS_PER_DELAY = 4;
/** The most that a refusal is held: a client on 1,000 connections is refused 1,000 times a second. */
export const REFUSAL_DELAY_MOST_MS = 1_000;

/** Requests of one client in flight, where clients are limited: an office is many, held answers too. */
export const CLIENT_IN_FLIGHT = 1_024;

/**
 * Preflights and looks at `/health` of one client that are answered at once. More are answered as
 * well, but as late as refusals: a page cannot show a refused preflight, and a balancer takes a refused
 * look for a dead gateway.
 */
export const UNCHARGED_RATE = { perSecond: 100, burst: 1_000 } as const;

/** MiB that the answers to bulk submissions hold; a thousand jobs are some 2 MiB. */
export const BULK_ANSWERS = {
  /** Of all clients together. */
  heldMiB: 256,
  /** Of one client, where clients are limited. */
  clientMiB: 64,
} as const;

/** Tree heads of peers in hand at once: what is read for all of them together stays small. */
export const PEER_HEADS_IN_HAND = 8;
/** Of one peer, whose gateway asks once at a time: others find room whatever it does. */
export const PEER_HEADS_IN_HAND_OF_ONE = 2;

/**
 * Checkpoints of strangers in flight at a witness, of all clients together: far fewer than a listener
 * takes, so that slow strangers leave room for the gateway.
 */
export const CHECKPOINTS_IN_FLIGHT = 256;

/** Limits of event streams. Readers of one filter share the queue; 4,000 ticks are 20 seconds. */
export const FEED_LIMITS: FeedLimits = {
  connections: 10_000,
  buffered: 64 * 1024,
  queue: 8_192,
  stalledTicks: 4_000,
  /** A socket ends that does not answer a ping for twice as long. */
  heartbeatSeconds: 30,
};
/** Milliseconds that a client has to read the last frames of an event stream. */
export const STREAM_END_MS = 5_000;

/** Of one connection to the listener for event sockets, and of its handshakes together. */
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
  /** Bytes that a client may send after our Close frame: what was on its way. */
  discardedBytes: 64 * 1024,
} as const;
