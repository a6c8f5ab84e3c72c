/**
 * `status`: shows the job of a hash. Nothing is verified.
 *
 * @module
 */

import type { JobSnapshotMembers } from "../format/job_snapshot.ts";
import type { CommandContext } from "./command_context.ts";
import { defineCommand } from "./define_command.ts";
import { hashArgument } from "./options.ts";
import { timeText } from "./output.ts";
import { requireHash } from "./proof_commands.ts";
import { overdueSince, overdueText } from "./verdict_report.ts";

/** An unknown hash is an error (protocol.md "Command line"). */
export const status = defineCommand("status", {
  options: { hash: hashArgument },
  async run({ hash }, context) {
    const { text, value: job } = await context.gateway.job(hash, 0);
    if (job.signed_attestation) requireHash(hash, job.signed_attestation.attestation.hash);
    context.output.document(text, jobLines(job));
    await noteOverdue(context, job);
    return 0;
  },
});

/** Warns if the batch is later than the pinned network promises, whatever the job says. */
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
    "Not verified: the gateway's own statement (verify-proof).",
  ];
}
