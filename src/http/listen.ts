/**
 * An HTTP server that stops within a known time and reopens a lost listener. `Deno.serve` does
 * neither: `shutdown()` waits for every connection and cannot be cut short, and running out of file
 * descriptors ends the server.
 *
 * @module
 */

import { type Clock, systemClock } from "../base/clock.ts";
import { CountersignError, type ErrorCode } from "../base/errors.ts";
import type { ClientHoldings, Release } from "./limits/holdings.ts";
import { Condition, errorText, type Report, type ReportDetails } from "../base/report.ts";
import { BodyReader } from "./body_reader.ts";
import { MAX_IN_FLIGHT } from "./limits.ts";
import { problemResponse } from "./problem.ts";
import { requestId } from "./request_context.ts";

/** Answers one request, whose body `bodies` reads. A thrown error becomes a problem. */
export type HttpHandler = (
  request: Request,
  info: Deno.ServeHandlerInfo<Deno.NetAddr>,
  bodies: BodyReader,
) => Response | Promise<Response>;

export interface ListenOptions {
  readonly hostname: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly handler: HttpHandler;
  /** Called once, when the port is open; not when a lost listener is reopened. */
  readonly onListen?: (address: Deno.NetAddr) => void;
  /** Receives the loss of the listener and its end. */
  readonly report?: Report;
  readonly clock?: Clock;
  /** Bound of requests in flight. Idle connections do not count. */
  readonly maxInFlight?: number;
  /** Counts the requests in flight of all listeners that have one bound together. */
  readonly requests?: ClientHoldings | undefined;
  /** Counts the bytes of unfinished bodies of all listeners that have one bound together. */
  readonly bodyBytes?: ClientHoldings | undefined;
  /** Headers of refusals that do not reach the handler. */
  readonly refusalHeaders?: Readonly<Record<string, string>>;
  /** Called for each of these refusals. */
  readonly refused?: (code: ErrorCode) => void;
  /** Listeners of other threads may have the same port; see {@linkcode requireFreePort}. */
  readonly sharesPort?: boolean;
}

/** Milliseconds between checks for late bodies. */
const BODIES_TICK_MS = 1_000;

/** Milliseconds between attempts to reopen a lost listener. */
const RELISTEN_DELAY_MS = 200;
/** A listener that was reopened accepts connections again if it is not lost within this time. */
const REOPENED_MS = 2_000;

/**
 * Milliseconds for the last answers to leave the socket's buffer: `completed` resolves earlier, when an
 * answer is handed to the runtime.
 */
const FLUSH_MS = 100;

/** The bytes of an answer that are handed to the runtime at once while the listener stops. */
const PIECE_BYTES = 65_536;

/**
 * Opens the port before it returns. `address_in_use` when another process holds it,
 * `invalid_configuration` when this machine cannot listen there.
 */
export function listen(options: ListenOptions): HttpListener {
  return new HttpListener(options);
}

/** See {@linkcode listen}. */
export class HttpListener {
  readonly address: Deno.NetAddr;
  readonly #options: ListenOptions;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  readonly #maxInFlight: number;
  readonly #bodies: BodyReader;
  readonly #bodiesTimer: ReturnType<typeof setInterval>;
  readonly #lost: Condition;
  /** How often the listener was lost. */
  #losses = 0;
  #inFlight = 0;
  #onIdle: () => void = ignore;
  #server: Deno.HttpServer<Deno.NetAddr>;
  /** Ends the current server and its connections. Never aborted for a lost server. */
  #current: AbortController;
  /** Resolves when the current server has ended. */
  #ended: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;
  /** Requests that have reached this listener are answered, although it leaves its port. */
  #isLeaving = false;

  constructor(options: ListenOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#maxInFlight = options.maxInFlight ?? MAX_IN_FLIGHT;
    this.#bodies = new BodyReader(options.bodyBytes);
    this.#lost = new Condition({ clock: this.#clock, report: options.report ?? ignore });
    this.#current = new AbortController();
    this.#server = this.#open(options.port);
    this.address = this.#server.addr;
    this.#bodiesTimer = setInterval(() => this.#bodies.expire(), BODIES_TICK_MS);
    options.onListen?.(this.address);
  }

  /** `http://host:port` with the actual port. */
  get url(): string {
    const { hostname, port } = this.address;
    return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
  }

  /** Requests in flight. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Bytes that unfinished bodies announce. */
  get bodyBytes(): number {
    return this.#bodies.announcedBytes;
  }

  /**
   * Refuses new requests with `shutting_down`, waits up to `graceMs` for those in flight, then ends
   * every connection. Further calls wait for the first.
   */
  stop(graceMs: number): Promise<void> {
    this.#stopped ??= this.#stop(graceMs);
    return this.#stopped;
  }

  /**
   * Leaves the port to another listener that shares it: refuses nothing, but accepts no connections,
   * closes idle ones, and waits up to `graceMs` for requests in flight. Those that take longer go on.
   * Replaces {@linkcode stop}.
   */
  handOver(graceMs: number): Promise<void> {
    this.#stopped ??= this.#handOver(graceMs);
    return this.#stopped;
  }

  async #handOver(graceMs: number): Promise<void> {
    this.#isLeaving = true;
    this.#stopping.abort();
    // It cannot be aborted from here on. Of a lost server it does nothing.
    this.#server.shutdown().catch(ignore);
    this.#ended.then(() => clearInterval(this.#bodiesTimer));
    await this.#untilIdle(graceMs);
    this.#isLeaving = false;
  }

  async #stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    await this.#untilIdle(graceMs);
    await this.#clock.sleep(Math.min(FLUSH_MS, graceMs));
    clearInterval(this.#bodiesTimer);
    this.#current.abort();
    await this.#ended;
  }

  async #untilIdle(graceMs: number): Promise<void> {
    if (this.#inFlight === 0) return;
    const idle = new AbortController();
    this.#onIdle = () => idle.abort();
    await this.#clock.sleep(graceMs, idle.signal);
  }

  #open(port: number): Deno.HttpServer<Deno.NetAddr> {
    const { hostname, sharesPort: reusePort = false } = this.#options;
    const controller = new AbortController();
    try {
      const server = Deno.serve({
        hostname,
        port,
        reusePort,
        signal: controller.signal,
        onListen: ignore,
        onError: (error) => problemResponse(error, { id: requestId() }),
      }, (request, info) => this.#handle(request, info));
      this.#current = controller;
      this.#ended = server.finished.catch(ignore);
      server.finished.catch((error) => this.#relisten(error));
      return server;
    } catch (cause) {
      throw refusedToListen(`${hostname}:${port}`, cause);
    }
  }

  #handle(
    request: Request,
    info: Deno.ServeHandlerInfo<Deno.NetAddr>,
  ): Response | Promise<Response> {
    if (this.#stopping.signal.aborted && !this.#isLeaving) {
      return this.#refuse("shutting_down", "The service is stopping; retry elsewhere or later");
    }
    const leave = this.#enter();
    if (leave === undefined) {
      return this.#refuse("overloaded", "Too many requests in flight; retry in a second");
    }
    // Rejects when the client is gone.
    info.completed.then(leave, leave);
    const response = this.#options.handler(request, info, this.#bodies);
    return response instanceof Response ? response : response.then(this.#lastAnswer);
  }

  /** Of an answer in one piece `completed` would resolve before a slow client has read it. */
  readonly #lastAnswer = (response: Response): Response =>
    this.#stopping.signal.aborted ? inPieces(response) : response;

  /** Counts a request until the returned function is called; `undefined` if too many are in flight. */
  #enter(): Release | undefined {
    if (this.#inFlight >= this.#maxInFlight) return undefined;
    const release = this.#options.requests?.hold(undefined, 1, Infinity, this.#maxInFlight);
    if (typeof release === "string") return undefined;
    this.#inFlight++;
    if (release === undefined) return this.#leave;
    return () => {
      release();
      this.#leave();
    };
  }

  /** Refuses a request and closes its connection. */
  #refuse(code: ErrorCode, message: string): Response {
    const error = new CountersignError(code, message);
    const headers = { ...this.#options.refusalHeaders, Connection: "close" };
    this.#options.refused?.(code);
    return problemResponse(error, { id: requestId() }, { headers });
  }

  readonly #leave: Release = () => {
    this.#inFlight--;
    if (this.#inFlight === 0) this.#onIdle();
  };

  /** Existing connections of the lost server stay open. */
  async #relisten(cause: unknown): Promise<void> {
    const { signal } = this.#stopping;
    // Aborting a lost server throws, so stop() gets a controller without one.
    this.#current = new AbortController();
    const losses = ++this.#losses;
    const { hostname, port } = this.address;
    const what = `connections on ${hostname}:${port}`;
    let failure = cause;
    for (let isOpen = false; !isOpen;) {
      this.#lost.holds(...acceptFault(what, failure));
      await this.#clock.sleep(RELISTEN_DELAY_MS, signal);
      if (signal.aborted) return;
      try {
        this.#server = this.#open(port);
        isOpen = true;
      } catch (error) {
        failure = error instanceof CountersignError ? error.cause : error;
      }
    }
    await this.#clock.sleep(REOPENED_MS, signal);
    if (losses === this.#losses && !signal.aborted) this.#lost.ended(`Accepts ${what} again`);
  }
}

/** The same answer, whose body is handed to the runtime as the client reads it. */
function inPieces(response: Response): Response {
  if (response.body === null) return response;
  const pieces = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        controller.enqueue(chunk.subarray(at, at + PIECE_BYTES));
      }
    },
  });
  return new Response(response.body.pipeThrough(pieces), response);
}

function ignore(): void {}

/** The report that a listener cannot accept `what` because of `cause`. It tries again. */
export function acceptFault(what: string, cause: unknown): [string, ReportDetails] {
  const text = errorText(cause);
  // The runtime's errors of a lost listener have no code.
  const problem = text.includes("(os error 24)")
    ? "this process has no free file descriptor. Connections that are open go on. Raise LimitNOFILE= in " +
      "its systemd unit, or ulimit -n in the shell that starts it, and start it again"
    : text.includes("(os error 23)")
    ? "the system has no free file descriptor. Raise fs.file-max with sysctl, or end programs"
    : `${text}. Trying again`;
  return [`Cannot accept ${what}: ${problem}`, { level: "error", code: "overloaded" }];
}

/**
 * Returns `port`, or a free one for 0. `address_in_use` if anything listens on it: listeners that share a
 * port do not notice those of another process.
 */
export function requireFreePort(hostname: string, port: number): number {
  try {
    using listener = Deno.listen({ hostname, port });
    return listener.addr.port;
  } catch (cause) {
    throw refusedToListen(`${hostname}:${port}`, cause);
  }
}

/** The error for a port that cannot be opened: `address_in_use`, `invalid_configuration`. */
export function refusedToListen(where: string, cause: unknown): CountersignError {
  if (cause instanceof Deno.errors.AddrInUse) {
    return new CountersignError(
      "address_in_use",
      `Cannot listen on ${where}: another process uses the port. Stop it, or choose another port: ` +
        "--port, or the port of this listener in the configuration",
      { cause },
    );
  }
  return new CountersignError(
    "invalid_configuration",
    `Cannot listen on ${where}: ${errorText(cause)}. Use an address of this machine`,
    { cause },
  );
}
