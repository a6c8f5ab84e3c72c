/**
 * What became of a commit whose outcome is unknown. A rejection can mean "not stored" and "stored":
 * the write-once key says which.
 *
 * @module
 */

import { type Clock } from "../clock.ts";
import { CountersignError, hasCode } from "../errors.ts";
import type { CommitOutcome } from "./ports.ts";

/** How often the same bytes are tried before the store counts as failed. */
const MAX_TRIES = 8;
const FIRST_DELAY_MS = 20;

/** A commit, and how to find out what stands where it writes. */
export interface SettledCommit {
  readonly what: string;
  readonly commit: () => Promise<CommitOutcome>;
  /** `ours` when this very commit is stored, `absent` when nothing is, `other` when another is. */
  readonly inspect: () => Promise<"ours" | "absent" | "other">;
}

/**
 * Runs a commit until its outcome is known: repeats the same bytes while they are absent. Answers
 * `other` when different bytes stand there, which the caller adopts or stops for. Rejects with
 * `fence_lost`, or with `storage_failed` when the store stays out of reach.
 */
export async function settleCommit(
  clock: Clock,
  attempt: SettledCommit,
): Promise<"ours" | "other"> {
  let cause: unknown;
  for (let tries = 0, delay = FIRST_DELAY_MS; tries < MAX_TRIES; tries++, delay *= 2) {
    try {
      if (await attempt.commit() === "stored") return "ours";
    } catch (error) {
      if (hasCode(error, "fence_lost")) throw error;
      cause = error;
    }
    try {
      // A conflict also comes from an earlier try of ours that was stored and reported as failed.
      const found = await attempt.inspect();
      if (found !== "absent") return found;
    } catch (error) {
      cause = error;
    }
    await clock.sleep(delay);
  }
  throw new CountersignError(
    "storage_failed",
    `Cannot store ${attempt.what}: a commit required, found none after ${MAX_TRIES} tries` +
      (cause instanceof Error ? `, the last with "${cause.message}"` : ""),
    { cause },
  );
}
