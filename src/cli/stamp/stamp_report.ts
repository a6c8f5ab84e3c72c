/**
 * The report of `stamp`.
 *
 * @module
 */

import type { CountersignError } from "../../base/errors.ts";
import type { Attestation } from "../../proof/format/attestation.ts";
import type { JobSnapshotMembers } from "../../proof/format/job_snapshot.ts";
import type { CommandContext } from "../command_context.ts";
import { byReason, type ErrorJson, errorJson, timeText } from "../output.ts";
import type { StampInput } from "./stamp_inputs.ts";
import type { SavedProof } from "./stamp_results.ts";

/** The result of one input. It has an error unless it reached the requested state. */
export interface Stamped {
  readonly input: StampInput;
  readonly stamp?: Pick<JobSnapshotMembers, "status" | "progress"> & {
    readonly attestation?: Attestation;
    /** True if a pinned network's threshold has signed it. */
    readonly verified?: boolean;
  };
  readonly saved?: SavedProof;
  readonly error?: CountersignError;
}

/** More results have one line each. */
const DETAILED_RESULTS = 10;
/** Errors of more reasons are counted. */
const SHOWN_REASONS = 10;

/**
 * `unpinned` is the id of a network that is not pinned, and `savingCommand` the command that saves the
 * proofs that this run has not.
 */
export function reportStamps(
  context: CommandContext,
  results: readonly Stamped[],
  { unpinned, savingCommand }: {
    readonly unpinned: string | undefined;
    readonly savingCommand: string | undefined;
  },
): void {
  const { output, io } = context;
  const isDetailed = results.length <= DETAILED_RESULTS;
  output.result(
    { results: results.map(resultJson) },
    ({ results }) => results.flatMap((result) => resultLines(result, isDetailed)),
  );
  if (output.format === "text") {
    const failed = results.flatMap(({ error }) => error === undefined ? [] : { error });
    const reasons = byReason(failed, { exact: isDetailed });
    for (const [first, ...others] of reasons.slice(0, SHOWN_REASONS)) {
      output.failure(first!.error);
      if (others.length > 0) io.err(`… and ${others.length} more for the same reason`);
    }
    const hidden = reasons.slice(SHOWN_REASONS).flat().length;
    if (hidden > 0) io.err(`… and ${hidden} more`);
    if (failed.length > 0 && results.length > 1) {
      io.err(`${failed.length} of ${results.length} inputs failed`);
    } else if (!isDetailed) {
      const saved = results.filter((result) => result.saved !== undefined).length;
      io.err(`${results.length} inputs stamped${saved === 0 ? "" : `, ${saved} proofs saved`}`);
    }
  }
  if (unpinned !== undefined && results.some(({ stamp }) => stamp?.attestation)) {
    output.note(
      `Stamped. To verify proofs of ${unpinned}, pin its configuration once and compare the ` +
        `fingerprint with the operator's: ${context.commandLine("network --pin")}`,
    );
  }
  const isStamped = results.some(({ stamp }) => stamp !== undefined);
  if (output.format === "text" && savingCommand !== undefined && isStamped) {
    output.note(`No proof was saved on this machine. Save it with: ${savingCommand}`);
  }
}

/** A result as JSON. */
interface ShownStamp extends Partial<Attestation> {
  readonly name?: string | undefined;
  readonly status?: JobSnapshotMembers["status"] | undefined;
  readonly progress?: JobSnapshotMembers["progress"] | undefined;
  readonly verified?: boolean | undefined;
  readonly saved?: string | undefined;
  readonly kept?: boolean | undefined;
  readonly others?: readonly string[] | undefined;
  readonly error?: ErrorJson | undefined;
}

function resultJson({ input, stamp, saved, error }: Stamped): ShownStamp {
  return {
    ...(input.name !== undefined && { name: input.name }),
    ...(input.hash !== undefined && { hash: input.hash }),
    ...(stamp !== undefined && stampJson(stamp)),
    saved: saved?.name,
    ...(saved?.kept && { kept: true }),
    ...(saved?.others && { others: saved.others }),
    error: error && errorJson(error),
  };
}

function stampJson({ status, progress, attestation, verified }: NonNullable<Stamped["stamp"]>) {
  if (attestation === undefined) return { status, progress };
  const { network_id, sequence, timestamp } = attestation;
  return { status, progress, network_id, sequence, timestamp, verified };
}

function resultLines(shown: ShownStamp, isDetailed: boolean): string[] {
  const { name, hash, status, progress, network_id, sequence, timestamp, verified } = shown;
  if (status === undefined) return [];
  const state = status === "confirmed" ? progress : status;
  const line = [state, hash, ...(name === undefined ? [] : [name])].join("  ");
  if (!isDetailed) return [line];
  return [
    line,
    ...(timestamp === undefined ? [] : [
      `  sequence ${sequence} of ${network_id}, ${timeText(timestamp)}` +
      (verified ? ", verified against the pinned network" : ""),
    ]),
    ...(shown.saved === undefined ? [] : [savedLine(shown.saved, shown)]),
    ...(shown.others ?? []).map((file) => `  saved ${file}`),
  ];
}

function savedLine(name: string, { kept = false, verified = false }: ShownStamp): string {
  if (!kept) return `  saved ${name}`;
  return verified
    ? `  kept ${name}, which has parts that the gateway's proof lacks`
    : `  kept ${name}: the gateway's proof has other parts, and cannot be verified without a pin`;
}
