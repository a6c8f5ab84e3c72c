/**
 * `status`: shows the job of a hash, or the status of the gateway. Nothing is verified.
 *
 * @module
 */

import { WITNESS_ADVICE } from "../gateway/signing/witness_advice.ts";
import type { GatewayStatus } from "../proof/format/gateway_status.ts";
import type { JobSnapshotMembers } from "../proof/format/job_snapshot.ts";
import type { CommandContext } from "./command_context.ts";
import { defineCommand } from "./define_command.ts";
import { HASH, optionalPositional } from "./options.ts";
import { timeText } from "./output.ts";
import { requireHash } from "./proof_commands.ts";
import { overdueSince, overdueText } from "./verdict_report.ts";

/** An unknown hash is an error (protocol.md "Command line"). */
export const status = defineCommand("status", {
  options: {
    hash: optionalPositional(
      HASH,
      "SHA-256 in 64 hexadecimal digits (default: the status of the gateway).",
    ),
  },
  async run({ hash }, context) {
    if (hash === undefined) {
      const { text, value } = await context.gateway.status();
      context.output.document(text, value, gatewayLines);
      return 0;
    }
    const { text, value: job } = await context.gateway.job(hash, 0);
    if (job.signed_attestation) requireHash(hash, job.signed_attestation.attestation.hash);
    context.output.document(text, job, jobLines);
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

/** What a status means for hashes, where that is not "accepted and signed". */
const MEANINGS: Partial<Readonly<Record<string, string>>> = {
  degraded: "too few witnesses answer, so hashes are accepted and wait for signatures",
  signing_stalled: "a hash has waited for its signatures for 30 s; hashes are accepted",
  publishing_stalled: "signed hashes wait for a tree head; hashes are accepted",
  witnesses_unavailable:
    "too few witnesses have confirmed the store since the start; no hash is accepted",
  store_rolled_back: "the witnesses know a newer state of this log; no hash is accepted",
  storage_failed: "the store takes no writes; no hash is accepted",
  standby: "another gateway takes the hashes",
  log_ended: "the log takes no more hashes",
};

function gatewayLines(status: GatewayStatus): string[] {
  const { sth, foreign_quorum: quorum } = status;
  // The gateway's text may be the name of an inherited member.
  const meaning = Object.hasOwn(MEANINGS, status.status) ? MEANINGS[status.status] : undefined;
  return [
    meaning === undefined ? `status: ${status.status}` : `status: ${status.status}: ${meaning}`,
    `unsigned hashes: ${status.pending_count}`,
    ...(sth === undefined ? [] : [`latest tree head: size ${sth.tree_size}, ${sth.age} s old`]),
    ...status.witnesses.map(({ id, healthy, last_error: error }) =>
      `witness ${id}: ${healthy ? "answers" : failureText(error)}`
    ),
    ...status.peers.map(({ id, failing, last_cross_anchor: last }) =>
      `peer ${id}: ${cosignedText(last)}${failing ? ", last request failed" : ""}`
    ),
    ...status.foreign_witnesses.map((witness) =>
      [
        `foreign witness ${witness.name}${witness.url === undefined ? "" : ` (${witness.url})`}`,
        [
          cosignedText(witness.last_cosigned),
          ...(witness.behind ? [`${witness.behind} behind`] : []),
          ...(witness.last_error === undefined ? [] : [`fails: ${witness.last_error}`]),
          ...(witness.next_attempt_at === undefined
            ? []
            : [`next attempt ${timeText(witness.next_attempt_at)}`]),
        ].join(", "),
      ].join(": ")
    ),
    ...(quorum === undefined ? [] : [
      `policy of foreign witnesses: ${
        quorum.met
          ? "met by the latest tree head"
          : quorum.tree_size === undefined
          ? "not met"
          : `met by size ${quorum.tree_size}, not by the latest tree head`
      }`,
    ]),
    "Not verified: only the gateway says so.",
  ];
}

function failureText(code = "does not answer"): string {
  return Object.hasOwn(WITNESS_ADVICE, code) ? `${code}: ${WITNESS_ADVICE[code]}` : code;
}

function cosignedText(
  last: { readonly tree_size: number; readonly age: number } | undefined,
): string {
  return last === undefined
    ? "nothing cosigned"
    : `cosigned size ${last.tree_size} ${last.age} s ago`;
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
    "Not verified: only the gateway says so. countersign verify-proof --hash HASH verifies it.",
  ];
}
