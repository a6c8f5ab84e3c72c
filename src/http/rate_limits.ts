/**
 * Rate limits of each client of a gateway.
 *
 * - A request is charged one read before any work, and further reads before the work that needs them
 *   (`work_cost.ts`).
 * - A submission is charged for its new hashes instead, once the gateway knows which are new. If it is
 *   refused for an error of the client, it costs one read, or one for each verified token. So a client
 *   without reads cannot submit.
 * - Preflights and `/health` are never refused, only delayed.
 *
 * @module
 */

import { HeldQuota } from "./limits/held_quota.ts";
import { RateLimited } from "./limits/rate_limited.ts";
import type { ClientHoldings } from "./limits/holdings.ts";
import type { Rate } from "./limits/token_buckets.ts";
import type { Clock } from "../base/clock.ts";
import type { ClientLimits } from "../config/gateway_limits.ts";
import { CountersignError } from "../base/errors.ts";
import type { IpRange } from "../proof/format/ip_address.ts";
import { SUBMISSION_PATHS } from "./gateway/submission_paths.ts";
import { ClientAddresses } from "./client_address.ts";
import { type BudgetName, type LimitTables, LOCAL_TABLES } from "./limit_tables.ts";
import { CLIENT_IN_FLIGHT, UNCHARGED_RATE } from "./limits.ts";
import { STATUS } from "./problem.ts";
import { pathOf } from "./request_path.ts";
import { HEALTH_PATH } from "./gateway/service_routes.ts";
import { RequestBudget } from "./request_budget.ts";
import type { RequestContext } from "./request_context.ts";

const IN_FLIGHT = "requests_in_flight";

/** For each kind of work, what each client may still use. */
export class RateLimits {
  /** For hashes that were not accepted before. */
  readonly newAttestations: RequestBudget;
  /** For requests to the operator listener. */
  readonly operator: RequestBudget;
  /** Refusals that wait to be sent. */
  readonly waitingRefusals: ClientHoldings;
  readonly #reads: RequestBudget;
  readonly #eventStreams: RequestBudget;
  readonly #openStreams: HeldQuota;
  /** For preflights and `/health`. */
  readonly #uncharged: RequestBudget;
  readonly #inFlight: HeldQuota;
  readonly #addresses: ClientAddresses;
  readonly #trustedNetworks: readonly IpRange[];

  /** Calls `warn` when a proxy seems to be missing from the configuration. */
  constructor(
    limits: ClientLimits,
    clock: Clock,
    warn: (message: string) => void,
    tables: LimitTables = LOCAL_TABLES,
  ) {
    const { newAttestations, reads, eventStreams, operator } = limits;
    const addresses = new ClientAddresses(limits.trustedProxies, tables.warnOnce(warn));
    const time = tables.time(clock);
    const budgetOf = (name: BudgetName, rate: Rate) =>
      new RequestBudget(name, rate, { addresses, time, buckets: tables.buckets(name, rate) });
    this.newAttestations = budgetOf("new_attestations", newAttestations);
    this.operator = budgetOf("operator", operator);
    this.waitingRefusals = tables.holdings("waiting_refusals");
    this.#reads = budgetOf("reads", reads);
    this.#eventStreams = budgetOf("event_streams", eventStreams);
    this.#openStreams = new HeldQuota({
      budget: "open_event_streams",
      perClient: eventStreams.open,
      failure: "Cannot open event stream",
      unit: "open event streams",
      // Only the client can close one of its streams.
      retryAfterSeconds: 30,
    }, tables.holdings("open_event_streams"));
    this.#inFlight = new HeldQuota({
      budget: IN_FLIGHT,
      perClient: CLIENT_IN_FLIGHT,
      failure: "Too many requests",
      unit: "requests in flight",
      retryAfterSeconds: 1,
    }, tables.holdings(IN_FLIGHT));
    this.#uncharged = budgetOf("uncharged", UNCHARGED_RATE);
    this.#addresses = addresses;
    this.#trustedNetworks = limits.trustedNetworks;
  }

  /** True for clients that the operator trusts: by an API key, or by their address. */
  trusts(context: RequestContext): boolean {
    return context.apiKey !== undefined ||
      this.#addresses.isWithin(context, this.#trustedNetworks);
  }

  /** Admits a request or refuses it before any work. True if its answer must be delayed. */
  enter(context: RequestContext): boolean {
    try {
      context.whenCompleted(this.#inFlight.hold(this.#addresses.clientOf(context)));
    } catch (error) {
      this.#addresses.refused(context);
      throw error;
    }
    if (isUncharged(context)) return !this.#uncharged.tryCharge(context, 1);
    context.budget = this.#reads;
    if (isSubmission(context)) this.#reads.requireSome(context);
    else context.charge(1);
    return false;
  }

  /** Call when an admitted request is refused. */
  refused(context: RequestContext, error: unknown): void {
    if (isSubmission(context) && isClientError(error)) {
      this.#reads.owe(context, context.readsIfRefused);
    }
  }

  /** Counts an event stream as open until the returned function is called. */
  openStream(context: RequestContext): () => void {
    const close = this.#openStreams.hold(this.#addresses.clientOf(context));
    try {
      this.#eventStreams.charge(context, 1);
      return close;
    } catch (error) {
      close();
      throw error;
    }
  }
}

/** True for the refusal of a client with too many requests in flight. The server closes its connection. */
export function exceedsInFlight(error: unknown): boolean {
  return error instanceof RateLimited && error.state.budget === IN_FLIGHT;
}

function isUncharged(context: RequestContext): boolean {
  return context.request.method === "OPTIONS" || context.path === HEALTH_PATH;
}

function isSubmission({ request }: RequestContext): boolean {
  if (request.method !== "POST") return false;
  const path = pathOf(request);
  return SUBMISSION_PATHS.has(path);
}

/** True for every error of the client but `rate_limited`. */
function isClientError(error: unknown): boolean {
  if (!(error instanceof CountersignError)) return false;
  const status = STATUS[error.code];
  return status < 500 && status !== STATUS.rate_limited;
}
