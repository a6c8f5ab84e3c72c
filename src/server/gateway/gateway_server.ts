/**
 * Composes and runs a gateway in one thread. Without a configuration it creates a trial network of three
 * embedded witnesses in its data folder.
 *
 * @module
 */

import { aborted, systemClock } from "../../clock.ts";
import { NO_LIMITS } from "../../config/gateway_limits.ts";
import { hasCode } from "../../errors.ts";
import { EventFeed } from "../../gateway/events/event_feed.ts";
import { FEED_LIMITS } from "../../http/limits.ts";
import { RateLimits } from "../../http/rate_limits.ts";
import { type ListenerLoad, RequestMetrics } from "../../http/request_metrics.ts";
import { reportError } from "../../report.ts";
import { MetricsPage } from "../../telemetry/metrics_page.ts";
import { openAdmission } from "./admission_rules.ts";
import { followApiKeys } from "./api_key_file.ts";
import { bannerLines } from "./banner.ts";
import { openPorts } from "./gateway_listeners.ts";
import { clientLimits, type GatewayRun, openRun } from "./gateway_run.ts";
import type { CliIo } from "../io.ts";
import { GatewayMetrics } from "./operator_metrics.ts";
import {
  acceptedTokens,
  eventSocketsAddress,
  operatorAddress,
  operatorToken,
  operatorWork,
} from "./operator_work.ts";
import { HANDED_OVER_MS, type ServeOptions } from "../roles/role_options.ts";
import { type GatewayStores, openStores } from "./gateway_stores.ts";
import { presentRun } from "./present_epoch.ts";
import { runGateway } from "./running_gateway.ts";
import { reportStandingByAgain, standBy, type TakenOver } from "./standby.ts";

/** On stop, how long requests in flight may take. */
const STOP_GRACE_MS = 2_500;

/**
 * Serves until `signal` aborts or a fatal error. Closes all ports and data. Returns the exit code. On an
 * event `hand_over`, a gateway started with `standby` gives the lease up and becomes a standby.
 */
export async function serveGateway(
  options: ServeOptions,
  io: CliIo,
  signal: AbortSignal,
  orders = new EventTarget(),
): Promise<number> {
  while (true) {
    const code = await serveOnce(options, io, signal, orders);
    if (code !== undefined) return code;
    await systemClock.sleep(HANDED_OVER_MS, signal);
  }
}

/** As {@linkcode serveGateway}; `undefined` if this process shall stand by again. */
async function serveOnce(
  options: ServeOptions,
  io: CliIo,
  signal: AbortSignal,
  orders: EventTarget,
): Promise<number | undefined> {
  await using opened = new AsyncDisposableStack();
  const run = await openRun(options, io, opened, signal);
  const stores = await openStores(run);
  const standby = options.standby ? await standBy(run, stores) : undefined;
  if (options.standby && standby === undefined) return 0;
  opened.defer(() => standby?.stop());
  try {
    return await serveActive(run, { stores, standby, signal, orders });
  } catch (error) {
    if (!options.standby || signal.aborted || !hasCode(error, "storage_failed")) throw error;
    reportStandingByAgain(run, error);
    return undefined;
  }
}

interface Active {
  readonly stores: GatewayStores;
  /** How this process got the lease, if it stood by. */
  readonly standby: TakenOver | undefined;
  readonly signal: AbortSignal;
  readonly orders: EventTarget;
}

/** As {@linkcode serveOnce}, from when this process may take digests. */
async function serveActive(
  configured: GatewayRun,
  { stores, standby, signal, orders }: Active,
): Promise<number | undefined> {
  const fatal = new AbortController();
  // Again after a standby has taken over: the log may have reached another epoch.
  const present = await presentRun(configured, stores);
  const run = { ...present, options: { ...present.options, ...standby?.ports } };
  const { operator, paths, report, damage, opened, io } = run;
  const address = operatorAddress(run);
  const token = await operatorToken(run);
  const metrics = address && new GatewayMetrics("gateway", operator.network, opened);
  const requests = metrics && new RequestMetrics();
  const budgets = clientLimits(run);
  const limits = budgets === NO_LIMITS ? undefined : new RateLimits(budgets, systemClock, report);
  const admission = await openAdmission(run, limits);
  const apiKeys = await followApiKeys(run);
  const running = await runGateway(run, {
    stores,
    lease: standby?.lease,
    index: standby?.index,
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
  const issuers = admission?.mode === "token_required" ? admission.tokens?.issuers : undefined;
  const listeners = new Map<string, ListenerLoad>();
  const servingMetrics = () => {
    const page = new MetricsPage();
    requests?.addTo(page, listeners);
    return Promise.resolve([page.families]);
  };
  const ports = await openPorts(run, {
    service: gateway,
    events,
    limits,
    admission,
    apiKeys,
    requests,
    evidence: federation,
    eventSockets: eventSocketsAddress(run),
    operators: address && metrics && {
      address,
      token,
      accepted: acceptedTokens(anchoring.peers),
      work: operatorWork(run, running, { metrics, issuers, events, servingMetrics }),
    },
    sharesPorts: standby !== undefined,
  }, listeners);
  await standby?.stop();
  // One write, so that a reader of a pipe gets all lines at once.
  io.out(bannerLines(ports, operator, anchoring, paths.dataFolder).join("\n"));
  const handOver = new AbortController();
  const handedOver = () => handOver.abort();
  if (standby !== undefined) orders.addEventListener("hand_over", handedOver, { once: true });
  await aborted(AbortSignal.any([signal, fatal.signal, handOver.signal]));
  orders.removeEventListener("hand_over", handedOver);
  report(handOver.signal.aborted ? "Handing over the log" : "Stopping", { level: "info" });
  // Ends held answers first: the listeners wait for requests in flight.
  gateway.refuseNew();
  // A standby takes over while the ports close.
  if (stores.lease !== undefined) await running.stop();
  await ports.stop(STOP_GRACE_MS);
  if (fatal.signal.aborted) return 1;
  return handOver.signal.aborted && !signal.aborted ? undefined : 0;
}
