/**
 * Bounds of connections, requests and answers of every server. Rate limits of clients are configured
 * (`config/gateway_limits.ts`); queues for the disk and the witnesses are bounded in `gateway/`.
 * docs/limits.md lists all bounds.
 *
 * The runtime has bounds of its own (measured with Deno 2.9.6):
 *
 * - It answers 400 to a header above 64 KiB or with more than 200 fields, before this code runs.
 * - It keeps connections with unfinished headers and idle connections for more than 45 s, and does not
 *   count them. This code cannot end them.
 * - It buffers an answer that the client does not read until the connection ends.
 *
 * A proxy must bound these: `deploy/nginx.conf`. The runtime's WebSockets do not bound what a client
 * sends either, so strangers open theirs on another listener (`event_socket_listener.ts`).
 *
 * @module
 */

/**
 * Requests in flight at a listener, that of clients in all fronts together; waiting ones included. A
 * connection has one, or 200 over HTTP/2, so the number of descriptors does not bound them.
 */
export const MAX_IN_FLIGHT = 16_384;

/**
 * Characters of a field with a list, such as `Prefer`. A longer one is as if it were absent: a list of the
 * runtime's 64 KiB would take 3 ms, which no client is charged for.
 */
export const MAX_FIELD_CHARACTERS = 1_024;

/** Bytes of a body (protocol.md "Requests"). */
export const BODY_LIMIT = 64 * 1024;
/** Bytes of a bulk submission. */
export const BULK_BODY_LIMIT = 1024 * 1024;
/** Bytes of a request to sign: a round of 512 hashes is 35 KiB, without white space. */
export const SIGN_BODY_LIMIT = 128 * 1024;
/** Bytes of a succession that begins an epoch at a witness: two configurations, with their signatures. */
export const EPOCH_BODY_LIMIT = 1024 * 1024;
/** Bytes of a checkpoint to cosign: 16 signatures of ML-DSA-87 (c2sp.org/signed-note), and a proof. */
export const CHECKPOINT_BODY_LIMIT = 128 * 1024;
/** Bytes of a peer's request: a head with a thousand signatures and all its proofs fits. */
export const PEER_BODY_LIMIT = 1024 * 1024;

/** Bytes of a time-stamp request (RFC 3161). Usual ones have less than 150. */
export const TIMESTAMP_BODY_LIMIT = 4 * 1024;

/** Bytes of a token request (RFC 9578). Valid ones have 259. */
export const ISSUER_BODY_LIMIT = 4 * 1024;

/** JSON values in a `SignedAttestation`: three for each of up to 400 signatures. */
export const MAX_SIGNED_VALUES = 2_048;

/** Hashes of a bulk submission. */
export const BULK_LIMIT = 1000;

/**
 * JSON values in a body, eight times those of the largest request. A mebibyte of empty objects would
 * take a second to parse.
 */
export const MAX_VALUES = 16_384;

/** Bounds of bodies. 1 MiB over a slow link comes in about 2,000 pieces. */
export const BODY_BOUNDS = {
  /** Milliseconds from the head of a request to the end of its body. */
  timeMs: 20_000,
  /**
   * Milliseconds before `slowestRate` applies: a segment that is lost twice arrives after 3 s. A body
   * of at most 4 KiB must end by then.
   */
  graceMs: 5_000,
  /** Bytes per second that must arrive after the grace; a modem sends 5,000. */
  slowestRate: 4_096,
  /** Pieces of one body: each costs an object and a turn of the event loop. */
  pieces: 8_192,
  /**
   * Bytes that all unfinished bodies may announce. Bodies of at most 4 KiB do not count; a body
   * without a length counts as its route's limit.
   */
  bytesOfAll: 64 * 1024 * 1024,
  /** The same for one client: 120 bulk requests of 1,000 hashes. */
  bytesOfOne: 8 * 1024 * 1024,
} as const;

/**
 * The longest `Prefer: wait` in seconds; a longer one is shortened to it (protocol.md "Requests").
 */
export const MAX_WAIT_SECONDS = 30;

/** Seconds that a time-stamp request waits for the witnesses; its clients give up soon after. */
export const TIMESTAMP_WAIT_SECONDS = 10;

/** Milliseconds that a refusal for too many requests is delayed. */
export const REFUSAL_DELAY_MS = 50;
/** Waiting refusals of a client for each delay: the next as many wait twice as long. */
export const REFUSALS_PER_DELAY = 4;
/** The longest delay: a client on 1,000 connections gets 1,000 refusals a second. */
export const REFUSAL_DELAY_MOST_MS = 1_000;

/** Requests in flight of one limited client, waiting ones included. An office may be one client. */
export const CLIENT_IN_FLIGHT = 1_024;

/**
 * Preflights and requests for `/health` of one client that are answered at once. More are delayed like
 * refusals but answered: pages cannot show a refused preflight, and load balancers take a refused
 * health check for a dead gateway.
 */
export const UNCHARGED_RATE = { perSecond: 100, burst: 1_000 } as const;

/** MiB of unfinished answers to bulk submissions; a thousand jobs are about 2 MiB. */
export const BULK_ANSWERS = {
  /** For all clients together. */
  heldMiB: 256,
  /** For one limited client. */
  clientMiB: 64,
} as const;

/** Tree heads of peers in flight. */
export const PEER_HEADS_IN_HAND = 8;
/** Tree heads in flight of one peer, whose gateway sends one at a time. */
export const PEER_HEADS_IN_HAND_OF_ONE = 2;

/**
 * Checkpoints of strangers in flight at a witness, of all clients together: far below the listener's
 * bound, so that slow strangers leave room for the gateway.
 */
export const CHECKPOINTS_IN_FLIGHT = 256;
