/**
 * The cards of one attestation: its job, what the witnesses signed, and the verdict on its bundle.
 *
 * @module
 */

import type { SignedAttestation } from "../../format/bundle.ts";
import type { JobSnapshotMembers } from "../../format/job_snapshot.ts";
import type { CheckedBundle } from "../checked.ts";
import { Alert } from "../components/alert.tsx";
import { Badge, type Tone } from "../components/badge.tsx";
import { DownloadButton } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { Icon } from "../components/icon.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { FullTime } from "../components/relative_time.tsx";
import { hrefOf } from "../route.ts";
import { countText } from "../text.ts";
import { verdictText } from "../verdict_text.ts";
import { BatchLink, TrustNote } from "./signed_by.tsx";

const STATUSES: Readonly<Record<JobSnapshotMembers["status"], readonly [Tone, string]>> = {
  pending: ["info", "Waiting for signatures"],
  retryable: ["warn", "Retrying"],
  confirmed: ["good", "Signed"],
  failed: ["bad", "Failed"],
};

/** The job as the gateway reports it. */
export function JobCard({ job }: { readonly job: JobSnapshotMembers }) {
  const [tone, name] = job.progress === "batched"
    ? ["good", "In the log"] as const
    : STATUSES[job.status];
  return (
    <Card title="Job" aside={<Badge tone={tone}>{name}</Badge>}>
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

/** What the witnesses signed. */
export function SignedCard(
  { signed: { attestation, round } }: { readonly signed: SignedAttestation },
) {
  const { beacon } = round;
  return (
    <Card title="Attestation">
      <KeyValues
        items={{
          "Network": <span class="mono">{attestation.network_id}</span>,
          "Signed": <FullTime time={attestation.timestamp} />,
          "Sequence": countText(attestation.sequence),
          "Round": `${countText(round.index + 1)} of ${countText(round.size)}`,
          "Not before": beacon === null
            ? "no beacon in this round"
            : `drand round ${countText(beacon.round)}`,
        }}
      />
    </Card>
  );
}

/** The verdict, with the bundle to download. */
export function VerdictCard({ text, bundle, verdict, trust }: CheckedBundle) {
  const { name, tone, meaning } = verdictText(verdict);
  const { hash } = bundle.signed_attestation.attestation;
  return (
    <Card title="Verified in this browser">
      <Alert tone={tone === "good" && !trust.isPinned ? "info" : tone} title={name}>
        <p>{meaning}</p>
      </Alert>
      <TrustNote isPinned={trust.isPinned} />
      <div class="row">
        <DownloadButton fileName={`${hash}.countersign.json`} text={text} primary>
          Download the bundle
        </DownloadButton>
        <a class="button" href={hrefOf({ page: "verify", hash })}>
          <Icon name="check" />
          <span>Verify in detail</span>
        </a>
      </div>
    </Card>
  );
}
