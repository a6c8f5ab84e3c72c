/**
 * The health of witnesses, queue, peers and anchors, as the gateway reports it.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import { Alert } from "../components/alert.tsx";
import { Badge } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { RelativeTime } from "../components/relative_time.tsx";
import { LoadedView } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import { TrialNote } from "../components/trial_note.tsx";
import type {
  AnchorStatus,
  ForeignQuorumStatus,
  ForeignWitnessStatus,
  GatewayStatus,
  WitnessHealth,
} from "../../proof/format/gateway_status.ts";
import type { Loaded } from "../hooks.ts";
import { countText, durationText, plural, serviceText } from "../text.ts";

/** How long a checkpoint that was sent may lack cosignatures before that is a fault. */
const UNMET_SECONDS = 60;

interface WitnessCardProps {
  readonly status: Loaded<GatewayStatus>;
  readonly network: NetworkConfiguration | undefined;
  readonly retry: () => void;
}

/** Witnesses that the gateway reports, then configured ones that it leaves out. */
export function WitnessCard({ status, network, retry }: WitnessCardProps) {
  const keys = new Map(network?.witnesses.map(({ id, pubkey }) => [id, pubkey]));
  const reported = status.value?.witnesses ?? [];
  const healthy = reported.filter(({ id, healthy }) => healthy && keys.has(id)).length;
  const missing = [...keys.keys()].filter((id) => !reported.some((witness) => witness.id === id));
  const rows: { readonly id: string; readonly health?: WitnessHealth }[] = [
    ...reported.map((health) => ({ id: health.id, health })),
    ...missing.map((id) => ({ id })),
  ];
  return (
    <Card
      title="Witnesses"
      aside={status.value === undefined || network === undefined
        ? undefined
        : (
          <Badge tone={healthy >= network.threshold ? "good" : "bad"}>
            {`${healthy} of ${keys.size} answer, ${network.threshold} required`}
          </Badge>
        )}
    >
      <LoadedView
        loaded={status}
        what="the status"
        retry={retry}
        render={(value) => (
          <>
            <Table
              caption="Witnesses and their health"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                ["Witness", ({ id }) => <span class="mono witness-id">{id}</span>],
                ["Health", ({ health }) => <HealthBadge health={health} />],
                ["Last good answer", ({ health }) => <LastSeen health={health} />],
                ["Public key", ({ id }) =>
                  keys.has(id)
                    ? <HashText text={keys.get(id)!} what={`public key of ${id}`} />
                    : network === undefined
                    ? ""
                    : <Badge tone="warn">Not in the configuration</Badge>],
              ]}
            />
            <Queue status={value} />
          </>
        )}
      />
    </Card>
  );
}

function HealthBadge({ health }: { readonly health: WitnessHealth | undefined }) {
  if (health === undefined) return <Badge tone="warn">Not reported</Badge>;
  return health.healthy
    ? <Badge tone="good">Answers</Badge>
    : <Badge tone="bad">{health.last_error ?? "Does not answer"}</Badge>;
}

function LastSeen({ health }: {
  readonly health: WitnessHealth | undefined;
}) {
  if (health?.last_seen_at === undefined) return <span class="muted">none yet</span>;
  return (
    <span class="nowrap">
      <RelativeTime time={health.last_seen_at} />
    </span>
  );
}

function Queue({ status }: { readonly status: GatewayStatus }) {
  const { pending_count, oldest_pending_age: age, status: health } = status;
  const queue = pending_count === 0
    ? "No attestation waits for signatures"
    : `${plural(pending_count, "attestation")} not signed yet` +
      (age === undefined ? "" : `, the oldest for ${durationText(age)}`);
  return (
    <>
      {health === "ok"
        ? null
        : (
          <Alert tone="bad" title="The gateway reports that it is not healthy">
            <p>
              <code>{health}</code>
            </p>
          </Alert>
        )}
      <TrialNote />
      <p class="muted small">{queue}. The gateway reports health; nothing proves it.</p>
    </>
  );
}

/** Peers, external services and the beacon; nothing where there are none. */
export function AnchoringCard({ status }: { readonly status: GatewayStatus }) {
  const { peers, anchors, beacon } = status;
  if (peers.length === 0 && anchors.length === 0 && beacon === undefined) return null;
  const items: Record<string, Child> = {
    "drand beacon": beacon === null
      ? <Badge tone="warn">None recent</Badge>
      : beacon && `round ${countText(beacon.round)}, ${durationText(beacon.age)} old`,
  };
  for (const anchor of anchors) {
    items[serviceText(anchor.provider, anchor.service)] = <AnchorState {...anchor} />;
  }
  return (
    <Card title="Peers and anchors">
      {peers.length === 0 ? null : (
        <Table
          caption="State of each peer"
          rows={peers}
          keyOf={({ id }) => id}
          columns={[
            ["Peer network", ({ id }) => <span class="mono">{id}</span>],
            ["State", ({ failing }) =>
              failing
                ? <Badge tone="bad">Last attempt failed</Badge>
                : <Badge tone="good">Answers</Badge>],
            [
              "Cosigned size",
              ({ last_cross_anchor: last }) =>
                last === undefined ? "none yet" : countText(last.tree_size),
              "numeric",
            ],
            [
              "Age",
              ({ last_cross_anchor: last }) => last === undefined ? "" : durationText(last.age),
              "numeric",
            ],
          ]}
        />
      )}
      <KeyValues items={items} />
    </Card>
  );
}

/** Witnesses outside the network; nothing where there are none. */
export function ForeignWitnessCard({ status }: { readonly status: GatewayStatus }) {
  const { foreign_witnesses: witnesses, foreign_quorum: quorum } = status;
  if (witnesses.length === 0) return null;
  return (
    <Card title="Foreign witnesses" aside={quorum && <QuorumBadge {...quorum} />}>
      <Table
        caption="State of each foreign witness"
        rows={witnesses}
        keyOf={({ name }) => name}
        columns={[
          ["Witness", ({ name, url }) => (
            <>
              <span class="mono witness-id">{name}</span>
              {url !== undefined && (
                <div>
                  <span class="mono muted small witness-id">{url}</span>
                </div>
              )}
            </>
          )],
          ["State", (witness) => <ForeignWitnessState {...witness} />],
          [
            "Cosigned size",
            ({ last_cosigned: last }) =>
              last === undefined ? "none yet" : countText(last.tree_size),
            "numeric",
          ],
          ["Behind", ({ behind }) => behind === undefined ? "" : countText(behind), "numeric"],
          [
            "Age",
            ({ last_cosigned: last }) => last === undefined ? "" : durationText(last.age),
            "numeric",
          ],
        ]}
      />
      <p class="muted small">
        They never count towards the threshold. The checkpoint has their cosignatures.
      </p>
    </Card>
  );
}

function QuorumBadge({ met, tree_size: size, behind_for: behind = 0 }: ForeignQuorumStatus) {
  if (met) return <Badge tone="good">Policy met</Badge>;
  // A checkpoint that was just sent has no cosignature yet.
  return (
    <Badge tone={behind < UNMET_SECONDS ? "info" : "bad"}>
      {size === undefined ? "Policy not met" : `Policy met up to size ${countText(size)}`}
    </Badge>
  );
}

function ForeignWitnessState(
  { last_error: error, next_attempt_at: next, last_cosigned: last }: ForeignWitnessStatus,
) {
  if (error === undefined) {
    return last === undefined
      ? <Badge tone="neutral">Not asked yet</Badge>
      : <Badge tone="good">Cosigns</Badge>;
  }
  return (
    <>
      <Badge tone="bad">{error}</Badge>
      {next !== undefined && (
        <div class="muted small nowrap">
          Next attempt <RelativeTime time={next} />
        </div>
      )}
    </>
  );
}

function AnchorState({ last }: AnchorStatus) {
  if (last === undefined) return <Badge tone="neutral">Nothing anchored yet</Badge>;
  return (
    <span class="row">
      <Badge tone={last.status === "confirmed" ? "good" : "info"}>{last.status}</Badge>
      <span>{`size ${countText(last.tree_size)}, ${durationText(last.age)} ago`}</span>
    </span>
  );
}
