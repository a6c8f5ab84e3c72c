/**
 * Runs of signed digests, as the entries of a round journal leave them.
 *
 * @module
 */

import { HASH_LENGTH } from "../bytes.ts";
import type { DigestRun } from "../witness/ports.ts";
import type { JournalEntry } from "./round_journal_codec.ts";

/** The runs of `entries` without what a later release freed. */
export function replay(entries: readonly JournalEntry[]): DigestRun[] {
  let runs: DigestRun[] = [];
  for (const entry of entries) {
    if ("digests" in entry) runs.push(entry);
    else runs = runsBelow(runs, entry.releasedFrom);
  }
  return runs;
}

/** `runs` without the sequences from `end` on. */
export function runsBelow(runs: readonly DigestRun[], end: number): DigestRun[] {
  return runs.filter(({ first }) => first < end).map(({ first, digests }) => ({
    first,
    digests: digests.subarray(0, (end - first) * HASH_LENGTH),
  }));
}

/** `runs` without the sequences below `start`. A run that was appended twice counts once. */
export function runsFrom(runs: readonly DigestRun[], start: number): DigestRun[] {
  const kept = runs.map(({ first, digests }) => ({
    first: Math.max(first, start),
    digests: digests.subarray(Math.max(0, start - first) * HASH_LENGTH),
  })).filter(({ digests }) => digests.length > 0);
  return [...new Map(kept.map((run) => [run.first, run])).values()];
}
