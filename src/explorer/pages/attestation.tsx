/**
 * One attestation, found by its hash.
 *
 * @module
 */

import { useEffect } from "hono/jsx/dom";
import { checkedBundle, isRefusal, trustKey } from "../checked.ts";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { Icon } from "../components/icon.tsx";
import { PageHead } from "../components/page_head.tsx";
import { Empty, LoadedView } from "../components/states.tsx";
import { JobCard, SignedCard, VerdictCard } from "../explore/attestation_cards.tsx";
import { useLoaded, useStore } from "../hooks.ts";
import { hrefOf } from "../route.ts";
import { useServices } from "../services.ts";
import { LayerList } from "../verify/layer_list.tsx";

/** Milliseconds between requests for a job that is not in the log yet. */
const POLL_MS = 2_000;

export function AttestationPage({ hash }: { readonly hash: string }) {
  const services = useServices();
  const [job, reload] = useLoaded(
    async (signal) => (await services.api.job(hash, 0, signal)).value,
    [hash],
  );
  const progress = job.value?.status === "failed" ? "failed" : job.value?.progress;
  useEffect(() => {
    if (progress === undefined || progress === "batched" || progress === "failed") return;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [progress]);
  return (
    <>
      <PageHead title="Attestation" isBelowExplore>
        What the gateway and its witnesses say about one hash, and what this browser verified.
      </PageHead>
      {job.state === "failed" && isRefusal(job.error, "hash_unknown")
        ? <UnknownHash hash={hash} />
        : (
          <LoadedView
            loaded={job}
            what="the attestation"
            retry={reload}
            render={(found) => (
              <>
                <div class="grid">
                  <JobCard job={found} />
                  {found.signed_attestation !== undefined && (
                    <SignedCard signed={found.signed_attestation} />
                  )}
                </div>
                {found.status === "confirmed" && <Bundle hash={hash} progress={found.progress} />}
              </>
            )}
          />
        )}
    </>
  );
}

function UnknownHash({ hash }: { readonly hash: string }) {
  return (
    <Card title="Not found">
      <HashText text={hash} what="hash" />
      <Empty title="This gateway does not know the hash">
        <p>Nobody submitted it here, or it is the hash of other content.</p>
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

interface BundleProps {
  readonly hash: string;
  /** The bundle is loaded again when this changes. */
  readonly progress: string;
}

function Bundle({ hash, progress }: BundleProps) {
  const services = useServices();
  const key = trustKey(useStore(services.trust));
  const [loaded, retry] = useLoaded(
    (signal) => checkedBundle(services, hash, signal),
    [hash, key, progress],
  );
  return (
    <LoadedView
      loaded={loaded}
      what="the bundle"
      retry={retry}
      render={(checked) => (
        <>
          <VerdictCard {...checked} />
          <Card title="Layers">
            <LayerList {...checked} isPinned={checked.trust.isPinned} />
          </Card>
        </>
      )}
    />
  );
}
