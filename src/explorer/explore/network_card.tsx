/**
 * The network of this gateway: its witnesses, its threshold and its peers.
 *
 * @module
 */

import type { NetworkConfiguration } from "../../proof/format/network.ts";
import type { NetworkView } from "../checked.ts";
import { Alert } from "../components/alert.tsx";
import { Badge } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { LoadedView } from "../components/states.tsx";
import type { Loaded } from "../hooks.ts";
import { hrefOf } from "../route.ts";
import { durationText, plural } from "../text.ts";

interface NetworkCardProps {
  readonly network: Loaded<NetworkView>;
  readonly retry: () => void;
}

export function NetworkCard({ network, retry }: NetworkCardProps) {
  return (
    <Card title="Network">
      <LoadedView
        loaded={network}
        what="the network"
        retry={retry}
        render={(view) => <View {...view} />}
      />
    </Card>
  );
}

function View(view: NetworkView) {
  const { shown, fingerprint, pinned } = view;
  const { id, signature_scheme, threshold, witnesses, log_vkey, merge_delay_seconds } = shown;
  return (
    <>
      <KeyValues
        items={{
          "Network": <span class="mono">{id}</span>,
          "Threshold": `${threshold} of ${plural(witnesses.length, "witness", "witnesses")}`,
          "Scheme": signature_scheme === "bls" ? "BLS12-381, aggregated" : "Ed25519",
          "Fingerprint": <HashText text={fingerprint} what="fingerprint" />,
          "Pin": <PinBadge {...view} />,
          "Log key": log_vkey && <HashText text={log_vkey} what="log key" />,
          "In the log within": merge_delay_seconds === undefined
            ? undefined
            : durationText(merge_delay_seconds),
          "Federation": <Federation {...shown.federation} />,
        }}
      />
      {pinned === undefined || pinned.fingerprint === fingerprint
        ? null
        : <Difference shown={id} pinned={pinned.id} />}
    </>
  );
}

/** Other keys under the pinned name are suspicious; another network is not. */
function Difference({ shown, pinned }: { readonly shown: string; readonly pinned: string }) {
  if (shown !== pinned) {
    return (
      <Alert tone="warn" title="You pinned the configuration of another network">
        <p>
          Your pin is for{" "}
          <span class="mono">{pinned}</span>. Nothing of this network can be verified with it.
        </p>
      </Alert>
    );
  }
  return (
    <Alert tone="bad" title="This gateway's configuration differs from the one you pinned">
      <p>
        These pages verify everything under yours. Ask the operator why the two differ before you
        pin another.
      </p>
    </Alert>
  );
}

function PinBadge({ shown, fingerprint, pinned }: NetworkView) {
  if (pinned === undefined) {
    return (
      <span class="row">
        <Badge tone="warn">Not pinned</Badge>
        <a href={hrefOf({ page: "verify" })}>Pin a configuration</a>
      </span>
    );
  }
  if (pinned.fingerprint === fingerprint) return <Badge tone="good">Pinned in this browser</Badge>;
  return pinned.id === shown.id
    ? <Badge tone="bad">Differs from your pin</Badge>
    : <Badge tone="warn">Your pin is for another network</Badge>;
}

function Federation(
  { enabled, peer_networks, cross_anchor_threshold }: NetworkConfiguration["federation"],
) {
  if (peer_networks.length === 0) return <span>No peer networks</span>;
  return (
    <span class="lines">
      <span>
        {enabled
          ? `${cross_anchor_threshold} of ${plural(peer_networks.length, "peer")} must cosign`
          : "Cosignatures of peers are not required"}
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
