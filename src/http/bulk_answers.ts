/**
 * Bounds the bytes that answers to bulk submissions hold together, from before any work is done for
 * one until it is handed over.
 *
 * @module
 */

import { ClientHoldings } from "../admission/client_holdings.ts";
import { RateLimited } from "../admission/rate_limited.ts";
import type { ClientKey } from "../admission/token_buckets.ts";
import { CountersignError } from "../errors.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { BULK_ANSWERS } from "./limits.ts";
import type { RequestContext } from "./request_context.ts";

/** Bytes of a job without signatures, with the longest path that a round has and a beacon. */
const JOB_BYTES = 1_280;
/** Bytes of one signature with the id of its witness. */
const SIGNATURE_BYTES = 256;

/** Used where clients are not limited, and so not distinguished. */
const ANY_CLIENT: ClientKey = { high: 0, low: 0 };

const MIB = 2 ** 20;

const BUDGET = "bulk_answer_bytes";
const RETRY_AFTER_SECONDS = 1;

/** Bytes of a job in the answer to a bulk submission, estimated. */
export function jobBytesOf({ threshold }: NetworkConfiguration): number {
  return JOB_BYTES + threshold * SIGNATURE_BYTES;
}

/** See the module. */
export class BulkAnswers {
  readonly #mostOfAll: number;
  readonly #mostOfOne: number;
  readonly #held = new ClientHoldings();

  constructor({ heldMiB, clientMiB }: { heldMiB: number; clientMiB: number } = BULK_ANSWERS) {
    this.#mostOfAll = heldMiB * MIB;
    this.#mostOfOne = clientMiB * MIB;
  }

  /** Bytes that are held for all clients together. */
  get heldBytes(): number {
    return this.#held.all;
  }

  /**
   * Holds `bytes` until the answer to `context` is handed over. `rate_limited` when its client holds too
   * much, `overloaded` when all do.
   */
  hold(context: RequestContext, bytes: number): void {
    const { client } = context;
    if (this.heldBytes + bytes > this.#mostOfAll) {
      throw new CountersignError(
        "overloaded",
        "Cannot answer: too many bulk submissions in flight; retry in a second",
      );
    }
    if (client !== undefined && this.#held.of(client) + bytes > this.#mostOfOne) {
      throw new RateLimited(
        "Cannot answer: too many bulk submissions of this client in flight; retry in a second",
        {
          budget: BUDGET,
          quota: this.#mostOfOne,
          remaining: Math.max(this.#mostOfOne - this.#held.of(client), 0),
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        },
      );
    }
    context.whenCompleted(this.#held.add(client ?? ANY_CLIENT, bytes));
  }
}
