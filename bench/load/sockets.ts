/**
 * Many TCP connections at little cost: what a load generator asks of the machine.
 *
 * @module
 */

/** Who is told of one socket. Neither may be called from within the other or from `send`. */
export interface Receiver {
  /** `bytes` came: a view that is good until this returns. */
  received(bytes: Uint8Array): void;
  /** The other side ended the connection, or it broke. */
  closed(): void;
}

/** An open connection. */
export interface Socket {
  /** Sends all of `bytes`, which the caller leaves as they are until the answer has come. */
  send(bytes: Uint8Array): void;
  /** Ends it; the receiver is told nothing more. */
  close(): void;
}

/** A set of connections that are served together. */
export interface Sockets {
  readonly kind: SocketKind;
  open(endpoint: Endpoint, receiver: Receiver): Promise<Socket>;
  /**
   * Tells receivers what came; returns after some of it, and at `untilMs` (`performance.now()`) at
   * the latest. Without a promise nothing else of this process has run meanwhile. `isBusy` says that
   * many answers are awaited: what comes may then wait a moment for more, at less cost for each.
   */
  turn(untilMs: number, isBusy: boolean): Promise<void> | void;
  /** Ends what is shared by all connections, after each was closed. */
  dispose(): void;
}

/** Where a gateway is reached. */
export interface Endpoint {
  readonly hostname: string;
  readonly port: number;
  readonly tls: boolean;
}

/**
 * `epoll`: the system calls themselves, through the foreign function interface; of Linux and IPv4,
 * without TLS. `deno`: connections of the runtime, at about twice the processor time a request.
 */
export type SocketKind = "epoll" | "deno";
