/**
 * The inputs of `stamp`: files and the files of folders, hashed several at a time, and digests.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { dirname, join, normalize, relative, resolve, sep } from "node:path";
import { CountersignError, expectedError } from "../../base/errors.ts";
import { encodeChecksums, parseChecksums } from "../../proof/format/checksum_list.ts";
import type { CommandContext } from "../command_context.ts";
import { inParallel } from "../in_parallel.ts";
import { hashContent, kindOf, lengthOf, readDocument, STDIN } from "../input_file.ts";
import { PROOF_SUFFIX, skippedText, walkFolder } from "../proofs/file_walk.ts";
import { printable } from "../../proof/format/printable_text.ts";
import { openBars } from "../progress.ts";
import { replaceFile, textIfExists } from "../../server/replaced_file.ts";

/** One input: its digest, or the error of its file. */
export interface StampInput {
  /** The file name; absent for a digest. */
  readonly name?: string;
  readonly hash?: string;
  readonly error?: CountersignError;
}

/** Inputs that the command line names. */
export interface NamedInputs {
  readonly files: readonly string[];
  readonly hashes: readonly string[];
  /** Lists of digests. */
  readonly checksums: readonly string[];
  /** Each proof is written beside its file. */
  readonly save: boolean;
  readonly hidden: boolean;
}

/** Enough to keep disk and processor busy. */
const CONCURRENCY = 4;

/**
 * The inputs in the order of the command line: files, checksum lists, digests. Files in folders leave
 * out saved proofs and `except`.
 */
export async function hashInputs(
  context: CommandContext,
  named: NamedInputs,
  { signal, except }: { readonly signal: AbortSignal; readonly except?: string | undefined },
): Promise<readonly StampInput[]> {
  const found = await namedFiles(context, named, except);
  const files = found.flatMap(({ name }) => name ?? []);
  const inputs: StampInput[] = [];
  const progress = await hashingProgress(context, await lengthsOf(context, files));
  try {
    await inParallel(found, CONCURRENCY, async (input, i) => {
      signal.throwIfAborted();
      inputs[i] = input.error === undefined
        ? await hashInput(context, input.name!, { progress, signal })
        : input;
    });
  } finally {
    progress?.stop();
  }
  for (const list of named.checksums) inputs.push(...await listedInputs(context, list, named));
  inputs.push(...named.hashes.map((hash) => ({ hash })));
  return inputs;
}

async function namedFiles(
  context: CommandContext,
  { files, hidden }: NamedInputs,
  except: string | undefined,
): Promise<readonly StampInput[]> {
  const { io } = context;
  const left = except === undefined ? undefined : resolve(io.resolvePath(except));
  const inputs: StampInput[] = [];
  for (const name of files) {
    if (await kindOf(context, name) !== "folder") {
      inputs.push({ name });
      continue;
    }
    const walked = await walkFolder(context, name, { hidden });
    const all = [...walked.files, ...walked.loneProofs].sort();
    const kept = all.filter((file) => resolve(io.resolvePath(file)) !== left);
    inputs.push(...kept.map((file) => ({ name: file })), ...walked.failures);
    const skipped = skippedText(walked, walked.proofs.length);
    if (skipped !== undefined) context.output.note(`Skipped in ${name}: ${skipped}`);
  }
  return inputs;
}

/**
 * The digests of a list. Names are relative to its folder. A list of somebody else cannot make proofs be
 * written outside of it.
 */
async function listedInputs(
  context: CommandContext,
  list: string,
  { save }: NamedInputs,
): Promise<StampInput[]> {
  const files = await readDocument(context, list, "malformed_text", parseChecksums);
  const folder = list === STDIN ? "" : dirname(list);
  return files.map(({ name: listed, hash }) => {
    const name = join(folder, listed);
    if (!save || normalize(listed).split(sep)[0] !== "..") return { name, hash };
    const problem =
      `its proof would be outside the folder of ${list} (use --manifest, or no --save)`;
    return { name, error: new CountersignError("file_failed", `Cannot save ${name}: ${problem}`) };
  });
}

/** Lengths of the files, if progress bars are shown. */
async function lengthsOf(
  context: CommandContext,
  files: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const lengths = new Map<string, number>();
  if (!context.process.showsProgress) return lengths;
  for (const name of files) lengths.set(name, await lengthOf(context, name) ?? 0);
  return lengths;
}

async function hashInput(
  context: CommandContext,
  name: string,
  { progress, signal }: {
    readonly progress: HashingProgress | undefined;
    readonly signal: AbortSignal;
  },
): Promise<StampInput> {
  try {
    const hash = await hashContent(context, name, { onProgress: progress?.of(name), signal });
    return { name, hash };
  } catch (error) {
    signal.throwIfAborted();
    return { name, error: expectedError(error) };
  }
}

/** The name of the file with the proof of an input. */
export function proofNameOf(input: StampInput): string {
  return `${contentNameOf(input)}${PROOF_SUFFIX}`;
}

/** Names that are no files, beside which no proof belongs: `/dev/stdin`, the pipe of a shell. */
const NO_FILE = /^\/(dev|proc)\//;

/** The beginning of the names of files with proofs of an input. */
export function contentNameOf({ name, hash }: StampInput): string {
  return `${name === undefined || name === STDIN || NO_FILE.test(normalize(name)) ? hash : name}`;
}

/** Smaller files are hashed too fast for a bar. */
const LARGE_FILE_BYTES = 64 * 1024 * 1024;
/** Leaves room for the bar on a line of 80 characters. */
const NAME_LENGTH = 30;

interface HashingProgress {
  /** Receives the number of hashed bytes of a file; `undefined` if it is not large. */
  of(name: string): ((bytes: number) => void) | undefined;
  stop(): void;
}

/** Bars for the large files among `lengths`; `undefined` if there are none. */
async function hashingProgress(
  { process: { showsProgress } }: CommandContext,
  lengths: ReadonlyMap<string, number>,
): Promise<HashingProgress | undefined> {
  const hasLarge = [...lengths.values()].some((length) => length >= LARGE_FILE_BYTES);
  if (!showsProgress || !hasLarge) return undefined;
  const bars = await openBars("{bar} {percentage}%  {name}");
  return {
    of(name) {
      const length = lengths.get(name) ?? 0;
      if (length < LARGE_FILE_BYTES) return undefined;
      const bar = bars.create(length, 0, { name: printable(name).slice(0, NAME_LENGTH) });
      return (bytes) => {
        bar.update(bytes);
        if (bytes >= length) bars.remove(bar);
      };
    },
    stop: () => bars.stop(),
  };
}

/**
 * Writes the list of `inputs` to `name`, with names relative to its folder, and returns it as the one
 * input. `file_failed` if a file could not be hashed or is outside the folder, or if another list
 * exists there.
 */
export async function writeManifest(
  context: CommandContext,
  name: string,
  inputs: readonly StampInput[],
): Promise<StampInput> {
  const path = context.io.resolvePath(name);
  const folder = dirname(resolve(path));
  const hashes = new Map<string, string>();
  for (const { name: file, hash, error } of inputs) {
    if (error !== undefined) {
      const message = `${error.message}. Nothing was stamped, and "${name}" was not written`;
      throw new CountersignError(error.code, message, { cause: error });
    }
    if (file === undefined || file === STDIN || hash === undefined) {
      throw new CountersignError(
        "usage",
        `Cannot write "${name}": a list needs files with names: name files or folders`,
      );
    }
    const listed = relative(folder, resolve(context.io.resolvePath(file))).split(sep).join("/");
    if (listed === "" || listed === ".." || listed.startsWith("../") || listed.includes(":/")) {
      throw failed(name, `"${file}" is outside its folder (write the list in a folder above)`);
    }
    hashes.set(listed, hash);
  }
  if (hashes.size === 0) throw failed(name, "there are no files to list");
  const files = [...hashes].map(([listed, hash]) => ({ name: listed, hash }));
  const text = encodeChecksums(files.toSorted((a, b) => a.name < b.name ? -1 : 1));
  const known = await textIfExists(path);
  if (known !== undefined && known !== text) {
    throw failed(
      name,
      "it exists with other content, which may be proved (move it away with its proof)",
    );
  }
  if (known === undefined) await replaceFile(path, text, 0o644);
  return { name, hash: createHash("sha256").update(text).digest("hex") };
}

function failed(name: string, problem: string): CountersignError {
  return new CountersignError("file_failed", `Cannot write "${name}": ${problem}`);
}
