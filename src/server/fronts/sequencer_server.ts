/**
 * Composes and runs the part of a gateway that writes, for fronts in other threads. It listens for operators and
 * peers; for clients only while it stands by.
 *
 * @module
 */

import { aborted, systemClock } from "../../base/clock.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
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
import { AcceptedMark } from "../../storage/store_meta.ts";
import type { CliIo } from "../io.ts";
import type { SequencerStart } from "../roles/role_messages.ts";
import { CallPort } from "./call_port.ts";
import type {
  ConnectingFront,
  FrontCalls,
  FrontParts,
  SequencerControl,
  SequencerStarted,
  SupervisorCalls,
} from "./thread_calls.ts";
import { addFrontRestarts } from "../../http/metrics/gateway_metrics.ts";
import { addMetrics, type MetricFamily } from "../../http/metrics/prometheus_text.ts";
import type { ApiKeyFeed } from "../gateway/api_key_file.ts";
import type { DirectoryFeed } from "../gateway/directory_feed.ts";

/** On stop, how long requests of operators may take. */
const STOP_GRACE_MS = 1_000;

/** Runs until `signal` aborts. Returns the exit code. */
export async function serveSequencer(
  { options, control, fronts }: Omit<SequencerStart, "role">,
  io: CliIo,
  signal: AbortSignal,
): Promise<number> {
  const accepted = new AcceptedMark(options.moved ?? false);
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
    const active = await openActive(options, io, signal, {
      thread: "sequencer",
      accepted,
      onFatal,
    });
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
      await standby?.handOver();
      return active.banner({ ...urls, operatorUrl: operatorPort?.url });
    },
    async refuseNew() {
      await active.refuseNew();
      await operatorPort?.stop(STOP_GRACE_MS);
    },
    [Symbol.asyncDispose]: () => active[Symbol.asyncDispose](),
  };
}

/** How long a page of metrics waits for fronts. */
const METRICS_MS = 1_000;

interface ConnectedFront {
  readonly id: number;
  readonly calls: CallPort<FrontCalls>;
  /** As of the last page. */
  metrics: readonly MetricFamily[];
  readonly left: AbortController;
}

/** Values that fronts receive at each change. */
interface FrontFeeds {
  readonly directories: DirectoryFeed | undefined;
  readonly apiKeys: ApiKeyFeed | undefined;
}

/** The fronts of a sequencer: their links, their metrics, and their calls. */
class ConnectedFronts {
  readonly #linked: LinkedFronts;
  readonly #feeds: FrontFeeds;
  readonly #fronts = new Map<string, ConnectedFront>();
  /** Fronts that were replaced, by name. */
  readonly #restarts = new Map<string, number>();
  /** The counters of ended fronts, so that their sums never fall. */
  #ended: readonly MetricFamily[] = [];
  readonly #stopping = new AbortController();

  /** The stack ends all calls. */
  constructor(
    linked: LinkedFronts,
    feeds: FrontFeeds,
    opened: AsyncDisposableStack,
  ) {
    this.#linked = linked;
    this.#feeds = feeds;
    opened.defer(() => {
      this.#stopping.abort();
      for (const { calls } of this.#fronts.values()) calls.close();
    });
  }

  /** Connects a front. */
  add({ name, end, calls: port }: ConnectingFront): void {
    this.#restarts.set(name, (this.#restarts.get(name) ?? -1) + 1);
    const calls = new CallPort<FrontCalls>(port, {});
    const left = new AbortController();
    const { directories, apiKeys } = this.#feeds;
    directories?.onAccepted((directory) => {
      void calls.call("useDirectory", directory).catch(() => {});
    }, left.signal);
    apiKeys?.onChanged((keys) => {
      void calls.call("useApiKeys", keys).catch(() => {});
    }, left.signal);
    this.#fronts.set(name, { id: end.front, calls, left, metrics: [] });
    this.#linked.add(end);
  }

  /** The front has ended. */
  remove(name: string): void {
    const front = this.#fronts.get(name);
    if (front === undefined) return;
    this.#fronts.delete(name);
    this.#linked.remove(front.id);
    front.left.abort();
    front.calls.close();
    const counters = front.metrics.filter(({ type }) => type !== "gauge");
    this.#ended = addMetrics([this.#ended, counters]);
  }

  /** The metrics of all fronts; the previous ones of a front that does not answer in time. */
  async metrics(): Promise<readonly (readonly MetricFamily[])[]> {
    const page = new MetricsPage();
    addFrontRestarts(page, this.#restarts);
    const fronts = [...this.#fronts.values()];
    await Promise.race([
      Promise.all(fronts.map((front) => this.#update(front))),
      systemClock.sleep(METRICS_MS, this.#stopping.signal),
    ]);
    return [page.families, this.#ended, ...this.#fronts.values().map(({ metrics }) => metrics)];
  }

  async #update(front: ConnectedFront): Promise<void> {
    try {
      front.metrics = await front.calls.call("metrics", undefined);
    } catch (error) {
      // The front has ended.
      if (!hasCode(error, "shutting_down")) throw error;
    }
  }
}
