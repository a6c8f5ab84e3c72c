/**
 * What each client may ask of a gateway, by time and at once. A read is charged before any work is done
 * for it, and what more a request needs before that is done (`work_cost.ts`). A submission is charged
 * for its new hashes when it is known which are new. One that is refused for what is wrong with it
 * costs a read, or as many as the tokens that were verified for it, and a client that has none left is
 * not let in with another. Preflights and `/health` are charged to a budget that refuses nothing.
 *
 * @module
 */

import { type OpenKind, OpenStreams } from "../admission/open_streams.ts";
import { RateBudget } from "../admission/rate_budget.ts";
import { RateLimited } from "../admission/rate_limited.ts";
import type { Clock } from "../clock.ts";
import type { ClientLimits } from "../config/limits.ts";
import { CountersignError } from "../errors.ts";
import { ATTESTATIONS_PATH, BULK_PATH } from "./attestation_handlers.ts";
import { ClientAddresses } from "./client_address.ts";
import { CLIENT_IN_FLIGHT, UNCHARGED_RATE } from "./limits.ts";
import { STATUS } from "./problem.ts";
import { pathOf } from "./request_path.ts";
import { HEALTH_PATH } from "./service_routes.ts";
import type { RequestContext } from "./request_context.ts";

const IN_FLIGHT: OpenKind = {
  budget: "requests_in_flight",
  noun: "request",
  retryAfterSeconds: 1,
};

/** A budget of those who ask. Refusals are `rate_limited`. */
export class VisitBudget {
  readonly #budget: RateBudget;
  readonly #addresses: ClientAddresses;

  constructor(budget: RateBudget, addresses: ClientAddresses) {
    this.#budget = budget;
    this.#addresses = addresses;
  }

  /** Takes `cost` of the budget of whoever asks, or refuses and takes nothing. */
  charge(context: RequestContext, cost: number): void {
    try {
      this.#budget.charge(this.#addresses.clientOf(context), cost);
    } catch (error) {
      this.#addresses.refused(context);
      throw error;
    }
  }

  /** Refuses whoever has nothing left. */
  requireSome(context: RequestContext): void {
    try {
      this.#budget.requireSome(this.#addresses.clientOf(context));
    } catch (error) {
      this.#addresses.refused(context);
      throw error;
    }
  }

  /** Takes `cost` of the budget, or of what comes into it later. */
  owe(context: RequestContext, cost: number): void {
    this.#budget.owe(this.#addresses.clientOf(context), cost);
  }
}

/** See the module. */
export class RateLimits {
  /** Of hashes that were not accepted before. */
  readonly newAttestations: VisitBudget;
  /** Of requests to the operators' listener. */
  readonly operator: VisitBudget;
  readonly #reads: VisitBudget;
  readonly #eventStreams: VisitBudget;
  readonly #openStreams: OpenStreams;
  /** Of preflights and looks at `/health`. */
  readonly #uncharged: RateBudget;
  readonly #inFlight = new OpenStreams(CLIENT_IN_FLIGHT, IN_FLIGHT);
  readonly #addresses: ClientAddresses;

  /** `warn` is told when a proxy seems not to be configured. */
  constructor(limits: ClientLimits, clock: Clock, warn: (message: string) => void) {
    const { newAttestations, reads, eventStreams, operator } = limits;
    const addresses = new ClientAddresses(limits.trustedProxies, warn);
    this.newAttestations = new VisitBudget(
      new RateBudget("new_attestations", newAttestations, clock),
      addresses,
    );
    this.operator = new VisitBudget(new RateBudget("operator", operator, clock), addresses);
    this.#reads = new VisitBudget(new RateBudget("reads", reads, clock), addresses);
    this.#eventStreams = new VisitBudget(
      new RateBudget("event_streams", eventStreams, clock),
      addresses,
    );
    this.#openStreams = new OpenStreams(eventStreams.open);
    this.#uncharged = new RateBudget("uncharged", UNCHARGED_RATE, clock);
    this.#addresses = addresses;
  }

  /**
   * Lets a request in, or refuses it before anything is done for it. Answers whether its answer is to be
   * held back like a refusal.
   */
  enter(context: RequestContext): boolean {
    const client = this.#addresses.clientOf(context);
    try {
      context.whenCompleted(this.#inFlight.open(client));
    } catch (error) {
      this.#addresses.refused(context);
      throw error;
    }
    if (isUncharged(context)) return !this.#uncharged.tryCharge(client, 1);
    context.budget = this.#reads;
    if (isSubmission(context)) this.#reads.requireSome(context);
    else context.charge(1);
    return false;
  }

  /** Told of every refusal of a request that was let in. */
  refused(context: RequestContext, error: unknown): void {
    if (isSubmission(context) && isOfRequest(error)) {
      this.#reads.owe(context, context.readsIfRefused);
    }
  }

  /** Counts an event stream as open until what is answered is called. */
  openStream(context: RequestContext): () => void {
    const close = this.#openStreams.open(this.#addresses.clientOf(context));
    try {
      this.#eventStreams.charge(context, 1);
      return close;
    } catch (error) {
      close();
      throw error;
    }
  }
}

/** True for the refusal that also closes the connection: its client has too many. */
export function isOfInFlight(error: unknown): boolean {
  return error instanceof RateLimited && error.state.budget === IN_FLIGHT.budget;
}

function isUncharged(context: RequestContext): boolean {
  return context.request.method === "OPTIONS" || context.path === HEALTH_PATH;
}

function isSubmission({ request }: RequestContext): boolean {
  if (request.method !== "POST") return false;
  const path = pathOf(request);
  return path === ATTESTATIONS_PATH || path === BULK_PATH;
}

/** True of what is wrong with a request, and not with how many there are, or with the service. */
function isOfRequest(error: unknown): boolean {
  if (!(error instanceof CountersignError)) return false;
  const status = STATUS[error.code];
  return status < 500 && status !== STATUS.rate_limited;
}
