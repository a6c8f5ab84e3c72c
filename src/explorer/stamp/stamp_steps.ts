/**
 * The progress of a stamp in four steps, as the gateway reports it. The verdict of the row says what
 * was verified.
 *
 * @module
 */

import { type AnchoringServices, isAnchored } from "../../client/job_follower.ts";
import { signerIds } from "../../format/signature_set.ts";
import type { StampRow } from "./stamp_queue.ts";
import { countText, plural, timeText, witnessName } from "../text.ts";

/** `skipped`: this step is not going to happen, which is no failure. */
export type StepState = "done" | "active" | "waiting" | "failed" | "skipped";

/** One step. */
export interface Step {
  readonly name: string;
  readonly state: StepState;
  readonly text: string;
  /** The batch to link to. */
  readonly batchId?: number;
}

/** The four steps of a row whose hash is known. */
export function stampSteps(row: StampRow): readonly Step[] {
  return [acceptedStep(row), confirmedStep(row), batchedStep(row), anchoredStep(row)];
}

function acceptedStep({ job, phase }: StampRow): Step {
  const name = "Accepted";
  if (job !== undefined) return { name, state: "done", text: timeText(job.created_at) };
  return phase === "failed"
    ? { name, state: "failed", text: "Not accepted" }
    : { name, state: "active", text: "Sending the hash" };
}

function confirmedStep({ job }: StampRow): Step {
  const name = "Confirmed";
  if (job === undefined) return { name, state: "waiting", text: "Signed by the witnesses" };
  if (job.status === "failed") {
    return { name, state: "failed", text: job.last_error?.message ?? "Nobody can sign it" };
  }
  if (job.signed_attestation !== undefined) {
    const { attestation: { network_id } } = job.signed_attestation;
    const names = signerIds(job.signed_attestation).map((id) => witnessName(id, network_id));
    return { name, state: "done", text: `Signed by ${names.join(", ")}` };
  }
  const tried = job.attempts > 0 ? `, ${plural(job.attempts, "attempt")}` : "";
  const why = job.last_error === undefined ? "" : `: ${job.last_error.code}`;
  return { name, state: "active", text: `Waiting for witnesses${tried}${why}` };
}

function batchedStep({ job, bundle }: StampRow): Step {
  const name = "Batched";
  const inclusion = bundle?.value.batch_inclusion ?? null;
  if (inclusion !== null) {
    const { batch, merkle_proof: { leaf_index: index } } = inclusion;
    return { name, state: "done", text: `Entry ${countText(index)} of the log`, batchId: batch.id };
  }
  return job?.status === "confirmed"
    ? { name, state: "active", text: "Waiting for the next batch" }
    : { name, state: "waiting", text: "Added to the log" };
}

function anchoredStep({ bundle, anchoring, phase }: StampRow): Step {
  const name = "Anchored";
  if (anchoring === undefined || bundle === undefined) {
    return { name, state: "waiting", text: "Signed by other networks and services" };
  }
  if (anchoring.peers.length + anchoring.anchors.length === 0) {
    return { name, state: "skipped", text: "This network has no peers and no anchors" };
  }
  const state = isAnchored(bundle.value, anchoring)
    ? "done"
    : phase === "settled"
    ? "skipped"
    : "active";
  return { name, state, text: anchorText(bundle.value, anchoring) };
}

function anchorText(
  { cross_anchors, external_anchors }: NonNullable<StampRow["bundle"]>["value"],
  { peers, anchors }: AnchoringServices,
): string {
  const cosigned = new Set(cross_anchors.map(({ witnessing_network }) => witnessing_network)).size;
  const confirmed = external_anchors.filter(({ status }) => status === "confirmed").length;
  const pending = external_anchors.length - confirmed;
  return [
    ...(peers.length === 0 ? [] : [`${cosigned} of ${plural(peers.length, "peer")}`]),
    ...(anchors.length === 0
      ? []
      : [`${confirmed} of ${plural(anchors.length, "external anchor")}`]),
    ...(pending === 0 ? [] : [`${pending} pending`]),
  ].join(", ");
}

/** The last step of a row, which screen readers announce when it changes. */
export function announcement(row: StampRow): string {
  const name = row.name ?? "The hash";
  if (row.phase === "hashing") return `${name}: hashing`;
  if (row.phase === "failed") return `${name}: failed`;
  if (row.phase === "cancelled") return `${name}: cancelled`;
  if (row.lost !== undefined) return `${name}: the gateway does not answer`;
  const done = row.hash === undefined
    ? undefined
    : stampSteps(row).findLast(({ state }) => state === "done");
  return done === undefined ? "" : `${name}: ${done.name.toLowerCase()}`;
}
