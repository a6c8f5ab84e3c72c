/**
 * Composes and runs the part of a gateway that writes, for fronts in other threads. It listens for operators and
 * peers; for clients only while it stands by.
 *
 * @module
 */

import { aborted } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import { createSharedLimits, FrontTables } from "../../http/limit_tables.ts";
import { type ListenerLoad, RequestMetrics } from "../../http/request_metrics.ts";
import { MetricsPage } from "../../http/metrics/metrics_page.ts";
import type { LinkMemory } from "../../gateway/link/thread_link_ends.ts";
import { LinkedFronts } from "../../gateway/link/thread_link_fronts.ts";
import { type ActiveGateway, openActive } from "../gateway/active_gateway.ts";
import { openLimits } from "../gateway/client_server.ts";
import { openOperatorPort, type OperatorPort } from "../gateway/gateway_listeners.ts";
import { clientLimits } from "../gateway/gateway_run.ts";
import { eventSocketsAddress } from "../gateway/operator_work.ts";
import type { CliIo } from "../io.ts";
import type { SequencerStart } from "../roles/role_messages.ts";
import { CallPort } from "./call_port.ts";
import { ConnectedFronts } from "./connected_fronts.ts";
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
  let running: Promise<RunningSequencer> | undefined;
  const failed = Promise.withResolvers<never>();
  const onFatal = () => {
    // The supervisor has ended if this rejects.
    supervisor.call("failed", undefined).catch(() => {});
  };
  const end = async () => {
    const ending = await running?.catch(() => {});
    running = undefined;
    await ending?.[Symbol.asyncDispose]();
  };
  const run = async (link: LinkMemory): Promise<RunningSequencer> => {
    const active = await openActive(options, io, signal, { thread: "sequencer", onFatal });
    if (active === undefined) {
      throw new CountersignError("shutting_down", "Stopped while another gateway is active");
    }
    return runSequencer(active, fronts, link);
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
    await end();
    supervisor.close();
  }
}

type Asynchronous<C> = {
  readonly [Name in keyof C]: C[Name] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

interface RunningSequencer extends Omit<SequencerControl, "start" | "end">, AsyncDisposable {
  readonly started: SequencerStarted;
}

function runSequencer(active: ActiveGateway, count: number, link: LinkMemory): RunningSequencer {
  const { run, running: { gateway, anchoring }, followed, apiKeys, standby } = active;
  const { networkText, opened } = run;
  const requests = new RequestMetrics();
  const listeners = new Map<string, ListenerLoad>();
  // This thread has the last number.
  const shared = createSharedLimits(clientLimits(run), count + 1);
  const tables = new FrontTables(shared, count);
  const linked = new LinkedFronts(gateway.sequencer, link);
  const fronts = new ConnectedFronts(
    linked,
    { directories: followed?.directories, apiKeys },
    opened,
  );
  opened.defer(() => linked.close());
  const operators = active.operators(async () => {
    const page = new MetricsPage();
    requests.addTo(page, listeners);
    return [page.families, ...await fronts.metrics()];
  });
  let operatorPort: OperatorPort | undefined;
  const parts = (): FrontParts => ({
    networkText,
    directories: followed?.directories.current ?? [],
    apiKeys: apiKeys?.value,
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
      operatorPort = operators && openOperatorPort(run, operators, {
        limits: openLimits(run, tables),
        requests,
        bodyBytes: tables.holdings("body_bytes"),
        sharesPorts: standby !== undefined,
      }, listeners);
      await standby?.stop();
      return active.banner({ ...urls, operatorUrl: operatorPort?.url });
    },
    async refuseNew() {
      await active.refuseNew();
      await operatorPort?.stop(STOP_GRACE_MS);
    },
    [Symbol.asyncDispose]: () => active[Symbol.asyncDispose](),
  };
}
