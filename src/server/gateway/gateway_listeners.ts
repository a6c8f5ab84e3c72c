/**
 * The ports of a running gateway: that of clients, that of event sockets, and that of operators and
 * peers.
 *
 * @module
 */

import type { Hono } from "hono";
import { systemClock } from "../../base/clock.ts";
import type { ListenerAddress } from "../../config/listeners.ts";
import { CountersignError, type ErrorCode } from "../../base/errors.ts";
import type { TreeHeadIntake } from "../../gateway/federation/tree_head_intake.ts";
import type { EventFeed } from "../../gateway/events/event_feed.ts";
import type { TimestampAuthority } from "../../gateway/timestamping/timestamp_authority.ts";
import type { GatewayService } from "../../gateway/gateway_service.ts";
import type { AcceptedTokens } from "../../http/operator/peer_tokens.ts";
import { COMMON_HEADERS } from "../../http/answer.ts";
import { EventSocketListener } from "../../http/events/event_socket_listener.ts";
import type { PeerEvidence } from "../../http/gateway/evidence_routes.ts";
import { loadPageFiles } from "../../http/gateway/explorer_assets.ts";
import { gatewayApp } from "../../http/gateway/gateway_app.ts";
import { type LimitTables } from "../../http/limit_tables.ts";
import { listen } from "../../http/listen.ts";
import { operatorApp, type OperatorAppOptions } from "../../http/operator/operator_app.ts";
import { addPeerRoutes } from "../../http/operator/peer_routes.ts";
import type { RateLimits } from "../../http/rate_limits.ts";
import type { ListenerLoad, RequestMetrics } from "../../http/request_metrics.ts";
import type { AdmissionRules } from "../../http/gateway/request_admission.ts";
import { acceptKeys, type ApiKeyFeed } from "./api_key_file.ts";
import type { RouterEnv } from "../../http/router.ts";
import type { RequestHandler } from "../../http/request_context.ts";
import type { FaultReport } from "../../http/problem.ts";
import type { ClientHoldings } from "../../http/limits/holdings.ts";
import { type Report, reportError } from "../../base/report.ts";
import type { DamageLog } from "../../http/metrics/damage_log.ts";
import type { GatewayRun } from "./gateway_run.ts";
import { requestObserver } from "../service_log.ts";
import { within } from "../background.ts";

/** The work behind the operator listener. */
export interface OperatorWork
  extends Required<Pick<OperatorAppOptions, "readiness" | "warnings" | "metrics">> {
  /** Absent if no peers' heads are accepted. */
  readonly federation: Pick<TreeHeadIntake, "take"> | undefined;
}

/** The listener for operators and peers, and what it serves. */
export interface Operators {
  readonly address: ListenerAddress;
  readonly token: string | undefined;
  /** The tokens of peers. */
  readonly accepted: readonly AcceptedTokens[];
  readonly work: OperatorWork;
}

/** The opened parts of a gateway that its listeners serve. */
export interface ListenerParts {
  readonly service: GatewayService;
  /** Absent without an operator listener, or if another thread has it. */
  readonly operators: Operators | undefined;
  /** Absent without a listener for event sockets. */
  readonly eventSockets: ListenerAddress | undefined;
  /** Absent without metrics. */
  readonly requests: RequestMetrics | undefined;
  readonly events: EventFeed;
  /** Absent if there are no peers. */
  readonly evidence: PeerEvidence | undefined;
  /** Absent if nothing is limited. */
  readonly limits: RateLimits | undefined;
  /** Absent if every new hash is accepted. */
  readonly admission: AdmissionRules | undefined;
  /** Absent if the gateway is no time-stamp authority. */
  readonly timestamps: TimestampAuthority | undefined;
  /** Absent if clients need no API key. */
  readonly apiKeys: ApiKeyFeed | undefined;
  /** Other threads listen on the same ports. */
  readonly sharesPorts: boolean;
  readonly tables: LimitTables;
}

/** The URLs of the open ports. */
export interface PortUrls {
  readonly url: string;
  /** Absent without an operator listener. */
  readonly operatorUrl: string | undefined;
  /** Absent without a listener for event sockets. */
  readonly eventSocketsUrl: string | undefined;
}

export interface Ports extends PortUrls {
  /** Ends event streams, then stops all listeners; each may take `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /** The same, but other listeners on these ports get all new connections from the start. */
  handOver(graceMs: number): Promise<void>;
}

/** Requires that no peer has the operator's token, which gives access to metrics. */
function requireOwnToken({ token, accepted }: Operators): void {
  const shared = accepted.find((peer) =>
    token !== undefined && (peer.token === token || peer.previous?.token === token)
  );
  if (shared === undefined) return;
  throw new CountersignError(
    "invalid_configuration",
    `Cannot open operator listener: its token is also the token of peer ${shared.peer}`,
  );
}

/** Opens the ports, and adds the listeners to `listeners` by name. */
export async function openPorts(
  run: GatewayRun,
  parts: ListenerParts,
  listeners: Map<string, ListenerLoad>,
): Promise<Ports> {
  const { options, crypto, opened, log, damage } = run;
  const { service, events, evidence, limits, admission, timestamps, operators, requests } = parts;
  const { sharesPorts: sharesPort, tables, eventSockets: address } = parts;
  // One bound for both listeners.
  const bodyBytes = tables.holdings("body_bytes");
  const page = await loadPageFiles();
  const apiKeys = acceptKeys(run, parts.apiKeys, (path) => page.has(path));
  const onRefused = refusalsOf(requests);
  const report = log.report("http");
  const fault = faultReport(report, damage);
  // The operator port first: if it is taken, no client is answered.
  const operatorPort = operators &&
    openOperatorPort(run, operators, { ...parts, bodyBytes }, listeners);
  const observer = requestObserver(log, requests);
  const eventSockets = address && new EventSocketListener({
    hostname: address.host,
    port: address.port,
    feed: events,
    limits,
    apiKeys,
    observer,
    report,
    fault,
    sharesPort,
  });
  opened.defer(() => eventSockets?.stop());
  if (eventSockets !== undefined) listeners.set("event_sockets", eventSockets);
  const clients = listen({
    hostname: options.host,
    port: options.port,
    handler: gatewayApp({
      service,
      verifier: crypto,
      page,
      events,
      eventSocketsUrl: eventSockets?.url,
      evidence,
      limits,
      admission,
      timestamps,
      apiKeys,
      observer,
      bulkAnswerBytes: tables.holdings("bulk_answer_bytes"),
      report: fault,
    }),
    refusalHeaders: COMMON_HEADERS,
    requests: tables.holdings("requests"),
    bodyBytes,
    report,
    sharesPort,
    ...onRefused,
  });
  opened.defer(() => clients.stop(0));
  listeners.set("clients", clients);
  return {
    url: clients.url,
    operatorUrl: operatorPort?.url,
    eventSocketsUrl: eventSockets?.url,
    async stop(graceMs) {
      const stopped = operatorPort?.stop(graceMs);
      // Streams end first: the listener waits for them.
      await within(graceMs, events.close());
      eventSockets?.stop();
      await Promise.all([clients.stop(graceMs), stopped]);
    },
    async handOver(graceMs) {
      // First, so that clients whose streams end connect to the other listeners.
      eventSockets?.closePort();
      const left = Promise.all([clients.handOver(graceMs), operatorPort?.handOver(graceMs)]);
      await within(graceMs, events.close());
      eventSockets?.stop();
      await left;
    },
  };
}

/** The open port of operators and peers. */
export interface OperatorPort {
  readonly url: string;
  stop(graceMs: number): Promise<void>;
  /** As of `Ports`. */
  handOver(graceMs: number): Promise<void>;
}

/** Opens the listener for operators and peers, and adds it to `listeners`. */
export function openOperatorPort(
  run: GatewayRun,
  operators: Operators,
  { limits, requests, bodyBytes, sharesPorts: sharesPort }:
    & Pick<ListenerParts, "limits" | "requests" | "sharesPorts">
    & { readonly bodyBytes: ClientHoldings },
  listeners: Map<string, ListenerLoad>,
): OperatorPort {
  requireOwnToken(operators);
  const { opened, log, damage } = run;
  const stopping = new AbortController();
  const report = log.report("http");
  const listener = listen({
    hostname: operators.address.host,
    port: operators.address.port,
    handler: operatorHandler(run, { limits, requests }, operators, {
      report: faultReport(report, damage),
      signal: stopping.signal,
    }),
    bodyBytes,
    report,
    sharesPort,
    ...refusalsOf(requests),
  });
  opened.defer(() => listener.stop(0));
  listeners.set("operators", listener);
  return {
    url: listener.url,
    async stop(graceMs) {
      // Ends peers' requests that wait for witnesses; peers retry.
      stopping.abort();
      await listener.stop(graceMs);
    },
    async handOver(graceMs) {
      stopping.abort();
      await listener.handOver(graceMs);
    },
  };
}

function faultReport(report: Report, damage: DamageLog): FaultReport {
  return (error, requestId) => {
    const details = { request_id: requestId };
    if (!damage.take(error, details)) reportError(report, error, details);
  };
}

function refusalsOf(requests: RequestMetrics | undefined) {
  return requests && { refused: (code: ErrorCode) => requests.refused(code) };
}

function operatorHandler(
  { log, operator: { network } }: GatewayRun,
  { limits, requests }: Pick<ListenerParts, "limits" | "requests">,
  { token, accepted, work }: Operators,
  { report, signal }: {
    readonly report: FaultReport;
    /** Aborts when the gateway stops. */
    readonly signal: AbortSignal;
  },
): RequestHandler {
  const observer = requestObserver(log, requests);
  const { federation, readiness, warnings, metrics } = work;
  return operatorApp({
    token,
    budget: limits?.operator,
    readiness,
    warnings,
    metrics,
    report,
    observer,
    ...(federation !== undefined && {
      addPeerRoutes: (app: Hono<RouterEnv>) =>
        addPeerRoutes(app, {
          networkId: network.id,
          accepted,
          intake: federation,
          clock: systemClock,
          signal,
        }),
    }),
  });
}
