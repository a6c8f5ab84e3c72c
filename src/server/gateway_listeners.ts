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
import type { BatchLimits } from "../config/operator_network.ts";
import { loadToken } from "../config/bearer_tokens.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import type { TreeHeadIntake } from "../federation/tree_head_intake.ts";
import type { EventFeed } from "../gateway/events/event_feed.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { WitnessClocks } from "../gateway/signing/witness_clocks.ts";
import { COMMON_HEADERS } from "../http/answer.ts";
import { EventSocketListener } from "../http/events/event_socket_listener.ts";
import { loadPageFiles } from "../http/gateway/explorer_assets.ts";
import { gatewayApp } from "../http/gateway/gateway_app.ts";
import { type HttpListener, listen } from "../http/listen.ts";
import { operatorApp } from "../http/operator/operator_app.ts";
import { addPeerRoutes } from "../http/operator/peer_routes.ts";
import type { RateLimits } from "../http/rate_limits.ts";
import type { AdmissionRules } from "../http/gateway/request_admission.ts";
import type { RouterEnv } from "../http/router.ts";
import type { RequestHandler } from "../http/request_context.ts";
import { reportError } from "../report.ts";
import type { DiskWatch } from "./disk_watch.ts";
import type { OpenedAnchoring } from "./anchoring_parts.ts";
import type { GatewayRun } from "./gateway_run.ts";
import { GatewayMetrics } from "./operator_metrics.ts";
import { type ReadinessContext, readinessWarnings, unreadyReasons } from "./readiness_checks.ts";
import { requestObserver } from "./service_log.ts";
import { within } from "./background.ts";

/** The listener for operators and peers, and what it serves. */
export interface Operators {
  readonly address: ListenerAddress;
  readonly token: string | undefined;
  readonly metrics: GatewayMetrics;
}

/** The opened parts of a gateway. */
export interface ListenerParts {
  readonly gateway: Gateway;
  readonly clocks: WitnessClocks;
  readonly disk: DiskWatch;
  readonly anchoring: OpenedAnchoring;
  /** Absent if no peers' heads are accepted. */
  readonly federation: TreeHeadIntake | undefined;
  /** Absent without an operator listener; then there are no metrics. */
  readonly operators: Operators | undefined;
  readonly events: EventFeed;
  readonly batch: BatchLimits;
  /** Absent if nothing is limited. */
  readonly limits: RateLimits | undefined;
  /** Absent if every new hash is accepted. */
  readonly admission: AdmissionRules | undefined;
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

/** The configured operator listener, with its token; `undefined` if there is none. */
export async function openOperators(
  { operator: { operator, network }, options, io, log, opened }: GatewayRun,
): Promise<Operators | undefined> {
  const address = listenerAddress(operator, options.operatorPort);
  if (address === undefined) return undefined;
  const secrets = { env: (name: string) => io.env(name), report: log.report("anchoring") };
  const token = operator?.token && await loadToken(operator.token, secrets);
  return { address, token, metrics: new GatewayMetrics(network, opened) };
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

/** Opens the ports. */
export async function openPorts(run: GatewayRun, parts: ListenerParts): Promise<Ports> {
  const { options, crypto, opened, log, damage } = run;
  const { gateway, anchoring, federation, events, limits, admission, operators } = parts;
  requireOwnToken(operators?.token, anchoring.peers);
  const page = await loadPageFiles();
  const stopping = new AbortController();
  const requests = operators?.metrics.requests;
  const onRefused = requests && { refused: (code: ErrorCode) => requests.refused(code) };
  const report = log.report("http");
  const fault = (error: unknown, requestId: string) => {
    const details = { request_id: requestId };
    if (!damage.take(error, details)) reportError(report, error, details);
  };
  const listeners = new Map<string, Pick<HttpListener, "inFlight">>();
  // The operator port first: if it is taken, no client is answered.
  const operatorListener = operators && listen({
    hostname: operators.address.host,
    port: operators.address.port,
    handler: operatorHandler(run, parts, operators, {
      listeners,
      report: fault,
      signal: stopping.signal,
    }),
    report,
    ...onRefused,
  });
  opened.defer(() => operatorListener?.stop(0));
  if (operatorListener !== undefined) listeners.set("operators", operatorListener);
  const observer = requestObserver(log, requests);
  const address = listenerAddress(run.operator.eventSockets, options.eventSocketsPort);
  const eventSockets = address && new EventSocketListener({
    hostname: address.host,
    port: address.port,
    feed: events,
    ...(limits !== undefined && { limits }),
    ...(observer !== undefined && { observer }),
    report,
    fault,
  });
  opened.defer(() => eventSockets?.stop());
  if (eventSockets !== undefined) listeners.set("event_sockets", eventSockets);
  const clients = listen({
    hostname: options.host,
    port: options.port,
    handler: gatewayApp({
      service: gateway,
      verifier: crypto,
      page,
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

function operatorHandler(
  { log, damage }: GatewayRun,
  parts: ListenerParts,
  { token, metrics }: Operators,
  { listeners, report, signal }: {
    /** By name: `clients`, `operators` or `event_sockets`. */
    readonly listeners: ReadonlyMap<string, Pick<HttpListener, "inFlight">>;
    readonly report: (error: unknown, requestId: string) => void;
    /** Aborts when the gateway stops. */
    readonly signal: AbortSignal;
  },
): RequestHandler {
  const { gateway, clocks, disk, anchoring: { anchoring, peers }, events, federation } = parts;
  const { admission, batch, limits } = parts;
  const readiness: ReadinessContext = {
    ...{ gateway, clocks, disk, batchMaxAgeMs: batch.maxAgeMs, clock: systemClock },
    ...(anchoring !== undefined && { anchoring }),
    ...(admission?.mode === "token_required" && admission.tokens !== undefined &&
      { issuers: admission.tokens.issuers }),
  };
  const sources = {
    ...{ gateway, events, readiness, listeners, damage },
    ...(anchoring !== undefined && { anchoring }),
  };
  const observer = requestObserver(log, metrics.requests);
  return operatorApp({
    ...(token !== undefined && { token }),
    ...(limits !== undefined && { budget: limits.operator }),
    readiness: () => unreadyReasons(readiness),
    warnings: () => readinessWarnings(readiness),
    metrics: () => metrics.page(sources),
    ...(observer !== undefined && { observer }),
    ...(federation !== undefined && {
      addPeerRoutes: (app: Hono<RouterEnv>) =>
        addPeerRoutes(app, {
          networkId: gateway.network.id,
          accepted: peers.flatMap(({ network: { id: peer }, accept }) =>
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
