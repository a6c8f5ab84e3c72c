/**
 * What peers and outside services say of the tree head over an attestation, as its bundle holds it.
 *
 * @module
 */

import type { ProofBundle } from "../../format/bundle.ts";
import { VERIFY_REASONS } from "../../verify/reasons.ts";
import type { CrossAnchorLayer, ExternalAnchorBinding, Verdict } from "../../verify/verdict.ts";
import { Badge } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { Empty } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import { countText, serviceText, timeText } from "../text.ts";

interface AnchorCardProps {
  readonly bundle: ProofBundle;
  readonly verdict: Verdict;
}

/** Cross-anchors and external anchors; says so where there are none. */
export function AnchorCard({ bundle, verdict }: AnchorCardProps) {
  const { cross_anchors, external_anchors } = bundle;
  const { layers } = verdict;
  return (
    <Card title="Anchors">
      {cross_anchors.length + external_anchors.length === 0
        ? (
          <Empty title="Not anchored yet">
            No peer and no outside service has signed it so far.
          </Empty>
        )
        : null}
      {cross_anchors.length === 0 ? null : (
        <Table
          caption="Cross-anchors by peer networks"
          columns={[
            { name: "Peer network" },
            { name: "State" },
            { name: "Log size", numeric: true },
            { name: "Cosigned" },
          ]}
          rows={cross_anchors.map(({ witnessing_network, tree_head }, i) => ({
            key: i,
            cells: [
              <span key="value" class="mono">{witnessing_network}</span>,
              <CrossAnchorState key="value" layer={layers.cross_anchors[i]} />,
              countText(tree_head.tree_size),
              <span key="value" class="nowrap">{timeText(tree_head.timestamp)}</span>,
            ],
          }))}
        />
      )}
      {external_anchors.length === 0 ? null : (
        <>
          <Table
            caption="External anchors"
            columns={[
              { name: "Service" },
              { name: "State" },
              { name: "Log size", numeric: true },
              { name: "Asked" },
            ]}
            rows={external_anchors.map((
              { provider, service, status, tree_head, timestamp },
              i,
            ) => ({
              key: i,
              cells: [
                serviceText(provider, service),
                <ExternalState
                  key="value"
                  status={status}
                  binding={layers.external_anchors.anchors[i]}
                />,
                countText(tree_head.tree_size),
                <span key="value" class="nowrap">{timeText(timestamp)}</span>,
              ],
            }))}
          />
          <p class="muted small">
            External anchors are present, not independently verified. The command{" "}
            <code>countersign verify-proof --anchors</code> verifies them.
          </p>
        </>
      )}
    </Card>
  );
}

function CrossAnchorState({ layer }: { readonly layer: CrossAnchorLayer | undefined }) {
  const why = layer?.reason === undefined ? undefined : VERIFY_REASONS[layer.reason];
  if (layer?.status === "verified" && layer.counted) return <Badge tone="good">Verified</Badge>;
  return (
    <span class="lines">
      {layer?.status === "failed"
        ? <Badge tone="bad">Does not verify</Badge>
        : layer?.status === "verified"
        ? <Badge tone="info">Verified, not counted</Badge>
        : <Badge tone="neutral">Not checked</Badge>}
      {why === undefined ? null : <span class="muted small">{why}</span>}
    </span>
  );
}

interface ExternalStateProps {
  readonly status: string;
  readonly binding: ExternalAnchorBinding | undefined;
}

function ExternalState({ status, binding }: ExternalStateProps) {
  if (binding?.bound) return <Badge tone="info">{status}</Badge>;
  const isUnchecked = binding === undefined || binding.reason === "lower_layer_unverified";
  return (
    <span class="lines">
      {isUnchecked
        ? <Badge tone="neutral">Not checked</Badge>
        : <Badge tone="bad">Not of this log</Badge>}
      {binding?.reason === undefined
        ? null
        : <span class="muted small">{VERIFY_REASONS[binding.reason]}</span>}
    </span>
  );
}
