/**
 * Questions to one gateway over HTTP, and how long they may take.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { type Clock, systemClock } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import { readBounded } from "./bounded_body.ts";
import { GatewayRefusal } from "../format/gateway_refusal.ts";

/** A thousand confirmed jobs of large rounds and many witnesses stay well below. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 15_000;
/** How often a gateway that answers 429 or 503 is asked in all, and the longest pause between. */
const ATTEMPTS = 5;
const MAX_PAUSE_SECONDS = 10;

/** Where a gateway is. */
export interface GatewayConnectionOptions {
  /** As `parseServiceUrl` makes it. */
  readonly url: URL;
  readonly clock?: Clock;
  /** Milliseconds that an answer may take, beyond the wait that was asked for. */
  readonly timeoutMs?: number;
}

/** One question: the route below the gateway's URL, and what it is for. */
export interface Question {
  readonly what: string;
  readonly path: string;
  readonly body?: unknown;
  readonly waitSeconds?: number;
}

/** One gateway. */
export class GatewayConnection {
  readonly url: URL;
  readonly #clock: Clock;
  readonly #timeoutMs: number;

  constructor(options: GatewayConnectionOptions) {
    this.url = options.url;
    this.#clock = options.clock ?? systemClock;
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  }

  /**
   * The answer to `question`, whatever its status. Rejects with `gateway_unreachable` when there is
   * none, `gateway_refused` when it is too long, and stops when `signal` aborts.
   */
  async ask(
    question: Question,
    signal?: AbortSignal,
  ): Promise<{ response: Response; body: Bytes }> {
    const { what, path, body, waitSeconds = 0 } = question;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), this.#timeoutMs + waitSeconds * 1000);
    let answer;
    try {
      const response = await fetch(new URL(path, this.url), {
        method: body === undefined ? "GET" : "POST",
        headers: {
          "Accept": "application/json",
          ...(body !== undefined && { "Content-Type": "application/json" }),
          ...(waitSeconds > 0 && { "Prefer": `wait=${waitSeconds}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // Another place than the one that was named is not asked.
        redirect: "manual",
        signal: signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]),
      });
      answer = { response, body: await readBounded(response, MAX_ANSWER_BYTES) };
    } catch (cause) {
      signal?.throwIfAborted();
      throw new CountersignError(
        "gateway_unreachable",
        `Cannot obtain ${what}: an answer of ${this.url.origin} required, found ${
          limit.signal.aborted ? "none in time" : "none"
        }`,
        { cause },
      );
    } finally {
      clearTimeout(timer);
    }
    if (answer.body === undefined) {
      throw new CountersignError(
        "gateway_refused",
        `Cannot obtain ${what}: at most ${MAX_ANSWER_BYTES} bytes required, found more`,
      );
    }
    return { response: answer.response, body: answer.body };
  }

  /**
   * What `ask` answers, asked again a few times, and when the gateway says, while it fails in a way that
   * `mayPass`: unless told otherwise while the gateway is busy.
   */
  async patiently<T>(
    ask: () => Promise<T>,
    options: {
      readonly signal?: AbortSignal | undefined;
      readonly mayPass?: (error: unknown) => boolean;
    } = {},
  ): Promise<T> {
    const { signal, mayPass = isBusy } = options;
    for (let attempt = 1;; attempt++) {
      try {
        return await ask();
      } catch (error) {
        if (attempt === ATTEMPTS || !mayPass(error)) throw error;
        const retryAfter = error instanceof GatewayRefusal ? error.retryAfter : undefined;
        const seconds = Math.min(retryAfter ?? 1, MAX_PAUSE_SECONDS);
        await this.#clock.sleep(seconds * 1000, signal);
        signal?.throwIfAborted();
      }
    }
  }
}

/** True for a refusal that time may mend. */
export function isBusy(error: unknown): error is GatewayRefusal {
  return error instanceof GatewayRefusal && (error.status === 429 || error.status === 503);
}
