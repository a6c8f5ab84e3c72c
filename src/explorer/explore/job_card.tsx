/**
 * The job of one attestation, as the gateway reports it.
 *
 * @module
 */

import type { JobSnapshotMembers } from "../../format/job_snapshot.ts";
import { Alert } from "../components/alert.tsx";
import { Badge, type Tone } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { HashText } from "../components/hash_text.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { FullTime } from "../components/relative_time.tsx";
import { countText } from "../text.ts";
import { BatchLink } from "./signed_by.tsx";

const STATUSES: Readonly<Record<JobSnapshotMembers["status"], readonly [Tone, string]>> = {
  pending: ["info", "Waiting for signatures"],
  retryable: ["warn", "Retrying"],
  confirmed: ["good", "Signed"],
  failed: ["bad", "Failed"],
};

export function JobCard({ job }: { readonly job: JobSnapshotMembers }) {
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
