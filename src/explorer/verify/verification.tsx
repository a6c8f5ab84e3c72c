/**
 * The verification of the chosen proof: its progress and its result.
 *
 * @module
 */

import { trustKey } from "../checked.ts";
import { Alert } from "../components/alert.tsx";
import { Failure, Spinner } from "../components/states.tsx";
import { useLoaded, useStore } from "../hooks.ts";
import type { Services } from "../services.ts";
import type { SuppliedContent } from "./supplied_content.tsx";
import type { Proof } from "./supplied_proof.tsx";
import { VerdictHeadline, type VerdictViewProps } from "./verdict_view.tsx";
import { verifiedBundle } from "./verified_bundle.ts";

/** `idle`: no proof. `unpinned`: no configuration. */
export type Verification =
  | { readonly state: "idle" }
  | { readonly state: "unpinned"; readonly networkId: string }
  | { readonly state: "waiting"; readonly label: string }
  | { readonly state: "failed"; readonly error: unknown; readonly retry: () => void }
  | { readonly state: "found"; readonly view: VerdictViewProps };

/** Verifies again when the proof, the content or the pins change. */
export function useVerification(
  services: Services,
  proof: Proof,
  content: SuppliedContent,
): Verification {
  const pins = useStore(services.trust);
  const text = proof.state === "read" ? proof.text : undefined;
  const hash = content.state === "hashed" ? content.hash : undefined;
  const [found, retry] = useLoaded(async () => {
    const { state } = services.trust;
    if (proof.state !== "read" || state.state !== "pinned") return undefined;
    const crypto = await services.crypto.crypto();
    return {
      ...await verifiedBundle(crypto, state.trust, proof.bundle, hash),
      trust: state.trust,
    };
  }, [text, hash, trustKey(pins)]);

  if (proof.state !== "read" || content.state === "failed") return { state: "idle" };
  const { bundle } = proof;
  if (pins.state === "none" || pins.state === "broken") {
    return { state: "unpinned", networkId: bundle.signed_attestation.attestation.network_id };
  }
  if (content.state === "hashing") {
    return { state: "waiting", label: "Waiting for the hash of the file" };
  }
  if (found.state === "failed") return { state: "failed", error: found.error, retry };
  if (found.value === undefined) return { state: "waiting", label: "Verifying in this browser" };
  const name = content.state === "hashed" ? content.name : undefined;
  const { trust } = found.value;
  return { state: "found", view: { bundle, found: found.value, trust, content: name } };
}

/** The verdict, or why there is none yet. */
export function VerificationLine({ verification }: { readonly verification: Verification }) {
  switch (verification.state) {
    case "idle":
      return null;
    case "unpinned":
      return (
        <Alert tone="info" live title="The proof is not verified yet">
          <p>
            It claims that {verification.networkId}{" "}
            signed it. Choose the configuration of that network to verify this.
          </p>
        </Alert>
      );
    case "waiting":
      return <Spinner label={verification.label} />;
    case "failed":
      return <Failure error={verification.error} retry={verification.retry} />;
    case "found":
      return <VerdictHeadline {...verification.view} />;
  }
}
