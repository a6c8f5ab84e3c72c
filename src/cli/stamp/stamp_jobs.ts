/**
 * Submits digests and waits for their jobs by submitting again: submission is idempotent, and one
 * request asks about many jobs. The gateway may be unavailable in between.
 *
 * @module
 */

import { hasCode } from "../../errors.ts";
import type { JobSnapshotMembers } from "../../format/job_snapshot.ts";
import { BULK_LIMIT, WAIT_LIMIT_SECONDS } from "../../client/gateway_client.ts";
import { isBusy } from "../../client/gateway_connection.ts";
import { isTerminal } from "../../format/job_snapshot.ts";
import type { CommandContext } from "../command_context.ts";
import { TokenSpender } from "../token_spender.ts";

export type AwaitedState = "accepted" | "confirmed" | "batched";

const POLL_MS = 500;

/**
 * The jobs of distinct `hashes`, each in the awaited state or as it was at the timeout. Throws only if
 * the gateway does not accept them.
 */
export async function awaitJobs(
  context: CommandContext,
  hashes: readonly string[],
  { state, timeoutSeconds }: { readonly state: AwaitedState; readonly timeoutSeconds: number },
): Promise<ReadonlyMap<string, JobSnapshotMembers>> {
  const { clock } = context.process;
  await using spender = new TokenSpender(context);
  const deadline = clock.nowMs() + timeoutSeconds * 1000;
  const secondsLeft = () => Math.max(0, Math.ceil((deadline - clock.nowMs()) / 1000));
  const jobs = new Map<string, JobSnapshotMembers>();
  const isUnsettled = (hash: string) => !isSettled(jobs.get(hash), state);

  await submitAll(spender, hashes, state === "accepted" ? 0 : secondsLeft(), jobs);
  for (
    let waiting = hashes.filter(isUnsettled);
    waiting.length > 0 && secondsLeft() > 0;
    waiting = waiting.filter(isUnsettled)
  ) {
    await clock.sleep(POLL_MS);
    try {
      await submitAll(spender, waiting, secondsLeft(), jobs);
    } catch (error) {
      // The jobs are accepted, so wait for a restarting gateway like for a slow one.
      if (!hasCode(error, "gateway_unreachable") && !isBusy(error)) throw error;
    }
  }
  return jobs;
}

async function submitAll(
  spender: TokenSpender,
  hashes: readonly string[],
  waitSeconds: number,
  jobs: Map<string, JobSnapshotMembers>,
): Promise<void> {
  for (let start = 0; start < hashes.length; start += BULK_LIMIT) {
    const chunk = hashes.slice(start, start + BULK_LIMIT);
    for (const job of await spender.submit(chunk, Math.min(waitSeconds, WAIT_LIMIT_SECONDS))) {
      jobs.set(job.hash, job);
    }
  }
}

function isSettled(job: JobSnapshotMembers | undefined, state: AwaitedState): boolean {
  if (job === undefined) return false;
  if (state === "accepted") return true;
  return state === "confirmed"
    ? isTerminal(job)
    : job.progress === "batched" || job.status === "failed";
}
