/**
 * The ports of a running gateway: that of clients, that of event sockets, and that of operators and
 * peers.
 *
 * @module
 */

import type { Hono } from "hono";
import { systemClock } from "../clock.ts";
import type { LoadedPeer } from "../config/federation_peers.ts";
import { type ListenerAddress, listenerAddress } from "../config/listeners.ts";
import type { BatchLimits, OperatorNetwork } from "../config/operator_network.ts";
import { loadToken, type SecretReading } from "../config/bearer_tokens.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import type { TreeHeadIntake } from "../federation/tree_head_intake.ts";
import type { EventFeed } from "../gateway/events/event_feed.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { WitnessClocks } from "../gateway/signing/witness_clocks.ts";
import { AccessLog } from "../http/access_log.ts";
import { COMMON_HEADERS } from "../http/answer.ts";
import { EventSocketListener } from "../http/events/event_socket_listener.ts";
import type { PageFiles } from "../http/gateway/explorer_assets.ts";
import { gatewayApp } from "../http/gateway/gateway_app.ts";
import { type HttpListener, listen } from "../http/listen.ts";
import { operatorApp } from "../http/operator/operator_app.ts";
import { addPeerRoutes } from "../http/operator/peer_routes.ts";
import type { RateLimits } from "../http/rate_limits.ts";
import type { AdmissionRules } from "../http/gateway/request_admission.ts";
import type { RouterEnv } from "../http/router.ts";
import { combineObservers, type RequestHandler } from "../http/request_context.ts";
import type { Log } from "../telemetry/log.ts";
import type { DamageLog } from "../telemetry/damage_log.ts";
import { reportError } from "../telemetry/log_error.ts";
import { isTracing, routeSpans } from "../telemetry/tracing.ts";
import type { CryptoSuite } from "../crypto/crypto_suite.ts";
import type { DiskWatch } from "./disk_watch.ts";
import type { GatewayMetrics } from "./operator_metrics.ts";
import type { LogAnchoring } from "./log_anchoring.ts";
import { type ReadinessContext, readinessWarnings, unreadyReasons } from "./readiness_checks.ts";
import { within } from "./within.ts";

/** The listener for operators and peers, and the token of operators. */
export interface OperatorAccess extends ListenerAddress {
  readonly token?: string;
}

export interface Operators {
  readonly access: OperatorAccess;
  readonly metrics: GatewayMetrics;
}

export interface PortsContext {
  readonly options: ListenerAddress;
  /** The separate listener for event WebSockets, if any. */
  readonly eventSockets: ListenerAddress | undefined;
  readonly gateway: Gateway;
  readonly clocks: WitnessClocks;
  readonly disk: DiskWatch;
  readonly peers: readonly LoadedPeer[];
  readonly anchoring?: LogAnchoring;
  /** Absent if no peers' heads are accepted. */
  readonly federation: TreeHeadIntake | undefined;
  /** Absent without an operator listener; then there are no metrics. */
  readonly operators: Operators | undefined;
  readonly events: EventFeed;
  readonly batch: BatchLimits;
  readonly page: PageFiles;
  /** Absent if nothing is limited. */
  readonly limits: RateLimits | undefined;
  /** Absent if every new hash is accepted. */
  readonly admission: AdmissionRules | undefined;
  readonly crypto: CryptoSuite;
  readonly damage: DamageLog;
  readonly log: Log;
}

export interface Ports {
  readonly url: string;
  /** Absent without an operator listener. */
  readonly operatorUrl: string | undefined;
  /** Absent without a listener for event sockets. */
  readonly eventSocketsUrl: string | undefined;
  /** Ends event streams, then stops all listeners; each may take `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** The configured operator listener, with `port` if given, and its token. */
export async function operatorAccess(
  { operator }: OperatorNetwork,
  port: number | undefined,
  secrets: SecretReading,
): Promise<OperatorAccess | undefined> {
  const address = listenerAddress(operator, port);
  const token = operator?.token;
  return address && {
    ...address,
    ...(token !== undefined && { token: await loadToken(token, secrets) }),
  };
}

/** Requires that no peer has the operator's token, which gives access to metrics. */
function requireOwnToken(token: string | undefined, peers: readonly LoadedPeer[]): void {
  const shared = peers.find(({ accept }) =>
    token !== undefined && (accept?.token === token || accept?.previous?.token === token)
  );
  if (shared === undefined) return;
  throw new CountersignError(
    "invalid_configuration",
    `Cannot open operator listener: its token is also the token of peer ${shared.network.id}`,
  );
}

/** Opens the ports. The stack closes those that were not stopped. */
export function openPorts(context: PortsContext, opened: AsyncDisposableStack): Ports {
  const { options: { host: hostname, port }, gateway, crypto, federation } = context;
  const { events, limits, admission, operators } = context;
  requireOwnToken(operators?.access.token, context.peers);
  const stopping = new AbortController();
  const requests = operators?.metrics.requests;
  const onRefused = requests && { refused: (code: ErrorCode) => requests.refused(code) };
  const report = context.log.report("http");
  const fault = (error: unknown, requestId: string) => {
    const details = { request_id: requestId };
    if (!context.damage.take(error, details)) reportError(report, error, details);
  };
  const listeners = new Map<string, Pick<HttpListener, "inFlight">>();
  // The operator port first: if it is taken, no client is answered.
  const operatorListener = operators && listen({
    hostname: operators.access.host,
    port: operators.access.port,
    handler: operatorHandler(context, operators, {
      listeners,
      report: fault,
      signal: stopping.signal,
    }),
    report,
    ...onRefused,
  });
  opened.defer(() => operatorListener?.stop(0));
  if (operatorListener !== undefined) listeners.set("operators", operatorListener);
  const observer = combineObservers(
    requests,
    accessLog(context),
    isTracing() ? routeSpans : undefined,
  );
  const eventSockets = context.eventSockets && new EventSocketListener({
    hostname: context.eventSockets.host,
    port: context.eventSockets.port,
    feed: events,
    ...(limits !== undefined && { limits }),
    ...(observer !== undefined && { observer }),
    report,
    fault,
  });
  opened.defer(() => eventSockets?.stop());
  if (eventSockets !== undefined) listeners.set("event_sockets", eventSockets);
  const clients = listen({
    hostname,
    port,
    handler: gatewayApp({
      service: gateway,
      verifier: crypto,
      page: context.page,
      events,
      ...(eventSockets !== undefined && { eventSocketsPort: eventSockets.address.port }),
      ...(federation !== undefined && { evidence: federation }),
      ...(limits !== undefined && { limits }),
      ...(admission !== undefined && { admission }),
      ...(observer !== undefined && { observer }),
      report: fault,
    }),
    report,
    refusalHeaders: COMMON_HEADERS,
    ...onRefused,
  });
  opened.defer(() => clients.stop(0));
  listeners.set("clients", clients);
  return {
    url: clients.url,
    operatorUrl: operatorListener?.url,
    eventSocketsUrl: eventSockets?.url,
    async stop(graceMs) {
      // Ends peers' requests that wait for witnesses; peers retry.
      stopping.abort();
      // Streams end first: the listener waits for them.
      await within(graceMs, events.close());
      eventSockets?.stop();
      await Promise.all([clients.stop(graceMs), operatorListener?.stop(graceMs)]);
    },
  };
}

/** Logs each answer if the log is verbose. */
function accessLog({ log }: PortsContext): AccessLog | undefined {
  return log.isVerbose ? new AccessLog(log.report("http")) : undefined;
}

function operatorHandler(
  context: PortsContext,
  { access: { token }, metrics }: Operators,
  { listeners, report, signal }: {
    /** By name: `clients`, `operators` or `event_sockets`. */
    readonly listeners: ReadonlyMap<string, Pick<HttpListener, "inFlight">>;
    readonly report: (error: unknown, requestId: string) => void;
    /** Aborts when the gateway stops. */
    readonly signal: AbortSignal;
  },
): RequestHandler {
  const { gateway, clocks, disk, anchoring, events, federation } = context;
  const { batch: { maxAgeMs: batchMaxAgeMs } } = context;
  const { admission } = context;
  const readiness: ReadinessContext = {
    gateway,
    clocks,
    ...(anchoring !== undefined && { anchoring }),
    ...(admission?.mode === "token_required" && admission.tokens !== undefined &&
      { issuers: admission.tokens.issuers }),
    batchMaxAgeMs,
    disk,
    clock: systemClock,
  };
  const sources = {
    ...{ gateway, events, readiness, listeners, damage: context.damage },
    ...(anchoring !== undefined && { anchoring }),
  };
  const observer = combineObservers(
    metrics.requests,
    accessLog(context),
    isTracing() ? routeSpans : undefined,
  );
  return operatorApp({
    ...(token !== undefined && { token }),
    ...(context.limits !== undefined && { budget: context.limits.operator }),
    readiness: () => unreadyReasons(readiness),
    warnings: () => readinessWarnings(readiness),
    metrics: () => metrics.page(sources),
    ...(observer !== undefined && { observer }),
    ...(federation !== undefined && {
      addPeerRoutes: (app: Hono<RouterEnv>) =>
        addPeerRoutes(app, {
          networkId: gateway.network.id,
          accepted: context.peers.flatMap(({ network: { id: peer }, accept }) =>
            accept === undefined ? [] : [{ peer, ...accept }]
          ),
          intake: federation,
          clock: systemClock,
          signal,
        }),
    }),
    report,
  });
}
