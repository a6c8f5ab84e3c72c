/**
 * A pause that ends early when an event arrives. Without events, pauses have their full length.
 *
 * @module
 */

import { anySignal } from "../../base/clock.ts";
import { followEvents, type FollowOptions } from "../../client/event_stream.ts";
import { expectedError } from "../../base/errors.ts";
import { GatewayRefusal } from "../../proof/format/gateway_refusal.ts";

/** Events after which an attestation may be batched or anchored. */
export const WAKING_TYPES = [
  "batch.closed",
  "cross_anchor.added",
  "external_anchor.added",
] as const;

/** The connection stays open this long after the last pause. */
const LINGER_MS = 10_000;

/** All pauses share one connection. */
export class EventWake {
  readonly #options: Pick<FollowOptions, "url" | "clock" | "random" | "fetch">;
  #waiting = 0;
  #waking = new AbortController();
  #connection: AbortController | undefined;
  #lingering = new AbortController();
  #isRefused = false;

  constructor(options: Pick<FollowOptions, "url" | "clock" | "random" | "fetch">) {
    this.#options = options;
  }

  /** Resolves after `ms`, at an event, at {@linkcode wake}, or when `signal` aborts. */
  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    this.#lingering.abort();
    this.#connect();
    this.#waiting++;
    const signals = signal === undefined ? [] : [signal];
    await this.#options.clock.sleep(ms, anySignal(...signals, this.#waking.signal));
    if (--this.#waiting === 0) this.#linger();
  }

  /** Ends all pauses. */
  wake(): void {
    this.#waking.abort();
    this.#waking = new AbortController();
  }

  #connect(): void {
    if (this.#connection !== undefined || this.#isRefused) return;
    const connection = this.#connection = new AbortController();
    this.#follow(connection.signal).catch((error) => {
      this.#isRefused = expectedError(error) instanceof GatewayRefusal;
    }).finally(() => {
      if (this.#connection === connection) this.#connection = undefined;
    });
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const types = WAKING_TYPES;
    const events = followEvents(
      { ...this.#options, types, changed: () => {}, reached: () => {} },
      signal,
    );
    for await (const _event of events) this.wake();
  }

  #linger(): void {
    const lingering = this.#lingering = new AbortController();
    void this.#options.clock.sleep(LINGER_MS, lingering.signal).then(() => {
      if (lingering.signal.aborted) return;
      this.#connection?.abort();
      this.#connection = undefined;
    });
  }
}
