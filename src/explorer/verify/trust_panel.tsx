/**
 * What the reader trusts: the pinned configuration and those of peers, where each came from, and the
 * ways to change them. Nothing is pinned without an explicit choice.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import { fingerprintOf } from "../../format/public_network.ts";
import { Alert } from "../components/alert.tsx";
import { Card } from "../components/card.tsx";
import { DropZone } from "../components/drop_zone.tsx";
import { WholeHash } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { Failure, Spinner } from "../components/states.tsx";
import { leaving } from "../focus.ts";
import { useTrust } from "../hooks.ts";
import type { Services } from "../services.ts";
import { plural, timeText } from "../text.ts";
import type { Pin, PinnedTrust } from "../trust.ts";
import { GatewayChoice } from "./gateway_choice.tsx";
import { PeerPins } from "./peer_pins.tsx";
import { pinOfFile } from "./pin_file.ts";

/** The card. */
export function TrustPanel({ services }: { readonly services: Services }) {
  const pins = useTrust(services.trust);
  const [proposed, setProposed] = useState<Pin | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);

  const supply = async (file: File) => {
    setError(undefined);
    try {
      const pin = await pinOfFile(services, file);
      const { state } = services.trust;
      // Keys that change under a known name are what a pin is there to notice.
      if (state.state === "pinned" && differs(state.trust.home, pin)) setProposed(pin);
      else pinHome(services, pin);
    } catch (fault) {
      setError(fault);
    }
  };
  const accept = (pin: Pin) => {
    setProposed(undefined);
    pinHome(services, pin);
  };

  return (
    <Card title="What you trust">
      {pins.state === "loading" ? <Spinner label="Reading what is pinned" /> : null}
      {pins.state === "broken"
        ? (
          <Failure
            error={pins.error}
            title="What was pinned in this browser cannot be read"
          />
        )
        : null}
      {pins.state === "pinned" ? <PinnedHome services={services} {...pins} /> : null}
      {pins.state === "none" || pins.state === "broken" ? <WhyPin /> : null}
      {proposed === undefined || pins.state !== "pinned" ? null : (
        <Replacement
          last={pins.trust.home}
          next={proposed}
          onAccept={() => accept(proposed)}
          onCancel={() => setProposed(undefined)}
        />
      )}
      {error === undefined ? null : <Failure error={error} />}
      <DropZone
        compact
        icon="key"
        label={pins.state === "pinned"
          ? "Supply another configuration"
          : "Supply the network's configuration"}
        onFiles={([file]) => void supply(file!)}
      >
        <span class="muted small">
          network.public.json, from whoever runs the network; kept in this browser
        </span>
      </DropZone>
      {pins.state === "none" || pins.state === "broken"
        ? <GatewayChoice services={services} onPin={accept} />
        : null}
    </Card>
  );
}

function differs(last: Pin, next: Pin): boolean {
  return fingerprintOf(last.network) !== fingerprintOf(next.network);
}

/** Peers of another network are no peers of this one. */
function pinHome({ trust }: Services, home: Pin): void {
  const { state } = trust;
  const peers = state.state === "pinned" && state.trust.home.network.id === home.network.id
    ? state.trust.peers
    : [];
  trust.pin({ home, peers });
}

function WhyPin() {
  return (
    <p>
      A proof is checked against the keys of a network's witnesses. Take them from somebody you
      trust, not from the gateway that you want to check, and compare their fingerprint.
    </p>
  );
}

function PinnedHome({ services, trust, kept }: {
  readonly services: Services;
  readonly trust: PinnedTrust;
  readonly kept: boolean;
}) {
  const { network, source, name, pinnedAt } = trust.home;
  return (
    <>
      <KeyValues
        items={[
          ["Network", network.id],
          [
            "Rule",
            `${network.threshold} of ${
              plural(network.witnesses.length, "witness", "witnesses")
            } must have signed (${network.signature_scheme})`,
          ],
          [
            "Fingerprint",
            <WholeHash key="value" text={fingerprintOf(network)} what="fingerprint" />,
          ],
          ["Came from", source === "file" ? `Your file ${name}` : `This gateway, ${name}`],
          ["Pinned", timeText(pinnedAt)],
        ]}
      />
      {source === "gateway"
        ? (
          <Alert tone="warn" title="The gateway was trusted for this configuration">
            <p>
              If it lied then, its proofs verify all the same. Compare the fingerprint with one that
              the network publishes elsewhere.
            </p>
          </Alert>
        )
        : null}
      {kept ? null : (
        <Alert tone="warn" title="This browser keeps nothing">
          <p>The pin holds until you leave this page.</p>
        </Alert>
      )}
      <PeerPins services={services} trust={trust} />
      <div class="row">
        <button type="button" class="button" onClick={leaving(() => services.trust.forget())}>
          Forget what is pinned
        </button>
      </div>
    </>
  );
}

function Replacement({ last, next, onAccept, onCancel }: {
  readonly last: Pin;
  readonly next: Pin;
  readonly onAccept: () => void;
  readonly onCancel: () => void;
}) {
  const isSame = last.network.id === next.network.id;
  return (
    <Alert
      tone="warn"
      live
      title={isSame
        ? `${next.name} has another configuration of ${next.network.id} than the pinned one`
        : `${next.name} is the configuration of another network, ${next.network.id}`}
    >
      <p>
        {isSame
          ? "Keys, threshold or policy changed. Be sure that the network announced it."
          : `It takes the place of ${last.network.id}.`}
      </p>
      <p>Its fingerprint:</p>
      <WholeHash text={fingerprintOf(next.network)} what="fingerprint" />
      <div class="row">
        <button type="button" class="button" onClick={leaving(onAccept)}>Replace the pin</button>
        <button type="button" class="button button-quiet" onClick={leaving(onCancel)}>
          Keep the old one
        </button>
      </div>
    </Alert>
  );
}
