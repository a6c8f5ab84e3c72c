/**
 * Limits requests to cosign a checkpoint, which need no token. Each request is charged to the address
 * of its client and counted as in flight before its body is read and its signatures are verified.
 *
 * @module
 */

import { ElapsedTime } from "../limits/elapsed_time.ts";
import { HeldQuota } from "../limits/held_quota.ts";
import type { Clock } from "../../base/clock.ts";
import type { WitnessLimits } from "../../config/witness_limits.ts";
import { CountersignError } from "../../base/errors.ts";
import { ClientAddresses } from "../client_address.ts";
import { CHECKPOINTS_IN_FLIGHT } from "../limits.ts";
import { RequestBudget } from "../request_budget.ts";
import type { RequestContext } from "../request_context.ts";

interface ClientBudgets {
  readonly addresses: ClientAddresses;
  readonly rate: RequestBudget;
  readonly inFlight: HeldQuota;
}

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
      rate: new RequestBudget("add_checkpoint", addCheckpoint, {
        addresses,
        time: new ElapsedTime(clock),
      }),
      inFlight: new HeldQuota({
        budget: "add_checkpoint_in_flight",
        perClient: addCheckpoint.inFlight,
        failure: "Cannot cosign checkpoint",
        unit: "requests in flight",
        retryAfterSeconds: 1,
      }),
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
    const release = this.#enter(context);
    this.#inFlight++;
    try {
      return await answer();
    } finally {
      this.#inFlight--;
      release?.();
    }
  }

  #enter(context: RequestContext): (() => void) | undefined {
    if (this.#budgets === undefined) return undefined;
    const { addresses, rate, inFlight } = this.#budgets;
    rate.charge(context, 1);
    return inFlight.hold(addresses.clientOf(context));
  }
}
