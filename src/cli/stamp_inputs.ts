/**
 * What `stamp` is to stamp: contents hashed by streaming, several at once, and digests as given.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { CommandContext } from "./command_context.ts";
import { hashContent, lengthOf } from "./input_file.ts";
import { type HashingProgress, hashingProgress } from "./hashing_progress.ts";

/** One thing to stamp: its digest, or why there is none. */
export interface StampInput {
  /** The file, as typed; absent for a digest. */
  readonly name?: string;
  readonly hash?: string;
  readonly error?: CountersignError;
}

/** Enough to keep disk and processor busy; more only fights over the disk. */
const CONCURRENCY = 4;

/** The inputs in the order of the command line, digests last. A file that fails stops no other. */
export async function hashInputs(
  context: CommandContext,
  { files, hashes }: { readonly files: readonly string[]; readonly hashes: readonly string[] },
): Promise<readonly StampInput[]> {
  const inputs: StampInput[] = new Array(files.length);
  const waiting = files.entries();
  const progress = await hashingProgress(context, await lengthsOf(context, files));
  // Workers share the iterator: each takes the next file that nobody took.
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

/** Lengths of the files, where a progress bar has a use for them. */
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
