/**
 * One request on its way through a server, and what is known of it beside what it says.
 *
 * @module
 */

import type { ErrorCode } from "../errors.ts";
import type { ClientKey } from "../admission/token_buckets.ts";
import { pathOf } from "./request_path.ts";
import { readsOfBytes } from "./work_cost.ts";

/** Bytes of a request's id. */
const ID_LENGTH = 8;

/** Of whom it is not known from where they ask: requests of this process itself. */
const NOBODY = "";

/** The id of a request: 16 random hex digits, never a client's. */
export function requestId(): string {
  return crypto.getRandomValues(new Uint8Array(ID_LENGTH)).toHex();
}

/** What a client's work is charged to. */
export interface WorkBudget {
  /** Takes `reads` from the budget of the client of `visit`, or refuses with `rate_limited`. */
  charge(visit: Visit, reads: number): void;
  /** Takes `reads` from that budget, or from what comes into it later. */
  owe(visit: Visit, reads: number): void;
}

/** The connection that a request came over. */
export interface VisitConnection {
  /** Address of the peer. */
  readonly remote: () => string;
  /** Settles when the answer is handed over, or its client is gone. */
  readonly completed: () => Promise<unknown>;
}

/** See the module. What costs something is made when it is first asked for. */
export class Visit {
  readonly request: Request;
  /** Template of the route that answers, such as `/v1/bundle/{hash}`; `undefined` while none does. */
  route: string | undefined;
  /** Who asks, as limits count it; `undefined` where nobody has looked. */
  client: ClientKey | undefined;
  /** Code of the problem that it is refused with; `undefined` while it is not. */
  code: ErrorCode | undefined;
  /** Reads that it costs its client when it is refused for what is wrong with it. */
  readsIfRefused = 1;
  /** The budget that its work is charged to; `undefined` where clients are not limited. */
  budget: WorkBudget | undefined;
  /** Its answer is held for as long as it asks (`Prefer: wait`). */
  isHeld = false;
  readonly #connection: VisitConnection | undefined;
  #id: string | undefined;
  #paidReads = 0;

  /** Without `connection`, it is a request of this process itself. */
  constructor(request: Request, connection?: VisitConnection) {
    this.request = request;
    this.#connection = connection;
  }

  /**
   * Charges its client for work that the request turned out to need, before that work is done:
   * `rate_limited`. One read is what a look-up costs (`work_cost.ts`).
   */
  charge(reads: number): void {
    if (reads <= 0) return;
    this.budget?.charge(this, reads);
    this.#paidReads += reads;
  }

  /**
   * Call before an answer of `bytes` is sent: charges the client for reads beyond those already
   * charged. Never refuses, since the work is done; the budget may go below zero.
   */
  chargeAnswer(bytes: number): void {
    const unpaid = readsOfBytes(bytes) - this.#paidReads;
    if (unpaid <= 0) return;
    this.budget?.owe(this, unpaid);
    this.#paidReads += unpaid;
  }

  /** Calls `release` when the answer is handed over; at once for a request of this process itself. */
  whenCompleted(release: () => void): void {
    if (this.#connection === undefined) release();
    // Rejects when the client went away.
    else this.#connection.completed().then(release, release);
  }

  /** Names the request in what its client and its operator are told ({@linkcode requestId}). */
  get id(): string {
    return this.#id ??= requestId();
  }

  /** The path as it was sent, without its query. */
  get instance(): string {
    return pathOf(this.request);
  }

  /** Address of the peer of the connection, which may be a proxy. */
  get remote(): string {
    return this.#connection?.remote() ?? NOBODY;
  }
}
