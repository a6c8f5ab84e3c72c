/**
 * `stamp`: hashes files, submits the digests, and waits until they are attested. Only digests leave the
 * machine.
 *
 * @module
 */

import { multiple } from "@optique/core/modifiers";
import { CountersignError } from "../../errors.ts";
import type { JobSnapshotMembers } from "../../format/job_snapshot.ts";
import { type AwaitedState, awaitJobs } from "../../client/job_follower.ts";
import { TokenSpender } from "../../client/token_spender.ts";
import type { CommandContext } from "../command_context.ts";
import { defineCommand, type ValuesOf } from "../define_command.ts";
import { count, defaulted, FILE, flag, HASH, positional, repeated } from "../options.ts";
import { ownerlessSupplies, ownerlessText } from "../token_supply_file.ts";
import { requireKnownNetwork } from "../trusted_network.ts";
import { hashInputs, type StampInput } from "./stamp_inputs.ts";
import { type CheckedJob, JobChecker, saveBundle } from "./stamp_results.ts";
import { errorJson, timeText } from "../output.ts";

const options = {
  files: multiple(positional(FILE, "File to hash, or - for standard input.")),
  hashes: repeated("--hash", HASH, "A SHA-256 instead of a file."),
  noWait: flag("--no-wait", "Return once the gateway has accepted the hashes."),
  waitBatched: flag("--wait-batched", "Wait until the attestations are in the log."),
  save: flag("--save", "Write the proof bundle to FILE.countersign.json."),
  timeoutSeconds: defaulted(
    "--timeout",
    count("SECONDS", 1, 86_400),
    120,
    "How long to wait (default: 120).",
  ),
};
type Options = ValuesOf<typeof options>;

/** The result of one input. It has an error unless it reached the requested state. */
interface Stamped {
  readonly input: StampInput;
  readonly checked?: CheckedJob;
  /** Name of the file with its bundle. */
  readonly saved?: string;
  readonly error?: CountersignError;
}

/** Exits 1 if an input did not reach the requested state. One failure does not stop the others. */
export const stamp = defineCommand("stamp", {
  brief: "Hash files and have the hashes attested",
  description:
    "Hashes files on this machine, submits the hashes and waits until they are attested.",
  options,
  async run(options, context) {
    checkOptions(options);
    const inputs = await hashInputs(context, options);
    const hashes = [...new Set(inputs.flatMap((i) => i.hash ?? []))];
    const jobs = await submitAll(context, hashes, options);
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
  },
});

function checkOptions({ files, hashes, noWait, waitBatched, save }: Options): void {
  if (files.length + hashes.length === 0) {
    throw usage("name files, --hash HASH or -");
  }
  if (files.filter((file) => file === "-").length > 1) {
    throw usage("standard input can be named only once");
  }
  if (noWait && (waitBatched || save)) {
    throw usage("--save and --wait-batched exclude --no-wait");
  }
}

async function submitAll(
  context: CommandContext,
  hashes: readonly string[],
  options: Options,
): Promise<ReadonlyMap<string, JobSnapshotMembers>> {
  const { gateway, process: { clock } } = context;
  await using spender = new TokenSpender({
    gateway,
    openTokens: async (id) => {
      await requireKnownNetwork(context, id);
      return context.tokens(id);
    },
    advice: async (id, count) =>
      (await ownerlessSupplies(context.home)).includes(id)
        ? ownerlessText(id)
        : `fetch some: countersign token --count ${count}`,
  });
  return await awaitJobs(hashes, {
    submit: (...submission) => spender.submit(...submission),
    clock,
    state: awaitedState(options),
    timeoutSeconds: options.timeoutSeconds,
  });
}

function awaitedState({ noWait, waitBatched }: Options): AwaitedState {
  if (noWait) return "accepted";
  return waitBatched ? "batched" : "confirmed";
}

async function finish(
  input: StampInput,
  job: JobSnapshotMembers | undefined,
  { options, context, checker }: {
    readonly options: Options;
    readonly context: CommandContext;
    readonly checker: JobChecker;
  },
): Promise<Stamped> {
  if (job === undefined) return { input, ...(input.error && { error: input.error }) };
  try {
    const checked = await checker.check(job);
    const error = shortfall(job, awaitedState(options));
    if (error !== undefined) return { input, checked, error };
    if (!options.save) return { input, checked };
    return { input, checked, saved: await saveBundle(context, input, checked) };
  } catch (error) {
    if (error instanceof CountersignError) return { input, error };
    throw error;
  }
}

/** The error of a job that did not reach the requested state. */
function shortfall(job: JobSnapshotMembers, state: AwaitedState): CountersignError | undefined {
  if (state === "accepted" && job.status !== "failed") return undefined;
  if (job.status === "failed") {
    return new CountersignError(
      "gateway_refused",
      `Cannot stamp ${job.hash}: its job failed`,
    );
  }
  if (job.status !== "confirmed") {
    return new CountersignError(
      "not_confirmed",
      `Cannot confirm ${job.hash} in time: its job is still ${job.status} ` +
        `(accepted; see: countersign status ${job.hash})`,
    );
  }
  if (state === "batched" && job.progress !== "batched") {
    return new CountersignError(
      "not_batched",
      `Cannot wait longer for the batch of ${job.hash}: it is confirmed, but not yet in the log`,
    );
  }
  return undefined;
}

function report({ output, io }: CommandContext, results: readonly Stamped[]): void {
  output.result({ results: results.map(resultJson) }, results.flatMap(resultLines));
  if (output.format === "json") return;
  const errors = results.flatMap(({ error }) => error ?? []);
  for (const error of errors) output.failure(error);
  if (errors.length > 0 && results.length > 1) {
    io.err(`${errors.length} of ${results.length} inputs failed`);
  }
}

function resultJson({ input, checked, saved, error }: Stamped): Record<string, unknown> {
  return {
    ...(input.name !== undefined && { name: input.name }),
    ...(input.hash !== undefined && { hash: input.hash }),
    ...(checked !== undefined && jobJson(checked)),
    ...(saved !== undefined && { saved }),
    ...(error !== undefined && { error: errorJson(error) }),
  };
}

function jobJson({ job, verified }: CheckedJob): Record<string, unknown> {
  const { status, progress, signed_attestation: signed } = job;
  if (signed === undefined) return { status, progress };
  const { network_id, sequence, timestamp } = signed.attestation;
  return { status, progress, network_id, sequence, timestamp, verified };
}

function resultLines({ input, checked, saved }: Stamped): string[] {
  if (checked === undefined) return [];
  const { job, verified } = checked;
  const state = job.status === "confirmed" ? job.progress : job.status;
  const attestation = job.signed_attestation?.attestation;
  return [
    [state, job.hash, ...(input.name === undefined ? [] : [input.name])].join("  "),
    ...(attestation === undefined ? [] : [
      `  sequence ${attestation.sequence} of ${attestation.network_id}, ` +
      timeText(attestation.timestamp) + (verified ? ", verified against the pinned network" : ""),
    ]),
    ...(saved === undefined ? [] : [`  saved ${saved}`]),
  ];
}

function usage(problem: string): CountersignError {
  return new CountersignError("usage", `Cannot stamp: ${problem}`);
}
