/**
 * Composes and runs a gateway in one thread. Without a configuration it creates a trial network of three
 * embedded witnesses in its data folder.
 *
 * @module
 */

import { systemClock } from "../clock.ts";
import { DEFAULT_CLIENT_LIMITS, NO_LIMITS } from "../config/gateway_limits.ts";
import { listenerAddress } from "../config/listeners.ts";
import { EventFeed } from "../gateway/events/event_feed.ts";
import type { HttpListener } from "../http/listen.ts";
import { FEED_LIMITS } from "../http/limits.ts";
import { RateLimits } from "../http/rate_limits.ts";
import { RequestMetrics } from "../http/request_metrics.ts";
import { reportError } from "../report.ts";
import { MetricsPage } from "../telemetry/metrics_page.ts";
import { openAdmission } from "./admission_rules.ts";
import { bannerLines } from "./banner.ts";
import { openPorts } from "./gateway_listeners.ts";
import { type GatewayRun, openRun } from "./gateway_run.ts";
import type { CliIo } from "./io.ts";
import { GatewayMetrics } from "./operator_metrics.ts";
import { operatorAddress, operatorToken, operatorWork } from "./operator_work.ts";
import type { ServeOptions } from "./role_options.ts";
import { runGateway } from "./running_gateway.ts";
import { aborted } from "./stop_signal.ts";

/** On stop, how long requests in flight may take. */
const STOP_GRACE_MS = 2_500;

/**
 * Serves until `signal` aborts or a fatal error. Closes all ports and data. Returns the exit code.
 */
export async function serveGateway(
  options: ServeOptions,
  io: CliIo,
  signal: AbortSignal,
): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const fatal = new AbortController();
  const run = await openRun(options, io, opened);
  const { operator, paths, report, damage } = run;
  const address = operatorAddress(run);
  const token = await operatorToken(run);
  const metrics = address && new GatewayMetrics("gateway", operator.network, opened);
  const requests = metrics && new RequestMetrics();
  const limits = rateLimits(run);
  const admission = await openAdmission(run, limits);
  const running = await runGateway(run, {
    observer: metrics?.pipeline,
    onFatal: () => fatal.abort(),
  });
  const { gateway, anchoring, federation } = running;
  const events = new EventFeed({
    log: gateway.eventLog,
    anchors: anchoring.anchorList,
    clock: systemClock,
    report: (error) => damage.take(error) || reportError(report, error),
    limits: FEED_LIMITS,
  });
  opened.defer(() => events.stop());
  const listeners = new Map<string, Pick<HttpListener, "inFlight">>();
  const servingMetrics = () => {
    const page = new MetricsPage();
    requests?.addTo(page, listeners);
    return Promise.resolve([page.families]);
  };
  const ports = await openPorts(run, {
    ...{ service: gateway, events, limits, admission, requests, evidence: federation },
    eventSockets: listenerAddress(operator.eventSockets, options.eventSocketsPort),
    operators: address && metrics && {
      ...{ address, token, peers: anchoring.peers },
      work: operatorWork(run, running, { metrics, admission, events, servingMetrics }),
    },
  }, listeners);
  // One write, so that a reader of a pipe gets all lines at once.
  io.out(bannerLines(ports, operator, anchoring, paths.dataFolder).join("\n"));
  await aborted(AbortSignal.any([signal, fatal.signal]));
  report("Stopping", { level: "info" });
  // Ends held answers first: the listeners wait for requests in flight.
  gateway.refuseNew();
  await ports.stop(STOP_GRACE_MS);
  return fatal.signal.aborted ? 1 : 0;
}

/** A trial network has no limits unless its file sets some. */
function rateLimits({ operator, paths, report }: GatewayRun): RateLimits | undefined {
  const limits = operator.limits ?? (paths.isTrial ? NO_LIMITS : DEFAULT_CLIENT_LIMITS);
  return limits === NO_LIMITS ? undefined : new RateLimits(limits, systemClock, report);
}
