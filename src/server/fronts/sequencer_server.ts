/**
 * Composes and runs the part of a gateway that writes, for fronts in other threads. It listens for operators and
 * peers; for clients only while it stands by.
 *
 * @module
 */

import { aborted, systemClock } from "../../clock.ts";
import { CountersignError, hasCode } from "../../errors.ts";
import { NO_LIMITS } from "../../config/gateway_limits.ts";
import { createSharedLimits, FrontTables } from "../../http/limit_tables.ts";
import { requireFreePort } from "../../http/listen.ts";
import { RateLimits } from "../../http/rate_limits.ts";
import { type ListenerLoad, RequestMetrics } from "../../http/request_metrics.ts";
import { MetricsPage } from "../../telemetry/metrics_page.ts";
import type { LinkMemory } from "../../transport/thread_link_ends.ts";
import { LinkedFronts } from "../../transport/thread_link_fronts.ts";
import { followIssuers } from "../gateway/admission_rules.ts";
import { followApiKeys } from "../gateway/api_key_file.ts";
import { bannerLines } from "../gateway/banner.ts";
import { CallPort } from "./call_port.ts";
import { ConnectedFronts } from "./connected_fronts.ts";
import { openOperatorPort, type OperatorPort } from "../gateway/gateway_listeners.ts";
import { clientLimits, type GatewayRun, openRun } from "../gateway/gateway_run.ts";
import type { CliIo } from "../io.ts";
import { GatewayMetrics } from "../gateway/operator_metrics.ts";
import {
  acceptedTokens,
  eventSocketsAddress,
  operatorAddress,
  operatorToken,
  operatorWork,
} from "../gateway/operator_work.ts";
import type { SequencerStart } from "../roles/role_messages.ts";
import { HANDED_OVER_MS } from "../roles/role_options.ts";
import { type GatewayStores, openStores } from "../gateway/gateway_stores.ts";
import { presentRun } from "../gateway/present_epoch.ts";
import { runGateway } from "../gateway/running_gateway.ts";
import { reportStandingByAgain, standBy, type TakenOver } from "../gateway/standby.ts";
import type {
  FrontParts,
  SequencerControl,
  SequencerStarted,
  SupervisorCalls,
} from "./thread_calls.ts";

/** On stop, how long requests of operators may take. */
const STOP_GRACE_MS = 1_000;

/** Runs until `signal` aborts. Returns the exit code. */
export async function serveSequencer(
  { options, control, fronts }: Omit<SequencerStart, "role">,
  io: CliIo,
  signal: AbortSignal,
): Promise<number> {
  let opened = new AsyncDisposableStack();
  const end = async () => {
    const ending = opened;
    opened = new AsyncDisposableStack();
    await ending.disposeAsync();
  };
  let running: Promise<RunningSequencer> | undefined;
  const failed = Promise.withResolvers<never>();
  const onFatal = () => {
    // The supervisor has ended if this rejects.
    supervisor.call("failed", undefined).catch(() => {});
  };
  const run = async (link: LinkMemory): Promise<RunningSequencer> => {
    while (true) {
      const configured = await openRun(options, io, opened, signal);
      const stores = await openStores(configured);
      const standby = options.standby ? await standBy(configured, stores) : undefined;
      if (options.standby && standby === undefined) {
        throw new CountersignError("shutting_down", "Stopped while another gateway is active");
      }
      opened.defer(() => standby?.stop());
      try {
        return await runSequencer(configured, { stores, standby, fronts, link, onFatal });
      } catch (error) {
        if (!options.standby || signal.aborted || !hasCode(error, "storage_failed")) throw error;
        reportStandingByAgain(configured, error);
      }
      await end();
      await systemClock.sleep(HANDED_OVER_MS, signal);
    }
  };
  const supervisor = new CallPort<SupervisorCalls>(
    control,
    {
      start: async (link) => {
        running = run(link);
        running.catch(failed.reject);
        // After a failure this thread ends, and answers nothing.
        return (await running.catch(() => new Promise<never>(() => {}))).started;
      },
      end,
      connect: async (front) => (await running!).connect(front),
      disconnect: async (name) => (await running!).disconnect(name),
      banner: async (urls) => await (await running!).banner(urls),
      refuseNew: async () => await (await running!).refuseNew(),
    } satisfies Asynchronous<SequencerControl>,
  );
  try {
    await Promise.race([aborted(signal), failed.promise]);
    return 0;
  } finally {
    await running?.catch(() => {});
    await end();
    supervisor.close();
  }
}

type Asynchronous<C> = {
  readonly [Name in keyof C]: C[Name] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

interface RunningSequencer extends Omit<SequencerControl, "start" | "end"> {
  readonly started: SequencerStarted;
}

async function runSequencer(
  configured: GatewayRun,
  { stores, standby, fronts: count, link, onFatal }: {
    readonly stores: GatewayStores;
    /** How this process got the lease, if it stood by. */
    readonly standby: TakenOver | undefined;
    readonly fronts: number;
    readonly link: LinkMemory;
    readonly onFatal: () => void;
  },
): Promise<RunningSequencer> {
  // Again after a standby has taken over: the log may have reached another epoch.
  const run = await presentRun(configured, stores);
  const { operator: { network, admission }, operator, networkText, paths } = run;
  const options = { ...run.options, ...standby?.ports };
  const { opened } = run;
  const address = operatorAddress({ operator, options });
  if (address !== undefined && standby === undefined) requireFreePort(address.host, address.port);
  const token = await operatorToken(run);
  const metrics = new GatewayMetrics("sequencer", network, opened);
  const requests = new RequestMetrics();
  const listeners = new Map<string, ListenerLoad>();
  // This thread has the last number.
  const budgets = clientLimits(run);
  const shared = createSharedLimits(budgets, count + 1);
  const tables = new FrontTables(shared, count);
  const limits = budgets === NO_LIMITS
    ? undefined
    : new RateLimits(budgets, systemClock, run.report, tables);
  const followed = await followIssuers(run);
  const apiKeys = await followApiKeys(run);
  const running = await runGateway(run, {
    stores,
    lease: standby?.lease,
    index: standby?.index,
    observer: address && metrics.pipeline,
    hasFronts: true,
    onFatal,
  });
  const { gateway, anchoring } = running;
  const linked = new LinkedFronts(gateway.sequencer, link);
  const fronts = new ConnectedFronts(
    linked,
    { directories: followed?.directories, apiKeys },
    opened,
  );
  opened.defer(() => linked.close());
  const work = operatorWork(run, running, {
    metrics,
    issuers: admission.mode === "token_required" ? followed?.issuers : undefined,
    async servingMetrics() {
      const page = new MetricsPage();
      requests.addTo(page, listeners);
      return [page.families, ...await fronts.metrics()];
    },
  });
  let operatorPort: OperatorPort | undefined;
  const parts = (): FrontParts => ({
    networkText,
    admission: {
      networkId: network.id,
      admission,
      directories: followed?.directories.current ?? [],
    },
    apiKeys: apiKeys?.start,
    anchors: anchoring.start,
  });
  return {
    started: {
      limits: shared,
      ports: standby?.ports,
      eventSockets: eventSocketsAddress(run),
    },
    connect(front) {
      fronts.add(front);
      return parts();
    },
    disconnect: (name) => fronts.remove(name),
    async banner(urls) {
      operatorPort = address && openOperatorPort(run, {
        address,
        token,
        accepted: acceptedTokens(anchoring.peers),
        work,
      }, {
        limits,
        requests,
        bodyBytes: tables.holdings("body_bytes"),
        sharesPorts: standby !== undefined,
      }, listeners);
      await standby?.stop();
      const opened = { ...urls, operatorUrl: operatorPort?.url };
      return bannerLines(opened, operator, anchoring, paths.dataFolder).join("\n");
    },
    async refuseNew() {
      gateway.refuseNew();
      // A standby takes over while the ports close.
      if (stores.lease !== undefined) await running.stop();
      await operatorPort?.stop(STOP_GRACE_MS);
    },
  };
}
