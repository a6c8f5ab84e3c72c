/**
 * The verification of one proof: its progress and its result.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";
import { unixSeconds } from "../../base/clock.ts";
import type { ProofBundle } from "../../proof/format/bundle.ts";
import { fingerprintOf } from "../../proof/format/trust_core.ts";
import type { TrustInUse } from "../checked.ts";
import { Spinner } from "../components/states.tsx";
import type { FollowedNetwork } from "../../proof/verify/followed_network.ts";
import { useLoaded } from "../hooks.ts";
import type { Services } from "../services.ts";
import { type TwoSuccessions, twoSuccessions } from "../two_successions.ts";
import { PinFailure } from "./pin_failure.tsx";
import type { SuppliedContent } from "./supplied_content.tsx";
import type { ChosenRoots, SuppliedToken } from "./supplied_file.ts";
import { TimestampBanner, type TimestampViewProps } from "./timestamp_view.tsx";
import { VerdictBanner, type VerdictViewProps } from "./verdict_view.tsx";
import { verifiedBundle } from "./verified_bundle.ts";
import { verifiedTimestamp } from "./verified_timestamp.ts";

/** `idle`: the proof or the configuration is missing. */
export type Verification<View = VerdictViewProps> =
  | { readonly state: "idle" }
  | { readonly state: "waiting"; readonly label: string }
  | { readonly state: "failed"; readonly error: unknown; readonly retry: () => void }
  | {
    readonly state: "found";
    readonly view: View;
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
  return useJudged(services, {
    input: proof,
    trust,
    content,
    async judge({ bundle }, trust, hash) {
      const crypto = await services.crypto.crypto();
      const found = await verifiedBundle(crypto, trust, bundle, hash);
      return { found, proof: { bundle, followed: found.verdict.followed } };
    },
    view: ({ bundle }, found, compared) => ({ bundle, found, ...compared }),
  });
}

interface TimestampInput {
  readonly token: SuppliedToken | undefined;
  readonly trust: TrustInUse | undefined;
  /** Hashed by the token's hash function. */
  readonly content: SuppliedContent;
  readonly roots: ChosenRoots | undefined;
}

/** The same for a time-stamp token. */
export function useTimestampVerification(
  services: Services,
  { token, trust, content, roots }: TimestampInput,
): Verification<TimestampViewProps> {
  return useJudged(services, {
    input: token && { ...token, text: `${token.text} ${roots?.text}` },
    trust,
    content,
    async judge(supplied, trust, digest) {
      const [crypto, script] = await Promise.all([services.crypto.crypto(), services.timestamps()]);
      const expected = { digest, roots: roots?.certificates ?? [] };
      const found = await verifiedTimestamp({ crypto, script }, trust, supplied, expected);
      const { proof } = found;
      return {
        found,
        proof: proof && { bundle: proof.bundle, followed: proof.found.verdict.followed },
      };
    },
    view: ({ token }, found, compared) => ({ token, found, ...compared }),
  });
}

/** What a proof was verified under and compared with. */
interface Compared {
  readonly trust: TrustInUse;
  /** Name of the file. */
  readonly fileName: string | undefined;
}

interface Judgement<Input, Found, View> {
  /** It is verified again when `text` changes. */
  readonly input: Input & { readonly text: string } | undefined;
  readonly trust: TrustInUse | undefined;
  readonly content: SuppliedContent;
  readonly judge: (
    input: Input,
    trust: TrustInUse,
    hash: string | undefined,
  ) => Promise<{
    readonly found: Found;
    /** The bundle that was verified, and where its succession leads. */
    readonly proof:
      | { readonly bundle: ProofBundle; readonly followed: FollowedNetwork | undefined }
      | undefined;
  }>;
  readonly view: (input: Input, found: Found, compared: Compared) => View;
}

function useJudged<Input, Found, View>(
  services: Services,
  { input, trust, content, judge, view }: Judgement<Input, Found, View>,
): Verification<View> {
  const hash = content.state === "hashed" ? content.hash : undefined;
  const key = trust &&
    [trust.network, ...trust.peers].map((network) =>
      `${network.links?.length ?? 0} ${fingerprintOf(network)}`
    );
  const [loaded, retry] = useLoaded(
    async () => {
      if (input === undefined || trust === undefined) return undefined;
      const { found, proof } = await judge(input, trust, hash);
      if (proof?.followed !== undefined) services.trust.keep(proof.followed);
      const rival = await twoSuccessions(await services.crypto.crypto(), trust.network, {
        links: proof?.bundle.succession ?? [],
        source: "the proof",
        foundAt: unixSeconds(services.clock),
      });
      return { found, rival };
    },
    [input?.text, hash, key],
    { isLocal: true },
  );

  if (input === undefined || trust === undefined || content.state === "failed") {
    return { state: "idle" };
  }
  if (content.state === "hashing") {
    return { state: "waiting", label: "Waiting for the hash of the file" };
  }
  if (loaded.state === "failed") return { state: "failed", error: loaded.error, retry };
  if (loaded.value === undefined) return { state: "waiting", label: "Verifying in this browser" };
  const fileName = content.state === "hashed" ? content.name : undefined;
  const { found, rival } = loaded.value;
  return { state: "found", view: view(input, found, { trust, fileName }), rival };
}

/** The verdict, or why there is none yet. */
export function VerificationLine({ verification }: { readonly verification: Verification }) {
  return (
    <VerificationState
      verification={verification}
      banner={(view) => <VerdictBanner {...view} />}
    />
  );
}

/** The same for a time-stamp token. */
export function TimestampLine({ verification }: {
  readonly verification: Verification<TimestampViewProps>;
}) {
  return (
    <VerificationState
      verification={verification}
      banner={(view) => <TimestampBanner {...view} />}
    />
  );
}

function VerificationState<View>({ verification, banner }: {
  readonly verification: Verification<View>;
  readonly banner: (view: View) => Child;
}) {
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
          {banner(verification.view)}
          {verification.rival !== undefined && <PinFailure error={verification.rival} />}
        </>
      );
  }
}
