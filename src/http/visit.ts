/**
 * One request on its way through a server, and what is known of it beside what it says.
 *
 * @module
 */

import type { ErrorCode } from "../errors.ts";
import type { ClientKey } from "../admission/token_buckets.ts";
import { pathOf } from "./request_path.ts";

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
  readonly #remote: (() => string) | undefined;
  #id: string | undefined;

  /** `remote` is the address of the peer of the connection. */
  constructor(request: Request, remote?: () => string) {
    this.request = request;
    this.#remote = remote;
  }

  /**
   * Charges its client for work that the request turned out to need, before that work is done:
   * `rate_limited`. One read is what a look-up costs (`work_cost.ts`).
   */
  charge(reads: number): void {
    this.budget?.charge(this, reads);
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
    return this.#remote?.() ?? NOBODY;
  }
}
