/**
 * A listening HTTP server that stops within a known time and outlives its listener. Deno.serve
 * alone does neither: `shutdown()` waits for every connection, nothing can end them after it was
 * called, and running out of file descriptors ends the server.
 *
 * @module
 */

import { type Clock, systemClock } from "../clock.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import type { Report } from "../report.ts";
import { bodies } from "./body.ts";
import { MAX_IN_FLIGHT } from "./limits.ts";
import { problemResponse } from "./problem.ts";
import { requestId } from "./request_context.ts";

/** Answers one request. What it throws becomes a problem document. */
export type HttpHandler = (
  request: Request,
  info: Deno.ServeHandlerInfo<Deno.NetAddr>,
) => Response | Promise<Response>;

export interface ListenOptions {
  readonly hostname: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly handler: HttpHandler;
  /** Called once, when the port is open, and not again when a lost listener was replaced. */
  readonly onListen?: (address: Deno.NetAddr) => void;
  /** Told of a lost listener and of each failed attempt to replace it. */
  readonly report?: Report;
  readonly clock?: Clock;
  /** Requests that may be in flight at once. Held answers count, open connections do not. */
  readonly maxInFlight?: number;
  /** Stand on what is refused before the handler sees it, as they do on what the handler answers. */
  readonly refusalHeaders?: Readonly<Record<string, string>>;
  /** Told of each of those refusals. */
  readonly refused?: (code: ErrorCode) => void;
}

/** Milliseconds between looks for bodies that are late. */
const BODIES_TICK_MS = 1_000;

/** Milliseconds between attempts to listen again after the listener was lost. */
const RELISTEN_DELAY_MS = 200;

/**
 * Milliseconds that the last answers have to leave the socket's buffer: `completed` resolves when
 * an answer is handed over, and nothing tells when it was sent.
 */
const FLUSH_MS = 100;

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
  readonly #bodiesTimer: ReturnType<typeof setInterval>;
  #inFlight = 0;
  #onIdle: () => void = ignore;
  /** Ends the current server and all its connections. A lost server's is never called. */
  #current: AbortController;
  #stopped: Promise<void> | undefined;

  constructor(options: ListenOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#maxInFlight = options.maxInFlight ?? MAX_IN_FLIGHT;
    this.#current = new AbortController();
    this.address = this.#open(options.port).addr;
    this.#bodiesTimer = setInterval(() => bodies.expire(), BODIES_TICK_MS);
    options.onListen?.(this.address);
  }

  /** `http://host:port`, with the port that was taken. */
  get url(): string {
    const { hostname, port } = this.address;
    return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
  }

  /** Requests whose answers are not yet handed over. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /**
   * Refuses new requests with `shutting_down`, waits up to `graceMs` milliseconds for those in
   * flight, then ends every connection, half-open ones included. Further calls wait for the first.
   */
  stop(graceMs: number): Promise<void> {
    this.#stopped ??= this.#stop(graceMs);
    return this.#stopped;
  }

  async #stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    if (this.#inFlight > 0) {
      const idle = new AbortController();
      this.#onIdle = () => idle.abort();
      await this.#clock.sleep(graceMs, idle.signal);
    }
    await this.#clock.sleep(Math.min(FLUSH_MS, graceMs));
    clearInterval(this.#bodiesTimer);
    this.#current.abort();
  }

  #open(port: number): Deno.HttpServer<Deno.NetAddr> {
    const { hostname } = this.#options;
    const controller = new AbortController();
    try {
      const server = Deno.serve({
        hostname,
        port,
        signal: controller.signal,
        onListen: ignore,
        onError: (error) => problemResponse(error, { id: requestId() }),
      }, (request, info) => this.#handle(request, info));
      this.#current = controller;
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
    if (this.#stopping.signal.aborted) {
      return this.#refuse(
        "shutting_down",
        "a running service required, found one that is stopping",
      );
    }
    if (this.#inFlight >= this.#maxInFlight) {
      return this.#refuse("overloaded", "room for one more required, found none");
    }
    this.#inFlight++;
    // Rejects when the client went away, which frees the place as well.
    info.completed.then(this.#leave, this.#leave);
    return this.#options.handler(request, info);
  }

  /** Refuses a request, and asks for no other one on its connection. */
  #refuse(code: ErrorCode, what: string): Response {
    const error = new CountersignError(code, `Cannot take the request: ${what}`);
    const headers = { ...this.#options.refusalHeaders, Connection: "close" };
    this.#options.refused?.(code);
    return problemResponse(error, { id: requestId() }, { headers });
  }

  readonly #leave = (): void => {
    this.#inFlight--;
    if (this.#inFlight === 0) this.#onIdle();
  };

  /** Connections of the lost server go on; only its listener is gone. */
  async #relisten(cause: unknown): Promise<void> {
    const { signal } = this.#stopping;
    // A lost server cannot be aborted: stop() must find a controller that nothing listens to.
    this.#current = new AbortController();
    this.#options.report?.(`Lost the listener, opening it again: ${messageOf(cause)}`, {
      level: "error",
    });
    while (!signal.aborted) {
      await this.#clock.sleep(RELISTEN_DELAY_MS, signal);
      if (signal.aborted) return;
      try {
        this.#open(this.address.port);
        return;
      } catch (error) {
        this.#options.report?.(messageOf(error), { level: "error" });
      }
    }
  }
}

function ignore(): void {}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The error for a port that cannot be opened: `address_in_use`, `invalid_configuration`. */
export function refusedToListen(where: string, cause: unknown): CountersignError {
  if (cause instanceof Deno.errors.AddrInUse) {
    return new CountersignError(
      "address_in_use",
      `Cannot listen on ${where}: a free port required, found one that another process uses`,
      { cause },
    );
  }
  return new CountersignError(
    "invalid_configuration",
    `Cannot listen on ${where}: an address of this machine required, found ${messageOf(cause)}`,
    { cause },
  );
}
