/**
 * Why something cannot be used beside the pins. If it proves that a network has two successions of one
 * epoch, with the evidence to download.
 *
 * @module
 */

import { encodeContradiction } from "../../proof/format/federation.ts";
import { conflictText } from "../../proof/format/succession_conflict.ts";
import { Alert } from "../components/alert.tsx";
import { Failure } from "../components/states.tsx";
import { Evidence } from "../log/evidence.tsx";
import { TwoSuccessions } from "../two_successions.ts";

interface PinFailureProps {
  readonly error: unknown;
  readonly title?: string;
  readonly retry?: () => void;
}

export function PinFailure({ error, ...failure }: PinFailureProps) {
  if (!(error instanceof TwoSuccessions)) return <Failure error={error} {...failure} />;
  const { conflict, source } = error;
  return (
    <Alert tone="bad" icon="warning" live title={conflictText(conflict)}>
      <p>
        This browser keeps one with the pin, and goes on with it; the other one is in{" "}
        {source}. An honest network has only one.
      </p>
      <p>
        Download the evidence, which has both successions, and ask the operator of the network. It
        does not show which of the two is right: rely on neither until the operator has explained it
        in public.
      </p>
      <Evidence evidence={encodeContradiction(conflict)} networkId={conflict.origin} />
    </Alert>
  );
}
