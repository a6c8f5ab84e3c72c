/**
 * One attestation, found by its hash.
 *
 * @module
 */

import { useEffect } from "hono/jsx/dom";
import { GatewayRefusal } from "../../format/gateway_refusal.ts";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { Icon } from "../components/icon.tsx";
import { PageHead } from "../components/page_head.tsx";
import { Empty, Failure, Spinner } from "../components/states.tsx";
import { checkedBundle } from "../checked_bundle.ts";
import { AnchorCard } from "../explore/anchor_view.tsx";
import { JobCard, SignedCard, VerdictCard } from "../explore/attestation_view.tsx";
import { BackToExplore } from "../explore/back_link.tsx";
import { type Loaded, useLoaded, useNow, useTrust } from "../hooks.ts";
import { hrefOf } from "../route.ts";
import type { PageProps, Services } from "../services.ts";
import { trustKey } from "../trust_in_use.ts";

/** Between two looks at a job that is not in the log yet. */
const AGAIN_MS = 2_000;

export function AttestationPage({ services, hash }: PageProps & { readonly hash: string }) {
  const now = useNow(services.clock);
  const [job, again] = useLoaded(
    async (signal) => (await services.api.job(hash, 0, signal)).value,
    [hash],
  );
  const progress = job.value?.status === "failed" ? "failed" : job.value?.progress;
  useEffect(() => {
    if (progress === undefined || progress === "batched" || progress === "failed") return;
    const timer = setInterval(again, AGAIN_MS);
    return () => clearInterval(timer);
  }, [progress]);
  return (
    <>
      <BackToExplore />
      <PageHead title="Attestation">
        What the gateway and its witnesses say of one hash, and what of it is verified here.
      </PageHead>
      {job.state === "failed" ? <JobFailure error={job.error} hash={hash} retry={again} /> : null}
      {job.value === undefined
        ? job.state === "loading" ? <Spinner label="Looking the hash up" /> : null
        : (
          <>
            <div class="grid">
              <JobCard job={job.value} now={now} />
              {job.value.signed_attestation === undefined
                ? null
                : <SignedCard signed={job.value.signed_attestation} now={now} />}
            </div>
            {job.value.status === "confirmed"
              ? <Proof services={services} hash={hash} progress={job.value.progress} />
              : null}
          </>
        )}
    </>
  );
}

interface JobFailureProps {
  readonly error: unknown;
  readonly hash: string;
  readonly retry: () => void;
}

function JobFailure({ error, hash, retry }: JobFailureProps) {
  if (!(error instanceof GatewayRefusal) || error.reason !== "hash_unknown") {
    return <Failure error={error} title="The attestation cannot be shown" retry={retry} />;
  }
  return (
    <Card title="Not found">
      <HashText text={hash} what="hash" />
      <Empty title="This gateway does not know the hash">
        <p>It was never submitted here, or it is the hash of other content.</p>
        <p>
          <a class="button" href={hrefOf({ page: "stamp" })}>
            <Icon name="seal" />
            <span>Stamp something</span>
          </a>
        </p>
      </Empty>
    </Card>
  );
}

interface ProofProps {
  readonly services: Services;
  readonly hash: string;
  /** What the bundle holds grows with it. */
  readonly progress: string;
}

function Proof({ services, hash, progress }: ProofProps) {
  const key = trustKey(useTrust(services.trust));
  const [loaded, retry]: readonly [Loaded<Awaited<ReturnType<typeof checkedBundle>>>, () => void] =
    useLoaded((signal) => checkedBundle(services, hash, signal), [hash, key, progress]);
  if (loaded.state === "failed") {
    return <Failure error={loaded.error} title="The bundle cannot be shown" retry={retry} />;
  }
  if (loaded.value === undefined) return <Spinner label="Verifying the bundle" />;
  return (
    <>
      <VerdictCard {...loaded.value} />
      <AnchorCard bundle={loaded.value.bundle} verdict={loaded.value.verdict} />
    </>
  );
}
