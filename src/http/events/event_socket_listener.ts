/**
 * The listener for event sockets: `GET /ws/events` over TCP, with bounds that the runtime's own server
 * lacks. It parses each handshake and can end any connection at any time.
 *
 * @module
 */

import { base64Of, type Bytes, concat, utf8 } from "../../base/bytes.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import type { ApiKeys } from "../api_keys.ts";
import type { EventFeed, EventSubscription } from "../../gateway/events/event_feed.ts";
import { Condition, type Report } from "../../base/report.ts";
import { EventConnection } from "./event_connection.ts";
import { subscribe } from "./event_subscription.ts";
import {
  checkHandshake,
  EVENT_PARAMETERS,
  EVENTS_SUBPROTOCOL,
  eventsQuery,
  SOCKET_PATH,
  UPGRADE_HEADERS,
} from "./events_request.ts";
import { SOCKET_BOUNDS } from "./event_bounds.ts";
import { acceptFault, refusedToListen } from "../listen.ts";
import { readParameters } from "../parameters.ts";
import type { RateLimits } from "../rate_limits.ts";
import { Refusals } from "../refusals.ts";
import { headEnd, readRequestHead } from "./request_head.ts";
import { pathOf } from "../request_path.ts";
import { RequestContext, type RequestObserver } from "../request_context.ts";

/** Milliseconds between attempts to accept while the process has no free descriptor. */
const RETRY_MS = 200;

/** Stands in for a request whose head is malformed. */
const UNREADABLE = new Request("http://host.invalid/");

export interface EventSocketOptions {
  readonly hostname: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Listeners of other threads may have the same port. */
  readonly sharesPort?: boolean;
  readonly feed: EventFeed;
  /** Shared with the listener of clients; absent where clients are not limited. */
  readonly limits?: RateLimits | undefined;
  /** Absent if clients need no API key. */
  readonly apiKeys?: ApiKeys | undefined;
  /** Called with each answer, including 101. */
  readonly observer?: RequestObserver | undefined;
  /** Called when the listener fails to accept connections. */
  readonly report?: Report;
  /** Called with each internal error and the id of its request. */
  readonly fault: (error: unknown, requestId: string) => void;
  readonly clock?: Clock;
}

/** A checked handshake. */
interface Opening {
  readonly subscription: EventSubscription;
  /** The answer to the handshake. */
  readonly head: Bytes;
}

export class EventSocketListener {
  readonly address: Deno.NetAddr;
  readonly #options: EventSocketOptions;
  readonly #clock: Clock;
  readonly #listener: Deno.TcpListener;
  readonly #refusals: Refusals;
  /** Connections with unanswered handshakes, oldest first. */
  readonly #handshakes = new Set<Deno.TcpConn>();
  readonly #sockets = new Set<EventConnection>();
  readonly #closing = new AbortController();

  /** Opens the port: `address_in_use`, `invalid_configuration`. */
  constructor(options: EventSocketOptions) {
    const { hostname, port, sharesPort: reusePort = false, limits, fault } = options;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#refusals = new Refusals(limits, fault);
    try {
      this.#listener = Deno.listen({ hostname, port, reusePort });
    } catch (cause) {
      throw refusedToListen(`${hostname}:${port}`, cause);
    }
    this.address = this.#listener.addr;
    this.#acceptAll();
  }

  /** `ws://host:port`. */
  get url(): string {
    const { hostname, port } = this.address;
    return `ws://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
  }

  /** Unanswered handshakes. */
  get inFlight(): number {
    return this.#handshakes.size;
  }

  /** Closes the port and every connection at once. Stop the feed first: it disconnects readers. */
  stop(): void {
    this.closePort();
    for (const socket of [...this.#sockets]) socket.destroy();
    for (const connection of [...this.#handshakes]) this.#drop(connection);
  }

  /** Closes the port. Connections stay open. */
  closePort(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#listener.close();
  }

  async #acceptAll(): Promise<void> {
    const { signal } = this.#closing;
    const failing = new Condition({
      clock: this.#clock,
      report: this.#options.report ?? (() => {}),
    });
    const what = `event sockets on ${this.url}`;
    while (!signal.aborted) {
      try {
        this.#take(await this.#listener.accept());
        failing.ended(`Accepts ${what} again`);
      } catch (error) {
        if (signal.aborted) return;
        // The client reset the connection before we accepted it: accept the next one.
        if (error instanceof Deno.errors.NotConnected) continue;
        failing.holds(...acceptFault(what, error));
        await this.#clock.sleep(RETRY_MS, signal);
      }
    }
  }

  #take(connection: Deno.TcpConn): void {
    // Idle connections must not keep others out.
    const [oldest] = this.#handshakes;
    if (this.#handshakes.size >= SOCKET_BOUNDS.handshakes) this.#drop(oldest!);
    this.#handshakes.add(connection);
    const deadline = setTimeout(() => this.#drop(connection), SOCKET_BOUNDS.handshakeMs);
    this.#answer(connection)
      // The client is gone, or the connection was dropped.
      .catch(() => this.#drop(connection))
      .finally(() => clearTimeout(deadline));
  }

  #drop(connection: Deno.TcpConn): void {
    if (this.#handshakes.delete(connection)) connection.close();
  }

  async #answer(connection: Deno.TcpConn): Promise<void> {
    connection.setNoDelay(true);
    const bytes = await readHeadBytes(connection);
    if (bytes === undefined) return this.#drop(connection);
    const startMs = performance.now();
    const end = headEnd(bytes, 0) ?? bytes.length;
    const request = readRequestHead(bytes.subarray(0, end));
    const answered = Promise.withResolvers<void>();
    const context = new RequestContext(request ?? UNREADABLE, {
      remote: () => connection.remoteAddr.hostname,
      completed: () => answered.promise,
    });
    let status = 101;
    try {
      const { apiKeys, limits } = this.#options;
      apiKeys?.identify(context);
      if (limits?.enter(context)) await this.#refusals.delay(context);
      apiKeys?.require(context);
      if (request === undefined) throw malformedHead();
      this.#open(connection, await this.#check(context), bytes.subarray(end));
    } catch (error) {
      status = await this.#refuse(connection, context, error);
    } finally {
      answered.resolve();
    }
    this.#options.observer?.answered(context, status, performance.now() - startMs);
  }

  async #check(context: RequestContext): Promise<Opening> {
    const { feed, limits } = this.#options;
    const { request } = context;
    if (pathOf(request) !== SOCKET_PATH) throw routeNotFound();
    context.route = SOCKET_PATH;
    if (request.method !== "GET") throw methodNotAllowed();
    const { searchParams } = new URL(request.url);
    const query = eventsQuery(
      readParameters(EVENT_PARAMETERS, (name) => searchParams.getAll(name)),
    );
    const { named } = checkHandshake(request);
    const head = await switchingBytes(request.headers.get("Sec-WebSocket-Key")!, named);
    return { subscription: await subscribe(feed, context, limits, query), head };
  }

  #open(connection: Deno.TcpConn, opening: Opening, early: Bytes): void {
    const { subscription, head } = opening;
    // Dropped during the check.
    if (!this.#handshakes.delete(connection)) return subscription.close();
    const socket = new EventConnection(connection, () => {
      this.#sockets.delete(socket);
      subscription.close();
    });
    this.#sockets.add(socket);
    socket.open(head, early);
    socket.follow(subscription);
  }

  /** Answers with the problem for `error`; returns its status. */
  async #refuse(
    connection: Deno.TcpConn,
    context: RequestContext,
    error: unknown,
  ): Promise<number> {
    const response = await this.#refusals.answer(error, context, {
      ...this.#options.apiKeys?.challenge(error),
      ...(hasCode(error, "malformed_request") && UPGRADE_HEADERS),
      ...(hasCode(error, "method_not_allowed") && { Allow: "GET" }),
    });
    const bytes = await responseBytes(response, context.request.method, this.#clock);
    for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
    this.#drop(connection);
    return response.status;
  }
}

/**
 * Reads until the request head is complete or too long; `undefined` when the client ends before that.
 * Rejects when the connection is lost.
 */
async function readHeadBytes(connection: Deno.TcpConn): Promise<Bytes | undefined> {
  const buffer = new Uint8Array(SOCKET_BOUNDS.handshakeBytes);
  let length = 0;
  while (length < buffer.length) {
    const count = await connection.read(buffer.subarray(length));
    if (count === null) return undefined;
    length += count;
    const received = buffer.subarray(0, length);
    if (headEnd(received, length - count) !== undefined) return received;
  }
  return buffer;
}

function malformedHead(): CountersignError {
  return new CountersignError(
    "malformed_request",
    `Malformed request head, or longer than ${SOCKET_BOUNDS.handshakeBytes} bytes`,
  );
}

function routeNotFound(): CountersignError {
  return new CountersignError(
    "route_not_found",
    `No such route: this listener serves only ${SOCKET_PATH}`,
  );
}

function methodNotAllowed(): CountersignError {
  return new CountersignError("method_not_allowed", "Method not allowed: use GET");
}

/** Appended to a client's key before it is hashed (RFC 6455 section 1.3). */
const KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** The answer to a handshake with `key`; `named` if the client named our subprotocol. */
async function switchingBytes(key: string, named: boolean): Promise<Bytes> {
  const digest = await crypto.subtle.digest("SHA-1", utf8(key + KEY_SUFFIX));
  return headBytes("101 Switching Protocols", [
    ["Upgrade", "websocket"],
    ["Connection", "Upgrade"],
    ["Sec-WebSocket-Accept", base64Of(new Uint8Array(digest))],
    ...(named ? [["Sec-WebSocket-Protocol", EVENTS_SUBPROTOCOL] as const] : []),
  ]);
}

/** The whole of `response` to a request with `method`, after which the connection ends. */
async function responseBytes(
  response: Response,
  method: string,
  clock: Clock,
): Promise<Bytes> {
  const body = new Uint8Array(await response.arrayBuffer());
  const headers = new Headers(response.headers);
  headers.set("Connection", headers.has("Upgrade") ? "close, Upgrade" : "close");
  headers.set("Content-Length", String(body.length));
  headers.set("Date", new Date(clock.nowMs()).toUTCString());
  // A reason phrase may be empty.
  const head = headBytes(`${response.status} `, [...headers]);
  return method === "HEAD" ? head : concat(head, body);
}

function headBytes(
  status: string,
  fields: readonly (readonly [name: string, value: string])[],
): Bytes {
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  return utf8(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`);
}
