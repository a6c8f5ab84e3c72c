/**
 * The pinned configurations, and how to change them. Pinning takes an explicit choice.
 *
 * @module
 */

import { type Child, useState } from "hono/jsx/dom";
import { fingerprintOf } from "../../proof/format/trust_core.ts";
import { Alert } from "../components/alert.tsx";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Confirm } from "../components/confirm.tsx";
import { DropZone } from "../components/drop_zone.tsx";
import { WholeHash } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { Failure, LoadedView, Spinner } from "../components/states.tsx";
import { epochText } from "../../proof/verify/epoch_text.ts";
import { useLoaded, useStore } from "../hooks.ts";
import { type Services, useServices } from "../services.ts";
import { momentText } from "../../base/moment_text.ts";
import { plural } from "../text.ts";
import { type Pin, type PinnedTrust, pinOfFile, replacedPin } from "../trust.ts";
import { PeerPins } from "./peer_pins.tsx";
import { PinFailure } from "./pin_failure.tsx";
import { unixSeconds } from "../../base/clock.ts";

/** `children` are more that the reader may trust. */
export function TrustPanel({ children }: { readonly children?: Child }) {
  const services = useServices();
  const pins = useStore(services.trust);
  const [proposed, setProposed] = useState<Pin | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);

  const supply = async (file: File) => {
    setError(undefined);
    try {
      const chosen = await pinOfFile(services, file);
      const { state } = services.trust;
      const last = state.state === "pinned" ? state.trust.home : undefined;
      const pin = await replacedPin(await services.crypto.crypto(), last, chosen);
      // A pin exists to notice other keys under a known name.
      if (last !== undefined && differs(last, pin)) setProposed(pin);
      else pinHome(services, pin);
    } catch (fault) {
      setError(fault);
    }
  };
  const accept = (pin: Pin) => {
    setProposed(undefined);
    pinHome(services, pin);
  };

  const isUnpinned = pins.state === "none" || pins.state === "broken";
  return (
    <Card title="What you trust">
      {pins.state === "loading" && <Spinner label="Loading the pins" />}
      {pins.state === "broken" && (
        <Failure error={pins.error} title="Cannot read the pins of this browser" />
      )}
      {pins.state === "pinned" && <PinnedHome {...pins} />}
      {isUnpinned && (
        <p>
          A proof is verified with the keys of a network's witnesses. Get them from somebody you
          trust, not from the gateway that you want to check, and compare their fingerprint.
        </p>
      )}
      {proposed === undefined || pins.state !== "pinned" ? null : (
        <Replacement
          last={pins.trust.home}
          next={proposed}
          onAccept={() => accept(proposed)}
          onCancel={() => setProposed(undefined)}
        />
      )}
      {error !== undefined && <PinFailure error={error} />}
      <DropZone
        compact
        icon="key"
        label={pins.state === "pinned"
          ? "Choose another configuration"
          : "Choose the network's configuration"}
        onFiles={([file]) => void supply(file!)}
      >
        <span class="muted small">
          network.public.json, from the network's operator; stored in this browser
        </span>
      </DropZone>
      {isUnpinned && <GatewayChoice onPin={accept} />}
      {children}
    </Card>
  );
}

function differs(last: Pin, next: Pin): boolean {
  return fingerprintOf(last.network) !== fingerprintOf(next.network);
}

/** Keeps the pinned peers only if the network stays the same. */
function pinHome({ trust }: Services, home: Pin): void {
  const { state } = trust;
  const peers = state.state === "pinned" && state.trust.home.network.id === home.network.id
    ? state.trust.peers
    : [];
  trust.pin({ home, peers });
}

function PinnedHome({ trust, kept }: {
  readonly trust: PinnedTrust;
  readonly kept: boolean;
}) {
  const { network, source, name, pinnedAt } = trust.home;
  return (
    <>
      <KeyValues
        items={{
          "Network": network.id,
          "Rule": `${network.threshold} of ${
            plural(network.witnesses.length, "witness", "witnesses")
          } must have signed (${network.signature_scheme})`,
          "Fingerprint": <WholeHash text={fingerprintOf(network)} what="fingerprint" />,
          "Source": source === "file" ? `Your file ${name}` : `This gateway, ${name}`,
          "Pinned": momentText(pinnedAt),
          "Keys": epochText(network),
        }}
      />
      {source === "gateway" && (
        <Alert tone="warn" title="This configuration came from the gateway">
          <p>
            If the gateway lied, its forged proofs verify. Compare the fingerprint with one that the
            network publishes elsewhere.
          </p>
        </Alert>
      )}
      {kept ? null : (
        <Alert tone="warn" title="This browser does not store the pin">
          <p>The pin lasts until you leave this page.</p>
        </Alert>
      )}
      <PeerPins trust={trust} />
      <ForgetPins trust={trust} />
    </>
  );
}

function ForgetPins({ trust: { home, peers } }: { readonly trust: PinnedTrust }) {
  const services = useServices();
  const [isAsking, setAsking] = useState(false);
  if (!isAsking) {
    return (
      <div class="row">
        <Button isRemoved onClick={() => setAsking(true)}>Forget all pins</Button>
      </div>
    );
  }
  const { length } = peers;
  return (
    <Confirm
      title={`This browser would forget the configuration of ${home.network.id}${
        length === 0 ? "" : ` and of ${plural(length, "peer")}`
      }`}
      accept="Forget all pins"
      onAccept={() => services.trust.forget()}
      cancel="Keep them"
      onCancel={() => setAsking(false)}
    >
      <p>
        It would also forget which changes of keys it has followed. Proofs are not verified until
        you choose a configuration again.
      </p>
    </Confirm>
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
    <Confirm
      title={isSame
        ? `${next.name} differs from the pinned configuration of ${next.network.id}`
        : `${next.name} is the configuration of another network, ${next.network.id}`}
      accept="Replace the pin"
      onAccept={onAccept}
      cancel="Keep the old one"
      onCancel={onCancel}
    >
      <p>
        {isSame
          ? "Keys, threshold or policy changed. Make sure that the network announced the change."
          : `It would replace ${last.network.id}.`}
      </p>
      <p>Its fingerprint:</p>
      <WholeHash text={fingerprintOf(next.network)} what="fingerprint" />
    </Confirm>
  );
}

interface GatewayChoiceProps {
  readonly onPin: (pin: Pin) => void;
}

/** Pins the gateway's own configuration, after a warning. */
function GatewayChoice({ onPin }: GatewayChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) {
    return <Choice onPin={onPin} onCancel={() => setOpen(false)} />;
  }
  return (
    <div class="row">
      <Button kind="quiet" isRemoved onClick={() => setOpen(true)}>
        I have none: ask this gateway
      </Button>
    </div>
  );
}

function Choice({ onPin, onCancel }: GatewayChoiceProps & { readonly onCancel: () => void }) {
  const { api, clock } = useServices();
  const [answer, reload] = useLoaded((signal) => api.network(signal), []);
  return (
    <LoadedView
      loaded={answer}
      what="the gateway's configuration"
      retry={reload}
      render={({ text, value: network }) => (
        <Confirm
          title="You would trust the gateway for its own keys"
          accept="Trust the gateway for it"
          onAccept={() =>
            onPin({
              network,
              text,
              source: "gateway",
              name: api.url.origin,
              pinnedAt: unixSeconds(clock),
            })}
          cancel="Cancel"
          onCancel={onCancel}
        >
          <p>
            A lying gateway gives you its own keys, and every proof that it forges verifies. Do this
            only to try things out, or after you compared the fingerprint with one from another
            source.
          </p>
          <p>{network.id}, fingerprint:</p>
          <WholeHash text={fingerprintOf(network)} what="fingerprint" />
        </Confirm>
      )}
    />
  );
}
