/**
 * The progress of a stamp in four steps, as the gateway reports it. The verdict of the row says what
 * was verified.
 *
 * @module
 */

import { signerIds } from "../../proof/format/signature_set.ts";
import type { Tone } from "../components/badge.tsx";
import { type AnchoringServices, isAnchored } from "./stamp_follower.ts";
import { isLogged, type StampPhase, type StampRow } from "./stamp_rows.ts";
import { momentText } from "../../base/moment_text.ts";
import { countText, plural, witnessName } from "../text.ts";

/** `skipped`: this step is not going to happen, which is no failure. */
export type StepState = "done" | "active" | "waiting" | "failed" | "skipped";

export interface Step {
  readonly name: string;
  readonly state: StepState;
  readonly text: string;
  /** The batch to link to. */
  readonly batchId?: number;
}

/** The four steps of a row whose hash is known; `anchoring` is undefined until it is. */
export function stampSteps(
  row: StampRow,
  anchoring: AnchoringServices | undefined,
): readonly Step[] {
  return [acceptedStep(row), confirmedStep(row), batchedStep(row), anchoredStep(row, anchoring)];
}

function acceptedStep({ job, phase }: StampRow): Step {
  const name = "Accepted";
  if (job !== undefined) return { name, state: "done", text: momentText(job.created_at) };
  if (phase === "cancelled") {
    return { name, state: "skipped", text: "Cancelled; the hash may have been sent" };
  }
  return phase === "failed"
    ? { name, state: "failed", text: "Not accepted" }
    : { name, state: "active", text: "Sending the hash" };
}

function confirmedStep({ job }: StampRow): Step {
  const name = "Confirmed";
  if (job === undefined) return { name, state: "waiting", text: "Signed by the witnesses" };
  if (job.status === "failed") {
    return {
      name,
      state: "failed",
      text: job.last_error?.message ??
        "The witnesses cannot sign it, and the gateway does not say why",
    };
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

function batchedStep(row: StampRow): Step {
  const { job, bundle } = row;
  const name = "Batched";
  const inclusion = bundle?.value.batch_inclusion ?? null;
  if (inclusion !== null) {
    const { batch, merkle_proof: { leaf_index: index } } = inclusion;
    return {
      name,
      state: "done",
      text: `Position ${countText(index)} in the log`,
      batchId: batch.id,
    };
  }
  if (isLogged(row)) return { name, state: "done", text: "In the log" };
  return job?.status === "confirmed"
    ? { name, state: "active", text: "Waiting for the next batch" }
    : { name, state: "waiting", text: "Added to the log" };
}

function anchoredStep(
  { bundle, phase }: StampRow,
  anchoring: AnchoringServices | undefined,
): Step {
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

/** No state is green: the gateway reports it. */
const STATES: Readonly<Record<StampPhase, readonly [tone: Tone, text: string]>> = {
  queued: ["neutral", "Waiting to be hashed"],
  hashing: ["info", "Hashing"],
  sending: ["info", "Sending"],
  signing: ["info", "Accepted"],
  batching: ["info", "Confirmed"],
  anchoring: ["info", "In the log"],
  settled: ["info", "In the log"],
  cancelled: ["neutral", "Cancelled"],
  failed: ["bad", "Failed"],
};

/** The state of a row in one or two words. */
export function rowState({ phase, job, done = 0, size = 0 }: StampRow): {
  readonly tone: Tone;
  readonly text: string;
} {
  if (job?.status === "failed") return { tone: "bad", text: "Failed" };
  const [tone, text] = STATES[phase];
  const percent = phase === "hashing" && done > 0 ? ` ${Math.floor(100 * done / size)} %` : "";
  return { tone, text: text + percent };
}

/** The phases of a list that is not finished, such as "12 to hash, 3 to send". */
const WAITING: readonly (readonly [phases: readonly StampPhase[], text: string])[] = [
  [["queued", "hashing"], "to hash"],
  [["sending"], "to send"],
  [["signing"], "waiting for witnesses"],
  [["batching"], "waiting for the next batch"],
  [["failed"], "failed"],
  [["cancelled"], "cancelled"],
];

/** The counts of a list. */
export function listProgress(rows: readonly StampRow[]): {
  readonly logged: number;
  readonly failed: number;
  readonly unfinished: number;
  readonly text: string;
} {
  const counts = new Map<StampPhase, number>();
  for (const { phase } of rows) counts.set(phase, (counts.get(phase) ?? 0) + 1);
  const sum = (phases: readonly StampPhase[]) =>
    phases.reduce((total, phase) => total + (counts.get(phase) ?? 0), 0);
  const parts = WAITING.map(([phases, text]) => [sum(phases), text] as const)
    .filter(([count]) => count > 0);
  return {
    logged: rows.filter(isLogged).length,
    failed: sum(["failed"]),
    unfinished: sum(["queued", "hashing", "sending", "signing", "batching"]),
    text: parts.map(([count, text]) => `${countText(count)} ${text}`).join(", "),
  };
}

/** The last step of a row, which screen readers announce when it changes. */
export function announcement(row: StampRow): string {
  const name = row.name ?? "The hash";
  if (row.phase === "hashing") return `${name}: hashing`;
  if (row.phase === "failed") return `${name}: failed`;
  if (row.phase === "cancelled") return `${name}: cancelled`;
  const done = row.hash === undefined
    ? undefined
    : stampSteps(row, undefined).slice(0, 3).findLast(({ state }) => state === "done");
  return done === undefined ? "" : `${name}: ${done.name.toLowerCase()}`;
}
