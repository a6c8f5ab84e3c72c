/**
 * Follows many jobs until they are signed or batched. The gateway may be unavailable in between.
 *
 * @module
 */

import type { Clock } from "../base/clock.ts";
import { isTerminal, type JobSnapshotMembers } from "../proof/format/job_snapshot.ts";
import { isTemporary } from "./gateway_connection.ts";

/** Most hashes in a bulk request, and the longest wait for an answer (protocol.md "Limits"). */
export const BULK_LIMIT = 1_000;
const WAIT_LIMIT_SECONDS = 30;

export type AwaitedState = "accepted" | "confirmed" | "batched";

export interface AwaitOptions {
  /** Like `GatewayClient.submit()`. */
  readonly submit: (
    hashes: readonly string[],
    waitSeconds: number,
  ) => Promise<readonly JobSnapshotMembers[]>;
  readonly clock: Clock;
  readonly state: AwaitedState;
  readonly timeoutSeconds: number;
  /** Ends the wait like the timeout. */
  readonly signal?: AbortSignal;
}

const POLL_MS = 500;

/**
 * Submits distinct `hashes` and waits until all jobs are in the awaited state, or until the timeout. Asks
 * by submitting them again: that is idempotent, and one request asks about many jobs. Rejects if the gateway
 * refuses the hashes; once they are accepted, temporary failures only delay the answer.
 */
export async function awaitJobs(
  hashes: readonly string[],
  { submit, clock, state, timeoutSeconds, signal }: AwaitOptions,
): Promise<ReadonlyMap<string, JobSnapshotMembers>> {
  const deadline = clock.nowMs() + timeoutSeconds * 1000;
  const secondsLeft = () => signal?.aborted ? 0 : Math.max(0, (deadline - clock.nowMs()) / 1000);
  const jobs = new Map<string, JobSnapshotMembers>();
  const isUnsettled = (hash: string) => !isSettled(jobs.get(hash), state);
  const submitAll = async (waiting: readonly string[], seconds: number) => {
    for (let start = 0; start < waiting.length; start += BULK_LIMIT) {
      const chunk = waiting.slice(start, start + BULK_LIMIT);
      // The answer has to arrive before the timeout.
      const wait = Math.min(Math.max(0, Math.floor(seconds) - 1), WAIT_LIMIT_SECONDS);
      for (const job of await submit(chunk, wait)) {
        jobs.set(job.hash, job);
      }
    }
  };
  await submitAll(hashes, state === "accepted" ? 0 : secondsLeft());
  let waiting = hashes.filter(isUnsettled);
  while (waiting.length > 0 && secondsLeft() > 0) {
    await clock.sleep(POLL_MS, signal);
    if (secondsLeft() === 0) break;
    try {
      await submitAll(waiting, secondsLeft());
    } catch (error) {
      // The jobs are accepted, so wait for a restarting gateway like for a slow one.
      if (!isTemporary(error)) throw error;
    }
    waiting = waiting.filter(isUnsettled);
  }
  return jobs;
}

function isSettled(job: JobSnapshotMembers | undefined, state: AwaitedState): boolean {
  if (job === undefined) return false;
  switch (state) {
    case "accepted":
      return true;
    case "confirmed":
      return isTerminal(job);
    case "batched":
      return job.progress === "batched" || job.status === "failed";
  }
}
