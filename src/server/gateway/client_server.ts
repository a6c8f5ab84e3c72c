/**
 * Answers clients: the limits, the events, the admission and the ports of every mode of a gateway. The one
 * thread of a gateway, each thread of a front, and a standby are all served from here.
 *
 * @module
 */

import { systemClock } from "../../base/clock.ts";
import { NO_LIMITS } from "../../config/client_budgets.ts";
import { EventFeed } from "../../gateway/events/event_feed.ts";
import type { AnchorList, EventLog } from "../../gateway/events/event_ports.ts";
import type { GatewayService } from "../../gateway/gateway_service.ts";
import type { PeerEvidence } from "../../http/gateway/evidence_routes.ts";
import { connectionCounter, type LimitTables } from "../../http/limit_tables.ts";
import { FEED_LIMITS } from "../../http/events/event_bounds.ts";
import { RateLimits } from "../../http/rate_limits.ts";
import { type ListenerLoad, RequestMetrics } from "../../http/request_metrics.ts";
import { reportError } from "../../base/report.ts";
import type { TokenIssuers } from "../../gateway/tokens/token_issuers.ts";
import { admissionRules } from "./admission_rules.ts";
import type { ApiKeyFeed } from "./api_key_file.ts";
import { openPorts, type Operators, type Ports } from "./gateway_listeners.ts";
import { clientLimits, type GatewayRun } from "./gateway_run.ts";
import { eventSocketsAddress, operatorAddress } from "./operator_work.ts";
import { openTimestampAuthority } from "./timestamping_parts.ts";

/** The parts that differ between the modes. */
export interface ClientParts {
  readonly service: GatewayService & { readonly eventLog: EventLog };
  /** The limits of this process, which the threads of fronts share. */
  readonly tables: LimitTables;
  /** Other threads, or a standby that has not closed yet, listen on the same ports. */
  readonly sharesPorts: boolean;
  /** Absent if no event shows anchors. */
  readonly anchors?: AnchorList | undefined;
  /** Absent if there are no peers. */
  readonly evidence?: PeerEvidence | undefined;
  /** Absent if every new hash is accepted. */
  readonly issuers: TokenIssuers | undefined;
  /** Absent if clients need no API key. */
  readonly apiKeys: ApiKeyFeed | undefined;
  /** The operator listener; absent if there is none, or if another thread has it. */
  readonly operators?: ((load: ClientLoad) => Operators | undefined) | undefined;
}

/** The load that clients cause in one thread, for its metrics. */
export interface ClientLoad {
  readonly events: EventFeed;
  /** Absent without an operator listener in any thread. */
  readonly requests: RequestMetrics | undefined;
  /** By the name of the listener: `clients`, `operators` and `event_sockets`. */
  readonly listeners: ReadonlyMap<string, ListenerLoad>;
}

/** Clients that are answered. */
export interface ServedClients extends ClientLoad {
  readonly ports: Ports;
}

/** Opens the ports. The stack of `run` closes them. */
export async function serveClients(run: GatewayRun, parts: ClientParts): Promise<ServedClients> {
  const { damage, report, opened, operator } = run;
  const { service, tables, sharesPorts, evidence, apiKeys, issuers } = parts;
  const limits = openLimits(run, tables);
  const events = new EventFeed({
    log: service.eventLog,
    anchors: parts.anchors,
    clock: systemClock,
    report: (error) => damage.take(error) || reportError(report, error),
    limits: FEED_LIMITS,
    countConnection: connectionCounter(tables),
  });
  opened.defer(() => events.stop());
  const requests = operatorAddress(run) && new RequestMetrics();
  const listeners = new Map<string, ListenerLoad>();
  const load: ClientLoad = { events, requests, listeners };
  const ports = await openPorts(run, {
    service,
    events,
    limits,
    evidence,
    requests,
    tables,
    sharesPorts,
    apiKeys,
    admission: admissionRules(operator.admission, issuers, limits),
    timestamps: await openTimestampAuthority(run),
    eventSockets: eventSocketsAddress(run),
    operators: parts.operators?.(load),
  }, listeners);
  return { ...load, ports };
}

/** The rate limits of one thread in `tables`; `undefined` if nothing is limited. */
export function openLimits(run: GatewayRun, tables: LimitTables): RateLimits | undefined {
  const limits = clientLimits(run);
  return limits === NO_LIMITS ? undefined : new RateLimits(limits, systemClock, run.report, tables);
}
