/**
 * The verdict on the bundle of a row, under the pinned configuration.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";
import { Badge } from "../components/badge.tsx";
import { judgedBundle, trustKey } from "../checked.ts";
import { Alert } from "../components/alert.tsx";
import { useLoaded, useStore } from "../hooks.ts";
import { hrefOf } from "../route.ts";
import { useServices } from "../services.ts";
import { verifierTrust } from "../trust.ts";
import { trustedTone, verdictText } from "../verdict_text.ts";
import { reasonText } from "../../proof/verify/verdict_words.ts";
import type { StampRow } from "./stamp_rows.ts";

interface RowVerdictProps {
  readonly bundle: NonNullable<StampRow["bundle"]>;
  readonly hash: string;
  /** Shown while nothing is verified; by default a sentence. */
  readonly unverified?: Child;
}

/** A badge, or an alert if the bundle is invalid. */
export function RowVerdict({ bundle, hash, unverified }: RowVerdictProps) {
  const services = useServices();
  const pins = useStore(services.trust);
  const [verdict] = useLoaded(
    async () => {
      const { state } = services.trust;
      if (state.state !== "pinned") return undefined;
      return await judgedBundle(services, verifierTrust(state.trust), bundle.value, { hash });
    },
    [trustKey(pins), bundle.text, hash],
    { isLocal: true },
  );

  if (pins.state !== "pinned") {
    return unverified ?? (
      <span class="muted small">
        Not verified here: no configuration is pinned.{" "}
        <a href={hrefOf({ page: "proof", hash })}>Pin one and verify</a>
      </span>
    );
  }
  if (verdict.state === "failed") {
    return <Badge tone="warn">Cannot be verified in this browser</Badge>;
  }
  const found = verdict.value;
  if (found === undefined) return unverified ?? <span class="muted small">Verifying</span>;
  const { name, tone } = verdictText(found);
  if (found.valid) {
    const shownTone = trustedTone(tone, pins.trust);
    return <Badge tone={shownTone} icon="seal">Verified here: {name}</Badge>;
  }
  return (
    <Alert tone="bad" live title="The gateway's proof is invalid">
      <p>
        {reasonText(found.layers.attestation)} Do not rely on it. Keep it as evidence.
      </p>
    </Alert>
  );
}
