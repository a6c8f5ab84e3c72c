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
 * The jobs of distinct `hashes`, each in the awaited state or as it was at the timeout. Waits by
 * submitting again, which is idempotent: one request asks about many jobs. Rejects only if the gateway
 * does not accept the hashes.
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
  for (
    let waiting = hashes.filter(isUnsettled);
    waiting.length > 0 && secondsLeft() > 0;
    waiting = waiting.filter(isUnsettled)
  ) {
    await clock.sleep(POLL_MS, signal);
    if (secondsLeft() === 0) break;
    try {
      await submitAll(waiting, secondsLeft());
    } catch (error) {
      // The jobs are accepted, so wait for a restarting gateway like for a slow one.
      if (!isTemporary(error)) throw error;
    }
  }
  return jobs;
}

function isSettled(job: JobSnapshotMembers | undefined, state: AwaitedState): boolean {
  if (job === undefined) return false;
  if (state === "accepted") return true;
  return state === "confirmed"
    ? isTerminal(job)
    : job.progress === "batched" || job.status === "failed";
}
