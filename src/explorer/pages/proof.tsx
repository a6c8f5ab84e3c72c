/**
 * The proof of one hash, fetched from this gateway and verified in this browser. Its address can be
 * shared.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import type { JobSnapshotMembers } from "../../proof/format/job_snapshot.ts";
import { fetchProof, isRefusal, trustInUse, trustKey } from "../checked.ts";
import { Alert } from "../components/alert.tsx";
import { Badge, type Tone } from "../components/badge.tsx";
import { DownloadButton } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { CopyButton } from "../components/copy_button.tsx";
import { HashText } from "../components/hash_text.tsx";
import { Icon } from "../components/icon.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { PageHead } from "../components/page_head.tsx";
import { FullTime } from "../components/relative_time.tsx";
import { Empty, LoadedView, Spinner } from "../components/states.tsx";
import { useEffect } from "../effect.ts";
import { BatchLink } from "../explore/signed_by.tsx";
import { useLoaded, useStore } from "../hooks.ts";
import { hrefOf, shareUrl } from "../route.ts";
import { useServices } from "../services.ts";
import { countText } from "../text.ts";
import { ContentZone, useContent } from "../verify/supplied_content.tsx";
import { VerdictDetails } from "../verify/verdict_view.tsx";
import { useVerification, VerificationLine } from "../verify/verification.tsx";

/** Milliseconds between requests for a job that is not in the log yet. */
const POLL_MS = 2_000;

export function ProofPage({ hash }: { readonly hash: string }) {
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
      <PageHead title="Proof" isBelowExplore>
        This page fetches it from this gateway and verifies it in this browser.
      </PageHead>
      {job.state === "failed" && isRefusal(job.error, "hash_unknown")
        ? <UnknownHash hash={hash} />
        : (
          <LoadedView
            loaded={job}
            what="the proof"
            retry={reload}
            render={(found) =>
              found.status === "confirmed" ? <Proof job={found} /> : <JobCard job={found} />}
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

function Proof({ job }: { readonly job: JobSnapshotMembers }) {
  const { hash, progress } = job;
  const services = useServices();
  const key = trustKey(useStore(services.trust));
  const [proof, reloadProof] = useLoaded(
    async (signal) => {
      const { text, value: bundle } = await fetchProof(services.api, hash, signal);
      return { text, bundle };
    },
    [hash, progress],
  );
  const [trust, reloadTrust] = useLoaded((signal) => trustInUse(services, signal), [key]);
  const [file, setFile] = useState<File | undefined>(undefined);
  const content = useContent(services, file);
  const verification = useVerification(services, {
    proof: proof.value,
    trust: trust.value,
    content,
  });
  // What stands below the verdict waits for the first one, which would move it.
  const isJudged = proof.state === "failed" || trust.state === "failed" ||
    verification.state === "failed" || verification.state === "found";
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (isJudged) setShown(true);
  }, [isJudged]);
  const address = shareUrl({ page: "proof", hash });
  return (
    <>
      <LoadedView
        loaded={trust}
        what="the network"
        retry={reloadTrust}
        render={() => <VerificationLine verification={verification} />}
      />
      {isShown
        ? (
          <LoadedView
            loaded={proof}
            what="the proof"
            retry={reloadProof}
            render={({ text }) => (
              <div class="verify-columns">
                <Card title="This proof">
                  <p class="stamp-hash">
                    <span class="muted nowrap">SHA-256</span> <HashText text={hash} what="hash" />
                  </p>
                  <div class="row">
                    <DownloadButton fileName={`${hash}.countersign.json`} text={text} primary>
                      Download the proof
                    </DownloadButton>
                    <CopyButton text={address} what="link to this page" named />
                    <a class="button" href={hrefOf({ page: "certificate", hash })}>
                      <Icon name="file" />
                      <span>Certificate to print</span>
                    </a>
                  </div>
                  <p class="muted small">
                    Keep the proof with the file: it verifies without this gateway.
                  </p>
                </Card>
                <Card title="Is it about your file?">
                  <ContentZone content={content} choose={setFile} />
                </Card>
              </div>
            )}
          />
        )
        : trust.value !== undefined && verification.state === "idle" && (
          <Spinner label="Loading the proof" />
        )}
      {isShown && verification.state === "found" && (
        <VerdictDetails {...verification.view}>
          <JobCard job={job} />
        </VerdictDetails>
      )}
    </>
  );
}

const STATUSES: Readonly<Record<JobSnapshotMembers["status"], readonly [Tone, string]>> = {
  pending: ["info", "Waiting for signatures"],
  retryable: ["warn", "Retrying"],
  confirmed: ["good", "Signed"],
  failed: ["bad", "Failed"],
};

function JobCard({ job }: { readonly job: JobSnapshotMembers }) {
  const [tone, name] = job.progress === "batched"
    ? ["good", "In the log"] as const
    : STATUSES[job.status];
  return (
    <Card title="At the gateway" aside={<Badge tone={tone}>{name}</Badge>}>
      <KeyValues
        items={{
          "Hash": <HashText text={job.hash} what="hash" />,
          "Accepted": <FullTime time={job.created_at} />,
          "Last change": <FullTime time={job.updated_at} />,
          "Attempts": countText(job.attempts),
          "Next attempt": job.next_attempt_at && <FullTime time={job.next_attempt_at} />,
          "Batch": job.batch_id && <BatchLink id={job.batch_id} />,
        }}
      />
      {job.last_error !== undefined && (
        <Alert tone="warn" title="The last attempt failed">
          <p class="failure-code">
            <code>{job.last_error.code}</code> {job.last_error.message}
          </p>
        </Alert>
      )}
    </Card>
  );
}
