/**
 * Pins the gateway's own configuration, after a warning.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import { unixSeconds } from "../../base/clock.ts";
import { fingerprintOf } from "../../proof/format/trust_core.ts";
import { Button } from "../components/button.tsx";
import { Confirm } from "../components/confirm.tsx";
import { WholeHash } from "../components/hash_text.tsx";
import { LoadedView } from "../components/states.tsx";
import { useLoaded } from "../hooks.ts";
import { useServices } from "../services.ts";
import type { Pin } from "../trust.ts";

interface GatewayChoiceProps {
  readonly onPin: (pin: Pin) => void;
}

export function GatewayChoice({ onPin }: GatewayChoiceProps) {
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
