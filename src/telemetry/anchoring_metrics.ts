/**
 * Metrics of peers and anchor services.
 *
 * @module
 */

import type { AnchorServiceStatus } from "../anchors/anchoring.ts";
import type { CrossAnchorStatus } from "../federation/cross_anchoring.ts";
import type { MetricsPage } from "./metrics_page.ts";

/** The state of anchoring. */
export interface AnchoringSnapshot {
  /** Unix seconds. */
  readonly now: number;
  readonly peers: readonly CrossAnchorStatus[];
  readonly anchors: readonly AnchorServiceStatus[];
  /** Anchors stored since the start, by peer and by service. */
  readonly added: {
    readonly crossAnchors: ReadonlyMap<string, number>;
    readonly anchors: ReadonlyMap<string, number>;
  };
  /** All stored contradictions. */
  readonly contradictions: number;
}

/** Writes `snapshot` to `page`. */
export function addAnchoringMetrics(page: MetricsPage, snapshot: AnchoringSnapshot): void {
  addPeers(page, snapshot);
  addAnchors(page, snapshot);
}

function addPeers(
  page: MetricsPage,
  { peers, now, added, contradictions }: AnchoringSnapshot,
): void {
  const samples = (measure: (peer: CrossAnchorStatus) => number | undefined) =>
    peers.map((peer) => [measure(peer), { peer: peer.id }] as const);
  page.gauge(
    "cross_anchor_tree_size",
    "Largest size of our tree heads that the peer has cosigned",
    samples(({ lastCrossAnchor }) => lastCrossAnchor?.treeSize ?? 0),
  );
  page.gauge(
    "cross_anchor_age_seconds",
    "Seconds since the last cosignature of the peer, by its clock",
    samples(({ lastCrossAnchor: last }) => last && Math.max(0, now - last.timestamp)),
  );
  page.counter(
    "cross_anchors_total",
    "Cross-anchors stored since the start",
    samples(({ id }) => added.crossAnchors.get(id) ?? 0),
  );
  page.gauge(
    "peer_failing_seconds",
    "Seconds since the peer began to fail; 0 if it does not fail",
    samples(({ failingSince }) => failingSince === undefined ? 0 : Math.max(1, now - failingSince)),
  );
  page.counter(
    "contradictions_total",
    "Pairs of contradicting tree heads of peers",
    [[contradictions]],
  );
}

function addAnchors(page: MetricsPage, { anchors, now, added }: AnchoringSnapshot): void {
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
    "Seconds since the last anchor, by the clock of its service",
    samples(({ last }) => last && Math.max(0, now - last.timestamp)),
  );
  page.gauge(
    "anchors_pending",
    "Anchors whose proof is pending",
    samples(({ pending }) => pending),
  );
  page.gauge(
    "anchors_given_up",
    "Anchors whose proof did not arrive in time; the gateway no longer asks for it",
    samples(({ givenUp }) => givenUp),
  );
  page.counter(
    "anchors_total",
    "Anchors stored since the start, including completed pending ones",
    samples(({ name }) => added.anchors.get(name) ?? 0),
  );
  page.gauge(
    "anchor_failing",
    "1 while the service fails",
    samples(({ fault }) => Number(fault !== undefined)),
  );
}
