/**
 * `stamp`: hashes contents here, submits the digests, and waits until they are attested. Only the
 * digests leave the machine.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { JobSnapshotMembers } from "../gateway/service.ts";
import type { CommandContext } from "./command_context.ts";
import { hashInputs, type StampInput } from "./stamp_inputs.ts";
import { type AwaitedState, awaitJobs } from "./stamp_jobs.ts";
import { type CheckedJob, JobChecker, saveBundle } from "./stamp_results.ts";
import { errorJson, timeText } from "./output.ts";

export interface StampOptions {
  /** Files, or `-` for standard input. */
  readonly files: readonly string[];
  /** Digests in place of contents, 64 lowercase hex each. */
  readonly hashes: readonly string[];
  readonly noWait: boolean;
  readonly waitBatched: boolean;
  readonly save: boolean;
  readonly timeoutSeconds: number;
}

/** What became of one input. */
type Stamped =
  & { readonly input: StampInput }
  & (
    | { readonly job: CheckedJob; readonly saved?: string; readonly error?: CountersignError }
    | { readonly error: CountersignError; readonly job?: undefined }
  );

/** Exits 1 when any input was not brought as far as was asked; the others are, all the same. */
export async function runStamp(options: StampOptions, context: CommandContext): Promise<number> {
  checkOptions(options);
  const inputs = await hashInputs(context, options);
  const jobs = await awaitJobs(context, [...new Set(inputs.flatMap((i) => i.hash ?? []))], {
    state: awaitedState(options),
    timeoutSeconds: options.timeoutSeconds,
  });
  const checker = new JobChecker(context);
  const results: Stamped[] = [];
  for (const input of inputs) {
    const job = input.hash === undefined ? undefined : jobs.get(input.hash);
    results.push(await finish(input, job, { options, context, checker }));
  }
  report(context, results);
  if (checker.unpinned !== undefined) {
    context.output.note(
      `Not verified: ${checker.unpinned} is not pinned (countersign network --pin)`,
    );
  }
  return results.some((result) => result.error !== undefined) ? 1 : 0;
}

function checkOptions({ files, hashes, noWait, waitBatched, save }: StampOptions): void {
  if (files.length + hashes.length === 0) {
    throw usage("files, --hash HASH or - required, found none");
  }
  if (files.filter((file) => file === "-").length > 1) {
    throw usage("standard input once required, found it more often");
  }
  if (noWait && (waitBatched || save)) {
    throw usage(
      "a confirmation to wait for required by --save and --wait-batched, found --no-wait",
    );
  }
}

function awaitedState({ noWait, waitBatched }: StampOptions): AwaitedState {
  if (noWait) return "accepted";
  return waitBatched ? "batched" : "confirmed";
}

async function finish(
  input: StampInput,
  job: JobSnapshotMembers | undefined,
  { options, context, checker }: {
    readonly options: StampOptions;
    readonly context: CommandContext;
    readonly checker: JobChecker;
  },
): Promise<Stamped> {
  if (input.error !== undefined) return { input, error: input.error };
  try {
    const checked = await checker.check(job!);
    const error = shortfall(checked.job, awaitedState(options));
    if (error !== undefined) return { input, job: checked, error };
    if (!options.save) return { input, job: checked };
    return { input, job: checked, saved: await saveBundle(context, input, checked) };
  } catch (error) {
    if (error instanceof CountersignError) return { input, error };
    throw error;
  }
}

/** What a job lacks of the awaited state. */
function shortfall(job: JobSnapshotMembers, state: AwaitedState): CountersignError | undefined {
  if (state === "accepted" && job.status !== "failed") return undefined;
  if (job.status === "failed") {
    return new CountersignError(
      "gateway_refused",
      `Cannot stamp ${job.hash}: a confirmed job required, found a failed one`,
    );
  }
  if (job.status !== "confirmed") {
    return new CountersignError(
      "not_confirmed",
      `Cannot confirm ${job.hash} in time: a confirmed job required, found ${job.status} ` +
        `(accepted; see: countersign status ${job.hash})`,
    );
  }
  if (state === "batched" && job.progress !== "batched") {
    return new CountersignError(
      "not_batched",
      `Cannot wait longer for the batch of ${job.hash}: a batched job required, found confirmed`,
    );
  }
  return undefined;
}

function report({ output, io }: CommandContext, results: readonly Stamped[]): void {
  output.result({ results: results.map(resultJson) }, results.flatMap(resultLines));
  if (output.format === "json") return;
  for (const { error } of results) if (error !== undefined) output.failure(error);
  // A blank line of standard error apart: many results end in a count for people.
  const failed = results.filter((result) => result.error !== undefined).length;
  if (results.length > 1 && failed > 0) io.err(`${failed} of ${results.length} not stamped`);
}

function resultJson({ input, error, ...result }: Stamped): Record<string, unknown> {
  const job = result.job?.job;
  return {
    ...(input.name !== undefined && { name: input.name }),
    ...(input.hash !== undefined && { hash: input.hash }),
    ...(job !== undefined && {
      status: job.status,
      progress: job.progress,
      ...(job.signed_attestation && {
        network_id: job.signed_attestation.attestation.network_id,
        sequence: job.signed_attestation.attestation.sequence,
        timestamp: job.signed_attestation.attestation.timestamp,
        verified: result.job?.verified,
      }),
    }),
    ...("saved" in result && { saved: result.saved }),
    ...(error !== undefined && { error: errorJson(error) }),
  };
}

function resultLines({ input, ...result }: Stamped): string[] {
  if (result.job === undefined) return [];
  const { job, verified } = result.job;
  const name = input.name === undefined ? "" : `  ${input.name}`;
  const state = job.status === "confirmed" ? job.progress : job.status;
  const attestation = job.signed_attestation?.attestation;
  return [
    `${state}  ${job.hash}${name}`,
    ...(attestation === undefined ? [] : [
      `  sequence ${attestation.sequence} of ${attestation.network_id}, ` +
      timeText(attestation.timestamp) + (verified ? ", verified against the pinned network" : ""),
    ]),
    ...("saved" in result && result.saved !== undefined ? [`  saved ${result.saved}`] : []),
  ];
}

function usage(found: string): CountersignError {
  return new CountersignError("usage", `Cannot stamp: ${found}`);
}
