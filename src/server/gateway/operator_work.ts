/**
 * The work behind the operator listener.
 *
 * @module
 */

import { systemClock } from "../../base/clock.ts";
import { loadToken } from "../../config/bearer_tokens.ts";
import type { LoadedPeer } from "../../config/federation_peers.ts";
import type { ListenerAddress } from "../../config/listeners.ts";
import { listenerAddress, socketsAddress } from "../../config/gateway_listeners.ts";
import type { EventFeed } from "../../gateway/events/event_feed.ts";
import type { AcceptedTokens } from "../../http/operator/peer_tokens.ts";
import type { TokenIssuers } from "../../gateway/tokens/token_issuers.ts";
import type { MetricFamily } from "../../http/metrics/prometheus_text.ts";
import type { CertificateWatch } from "./certificate_watch.ts";
import type { OperatorWork } from "./gateway_listeners.ts";
import type { GatewayRun } from "./gateway_run.ts";
import type { GatewayMetrics } from "./operator_metrics.ts";
import { type ReadinessContext, readinessWarnings, unreadyReasons } from "./readiness_checks.ts";
import type { RunningGateway } from "./running_gateway.ts";

/** The configured operator listener; `undefined` if there is none. */
export function operatorAddress(
  { operator: { operator }, options }: Pick<GatewayRun, "operator" | "options">,
): ListenerAddress | undefined {
  return listenerAddress(operator, options.operatorPort);
}

/** The configured listener for event sockets; `undefined` if there is none. */
export function eventSocketsAddress(
  { operator: { eventSockets }, options }: Pick<GatewayRun, "operator" | "options">,
): ListenerAddress | undefined {
  return socketsAddress(eventSockets, options);
}

/** The operator's token; `undefined` if none is configured. */
export async function operatorToken(
  { operator: { operator }, io, log }: GatewayRun,
): Promise<string | undefined> {
  const secrets = { env: (name: string) => io.env(name), report: log.report("anchoring") };
  return operator?.token && await loadToken(operator.token, secrets);
}

/** The tokens by which `peers` are authenticated. */
export function acceptedTokens(peers: readonly LoadedPeer[]): readonly AcceptedTokens[] {
  return peers.flatMap(({ network: { id: peer }, accept }) =>
    accept === undefined ? [] : [{ peer, ...accept }]
  );
}

/** The parts that the thread of the gateway adds to its own work. */
export interface AddedParts {
  readonly metrics: GatewayMetrics;
  /** Present if each new hash needs a token. */
  readonly issuers: TokenIssuers | undefined;
  /** Absent if fronts send the events. */
  readonly events: EventFeed | undefined;
  /** Absent if the gateway is no time-stamp authority. */
  readonly certificates: CertificateWatch | undefined;
  /** The metrics of what serves requests. */
  readonly servingMetrics: () => Promise<readonly (readonly MetricFamily[])[]>;
}

/** {@linkcode OperatorWork} of the gateway in this thread. */
export function operatorWork(
  { damage }: GatewayRun,
  running: RunningGateway,
  { metrics, issuers, events, certificates, servingMetrics }: AddedParts,
): OperatorWork {
  const { gateway, clocks, disk, anchoring: { anchoring }, federation, batch, lease } = running;
  const readiness: ReadinessContext = {
    gateway,
    clocks,
    disk,
    batchMaxAgeMs: batch.maxAgeMs,
    clock: systemClock,
    ...(anchoring !== undefined && { anchoring }),
    ...(issuers !== undefined && { issuers }),
    ...(certificates !== undefined && { certificates }),
  };
  return {
    federation,
    readiness: () => unreadyReasons(readiness),
    warnings: () => Promise.resolve(readinessWarnings(readiness)),
    async metrics() {
      const page = await metrics.page({
        gateway,
        anchoring,
        events,
        damage,
        readiness,
        lease,
        publishing: running.publishing?.(),
        certificateExpires: certificates?.expiresAt,
      });
      return page.text(await servingMetrics());
    },
  };
}
