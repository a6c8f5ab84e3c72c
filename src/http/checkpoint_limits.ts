/**
 * Limits requests to cosign a checkpoint that come without the witness's token. Each request is
 * charged to the address of its client and counted as in flight before its body is read and its
 * signatures are verified.
 *
 * @module
 */

import { OpenStreams } from "../admission/open_streams.ts";
import { RateBudget } from "../admission/rate_budget.ts";
import type { Clock } from "../clock.ts";
import type { WitnessLimits } from "../config/witness_limits.ts";
import { CountersignError } from "../errors.ts";
import { ClientAddresses } from "./client_address.ts";
import { CHECKPOINTS_IN_FLIGHT } from "./limits.ts";
import { VisitBudget } from "./rate_limits.ts";
import type { RequestContext } from "./request_context.ts";

const IN_FLIGHT = {
  budget: "add_checkpoint_in_flight",
  noun: "request to cosign a checkpoint",
  retryAfterSeconds: 1,
} as const;

/** What one client may ask. */
interface ClientBudgets {
  readonly addresses: ClientAddresses;
  readonly rate: VisitBudget;
  readonly inFlight: OpenStreams;
}

/** See the module. */
export class CheckpointLimits {
  readonly #budgets: ClientBudgets | undefined;
  #inFlight = 0;

  /**
   * Without `limits`, only the total of requests in flight is bounded. Calls `warn` when a proxy
   * seems to be missing from the configuration.
   */
  constructor(limits: WitnessLimits | undefined, clock: Clock, warn: (message: string) => void) {
    if (limits === undefined) return;
    const { trustedProxies, addCheckpoint } = limits;
    const addresses = new ClientAddresses(trustedProxies, warn);
    this.#budgets = {
      addresses,
      rate: new VisitBudget(new RateBudget("add_checkpoint", addCheckpoint, clock), addresses),
      inFlight: new OpenStreams(addCheckpoint.inFlight, IN_FLIGHT),
    };
  }

  /** Runs `answer` if the client may ask now; `overloaded`, `rate_limited`. */
  async run<T>(context: RequestContext, answer: () => Promise<T>): Promise<T> {
    if (this.#inFlight >= CHECKPOINTS_IN_FLIGHT) {
      throw new CountersignError(
        "overloaded",
        `Cannot cosign checkpoint: ${CHECKPOINTS_IN_FLIGHT} requests of others are in flight; retry`,
      );
    }
    const close = this.#enter(context);
    this.#inFlight++;
    try {
      return await answer();
    } finally {
      this.#inFlight--;
      close?.();
    }
  }

  #enter(context: RequestContext): (() => void) | undefined {
    if (this.#budgets === undefined) return undefined;
    const { addresses, rate, inFlight } = this.#budgets;
    rate.charge(context, 1);
    return inFlight.open(addresses.clientOf(context));
  }
}
