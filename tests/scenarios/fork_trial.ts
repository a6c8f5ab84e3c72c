/**
 * One fork: a copy of a running gateway's store is started beside the original, and clients submit
 * to it. The original goes on.
 *
 * @module
 */

import { eventually } from "./deployment.ts";
import { checkRefusals, isAccepted, isRolledBack, refusedMs } from "./fork_checks.ts";
import { ForkSite, healthOf, isOk, pause, when } from "./fork_site.ts";
import { SteadyClient } from "./steady_client.ts";

/** How long the copy is watched once it has refused. */
const WATCH_MS = 1_500;

/** When things happen. */
export interface ForkPlan {
  readonly seed: string;
  readonly scheme: "ed25519" | "bls";
  /** How many fronts each gateway has. */
  readonly fronts: number;
  /** From the first accepted hashes to the snapshot, and from there to the start of the copy. */
  readonly snapshotAfterMs: number;
  readonly startAfterMs: number;
  /** No client submits to the original from the snapshot until the copy runs: both start from the
   * same published size. Otherwise the original goes on. */
  readonly isQuiet: boolean;
  /** Witnesses that are killed while both run, one after another, and start again. */
  readonly kills: readonly { readonly witness: number; readonly afterMs: number }[];
}

/** What happened. */
export interface ForkOutcome {
  readonly violations: readonly string[];
  readonly originalAccepted: number;
  readonly copyAccepted: number;
  /** From the refusal by so many witnesses that the threshold is out of reach to the first 503. */
  readonly noticedMs: number;
  /** From the release of a witness's sequences to the first hash that the original accepts. */
  readonly releasedMs?: number;
}

/** Runs one trial. Everything that it started has ended when it resolves. */
export async function runFork(plan: ForkPlan): Promise<ForkOutcome> {
  const { seed, scheme, fronts } = plan;
  await using site = await ForkSite.start({ seed, scheme, witnesses: 3, threshold: 2, fronts });
  const { recorder, copyRecorder, threshold } = site;
  const violations: string[] = [];
  await pause(plan.snapshotAfterMs);
  if (plan.isQuiet) await site.settle();
  await site.snapshot();
  await pause(plan.startAfterMs);
  await site.startCopy();
  if (plan.isQuiet) {
    await eventually("the copy accepts hashes", () => isOk(site.copyUrl));
    site.load();
  }
  const signedThen = recorder.signed.length;
  await eventually("the original goes on", () => when(recorder.signed.length > signedThen));
  await using client = new SteadyClient(site.copyUrl, `copy ${seed}`);
  for (const { witness, afterMs } of plan.kills) {
    await pause(afterMs);
    await site.killWitness(witness);
    await pause(afterMs);
    await site.startWitness(witness);
  }
  await eventually("the copy refuses", () => when(client.answers.some(isRolledBack)));
  const health = await healthOf(site.copyUrl);
  if (!health.includes("store_rolled_back")) violations.push(`the copy says ${health}`);
  await pause(WATCH_MS);
  await client.stop();
  await site.moreAccepted(1);
  const limitMs = refusedMs(copyRecorder, threshold);
  violations.push(...checkRefusals("the copy", client.answers, limitMs), ...await site.check());
  return {
    violations,
    originalAccepted: site.accepted.size,
    copyAccepted: client.answers.filter(isAccepted).length,
    noticedMs: client.answers.find(isRolledBack)!.answeredMs - limitMs,
  };
}
