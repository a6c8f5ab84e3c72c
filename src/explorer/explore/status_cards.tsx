/**
 * How the witnesses, the queue, the peers and the anchors are doing, as the gateway says.
 *
 * @module
 */

import type { NetworkConfiguration } from "../../format/network.ts";
import { Alert } from "../components/alert.tsx";
import { Badge } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { type KeyValue, KeyValues } from "../components/key_values.tsx";
import { RelativeTime } from "../components/relative_time.tsx";
import { Failure, Spinner } from "../components/states.tsx";
import { Table } from "../components/table.tsx";
import type {
  AnchorStatus,
  GatewayStatus,
  PeerStatus,
  WitnessHealth,
} from "../../client/gateway_status.ts";
import type { Loaded } from "../hooks.ts";
import { countText, durationText, plural, serviceText } from "../text.ts";

interface WitnessCardProps {
  readonly status: Loaded<GatewayStatus>;
  readonly network: NetworkConfiguration | undefined;
  readonly now: number;
  readonly retry: () => void;
}

/** Every configured witness, and those that the gateway names beside them. */
export function WitnessCard({ status, network, now, retry }: WitnessCardProps) {
  const { value } = status;
  const ids = new Set(network?.witnesses.map(({ id }) => id));
  const healthy = value?.witnesses.filter((witness) => witness.healthy && ids.has(witness.id));
  return (
    <Card
      title="Witnesses"
      aside={value === undefined || network === undefined
        ? undefined
        : (
          <Badge tone={healthy!.length >= network.threshold ? "good" : "bad"}>
            {`${healthy!.length} of ${ids.size} answer, ${network.threshold} needed`}
          </Badge>
        )}
    >
      {status.state === "failed"
        ? <Failure error={status.error} title="The status cannot be shown" retry={retry} />
        : null}
      {value === undefined
        ? status.state === "loading" ? <Spinner label="Reading the status" /> : null
        : (
          <>
            <Table
              caption="Witnesses and their health"
              columns={[
                { name: "Witness" },
                { name: "Health" },
                { name: "Last good answer" },
                { name: "Public key" },
              ]}
              rows={rowsOf(value.witnesses, network, now)}
            />
            <Queue status={value} />
          </>
        )}
    </Card>
  );
}

/** Witnesses that the gateway tells of, then those configured ones that it leaves out. */
function rowsOf(
  witnesses: readonly WitnessHealth[],
  network: NetworkConfiguration | undefined,
  now: number,
) {
  const keys = new Map(network?.witnesses.map(({ id, pubkey }) => [id, pubkey]));
  const told = new Set(witnesses.map(({ id }) => id));
  const rows = witnesses.map(({ id, healthy, last_seen_at, last_error }) => ({
    key: id,
    cells: [
      <WitnessName key="value" id={id} />,
      healthy
        ? <Badge key="value" tone="good">Answers</Badge>
        : <Badge key="value" tone="bad">{last_error ?? "Does not answer"}</Badge>,
      last_seen_at === undefined
        ? <span key="value" class="muted">none yet</span>
        : (
          <span key="value" class="nowrap">
            <RelativeTime time={last_seen_at} now={now} />
          </span>
        ),
      network === undefined
        ? ""
        : keys.has(id)
        ? <HashText key="value" text={keys.get(id)!} what={`public key of ${id}`} />
        : <Badge key="value" tone="warn">Not in the configuration</Badge>,
    ],
  }));
  const silent = [...keys].filter(([id]) => !told.has(id)).map(([id, pubkey]) => ({
    key: id,
    cells: [
      <WitnessName key="value" id={id} />,
      <Badge key="value" tone="warn">Not told of</Badge>,
      "",
      <HashText key="value" text={pubkey} what={`public key of ${id}`} />,
    ],
  }));
  return [...rows, ...silent];
}

function WitnessName({ id }: { readonly id: string }) {
  return <span class="mono witness-id">{id}</span>;
}

function Queue({ status }: { readonly status: GatewayStatus }) {
  const { pending_count, oldest_pending_age, status: health } = status;
  const waiting = pending_count === 0
    ? "Nothing waits to be signed."
    : `${plural(pending_count, "attestation")} to be signed` +
      (oldest_pending_age === undefined
        ? "."
        : `; the oldest waits since ${durationText(oldest_pending_age)}.`);
  return (
    <>
      {health === "ok" ? null : (
        <Alert tone="bad" title="The gateway says that it is not healthy">
          <p>
            <code>{health}</code>
          </p>
        </Alert>
      )}
      <p class="muted small">{waiting} Health is the gateway's word.</p>
    </>
  );
}

interface AnchoringCardProps {
  readonly status: GatewayStatus;
}

/** Peers, external services and the beacon; nothing where there are none. */
export function AnchoringCard({ status }: AnchoringCardProps) {
  const { peers, anchors, beacon } = status;
  if (peers.length === 0 && anchors.length === 0 && beacon === undefined) return null;
  const items: KeyValue[] = [
    ...(beacon === undefined ? [] : [beaconItem(beacon)]),
    ...anchors.map(anchorItem),
  ];
  return (
    <Card title="Peers and anchors">
      {peers.length === 0 ? null : (
        <Table
          caption="State of each peer"
          columns={[
            { name: "Peer network" },
            { name: "State" },
            { name: "Cosigned size", numeric: true },
            { name: "Age", numeric: true },
          ]}
          rows={peers.map(peerRow)}
        />
      )}
      {items.length === 0 ? null : <KeyValues items={items} />}
    </Card>
  );
}

function peerRow({ id, failing, last_cross_anchor: last }: PeerStatus) {
  return {
    key: id,
    cells: [
      <span key="value" class="mono">{id}</span>,
      failing
        ? <Badge key="value" tone="bad">Last attempt failed</Badge>
        : <Badge key="value" tone="good">Answers</Badge>,
      last === undefined ? "none yet" : countText(last.tree_size),
      last === undefined ? "" : durationText(last.age),
    ],
  };
}

function beaconItem(beacon: { readonly round: number; readonly age: number } | null): KeyValue {
  if (beacon === null) return ["drand beacon", <Badge key="value" tone="warn">None recent</Badge>];
  return ["drand beacon", `round ${countText(beacon.round)}, ${durationText(beacon.age)} old`];
}

function anchorItem({ provider, service, last }: AnchorStatus): KeyValue {
  const name = serviceText(provider, service);
  if (last === undefined) {
    return [name, <Badge key="value" tone="neutral">Nothing anchored yet</Badge>];
  }
  return [
    name,
    <span key="value" class="row">
      <Badge tone={last.status === "confirmed" ? "good" : "info"}>{last.status}</Badge>
      <span>{`size ${countText(last.tree_size)}, ${durationText(last.age)} ago`}</span>
    </span>,
  ];
}
