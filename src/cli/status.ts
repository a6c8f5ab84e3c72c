/**
 * `status`: the job of a hash, as the gateway tells it.
 *
 * @module
 */

import type { JobSnapshotMembers } from "../gateway/service.ts";
import type { CommandContext } from "./command_context.ts";
import { timeText } from "./output.ts";

export interface StatusOptions {
  readonly hash: string;
}

/** A hash that the gateway does not know is an error (contract A8). */
export async function runStatus({ hash }: StatusOptions, context: CommandContext): Promise<number> {
  const { text, value: job } = await context.gateway.job(hash, 0);
  context.output.document(text, jobLines(job));
  return 0;
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
  ];
}
