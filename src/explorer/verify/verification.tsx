/**
 * The verification of one proof: its progress and its result.
 *
 * @module
 */

import { unixSeconds } from "../../base/clock.ts";
import type { ProofBundle } from "../../proof/format/bundle.ts";
import { fingerprintOf } from "../../proof/format/trust_core.ts";
import type { TrustInUse } from "../checked.ts";
import { Spinner } from "../components/states.tsx";
import { useLoaded } from "../hooks.ts";
import type { Services } from "../services.ts";
import { type TwoSuccessions, twoSuccessions } from "../two_successions.ts";
import { PinFailure } from "./pin_failure.tsx";
import type { SuppliedContent } from "./supplied_content.tsx";
import { VerdictBanner, type VerdictViewProps } from "./verdict_view.tsx";
import { verifiedBundle } from "./verified_bundle.ts";

/** `idle`: the proof or the configuration is missing. */
export type Verification =
  | { readonly state: "idle" }
  | { readonly state: "waiting"; readonly label: string }
  | { readonly state: "failed"; readonly error: unknown; readonly retry: () => void }
  | {
    readonly state: "found";
    readonly view: VerdictViewProps;
    /** The proof proves that the network has two successions. */
    readonly rival: TwoSuccessions | undefined;
  };

interface VerificationInput {
  readonly proof: { readonly text: string; readonly bundle: ProofBundle } | undefined;
  readonly trust: TrustInUse | undefined;
  readonly content: SuppliedContent;
}

/** Verifies again when the proof, the content or the configuration changes. */
export function useVerification(
  services: Services,
  { proof, trust, content }: VerificationInput,
): Verification {
  const hash = content.state === "hashed" ? content.hash : undefined;
  const key = trust &&
    [trust.network, ...trust.peers].map((network) =>
      `${network.links?.length ?? 0} ${fingerprintOf(network)}`
    );
  const [loaded, retry] = useLoaded(
    async () => {
      if (proof === undefined || trust === undefined) return undefined;
      const crypto = await services.crypto.crypto();
      const found = await verifiedBundle(crypto, trust, proof.bundle, hash);
      if (found.verdict.followed !== undefined) services.trust.keep(found.verdict.followed);
      const rival = await twoSuccessions(crypto, trust.network, {
        links: proof.bundle.succession ?? [],
        source: "the proof",
        foundAt: unixSeconds(services.clock),
      });
      return { found, rival };
    },
    [proof?.text, hash, key],
    { isLocal: true },
  );

  if (proof === undefined || trust === undefined || content.state === "failed") {
    return { state: "idle" };
  }
  if (content.state === "hashing") {
    return { state: "waiting", label: "Waiting for the hash of the file" };
  }
  if (loaded.state === "failed") return { state: "failed", error: loaded.error, retry };
  if (loaded.value === undefined) return { state: "waiting", label: "Verifying in this browser" };
  const fileName = content.state === "hashed" ? content.name : undefined;
  const { found, rival } = loaded.value;
  return { state: "found", view: { bundle: proof.bundle, found, trust, fileName }, rival };
}

/** The verdict, or why there is none yet. */
export function VerificationLine({ verification }: { readonly verification: Verification }) {
  switch (verification.state) {
    case "idle":
      return null;
    case "waiting":
      return <Spinner label={verification.label} />;
    case "failed":
      return <PinFailure error={verification.error} retry={verification.retry} />;
    case "found":
      return (
        <>
          <VerdictBanner {...verification.view} />
          {verification.rival !== undefined && <PinFailure error={verification.rival} />}
        </>
      );
  }
}
