/**
 * Metrics of peers and anchor services.
 *
 * @module
 */

import type { AnchorServiceStatus } from "../../gateway/anchors/anchoring.ts";
import type { ForeignQuorum } from "../../proof/format/gateway_status.ts";
import type { CrossAnchorStatus } from "../../gateway/federation/cross_anchoring.ts";
import type { WitnessingStatus } from "../../gateway/witnessing/witness_loop.ts";
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
  /** Foreign witnesses; absent if there are none. */
  readonly witnessing?: {
    readonly witnesses: readonly WitnessingStatus[];
    readonly quorum: ForeignQuorum | undefined;
  };
  /** All stored contradictions. */
  readonly contradictions: number;
}

/** Writes `snapshot` to `page`. */
export function addAnchoringMetrics(page: MetricsPage, snapshot: AnchoringSnapshot): void {
  addPeers(page, snapshot);
  addAnchors(page, snapshot);
  addWitnesses(page, snapshot);
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
    "Contradictions of peers: two tree heads, or two successions",
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

function addWitnesses(page: MetricsPage, { witnessing, now }: AnchoringSnapshot): void {
  if (witnessing === undefined) return;
  const { witnesses, quorum } = witnessing;
  const samples = (measure: (witness: WitnessingStatus) => number | undefined) =>
    witnesses.map((witness) => [measure(witness), { witness: witness.name }] as const);
  page.gauge(
    "foreign_witness_tree_size",
    "Largest checkpoint that the foreign witness cosigned since the start",
    samples(({ last }) => last?.treeSize ?? 0),
  );
  page.gauge(
    "foreign_witness_age_seconds",
    "Seconds since the last cosignature of the foreign witness",
    samples(({ last }) => last && Math.max(0, now - last.at)),
  );
  page.counter(
    "foreign_witness_cosignatures_total",
    "Cosignatures of the foreign witness since the start",
    samples(({ cosignatures }) => cosignatures),
  );
  page.gauge(
    "foreign_witness_failing_seconds",
    "Seconds since the foreign witness began to fail; 0 if it does not fail",
    samples(({ failingSince }) => failingSince === undefined ? 0 : Math.max(1, now - failingSince)),
  );
  page.counter(
    "foreign_witness_failures_total",
    "Failed requests to the foreign witness since the start, by code",
    witnesses.flatMap(({ name: witness, failures }) =>
      Array.from(failures, ([code, count]) => [count, { witness, code }] as const)
    ),
  );
  page.gauge(
    "foreign_witness_retry_seconds",
    "Seconds until the foreign witness is asked again after a failure; 0 if it does not fail",
    samples(({ nextAttemptAt }) => Math.max(0, (nextAttemptAt ?? now) - now)),
  );
  if (quorum === undefined) return;
  const { size, behindSince } = quorum;
  page.gauge(
    "foreign_quorum_tree_size",
    "Largest checkpoint that met the quorum of the policy since the start",
    [[size]],
  );
  page.gauge(
    "foreign_quorum_behind_seconds",
    "Seconds for which no checkpoint has met the quorum of the policy; 0 if the last one did",
    [[behindSince === undefined ? 0 : Math.max(1, now - behindSince)]],
  );
}
