/**
 * How peers and anchor services stand.
 *
 * @module
 */

import type { AnchorServiceStatus } from "../anchors/anchoring.ts";
import type { PeerStatus } from "../federation/cross_anchoring.ts";
import type { MetricsPage } from "./metrics_page.ts";

/** Anchoring at one moment. */
export interface AnchoringSnapshot {
  /** Unix seconds. */
  readonly now: number;
  readonly peers: readonly PeerStatus[];
  readonly anchors: readonly AnchorServiceStatus[];
  /** Cross-anchors and external anchors that were stored since the start, by peer and service. */
  readonly added: {
    readonly crossAnchors: ReadonlyMap<string, number>;
    readonly anchors: ReadonlyMap<string, number>;
  };
  /** Of all time. */
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
    "Seconds since the last anchor, by the time that its service claims",
    samples(({ last }) => last && Math.max(0, now - last.timestamp)),
  );
  page.gauge(
    "anchors_pending",
    "Anchors that wait for their proof",
    samples(({ pending }) => pending),
  );
  page.gauge(
    "anchors_given_up",
    "Anchors that waited for their proof for so long that it is not asked for any more",
    samples(({ givenUp }) => givenUp),
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
