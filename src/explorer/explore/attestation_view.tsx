/**
 * One attestation: how far its job is, what was signed, and where it stands in the log.
 *
 * @module
 */

import type { SignedAttestation } from "../../format/bundle.ts";
import type { JobSnapshotMembers } from "../../format/job_snapshot.ts";
import { VERIFY_REASONS } from "../../verify/reasons.ts";
import type { Level, SignedLayer, Verdict } from "../../verify/verdict.ts";
import { Alert } from "../components/alert.tsx";
import { Badge, type Tone } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { DownloadButton } from "../components/download_button.tsx";
import { HashText } from "../components/hash_text.tsx";
import { Icon } from "../components/icon.tsx";
import { KeyValues } from "../components/key_values.tsx";
import { FullTime } from "../components/relative_time.tsx";
import type { CheckedBundle } from "../checked_bundle.ts";
import { hrefOf } from "../route.ts";
import { countText } from "../text.ts";
import { TrustNote } from "./signed_by.tsx";

interface JobCardProps {
  readonly job: JobSnapshotMembers;
  readonly now: number;
}

const STATES: Readonly<Record<JobSnapshotMembers["status"], readonly [Tone, string]>> = {
  pending: ["info", "Waits to be signed"],
  retryable: ["warn", "To be tried again"],
  confirmed: ["good", "Signed"],
  failed: ["bad", "Failed"],
};

/** The job as the gateway tells it. */
export function JobCard({ job, now }: JobCardProps) {
  const [tone, word] = job.progress === "batched"
    ? ["good", "In the log"] as const
    : STATES[job.status];
  return (
    <Card title="Job" aside={<Badge tone={tone}>{word}</Badge>}>
      <KeyValues
        items={[
          ["Hash", <HashText key="value" text={job.hash} what="hash" />],
          ["Accepted", <FullTime key="value" time={job.created_at} now={now} />],
          ["Last change", <FullTime key="value" time={job.updated_at} now={now} />],
          ["Attempts", countText(job.attempts)],
          job.next_attempt_at === undefined
            ? undefined
            : ["Next attempt", <FullTime key="value" time={job.next_attempt_at} now={now} />],
          job.batch_id === undefined ? undefined : [
            "Batch",
            <a key="value" href={hrefOf({ page: "batch", id: job.batch_id })}>
              {countText(job.batch_id)}
            </a>,
          ],
        ]}
      />
      {job.last_error === undefined ? null : (
        <Alert tone="warn" title="The last attempt failed">
          <p class="failure-code">
            <code>{job.last_error.code}</code> {job.last_error.message}
          </p>
        </Alert>
      )}
    </Card>
  );
}

interface SignedCardProps {
  readonly signed: SignedAttestation;
  readonly now: number;
}

/** What the witnesses signed. */
export function SignedCard({ signed: { attestation, round }, now }: SignedCardProps) {
  const { beacon } = round;
  return (
    <Card title="Attestation">
      <KeyValues
        items={[
          ["Network", <span key="value" class="mono">{attestation.network_id}</span>],
          ["Signed", <FullTime key="value" time={attestation.timestamp} now={now} />],
          ["Sequence", countText(attestation.sequence)],
          ["Round", `place ${countText(round.index + 1)} of ${countText(round.size)}`],
          [
            "Not before",
            beacon === null ? "no beacon in this round" : `drand round ${countText(beacon.round)}`,
          ],
        ]}
      />
    </Card>
  );
}

const LEVELS: Readonly<Record<Level, readonly [Tone, string, string]>> = {
  invalid: ["bad", "Invalid", "The signatures do not meet the threshold of the configuration."],
  basic: ["good", "Signed by the threshold", "It is not shown to be in the log yet."],
  batched: ["good", "Signed, and in the log", "A path leads from it to a signed tree head."],
  federated: ["good", "Federated", "It is in the log, and enough peers have cosigned the log."],
};

/** The verdict, the bundle to keep, and the way to the page that shows all of it. */
export function VerdictCard({ text, bundle, verdict, trust }: CheckedBundle) {
  const [tone, title, meaning] = LEVELS[verdict.level];
  const { hash } = bundle.signed_attestation.attestation;
  return (
    <Card title="Verified in this browser">
      <Alert tone={tone === "good" && !trust.isPinned ? "info" : tone} title={title}>
        <p>{meaning}</p>
        <FailedLayers verdict={verdict} />
      </Alert>
      <TrustNote isPinned={trust.isPinned} />
      <div class="row">
        <DownloadButton fileName={`${hash}.countersign.json`} text={text} primary>
          Download the bundle
        </DownloadButton>
        <a class="button" href={hrefOf({ page: "verify", hash })}>
          <Icon name="check" />
          <span>Show every layer</span>
        </a>
      </div>
    </Card>
  );
}

/** Layers that failed, in the verifier's words. */
export function FailedLayers({ verdict: { layers } }: { readonly verdict: Verdict }) {
  const failed: [string, SignedLayer][] = [
    ["Signatures", layers.attestation] as [string, SignedLayer],
    ["Log", layers.batch] as [string, SignedLayer],
  ].filter(([, { status }]) => status === "failed");
  return (
    <>
      {failed.map(([name, { reason, field, witness }]) => (
        <p key={name} class="failure-code">
          {name}: <code>{reason}</code> {reason === undefined ? "" : VERIFY_REASONS[reason]}
          {field === undefined ? "" : ` Field ${field}.`}
          {witness === undefined ? "" : ` Witness ${witness}.`}
        </p>
      ))}
    </>
  );
}
