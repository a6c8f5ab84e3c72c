/**
 * Asks for the gateway's status while the page is shown, so that every page says within seconds that
 * the gateway is away or slow.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../base/clock.ts";
import type { GatewayClient } from "../client/gateway_client.ts";
import type { GatewayStatus } from "../proof/format/gateway_status.ts";
import type { GatewayLine } from "./gateway_line.ts";
import { Store } from "./store.ts";

/** The pause between two requests. */
const BEAT_MS = 3_000;
/** A status of this age is current. */
const FRESH_MS = 1_000;
/** A gateway that takes longer is slow. */
const SLOW_MS = 1_200;

export interface PulseState {
  /** The last status, and when it came in Unix seconds. */
  readonly last?: { readonly status: GatewayStatus; readonly at: number };
  /** The gateway takes long for the present request, or took long for the last one. */
  readonly isSlow: boolean;
}

export interface PulseParts {
  readonly api: Pick<GatewayClient, "status">;
  readonly line: Pick<GatewayLine, "ask">;
  readonly clock: Clock;
  /** Whether the reader sees the page. */
  readonly isShown: () => boolean;
}

/** One for the life of the page. */
export class GatewayPulse extends Store<PulseState> {
  readonly #parts: PulseParts;
  #asking: Promise<GatewayStatus> | undefined;
  #answeredMs = -Infinity;
  /** The gateway refuses to tell its status, which another API key may change. */
  #isRefused = false;

  constructor(parts: PulseParts) {
    super({ isSlow: false });
    this.#parts = parts;
  }

  /** Asks until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, isShown, line } = this.#parts;
    while (!signal.aborted) {
      if (isShown() && !this.#isRefused) {
        await line.ask(() => this.status(), signal).catch(() => this.#isRefused = true);
      }
      await clock.sleep(BEAT_MS, signal);
    }
  }

  /** Asks again after a refusal. */
  resume(): void {
    this.#isRefused = false;
  }

  /** A current status. All callers share one request. */
  status(): Promise<GatewayStatus> {
    const { last } = this.state;
    if (last !== undefined && this.#parts.clock.elapsedMs() - this.#answeredMs < FRESH_MS) {
      return Promise.resolve(last.status);
    }
    return this.#asking ??= this.#ask().finally(() => this.#asking = undefined);
  }

  async #ask(): Promise<GatewayStatus> {
    const { api, clock } = this.#parts;
    const answered = new AbortController();
    void clock.sleep(SLOW_MS, answered.signal).then(() => {
      if (!answered.signal.aborted) this.setState({ ...this.state, isSlow: true });
    });
    const begun = clock.elapsedMs();
    try {
      const { value: status } = await api.status();
      this.#answeredMs = clock.elapsedMs();
      const isSlow = this.#answeredMs - begun >= SLOW_MS;
      this.setState({ last: { status, at: unixSeconds(clock) }, isSlow });
      return status;
    } finally {
      answered.abort();
    }
  }
}

/**
 * How many witnesses the gateway's process runs, if it runs all of them, or all of `ids`; otherwise
 * `undefined`.
 */
export function trialWitnesses(
  { last }: PulseState,
  ids?: readonly string[],
): number | undefined {
  const { witnesses = [] } = last?.status ?? {};
  const embedded = witnesses.filter((witness) => witness.embedded === true).map(({ id }) => id);
  const wanted = ids ?? witnesses.map(({ id }) => id);
  return wanted.length > 0 && wanted.every((id) => embedded.includes(id))
    ? wanted.length
    : undefined;
}
