/**
 * The state of one request while a server answers it, and the handler that makes that state.
 *
 * @module
 */

import type { Bytes } from "../base/bytes.ts";
import type { ErrorCode } from "../base/errors.ts";
import type { ClientKey } from "./limits/client_key.ts";
import type { Rate } from "./limits/token_buckets.ts";
import { whenReady } from "../base/when_ready.ts";
import { BodyReader } from "./body_reader.ts";
import { pathOf } from "./request_path.ts";
import { readsOfBytes } from "./work_cost.ts";

/** Bytes of a request's id. */
const ID_LENGTH = 8;

/** Remote address of a request that this process makes itself. */
const NO_ADDRESS = "";

/** The id of a request: 16 random hex digits, never chosen by the client. */
export function requestId(): string {
  return crypto.getRandomValues(new Uint8Array(ID_LENGTH)).toHex();
}

/** The budget of reads that a client's work is charged to. */
export interface WorkBudget {
  /** Takes `reads` from the client's budget; `rate_limited` when they are not there. */
  charge(context: RequestContext, reads: number): void;
  /** Takes `reads` from the client's budget, which may go below zero. */
  owe(context: RequestContext, reads: number): void;
}

/** The holder of a request's API key, which is the request's client. */
export interface KeyHolder {
  readonly name: string;
  /** Budgets that differ from those of other clients. */
  readonly rates: Readonly<Record<string, Rate | undefined>>;
  /**
   * Calls `listener` within {@linkcode KEY_CHECK_MS} after a route that needs the key would refuse it,
   * until the returned function is called.
   */
  whenRefused(listener: () => void): () => void;
}

/** How often the key of an open event stream is checked. */
export const KEY_CHECK_MS = 1_000;

/** The connection that a request came over. */
export interface RequestConnection {
  /** Address of the peer. */
  readonly remote: () => string;
  /** Settles when the response is sent, or the client is gone. */
  readonly completed: () => Promise<unknown>;
}

/** One request. Members that cost something are computed on first use. */
export class RequestContext {
  readonly request: Request;
  /** Template of the matched route, such as `/v1/bundle/{hash}`. */
  route: string | undefined;
  /** The client, as limits count it; `undefined` until it is looked up. */
  client: ClientKey | undefined;
  /** Absent without an accepted API key. */
  apiKey: KeyHolder | undefined;
  /** Error code of the response; `undefined` for a success. */
  code: ErrorCode | undefined;
  /** Reads charged when a submission is refused for an error of the client. */
  readsIfRefused = 1;
  /** `undefined` where clients are not limited. */
  budget: WorkBudget | undefined;
  /** The client asked to wait for the result (`Prefer: wait`), so the duration says nothing. */
  isHeld = false;
  readonly #connection: RequestConnection | undefined;
  readonly #bodies: BodyReader | undefined;
  #id: string | undefined;
  #paidReads = 0;

  /** Without `connection`, the request comes from this process. */
  constructor(request: Request, connection?: RequestConnection, bodies?: BodyReader) {
    this.request = request;
    this.#connection = connection;
    this.#bodies = bodies;
  }

  /** Reads the body of the request with those of its listener. */
  get bodies(): BodyReader {
    return this.#bodies ?? new BodyReader();
  }

  /** The whole body, or a refusal of {@linkcode BodyReader.read}. */
  readBody(limit: number): Promise<Bytes> {
    return this.bodies.read(this.request, limit, this.client);
  }

  /**
   * Charges the client for work before it is done: `rate_limited`. One read is the cost of a look-up
   * (`work_cost.ts`).
   */
  charge(reads: number): void {
    if (reads <= 0) return;
    this.budget?.charge(this, reads);
    this.#paidReads += reads;
  }

  /**
   * Call before a response of `bytes` is sent: charges the client for reads beyond those already
   * charged. Never refuses, since the work is done; the budget may go below zero.
   */
  chargeAnswer(bytes: number): void {
    const unpaid = readsOfBytes(bytes) - this.#paidReads;
    if (unpaid <= 0) return;
    this.budget?.owe(this, unpaid);
    this.#paidReads += unpaid;
  }

  /** Calls `release` when the response is sent or the client is gone; at once without a connection. */
  whenCompleted(release: () => void): void {
    if (this.#connection === undefined) release();
    // Rejects when the client went away.
    else this.#connection.completed().then(release, release);
  }

  /** Identifies the request in its problem and in the log ({@linkcode requestId}). */
  get id(): string {
    return this.#id ??= requestId();
  }

  /** The path as it was sent, without its query. */
  get path(): string {
    return pathOf(this.request);
  }

  /** Address of the peer of the connection, which may be a proxy. */
  get remoteAddress(): string {
    return this.#connection?.remote() ?? NO_ADDRESS;
  }
}

/** Called once for each response. Must neither throw nor block. */
export interface RequestObserver {
  /** `milliseconds` ends when the response's head is ready; `context` is complete by then. */
  answered(context: RequestContext, status: number, milliseconds: number): void;
}

/** Calls every one of `observers` that is defined; `undefined` if none is. */
export function combineObservers(
  ...observers: readonly (RequestObserver | undefined)[]
): RequestObserver | undefined {
  const all = observers.filter((observer) => observer !== undefined);
  if (all.length < 2) return all[0];
  return {
    answered(context, status, milliseconds) {
      for (const observer of all) observer.answered(context, status, milliseconds);
    },
  };
}

/** Answers one request. `info` and `bodies` are absent for requests of this process. */
export type RequestHandler = (
  request: Request,
  info?: Deno.ServeHandlerInfo<Deno.NetAddr>,
  bodies?: BodyReader,
) => Response | Promise<Response>;

/** A handler that calls `answer`, which must not fail. Without `observer`, nothing is timed. */
export function requestHandler(
  answer: (context: RequestContext) => Response | Promise<Response>,
  observer?: RequestObserver,
): RequestHandler {
  if (observer === undefined) {
    return (request, info, bodies) => answer(contextOf(request, info, bodies));
  }
  return function observe(request, info, bodies) {
    const startMs = performance.now();
    const context = contextOf(request, info, bodies);
    return whenReady(answer(context), (response) => {
      observer.answered(context, response.status, performance.now() - startMs);
      return response;
    });
  };
}

function contextOf(
  request: Request,
  info: Deno.ServeHandlerInfo<Deno.NetAddr> | undefined,
  bodies: BodyReader | undefined,
): RequestContext {
  return new RequestContext(
    request,
    info && { remote: () => info.remoteAddr.hostname, completed: () => info.completed },
    bodies,
  );
}
