/**
 * Metrics in the text format of Prometheus, version 0.0.4. Each answer is made of what holds now:
 * nothing is kept between two.
 *
 * @module
 */

import { Counter, Gauge, Registry } from "prom-client";
import type { AnchorServiceStatus } from "../anchors/anchoring.ts";
import type { PeerStatus } from "../federation/peer_loop.ts";
import type { ServiceStatus } from "../gateway/service.ts";

/** What is measured, at one moment. */
export interface MetricsSnapshot {
  /** Unix seconds. */
  readonly now: number;
  readonly status: ServiceStatus;
  /** Witnesses that have to sign. */
  readonly threshold: number;
  readonly ready: boolean;
  readonly peers: readonly PeerStatus[];
  /** Cross-anchors and external anchors that were stored since the start, by peer and service. */
  readonly added: {
    readonly crossAnchors: ReadonlyMap<string, number>;
    readonly anchors: ReadonlyMap<string, number>;
  };
  readonly anchors: readonly AnchorServiceStatus[];
  /** Of all time. */
  readonly contradictions: number;
}

/** The media type of {@linkcode metricsText}. */
export const METRICS_MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The metrics of `snapshot`. */
export async function metricsText(snapshot: MetricsSnapshot): Promise<string> {
  const page = new MetricsPage();
  addGateway(page, snapshot);
  addPeers(page, snapshot);
  addAnchors(page, snapshot);
  return await page.text();
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [value: number | undefined, labels?: Labels];

/** Names begin with `countersign_`; a sample without a value is left out. */
class MetricsPage {
  readonly #registry = new Registry();

  gauge(name: string, help: string, samples: readonly Sample[]): void {
    const known = samples.filter(isKnown);
    if (known.length === 0) return;
    const gauge = new Gauge(this.#described(name, help, known));
    for (const [value, labels = {}] of known) gauge.set(labels, value);
  }

  counter(name: string, help: string, samples: readonly Sample[]): void {
    const known = samples.filter(isKnown);
    if (known.length === 0) return;
    const counter = new Counter(this.#described(name, help, known));
    for (const [value, labels = {}] of known) counter.inc(labels, value);
  }

  async text(): Promise<string> {
    return await this.#registry.metrics();
  }

  #described(name: string, help: string, samples: readonly Sample[]) {
    return {
      name: `countersign_${name}`,
      help,
      labelNames: Object.keys(samples[0]?.[1] ?? {}),
      registers: [this.#registry],
    };
  }
}

/** Without labels a metric that is never set would say 0. */
function isKnown(sample: Sample): sample is readonly [value: number, labels?: Labels] {
  return sample[0] !== undefined;
}

function addGateway(page: MetricsPage, { status, threshold, ready }: MetricsSnapshot): void {
  const { witnesses, sth, beacon } = status;
  page.gauge("up", "1 while the gateway is healthy", [[Number(status.status === "ok")]]);
  page.gauge("ready", "1 while GET /ready is 200", [[Number(ready)]]);
  page.gauge("tree_size", "Size of the latest published tree head", [[sth?.tree_size ?? 0]]);
  page.gauge("tree_head_age_seconds", "Age of the latest published tree head", [[sth?.age]]);
  page.gauge("pending", "Accepted hashes that are not signed", [[status.pending_count]]);
  page.gauge("oldest_pending_age_seconds", "Wait of the oldest hash that is not signed", [[
    status.oldest_pending_age ?? 0,
  ]]);
  page.gauge("witness_threshold", "Witnesses that have to sign", [[threshold]]);
  page.gauge(
    "witness_healthy",
    "1 while the last answer of a witness was good",
    witnesses.map(({ id, healthy }) => [Number(healthy), { witness: id }]),
  );
  if (beacon !== undefined) {
    page.gauge("beacon_round", "Round of the latest beacon", [[beacon?.round]]);
    page.gauge("beacon_age_seconds", "Age of the latest beacon; none while none is recent", [[
      beacon?.age,
    ]]);
  }
}

function addPeers(
  page: MetricsPage,
  { peers, now, added, contradictions }: MetricsSnapshot,
): void {
  const samples = (measure: (peer: PeerStatus) => number | undefined) =>
    peers.map((peer) => [measure(peer), { peer: peer.id }] as const);
  page.gauge(
    "cross_anchor_tree_size",
    "Size of the largest of our tree heads that a peer cosigned",
    samples(({ lastCrossAnchor }) => lastCrossAnchor?.treeSize ?? 0),
  );
  page.gauge(
    "cross_anchor_age_seconds",
    "Seconds since a peer cosigned, by its clock",
    samples(({ lastCrossAnchor: last }) => last && Math.max(0, now - last.timestamp)),
  );
  page.counter(
    "cross_anchors_total",
    "Cross-anchors stored since the start",
    samples(({ id }) => added.crossAnchors.get(id) ?? 0),
  );
  page.gauge(
    "peer_failing_seconds",
    "Seconds for which a peer has failed; 0 while it does not",
    samples(({ failingSince }) => failingSince === undefined ? 0 : Math.max(1, now - failingSince)),
  );
  page.counter(
    "contradictions_total",
    "Pairs of tree heads of peers that contradict one another",
    [[contradictions]],
  );
}

function addAnchors(page: MetricsPage, { anchors, now, added }: MetricsSnapshot): void {
  const samples = (measure: (anchor: AnchorServiceStatus) => number | undefined) =>
    anchors.map((anchor) =>
      [measure(anchor), { service: anchor.name, provider: anchor.provider }] as const
    );
  page.gauge(
    "anchor_tree_size",
    "Size of the largest tree head with a confirmed anchor",
    samples(({ lastConfirmedSize }) => lastConfirmedSize ?? 0),
  );
  page.gauge(
    "anchor_age_seconds",
    "Seconds since the last anchor, by the time that its service claims",
    samples(({ last }) => last && Math.max(0, now - last.timestamp)),
  );
  page.gauge(
    "anchors_pending",
    "Anchors that wait for their proof",
    samples(({ pending }) => pending),
  );
  page.counter(
    "anchors_total",
    "Anchors stored since the start, with those that took the place of a pending one",
    samples(({ name }) => added.anchors.get(name) ?? 0),
  );
  page.gauge(
    "anchor_failing",
    "1 while a service fails",
    samples(({ fault }) => Number(fault !== undefined)),
  );
}
