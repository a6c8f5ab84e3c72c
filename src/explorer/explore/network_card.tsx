/**
 * The network of this gateway: who signs, how many have to, and which peers watch it.
 *
 * @module
 */

import type { NetworkConfiguration, PeerNetwork } from "../../format/network.ts";
import { Alert } from "../components/alert.tsx";
import { Badge } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { Failure, Spinner } from "../components/states.tsx";
import type { Loaded } from "../hooks.ts";
import { hrefOf } from "../route.ts";
import { durationText, plural } from "../text.ts";

/** The gateway's own configuration beside the one in use. */
export interface NetworkView {
  readonly shown: NetworkConfiguration;
  readonly fingerprint: string;
  /** The pinned configuration; absent when none is pinned. */
  readonly pinned?: PinnedName;
}

interface PinnedName {
  readonly id: string;
  readonly fingerprint: string;
}

interface NetworkCardProps {
  readonly network: Loaded<NetworkView>;
  readonly retry: () => void;
}

/** What `GET /v1/network` says, with its fingerprint. */
export function NetworkCard({ network, retry }: NetworkCardProps) {
  return (
    <Card title="Network">
      {network.state === "failed"
        ? <Failure error={network.error} title="The network cannot be shown" retry={retry} />
        : null}
      {network.value === undefined
        ? network.state === "loading" ? <Spinner label="Reading the configuration" /> : null
        : <View {...network.value} />}
    </Card>
  );
}

function View({ shown, fingerprint, pinned }: NetworkView) {
  const { id, signature_scheme, threshold, witnesses, log_vkey, merge_delay_seconds } = shown;
  return (
    <>
      <KeyValues
        items={[
          ["Network", <span key="value" class="mono">{id}</span>],
          ["Threshold", `${threshold} of ${plural(witnesses.length, "witness", "witnesses")}`],
          ["Scheme", signature_scheme === "bls" ? "BLS12-381, aggregated" : "Ed25519"],
          ["Fingerprint", <HashText key="value" text={fingerprint} what="fingerprint" />],
          ["Pin", <PinBadge key="value" id={id} fingerprint={fingerprint} pinned={pinned} />],
          log_vkey === undefined
            ? undefined
            : ["Log key", <HashText key="value" text={log_vkey} what="log key" />],
          merge_delay_seconds === undefined
            ? undefined
            : ["In the log within", durationText(merge_delay_seconds)],
          ["Federation", <Federation key="value" {...shown.federation} />],
        ]}
      />
      {pinned === undefined || pinned.fingerprint === fingerprint
        ? null
        : <Difference shown={id} pinned={pinned.id} />}
    </>
  );
}

/** Another network is no suspicion; other keys under the pinned name are one. */
function Difference({ shown, pinned }: { readonly shown: string; readonly pinned: string }) {
  if (shown !== pinned) {
    return (
      <Alert tone="warn" title="What you pinned is of another network">
        <p>
          You pinned{" "}
          <span class="mono">{pinned}</span>. Nothing of this network can be verified under that
          configuration.
        </p>
      </Alert>
    );
  }
  return (
    <Alert tone="bad" title="This gateway names another configuration than the one you pinned">
      <p>
        Everything on these pages is verified under yours. Ask the operator why the two differ
        before you pin another.
      </p>
    </Alert>
  );
}

interface PinBadgeProps {
  readonly id: string;
  readonly fingerprint: string;
  readonly pinned: PinnedName | undefined;
}

function PinBadge({ id, fingerprint, pinned }: PinBadgeProps) {
  if (pinned === undefined) {
    return (
      <span class="row">
        <Badge tone="warn">Not pinned</Badge>
        <a href={hrefOf({ page: "verify" })}>Pin a configuration</a>
      </span>
    );
  }
  if (pinned.fingerprint === fingerprint) return <Badge tone="good">Pinned in this browser</Badge>;
  return pinned.id === id
    ? <Badge tone="bad">Differs from your pin</Badge>
    : <Badge tone="warn">Your pin is of another network</Badge>;
}

function Federation({ enabled, peer_networks, cross_anchor_threshold }: FederationView) {
  if (peer_networks.length === 0) return <span>No peer networks</span>;
  return (
    <span class="lines">
      <span>
        {enabled
          ? `${cross_anchor_threshold} of ${plural(peer_networks.length, "peer")} have to cosign`
          : "Cosignatures by peers are not asked for"}
      </span>
      {peer_networks.map((peer) => (
        <span key={peer.id} class="muted small">
          <span class="mono">{peer.id}</span>
          {peer.min_witnesses === undefined
            ? ""
            : `, at least ${plural(peer.min_witnesses, "witness", "witnesses")}`}
          {peer.gateway_url === undefined ? "" : `, ${peer.gateway_url}`}
        </span>
      ))}
    </span>
  );
}

interface FederationView {
  readonly enabled: boolean;
  readonly peer_networks: readonly PeerNetwork[];
  readonly cross_anchor_threshold: number;
}
