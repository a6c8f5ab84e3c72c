/**
 * The configurations of the peer networks that the pinned policy names.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import { CountersignError } from "../../base/errors.ts";
import { fingerprintOf } from "../../proof/format/trust_core.ts";
import { epochText } from "../../proof/verify/epoch_text.ts";
import { Badge } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { DropZone } from "../components/drop_zone.tsx";
import { HashText } from "../components/hash_text.tsx";
import { type Services, useServices } from "../services.ts";
import { plural } from "../text.ts";
import {
  type Pin,
  type PinnedTrust,
  pinOfFile,
  replacedPin,
  withoutPeer,
  withPeer,
} from "../trust.ts";
import { PinFailure } from "./pin_failure.tsx";

interface PeerPinsProps {
  readonly trust: PinnedTrust;
}

/** Nothing if the pinned policy names no peers. */
export function PeerPins({ trust }: PeerPinsProps) {
  const services = useServices();
  const [error, setError] = useState<unknown>(undefined);
  const { enabled, peer_networks: peers, cross_anchor_threshold: required } =
    trust.home.network.federation;
  if (!enabled || peers.length === 0) return null;

  const supply = async (files: readonly File[]) => {
    setError(undefined);
    try {
      let next = trust;
      for (const file of files) next = withPeer(next, await peerPin(services, trust, file));
      services.trust.pin(next);
    } catch (fault) {
      setError(fault);
    }
  };
  return (
    <div class="stack-small">
      <h3>Peer networks</h3>
      <p class="muted">
        {plural(required, "peer")} must have cosigned the log before the verdict names them.
      </p>
      <ul class="peer-list">
        {peers.map(({ id }) => (
          <li key={id}>
            <PeerLine trust={trust} id={id} />
          </li>
        ))}
      </ul>
      {error !== undefined && <PinFailure error={error} />}
      <DropZone
        compact
        multiple
        icon="key"
        label="Choose configurations of peers"
        onFiles={(files) => void supply(files)}
      >
        <span class="muted small">network.public.json of each, from its operator</span>
      </DropZone>
    </div>
  );
}

function PeerLine({ trust, id }: PeerPinsProps & { readonly id: string }) {
  const services = useServices();
  const pin = trust.peers.find(({ network }) => network.id === id);
  if (pin === undefined) {
    return (
      <span class="row">
        <span>{id}</span>
        <Badge tone="warn">No configuration</Badge>
      </span>
    );
  }
  return (
    <>
      <span class="row">
        <span>{id}</span>
        <Badge tone="good" icon="key">From {pin.name}</Badge>
        <Button
          kind="quiet"
          label={`Forget ${id}`}
          isRemoved
          onClick={() => services.trust.pin(withoutPeer(trust, id))}
        >
          Forget
        </Button>
      </span>
      <HashText text={fingerprintOf(pin.network)} what={`fingerprint of ${id}`} />
      <span class="muted small">{epochText(pin.network)}</span>
    </>
  );
}

/** The pin of `file`; throws if the pinned policy does not name its network. */
async function peerPin(services: Services, trust: PinnedTrust, file: File): Promise<Pin> {
  const pin = await pinOfFile(services, file);
  const { peer_networks: peers } = trust.home.network.federation;
  if (peers.some(({ id }) => id === pin.network.id)) {
    const last = trust.peers.find(({ network }) => network.id === pin.network.id);
    return await replacedPin(await services.crypto.crypto(), last, pin);
  }
  throw new CountersignError(
    "invalid_configuration",
    `Cannot use ${file.name}: ${pin.network.id} is not a peer of the pinned network`,
  );
}
