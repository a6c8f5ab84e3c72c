/**
 * The operator listener of a front on another machine.
 *
 * @module
 */

import type { EventFeed } from "../../gateway/events/event_feed.ts";
import type { Front } from "../../gateway/fronts/front.ts";
import type { UnreadyReason } from "../../http/operator/readiness.ts";
import type { RequestMetrics } from "../../http/request_metrics.ts";
import type { DamageLog } from "../../telemetry/damage_log.ts";
import { addFrontLink } from "../../telemetry/remote_front_metrics.ts";
import { MetricsPage } from "../../telemetry/metrics_page.ts";
import type { SocketLink } from "../../transport/socket_link.ts";
import type { OperatorWork } from "../gateway/gateway_listeners.ts";
import type { FrontMetrics, Listeners } from "../gateway/operator_metrics.ts";

export interface RemoteFrontParts {
  readonly name: string;
  readonly metrics: FrontMetrics;
  readonly requests: RequestMetrics | undefined;
  readonly listeners: Listeners;
  readonly events: EventFeed;
  readonly damage: DamageLog;
  readonly front: Front;
  readonly link: SocketLink;
}

export function remoteFrontWork(
  { name, metrics, requests, listeners, events, damage, front, link }: RemoteFrontParts,
): OperatorWork {
  return {
    federation: undefined,
    readiness: () => Promise.resolve(reasonsOf(front, link)),
    warnings: () => Promise.resolve([]),
    metrics() {
      const page = new MetricsPage();
      addFrontLink(page, { front: name, isLinked: link.isLinked, open: link.open });
      const { waiters } = front;
      return page.text(
        requests && [metrics.families({ waiters, events, damage, requests, listeners })],
      );
    },
  };
}

/** A front is ready if its gateway takes digests. */
function reasonsOf(front: Front, link: SocketLink): UnreadyReason[] {
  const { health } = front.status;
  if (!link.isLinked || health === "standby") {
    return [{ code: "standby", detail: "Not ready: this front has no link to an active gateway" }];
  }
  if (health === "ok" || health === "log_ended") return [];
  return [{ code: health, detail: `Not ready: the health of the gateway is ${health}` }];
}
