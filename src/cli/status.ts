/**
 * `status`: the job of a hash, as the gateway tells it.
 *
 * @module
 */

import type { JobSnapshotMembers } from "../format/job_snapshot.ts";
import { requireHash } from "./asked_hash.ts";
import type { CommandContext } from "./command_context.ts";
import { overdueSince, overdueText } from "./merge_delay.ts";
import { timeText } from "./output.ts";

export interface StatusOptions {
  readonly hash: string;
}

/** A hash that the gateway does not know is an error (protocol.md "Command line"). */
export async function runStatus({ hash }: StatusOptions, context: CommandContext): Promise<number> {
  const { text, value: job } = await context.gateway.job(hash, 0);
  if (job.signed_attestation) requireHash(hash, job.signed_attestation.attestation.hash);
  context.output.document(text, jobLines(job));
  await noteOverdue(context, job);
  return 0;
}

/** A batch that is late by the pinned network's own promise is no news that a job may keep quiet. */
async function noteOverdue(
  { trust, output, process: { clock } }: CommandContext,
  { signed_attestation: signed, progress }: JobSnapshotMembers,
): Promise<void> {
  if (signed === undefined || progress === "batched") return;
  const pin = await trust.pin(signed.attestation.network_id);
  const due = pin && overdueSince(pin, signed.attestation, clock);
  if (due !== undefined) output.note(overdueText(due));
}

function jobLines(job: JobSnapshotMembers): string[] {
  const { signed_attestation: signed, last_error: error } = job;
  return [
    `hash: ${job.hash}`,
    `status: ${job.status}`,
    `progress: ${job.progress}`,
    `accepted: ${timeText(job.created_at)}`,
    `attempts: ${job.attempts}`,
    ...(signed === undefined ? [] : [
      `network: ${signed.attestation.network_id}`,
      `sequence: ${signed.attestation.sequence}`,
      `time: ${timeText(signed.attestation.timestamp)}`,
    ]),
    ...(job.batch_id === undefined ? [] : [`batch: ${job.batch_id}`]),
    ...(job.next_attempt_at === undefined
      ? []
      : [`next attempt: ${timeText(job.next_attempt_at)}`]),
    ...(error === undefined ? [] : [`last error: ${error.code}, ${error.message}`]),
    "Not verified: as the gateway tells it (verify-proof).",
  ];
}
