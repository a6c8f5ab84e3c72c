/**
 * The gateway that takes the digests of a log, in the only thread of its process or in the thread beside
 * its fronts. A standby waits here until the lease of the other gateway ends.
 *
 * @module
 */

import { systemClock } from "../../base/clock.ts";
import { hasCode } from "../../base/errors.ts";
import type { EventFeed } from "../../gateway/events/event_feed.ts";
import { TSA_PATH } from "../../http/gateway/timestamp_routes.ts";
import { requireFreePort } from "../../http/listen.ts";
import type { MetricFamily } from "../../http/metrics/prometheus_text.ts";
import type { CliIo } from "../io.ts";
import { HANDED_OVER_MS, type ServeOptions } from "../roles/role_options.ts";
import { type FollowedIssuers, followIssuers } from "./admission_rules.ts";
import { type ApiKeyFeed, followApiKeys } from "./api_key_file.ts";
import type { Operators, PortUrls } from "./gateway_listeners.ts";
import { type GatewayRun, openRun } from "./gateway_run.ts";
import { type GatewayStores, openStores } from "./gateway_stores.ts";
import { GatewayMetrics } from "./operator_metrics.ts";
import { acceptedTokens, operatorAddress, operatorToken, operatorWork } from "./operator_work.ts";
import { presentRun } from "./present_epoch.ts";
import { runGateway, type RunningGateway } from "./running_gateway.ts";
import { reportStandingByAgain, standBy, type TakenOver } from "./standby.ts";
import type { OperatorNetwork } from "../../config/operator_network.ts";
import { watchCertificates } from "./timestamping_parts.ts";
import type { AcceptedMark } from "../../storage/store_meta.ts";
import { addressText } from "../../storage/postgres/postgres_address.ts";
import type { OpenedAnchoring } from "./anchoring_parts.ts";

export interface ActiveOptions {
  /** The name of this thread in metrics. Fronts read the store of a `sequencer`. */
  readonly thread: "gateway" | "sequencer";
  /** One for all calls of this process. */
  readonly accepted: AcceptedMark;
  /** Called after a fault that ends the gateway. */
  readonly onFatal: () => void;
}

/** A gateway that takes digests; nothing answers clients yet. Disposing closes all that `run` has opened. */
export interface ActiveGateway extends AsyncDisposable {
  /** With the ports of the standby that it was, and the configuration of the present epoch. */
  readonly run: GatewayRun;
  readonly running: RunningGateway;
  /** Absent if every new hash is accepted. */
  readonly followed: FollowedIssuers | undefined;
  /** Absent if clients need no API key. */
  readonly apiKeys: ApiKeyFeed | undefined;
  /** How this process got the lease, if it stood by. */
  readonly standby: TakenOver | undefined;
  /**
   * The operator listener; `undefined` if none is configured. `events` is absent if fronts send them;
   * `serving` has the metrics of what serves requests.
   */
  operators(
    serving: () => Promise<readonly (readonly MetricFamily[])[]>,
    events?: EventFeed,
  ): Operators | undefined;
  /** The lines to print once the ports are open, which a second start in the data folder names. */
  banner(urls: PortUrls): string;
  /** Accepts nothing more, ends held answers, and gives a lease back, so that a standby takes over at once. */
  refuseNew(): Promise<void>;
}

/**
 * Starts the gateway; with the option `standby`, once this process holds the lease. A standby that cannot
 * start stands by again. `undefined` if `signal` aborts while it stands by.
 */
export async function openActive(
  options: ServeOptions,
  io: CliIo,
  signal: AbortSignal,
  active: ActiveOptions,
): Promise<ActiveGateway | undefined> {
  while (true) {
    const opened = new AsyncDisposableStack();
    let takingOver: GatewayRun | undefined;
    try {
      const run = await openRun(options, io, opened, signal);
      const stores = await openStores(run, active.accepted);
      const standby = options.standby ? await standBy(run, stores) : undefined;
      if (options.standby && standby === undefined) {
        await opened.disposeAsync();
        return undefined;
      }
      opened.defer(() => standby?.handOver());
      if (standby !== undefined) takingOver = run;
      return await startActive(run, stores, standby, active);
    } catch (error) {
      await opened.disposeAsync();
      if (takingOver === undefined || signal.aborted || !hasCode(error, "storage_failed")) {
        throw error;
      }
      reportStandingByAgain(takingOver, error);
    }
    await systemClock.sleep(HANDED_OVER_MS, signal);
  }
}

async function startActive(
  configured: GatewayRun,
  stores: GatewayStores,
  standby: TakenOver | undefined,
  { thread, onFatal }: ActiveOptions,
): Promise<ActiveGateway> {
  // Again after a standby has taken over: the log may have reached another epoch.
  const present = await presentRun(configured, stores);
  const run = { ...present, options: { ...present.options, ...standby?.ports } };
  const { operator, paths, opened } = run;
  const address = operatorAddress(run);
  const token = await operatorToken(run);
  const metrics = address && new GatewayMetrics(thread, operator.network, opened);
  const followed = await followIssuers(run);
  const apiKeys = await followApiKeys(run);
  const certificates = await watchCertificates(run);
  const running = await runGateway(run, {
    stores,
    lease: standby?.lease,
    index: standby?.index,
    observer: metrics?.pipeline,
    hasFronts: thread === "sequencer",
    onFatal,
  });
  // Before any client is answered: a sequencer opens this port after the ports of its fronts.
  if (address !== undefined && standby === undefined) requireFreePort(address.host, address.port);
  const { gateway, anchoring } = running;
  const issuers = operator.admission.mode === "token_required" ? followed?.issuers : undefined;
  return {
    run,
    running,
    followed,
    apiKeys,
    standby,
    operators: (serving, events) =>
      address && metrics && {
        address,
        token,
        accepted: acceptedTokens(anchoring.peers),
        work: operatorWork(run, running, {
          metrics,
          issuers,
          events,
          certificates,
          servingMetrics: serving,
        }),
      },
    banner(urls) {
      run.lock?.name(`the gateway on ${urls.url}`);
      return bannerLines(urls, operator, anchoring, paths.dataFolder).join("\n");
    },
    async refuseNew() {
      gateway.refuseNew();
      if (stores.lease !== undefined) await running.stop();
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** The first line has the clients' URL. */
function bannerLines(
  { url, operatorUrl, eventSocketsUrl }: PortUrls,
  operator: OperatorNetwork,
  { peers }: OpenedAnchoring,
  dataFolder: string,
): string[] {
  const { network, witnesses, anchors, beacon, store, timestamping } = operator;
  return [
    `Countersign gateway of ${network.id} on ${url}`,
    `  witnesses: ${witnesses.length}, threshold ${network.threshold}, ${network.signature_scheme}`,
    `  data:      ${dataFolder}`,
    ...(store === undefined ? [] : [`  store:     ${addressText(store)}`]),
    `  explorer:  ${new URL("/", url)}`,
    ...(timestamping === undefined ? [] : [`  tsa:       ${new URL(TSA_PATH, url)}`]),
    ...(eventSocketsUrl === undefined ? [] : [`  sockets:   ${eventSocketsUrl}`]),
    ...(operatorUrl === undefined ? [] : [`  operators: ${operatorUrl}`]),
    ...(network.federation.peer_networks.length === 0
      ? []
      : [`  peers:     ${peersText(operator)}`]),
    ...(anchors.length === 0
      ? []
      : [`  anchors:   ${anchors.map(({ name, mode }) => `${name} (${mode})`).join(", ")}`]),
    ...(beacon === undefined
      ? []
      : [`  beacon:    drand quicknet, at most ${beacon.maxAgeSeconds} s old`]),
    ...(witnesses.some(({ kind }) => kind === "embedded")
      ? ["  Embedded witnesses are for trials: they run on this machine and add no trust."]
      : []),
    ...(operatorUrl === undefined && peers.some(({ accept }) => accept !== undefined)
      ? [
        "  Peers cannot reach this gateway: configure an operator listener (member operator).",
      ]
      : []),
  ];
}

function peersText({ network, federation }: OperatorNetwork): string {
  const { enabled, cross_anchor_threshold: required } = network.federation;
  const names = federation.peers.map(({ id, configFile, federationUrl }) =>
    federationUrl !== undefined
      ? id
      : `${id} (${configFile === undefined ? "named" : "not contacted"})`
  );
  const policy = enabled ? `${required} required of a proof` : "federation is off";
  return `${names.join(", ")}; ${policy}`;
}
