/**
 * The fronts of a sequencer: their links, their metrics, and their calls.
 *
 * @module
 */

import { systemClock } from "../../base/clock.ts";
import { hasCode } from "../../base/errors.ts";
import { addFrontRestarts } from "../../http/metrics/gateway_metrics.ts";
import { MetricsPage } from "../../http/metrics/metrics_page.ts";
import { addMetrics, type MetricFamily } from "../../http/metrics/prometheus_text.ts";
import type { LinkedFronts } from "../../gateway/link/thread_link_fronts.ts";
import { CallPort } from "./call_port.ts";
import type { ApiKeyFeed } from "../gateway/api_key_file.ts";
import type { DirectoryFeed } from "../gateway/directory_feed.ts";
import type { ConnectingFront, FrontCalls } from "./thread_calls.ts";

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
export interface FrontFeeds {
  readonly directories: DirectoryFeed | undefined;
  readonly apiKeys: ApiKeyFeed | undefined;
}

export class ConnectedFronts {
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
