/**
 * Taking the configuration from the gateway itself: possible, and only after the reader was told what
 * that means.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import { unixSeconds } from "../../clock.ts";
import { fingerprintOf } from "../../format/public_network.ts";
import { Alert } from "../components/alert.tsx";
import { WholeHash } from "../components/hash_text.tsx";
import { Failure, Spinner } from "../components/states.tsx";
import { leaving } from "../focus.ts";
import { useLoaded } from "../hooks.ts";
import type { Services } from "../services.ts";
import type { Pin } from "../trust.ts";

interface GatewayChoiceProps {
  readonly services: Services;
  readonly onPin: (pin: Pin) => void;
}

/** A button, and behind it the choice. */
export function GatewayChoice({ services, onPin }: GatewayChoiceProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) {
    return <Choice services={services} onPin={onPin} onCancel={() => setIsOpen(false)} />;
  }
  return (
    <div class="row">
      <button type="button" class="button button-quiet" onClick={leaving(() => setIsOpen(true))}>
        I have none: ask this gateway
      </button>
    </div>
  );
}

function Choice({ services, onPin, onCancel }: GatewayChoiceProps & {
  readonly onCancel: () => void;
}) {
  const { api, clock } = services;
  const [answer, reload] = useLoaded((signal) => api.network(signal), []);
  if (answer.state === "failed") return <Failure error={answer.error} retry={reload} />;
  if (answer.value === undefined) return <Spinner label="Asking the gateway" />;
  const { text, value: network } = answer.value;
  const pin = () =>
    onPin({
      network,
      text,
      source: "gateway",
      name: api.url.origin,
      pinnedAt: unixSeconds(clock),
    });
  return (
    <Alert tone="warn" live title="You would trust the gateway for its own keys">
      <p>
        A gateway that lies hands out keys of its own, and every proof of its making verifies. Do
        this to try things out, or after comparing the fingerprint with one that you have from
        elsewhere.
      </p>
      <p>{network.id}, fingerprint:</p>
      <WholeHash text={fingerprintOf(network)} what="fingerprint" />
      <div class="row">
        <button type="button" class="button" onClick={leaving(pin)}>
          Trust the gateway for it
        </button>
        <button type="button" class="button button-quiet" onClick={leaving(onCancel)}>
          Cancel
        </button>
      </div>
    </Alert>
  );
}
