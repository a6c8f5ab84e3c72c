/**
 * Posts events, or alerts of a monitor, to a URL, one after the other, until the receiver accepts them.
 *
 *     POST URL
 *     Content-Type: application/json
 *     Countersign-Signature: sha256=<HMAC-SHA256 of the body in hex, keyed by the secret>
 *
 *     <the event as `/v1/events` sends it, or the alert>
 * After a lost answer or a crash an event may arrive twice, with the same `id`.
 *
 * @module
 */

import { createHmac } from "node:crypto";
import { Backoff } from "../../base/backoff.ts";
import type { Clock } from "../../base/clock.ts";
import { expectedError } from "../../base/errors.ts";
import { sendRequest } from "../../client/http_client.ts";

const PAUSES = { firstMs: 1_000, longestMs: 60_000 };
const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 65_536;

export interface WebhookOptions {
  /** Reports the first failure of an event, and its delivery after failures. */
  readonly changed: (text: string) => void;
  readonly clock: Clock;
  /** Numbers in [0, 1). */
  readonly random: () => number;
}

/** A receiver of events. */
export class Webhook {
  readonly #url: URL;
  readonly #secret: string;
  readonly #options: WebhookOptions;

  constructor(url: URL, secret: string, options: WebhookOptions) {
    this.#url = url;
    this.#secret = secret;
    this.#options = options;
  }

  /** Posts `body` until the answer is 2xx: true, or until `signal` aborts: false. */
  async deliver(body: string, signal: AbortSignal): Promise<boolean> {
    const { changed, clock, random } = this.#options;
    const backoff = new Backoff(PAUSES, random);
    for (let failures = 0; !signal.aborted; failures++) {
      const problem = await this.#attempt(body, signal);
      if (problem === undefined) {
        if (failures > 0) changed("Webhook works again");
        return true;
      }
      if (signal.aborted) break;
      if (failures === 0) changed(`Webhook failed: ${problem}; trying again until it succeeds`);
      await clock.sleep(backoff.afterFailure(), signal);
    }
    return false;
  }

  /** `undefined` if the receiver accepted `body`, otherwise why not. */
  async #attempt(body: string, signal: AbortSignal): Promise<string | undefined> {
    const hmac = createHmac("sha256", this.#secret).update(body).digest("hex");
    try {
      const { ok, status } = await sendRequest(this.#url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "Countersign-Signature": `sha256=${hmac}`,
        },
        body,
        maxBytes: MAX_ANSWER_BYTES,
        timeoutMs: TIMEOUT_MS,
        clock: this.#options.clock,
        signal,
        failure: "Cannot deliver event",
        codes: { unreachable: "webhook_unreachable" },
      });
      return ok ? undefined : `status ${status}`;
    } catch (error) {
      return expectedError(error).message;
    }
  }
}
