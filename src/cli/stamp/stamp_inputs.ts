/**
 * The inputs of `stamp`: files, hashed several at a time, and digests.
 *
 * @module
 */

import { CountersignError } from "../../errors.ts";
import type { CommandContext } from "../command_context.ts";
import { hashContent, lengthOf } from "../input_file.ts";
import { type HashingProgress, hashingProgress } from "./hashing_progress.ts";

/** One input: its digest, or the error of its file. */
export interface StampInput {
  /** The file name; absent for a digest. */
  readonly name?: string;
  readonly hash?: string;
  readonly error?: CountersignError;
}

/** Enough to keep disk and processor busy. */
const CONCURRENCY = 4;

/** The inputs in the order of the command line, digests last. */
export async function hashInputs(
  context: CommandContext,
  { files, hashes }: { readonly files: readonly string[]; readonly hashes: readonly string[] },
): Promise<readonly StampInput[]> {
  const inputs: StampInput[] = new Array(files.length);
  const waiting = files.entries();
  const progress = await hashingProgress(context, await lengthsOf(context, files));
  // The workers share the iterator: each takes the next file.
  const workers = Array.from({ length: CONCURRENCY }, async () => {
    for (const [i, name] of waiting) inputs[i] = await hashInput(context, name, progress);
  });
  try {
    await Promise.all(workers);
  } finally {
    progress?.stop();
  }
  return [...inputs, ...hashes.map((hash) => ({ hash }))];
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
  progress: HashingProgress | undefined,
): Promise<StampInput> {
  try {
    const hash = await hashContent(context, name, progress?.of(name));
    return { name, hash };
  } catch (error) {
    if (error instanceof CountersignError) return { name, error };
    throw error;
  }
}
