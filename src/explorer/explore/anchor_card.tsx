/**
 * The anchors of a bundle: cosignatures by peer networks, and proofs of external services.
 *
 * @module
 */

import type { ProofBundle } from "../../format/bundle.ts";
import type { CrossAnchorLayer, ExternalAnchorBinding, Verdict } from "../../verify/verdict.ts";
import { Badge, type Tone } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { Empty } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import { countText, serviceText, timeText } from "../text.ts";
import { LAYER_STATUS, reasonText } from "../verdict_text.ts";

interface AnchorCardProps {
  readonly bundle: ProofBundle;
  readonly verdict: Verdict;
}

export function AnchorCard({ bundle, verdict: { layers } }: AnchorCardProps) {
  const { cross_anchors, external_anchors } = bundle;
  return (
    <Card title="Anchors">
      {cross_anchors.length + external_anchors.length === 0 && (
        <Empty title="Not anchored yet">
          No peer network or external service has signed a tree head that covers it.
        </Empty>
      )}
      {cross_anchors.length === 0 ? null : (
        <Table
          caption="Cross-anchors by peer networks"
          rows={cross_anchors}
          columns={[
            ["Peer network", (anchor) => <span class="mono">{anchor.witnessing_network}</span>],
            ["State", (_, i) => <CrossAnchorState layer={layers.cross_anchors[i]} />],
            ["Log size", ({ tree_head }) => countText(tree_head.tree_size), "numeric"],
            ["Cosigned", ({ tree_head }) => <Time seconds={tree_head.timestamp} />],
          ]}
        />
      )}
      {external_anchors.length === 0 ? null : (
        <>
          <Table
            caption="External anchors"
            rows={external_anchors}
            columns={[
              ["Service", ({ provider, service }) => serviceText(provider, service)],
              [
                "State",
                ({ status }, i) => (
                  <ExternalState status={status} binding={layers.external_anchors.anchors[i]} />
                ),
              ],
              ["Log size", ({ tree_head }) => countText(tree_head.tree_size), "numeric"],
              ["Requested", ({ timestamp }) => <Time seconds={timestamp} />],
            ]}
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

function Time({ seconds }: { readonly seconds: number }) {
  return <span class="nowrap">{timeText(seconds)}</span>;
}

function CrossAnchorState({ layer }: { readonly layer: CrossAnchorLayer | undefined }) {
  const { name, tone } = LAYER_STATUS[layer?.status ?? "not_checked"];
  const isUncounted = layer?.status === "verified" && !layer.counted;
  return (
    <State tone={isUncounted ? "info" : tone} reason={layer ?? {}}>
      {isUncounted ? "Verified, not counted" : name}
    </State>
  );
}

function ExternalState({ status, binding }: {
  readonly status: string;
  readonly binding: ExternalAnchorBinding | undefined;
}) {
  if (binding?.bound) return <State tone="info" reason={{}}>{status}</State>;
  const isUnchecked = binding === undefined || binding.reason === "lower_layer_unverified";
  return (
    <State tone={isUnchecked ? "neutral" : "bad"} reason={binding ?? {}}>
      {isUnchecked ? "Not checked" : "Of another log"}
    </State>
  );
}

function State({ tone, reason, children }: {
  readonly tone: Tone;
  readonly reason: Parameters<typeof reasonText>[0];
  readonly children: string;
}) {
  const why = reasonText(reason);
  return (
    <span class="lines">
      <Badge tone={tone}>{children}</Badge>
      {why === "" ? null : <span class="muted small">{why}</span>}
    </span>
  );
}
