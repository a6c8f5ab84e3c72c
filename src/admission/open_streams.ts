/**
 * How many streams, or requests of another kind that last, each client has open.
 *
 * @module
 */

import { ClientHoldings } from "./client_holdings.ts";
import { RateLimited } from "./rate_limited.ts";
import type { ClientKey } from "./token_buckets.ts";

/** What is counted. */
export interface OpenKind {
  /** Names the budget to clients. */
  readonly budget: string;
  /** One of them, in messages. */
  readonly noun: string;
  readonly retryAfterSeconds: number;
}

/** Only the client can end one of its streams: it is asked to look again at leisure. */
const EVENT_STREAMS: OpenKind = {
  budget: "open_event_streams",
  noun: "event stream",
  retryAfterSeconds: 30,
};

/** Connections bound its memory. */
export class OpenStreams {
  readonly #most: number;
  readonly #kind: OpenKind;
  readonly #open = new ClientHoldings();

  /** `most` is how many a client may have at once. */
  constructor(most: number, kind: OpenKind = EVENT_STREAMS) {
    this.#most = most;
    this.#kind = kind;
  }

  /** Clients with open streams. */
  get clients(): number {
    return this.#open.clients;
  }

  /** Counts one more of `client` until what is answered is called; `rate_limited` when it has all. */
  open(client: ClientKey): () => void {
    if (this.#open.of(client) >= this.#most) throw this.#refusal();
    return this.#open.add(client, 1);
  }

  #refusal(): RateLimited {
    const { budget, noun, retryAfterSeconds } = this.#kind;
    return new RateLimited(
      `Cannot open ${noun}: this client has ${this.#most} open already; close one, or retry later`,
      { budget, quota: this.#most, remaining: 0, retryAfterSeconds },
    );
  }
}
