/**
 * `stamp`: hashes files, submits the digests, and waits until they are attested. Only digests leave the
 * machine.
 *
 * @module
 */

import { multiple } from "@optique/core/modifiers";
import { choice } from "@optique/core/valueparser";
import { CountersignError, errorBuilder, expectedError, hasCode } from "../../base/errors.ts";
import type { JobSnapshotMembers } from "../../proof/format/job_snapshot.ts";
import { type AwaitedState, awaitJobs, BULK_LIMIT } from "../../client/job_follower.ts";
import { TokenSpender } from "../../client/token_spender.ts";
import { WITHOUT_ROOTS } from "../anchor_report.ts";
import type { CommandContext } from "../command_context.ts";
import { defineCommand, type ValuesOf } from "../define_command.ts";
import { inParallel } from "../in_parallel.ts";
import { FILE, flag, HASH, hiddenOption, optional, positional, repeated } from "../options.ts";
import { BundleChecker } from "../proofs/bundle_check.ts";
import { type RunLimit, timeoutOption, withRunLimit } from "../run_limit.ts";
import { fileWord, shellWord } from "../shell_word.ts";
import { requireKnownNetwork } from "../trusted_network.ts";
import { hashInputs, proofNameOf, type StampInput, writeManifest } from "./stamp_inputs.ts";
import { reportStamps, type Stamped } from "./stamp_report.ts";
import { JobChecker, requireProofPlace, saveBundle, type Saving } from "./stamp_results.ts";

const failed = errorBuilder("file_failed", "Cannot stamp");
const usage = errorBuilder("usage", "Cannot stamp");

const options = {
  files: multiple(positional(FILE, "File to hash, folder, or - for standard input.")),
  hashes: repeated("--hash", HASH, "A SHA-256 instead of a file."),
  checksums: repeated(
    "--checksums",
    FILE,
    "List of SHA-256 digests to stamp, as sha256sum prints it; - for standard input.",
  ),
  manifest: optional(
    "--manifest",
    FILE,
    "Write the digests of all files to this list, for sha256sum -c, and save one proof of it.",
  ),
  hidden: hiddenOption,
  save: flag("--save", "Wait for the log, and write each proof to FILE.countersign.json."),
  proofs: optional(
    "--proofs",
    choice(["all"], { metavar: "FORMATS" }),
    "Like --save, and also write each proof in standard formats: FILE.countersign.tlog-proof, " +
      "FILE.countersign.cose and, once there are anchors, FILE.countersign.anchors/. The network has to be " +
      "pinned.",
  ),
  noWait: flag("--no-wait", "Return once the gateway has accepted the hashes."),
  waitBatched: flag("--wait-batched", "Wait until the attestations are in the log."),
  noWaitBatched: flag("--no-wait-batched", "With --save, do not wait for the log."),
  timeoutSeconds: timeoutOption,
};
type Options = ValuesOf<typeof options>;

/** How many bundles are fetched at once. */
const CONCURRENCY = 8;

/** The part of the limit that is left for saving proofs, and its most. */
const SAVING_SHARE = 0.2;
const SAVING_SECONDS = 10;

/** Exits 1 if an input did not reach the requested state. One failure does not stop the others. */
export const stamp = defineCommand("stamp", {
  description:
    "Hashes files on this machine, submits the hashes and waits until they are attested. Takes all " +
    "files of folders except saved proofs, links and hidden files.",
  options,
  async run(options, context) {
    checkOptions(options);
    return await withRunLimit(context, options.timeoutSeconds, async (limit) => {
      const { signal } = limit;
      const hashed = await limit.during(
        hashInputs(context, options, { signal, except: options.manifest }),
      );
      if (hashed.length === 0) throw failed("there are no files there");
      const inputs = options.manifest === undefined
        ? hashed
        : [await writeManifest(context, options.manifest, hashed)];
      const run = new StampRun(context, options, limit);
      const results = await run.finishAll(inputs);
      reportStamps(context, results, {
        unpinned: run.unpinned,
        savingCommand: run.saves ? undefined : savingCommand(context, options, results),
      });
      return results.some((result) => result.error !== undefined) ? 1 : 0;
    });
  },
});

function checkOptions(options: Options): void {
  const { files, hashes, checksums, manifest, noWait, waitBatched, save, noWaitBatched } = options;
  const { proofs } = options;
  if (files.length + hashes.length + checksums.length === 0) {
    throw usage("name a file, a folder, --hash HASH, --checksums FILE, or - for standard input");
  }
  if ([...files, ...checksums].filter((file) => file === "-").length > 1) {
    throw usage("standard input can be named only once");
  }
  if (noWait && (waitBatched || save || (proofs ?? manifest) !== undefined)) {
    throw usage("give --no-wait without --save, --proofs, --manifest and --wait-batched");
  }
  if (proofs !== undefined && noWaitBatched) {
    throw usage("give --proofs without --no-wait-batched, since it waits for the log");
  }
  if (noWaitBatched && waitBatched) throw usage("give either --wait-batched or --no-wait-batched");
}

/** The command names standard input by its digest, since it cannot be read again. */
function savingCommand(
  context: CommandContext,
  { files, hashes, checksums, hidden }: Options,
  results: readonly Stamped[],
): string {
  const words = files.flatMap((file) => {
    if (file !== "-") return fileWord(file);
    const hash = results.find(({ input }) => input.name === "-")?.input.hash;
    return hash === undefined ? [] : `--hash ${hash}`;
  });
  return context.commandLine([
    "stamp --save",
    ...(hidden ? ["--hidden"] : []),
    ...hashes.map((hash) => `--hash ${hash}`),
    ...checksums.map((list) => `--checksums ${shellWord(list)}`),
    ...words,
  ].join(" "));
}

class StampRun {
  readonly #context: CommandContext;
  readonly #limit: RunLimit;
  readonly #state: AwaitedState;
  readonly saves: boolean;
  readonly #saving: Saving;
  readonly #checker: JobChecker;

  constructor(context: CommandContext, options: Options, limit: RunLimit) {
    this.#context = context;
    this.#limit = limit;
    const inAllFormats = options.proofs !== undefined;
    const trust = { online: false, anchors: WITHOUT_ROOTS, mayAsk: true };
    this.#saving = { bundles: new BundleChecker(context, trust), inAllFormats };
    this.saves = options.save || inAllFormats || options.manifest !== undefined;
    this.#state = awaitedState(options, this.saves);
    this.#checker = new JobChecker(context, this.#saving.bundles);
  }

  /** Id of a network that is not pinned, if any. */
  get unpinned(): string | undefined {
    return this.#checker.unpinned;
  }

  /**
   * Submits all digests before it waits for any. Jobs are held for one bulk request at a time, so that
   * memory does not grow with their signatures.
   */
  async finishAll(named: readonly StampInput[]): Promise<readonly Stamped[]> {
    const inputs = this.saves ? await this.#withPlaces(named) : named;
    const left = this.#limit.startWaiting();
    // Proofs are saved within the limit, too.
    const wait = this.saves ? left - Math.min(left * SAVING_SHARE, SAVING_SECONDS) : left;
    const deadline = this.#context.process.clock.nowMs() + wait * 1000;
    const results: Stamped[] = inputs.map((input) => ({
      input,
      ...(input.error !== undefined && { error: input.error }),
    }));
    const places = new Map<string, number[]>();
    for (const [i, { hash }] of inputs.entries()) {
      if (hash === undefined) continue;
      const known = places.get(hash);
      if (known === undefined) places.set(hash, [i]);
      else known.push(i);
    }
    const hashes = [...places.keys()];
    await using spender = this.#spender();
    if (hashes.length > BULK_LIMIT && this.#state !== "accepted") {
      await this.#await(spender, hashes, "accepted", deadline);
    }
    for (let start = 0; start < hashes.length; start += BULK_LIMIT) {
      const group = hashes.slice(start, start + BULK_LIMIT);
      const jobs = await this.#await(spender, group, this.#state, deadline).catch((error) => {
        // With several groups, the finished ones are reported.
        if (!(error instanceof CountersignError) || hashes.length <= BULK_LIMIT) throw error;
        return error;
      });
      const found = group.flatMap((hash) => places.get(hash)!.map((i) => [i, hash] as const));
      await inParallel(found, CONCURRENCY, async ([i, hash]) => {
        const input = inputs[i]!;
        results[i] = jobs instanceof CountersignError
          ? { input, error: jobs }
          : await this.#finish(input, jobs.get(hash));
      });
    }
    return results;
  }

  /** No hash is sent whose proof cannot be saved: it would be stamped without a trace here. */
  async #withPlaces(inputs: readonly StampInput[]): Promise<readonly StampInput[]> {
    const checked = [...inputs];
    await inParallel(inputs, CONCURRENCY, async (input, i) => {
      const { name, hash } = input;
      if (hash === undefined) return;
      const error = await requireProofPlace(this.#context, { ...input, hash }).catch(expectedError);
      if (error !== undefined) checked[i] = { ...(name !== undefined && { name }), error };
    });
    return checked;
  }

  async #await(
    spender: TokenSpender,
    hashes: readonly string[],
    state: AwaitedState,
    deadline: number,
  ): Promise<ReadonlyMap<string, JobSnapshotMembers>> {
    const { clock } = this.#context.process;
    return await awaitJobs(hashes, {
      clock,
      state,
      signal: this.#limit.signal,
      submit: (...submission) => spender.submit(...submission),
      timeoutSeconds: Math.max(0, (deadline - clock.nowMs()) / 1000),
    });
  }

  #spender(): TokenSpender {
    const context = this.#context;
    return new TokenSpender({
      gateway: context.gateway,
      openTokens: async (id) => {
        await requireKnownNetwork(context, id);
        return context.tokens(id);
      },
      advice: (count) => `fetch some: ${context.commandLine(`token --count ${count}`)}`,
    });
  }

  async #finish(input: StampInput, job: JobSnapshotMembers | undefined): Promise<Stamped> {
    if (job === undefined) {
      return {
        input,
        error: failed(`the gateway did not answer for ${input.hash}; run the command again`),
      };
    }
    try {
      const checked = await this.#checker.check(job);
      const outcome = { input, stamp: summaryOf(checked.job, checked.verified) };
      const error = this.#shortfall(input, job);
      // A proof without its place in the log is worth saving.
      const isSaved = this.saves && (error === undefined || error.code === "not_batched");
      if (!isSaved) return { ...outcome, ...(error && { error }) };
      try {
        const saved = await saveBundle(this.#context, input, checked, this.#saving);
        return { ...outcome, saved, ...(error && { error }) };
      } catch (failure) {
        if (!hasCode(failure, "file_failed")) throw failure;
        return { ...outcome, error: this.#unsaved(job, failure) };
      }
    } catch (error) {
      return { input, error: expectedError(error) };
    }
  }

  /** The proof can be fetched again: only its file failed. */
  #unsaved({ hash }: JobSnapshotMembers, cause: CountersignError): CountersignError {
    const fetching = this.#context.commandLine(`bundle ${hash}`);
    const message = `${cause.message}. The hash is stamped; its proof: ${fetching} > proof.json`;
    return new CountersignError(cause.code, message, { cause });
  }

  /** The error of a job that did not reach the requested state. */
  #shortfall(input: StampInput, job: JobSnapshotMembers): CountersignError | undefined {
    const { hash, status, last_error: cause } = job;
    const state = this.#state;
    if (state === "accepted" && status !== "failed") return undefined;
    if (status === "failed") {
      const reason = job.last_error?.message ?? "the gateway gives no reason";
      return new CountersignError("gateway_refused", `Cannot stamp ${hash}: ${reason}`);
    }
    const context = this.#context;
    if (status !== "confirmed") {
      return new CountersignError(
        "not_confirmed",
        `Cannot confirm ${hash} in time: ${
          cause?.message ?? "the witnesses have not signed it yet"
        } ` +
          `(accepted; see: ${context.commandLine(`status ${hash}`)})`,
      );
    }
    if (state !== "batched" || job.progress === "batched") return undefined;
    const later = this.saves ? `upgrade ${fileWord(proofNameOf(input))}` : `status ${hash}`;
    return new CountersignError(
      "not_batched",
      `Cannot wait longer for the log: ${hash} is signed, but not yet in it ` +
        `(${this.saves ? "complete the saved proof" : "see"} later: ${context.commandLine(later)})`,
    );
  }
}

function summaryOf(
  { status, progress, signed_attestation: signed }: JobSnapshotMembers,
  verified: boolean,
): NonNullable<Stamped["stamp"]> {
  if (signed === undefined) return { status, progress };
  return { status, progress, attestation: signed.attestation, verified };
}

function awaitedState({ noWait, waitBatched, noWaitBatched }: Options, saves: boolean) {
  if (noWait) return "accepted";
  return waitBatched || (saves && !noWaitBatched) ? "batched" : "confirmed";
}
