/**
 * The metrics of a running gateway: counters of its parts, and its state at the time of the request.
 * Each thread has its own, which are added up.
 *
 * @module
 */

import { systemClock, unixSeconds } from "../../base/clock.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import type { EventFeed } from "../../gateway/events/event_feed.ts";
import type { Gateway } from "../../gateway/gateway.ts";
import type { HeldLease } from "../../gateway/held_lease.ts";
import { UNREADY_CODES } from "../../http/operator/readiness.ts";
import { type ListenerLoad, RequestMetrics } from "../../http/request_metrics.ts";
import { addAnchoringMetrics } from "../../http/metrics/anchoring_metrics.ts";
import {
  addActive,
  addFrontMetrics,
  addGatewayMetrics,
  type PublishingState,
} from "../../http/metrics/gateway_metrics.ts";
import type { DamageLog } from "../../http/metrics/damage_log.ts";
import { MetricsPage } from "../../http/metrics/metrics_page.ts";
import type { MetricFamily } from "../../http/metrics/prometheus_text.ts";
import { PipelineMetrics } from "../../http/metrics/pipeline_metrics.ts";
import { addProcessMetrics } from "../../http/metrics/process_metrics.ts";
import { ThreadMetrics } from "../../http/metrics/thread_metrics.ts";
import type { LogAnchoring } from "../anchoring/log_anchoring.ts";
import { type ReadinessContext, unreadyReasons } from "./readiness_checks.ts";
import { VERSION } from "../../base/version.ts";

/** The load of listeners by name: `clients`, `operators` and `event_sockets`. */
export type Listeners = ReadonlyMap<string, ListenerLoad>;

export interface MetricsSources {
  readonly gateway: Gateway;
  /** Absent if nothing is anchored. */
  readonly anchoring?: LogAnchoring | undefined;
  /** Absent if fronts send the events. */
  readonly events?: EventFeed | undefined;
  readonly damage: DamageLog;
  readonly readiness: ReadinessContext;
  readonly lease?: Pick<HeldLease, "remainingMs"> | undefined;
  readonly publishing: PublishingState | undefined;
  /** When the first certificate of the time-stamp authority expires, Unix seconds. */
  readonly certificateExpires: number | undefined;
}

/** Counts from its creation. The stack stops its timer. */
export class GatewayMetrics {
  readonly pipeline: PipelineMetrics;
  readonly #thread: ThreadMetrics;
  readonly #process = { version: VERSION, startSeconds: unixSeconds(systemClock) };

  constructor(
    thread: "gateway" | "sequencer",
    { witnesses }: NetworkConfiguration,
    opened: AsyncDisposableStack,
  ) {
    this.pipeline = new PipelineMetrics(witnesses.map(({ id }) => id));
    this.#thread = opened.use(new ThreadMetrics(thread));
  }

  /** The metrics of the gateway, without requests. `storage_failed` if anchors cannot be read. */
  async page(sources: MetricsSources): Promise<MetricsPage> {
    const page = new MetricsPage();
    await addAnchoring(page, sources);
    await addGateway(page, sources);
    this.pipeline.addTo(page);
    this.#thread.addTo(page);
    addProcessMetrics(page, this.#process);
    return page;
  }
}

export interface FrontSources {
  readonly waiters: number;
  readonly events: EventFeed;
  readonly damage: DamageLog;
  readonly requests: RequestMetrics;
  readonly listeners: Listeners;
  readonly isStandby?: boolean;
}

/** The metrics of one front, or of a standby. The stack stops its timer. */
export class FrontMetrics {
  readonly #front: string;
  readonly #thread: ThreadMetrics;

  constructor(front: string, opened: AsyncDisposableStack) {
    this.#front = front;
    this.#thread = opened.use(new ThreadMetrics(front));
  }

  families(
    { requests, listeners, isStandby = false, ...sources }: FrontSources,
  ): readonly MetricFamily[] {
    const page = new MetricsPage();
    addFrontMetrics(page, {
      ...sources,
      front: this.#front,
      answeredRequests: requests.total,
    });
    requests.addTo(page, listeners);
    this.#thread.addTo(page);
    if (isStandby) addActive(page, false);
    return page.families;
  }
}

async function addGateway(
  page: MetricsPage,
  { gateway, events, damage, readiness, lease, publishing, certificateExpires }: MetricsSources,
): Promise<void> {
  const { network } = gateway;
  const reasons = new Set((await unreadyReasons(readiness)).map(({ code }) => code));
  const since = await gateway.status.unpublishedSince();
  addGatewayMetrics(page, {
    status: gateway.status.resource(),
    depths: gateway.status.depths,
    unpublishedAge: since === undefined ? undefined : unixSeconds(systemClock) - since,
    threshold: network.threshold,
    diskFreeBytes: readiness.disk.freeBytes,
    replicas: readiness.disk.replicas,
    clockDifferences: readiness.clocks.differences,
    batchMaxAgeSeconds: readiness.batchMaxAgeMs / 1000,
    mergeDelaySeconds: network.merge_delay_seconds,
    unready: new Map(UNREADY_CODES.map((code) => [code, reasons.has(code)])),
    damage,
    leaseSeconds: lease && lease.remainingMs / 1000,
    publishing,
    certificateExpires,
    events,
  });
}

async function addAnchoring(
  page: MetricsPage,
  { anchoring, damage }: MetricsSources,
): Promise<void> {
  if (anchoring === undefined) return;
  try {
    addAnchoringMetrics(page, {
      ...await anchoring.status(),
      added: anchoring.added,
      now: unixSeconds(systemClock),
    });
  } catch (error) {
    // The page still shows the log, and this damage.
    if (!damage.take(error)) throw error;
  }
}
