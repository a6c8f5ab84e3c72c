/**
 * `status`, `bundle`, `proof` and `config`: print an answer of the gateway. Nothing is verified.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { JobSnapshotMembers } from "../format/job_snapshot.ts";
import type { CommandContext } from "./command_context.ts";
import { timeText } from "./output.ts";
import { overdueSince, overdueText } from "./verdict_report.ts";

export interface LookupOptions {
  readonly hash: string;
}

/** `status`: the job of a hash. An unknown hash is an error (protocol.md "Command line"). */
export async function runStatus({ hash }: LookupOptions, context: CommandContext): Promise<number> {
  const { text, value: job } = await context.gateway.job(hash, 0);
  if (job.signed_attestation) requireHash(hash, job.signed_attestation.attestation.hash);
  context.output.document(text, jobLines(job));
  await noteOverdue(context, job);
  return 0;
}

/** `bundle`: prints the bundle as received, in either format. */
export async function runBundle({ hash }: LookupOptions, context: CommandContext): Promise<number> {
  const { text, value } = await context.gateway.bundle(hash);
  requireHash(hash, value.signed_attestation.attestation.hash);
  context.output.document(text);
  return 0;
}

/** `proof`: the Merkle proof of a hash in its batch's tree. */
export async function runProof({ hash }: LookupOptions, context: CommandContext): Promise<number> {
  const { text, value: proof } = await context.gateway.merkleProof(hash);
  requireHash(hash, proof.hash);
  context.output.document(text, [
    `hash: ${proof.hash}`,
    `leaf hash: ${proof.leaf_hash}`,
    `leaf index: ${proof.leaf_index}`,
    `tree size: ${proof.tree_size}`,
    `root hash: ${proof.root_hash}`,
    `batch: ${proof.batch_id}`,
    ...proof.inclusion_path.map((node, i) => `inclusion path ${i}: ${node}`),
    "Not verified: this needs the signed tree head and attestation (verify-proof, log proof).",
  ]);
  return 0;
}

/** `config`: the short configuration, with a warning if the pinned one differs. */
export async function runConfig(context: CommandContext): Promise<number> {
  const { text, value } = await context.gateway.config();
  context.output.document(text, [
    `network: ${value.id}`,
    `scheme: ${value.signature_scheme}`,
    `threshold: ${value.threshold} of ${value.witness_count} witnesses`,
  ]);
  const pin = await context.trust.pin(value.id);
  const differs = pin !== undefined && (
    pin.threshold !== value.threshold || pin.signature_scheme !== value.signature_scheme ||
    pin.witnesses.length !== value.witness_count
  );
  if (differs) context.output.note(`WARNING: the pinned configuration of ${value.id} differs`);
  return 0;
}

/** Requires the answer to be about the requested hash; `proof_refused`. */
function requireHash(requested: string, found: string): void {
  if (requested === found) return;
  throw new CountersignError(
    "proof_refused",
    `Cannot use the gateway's answer: it is about hash ${found} instead of ${requested}`,
  );
}

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
