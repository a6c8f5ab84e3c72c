/**
 * A fork that is half signed on both sides: two witnesses of four signed the original's rounds, the
 * other two the copy's for the same sequences, and three have to sign. Neither goes on, until an
 * operator follows the procedure of docs/operating.md.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { eventually } from "./deployment.ts";
import { checkRefusals, isAccepted, isRolledBack, refusedMs } from "./fork_checks.ts";
import { ForkSite, healthOf, isOk, pause, when } from "./fork_site.ts";
import { SteadyClient } from "./steady_client.ts";
import type { ForkOutcome, ForkPlan } from "./fork_trial.ts";
import { emptyJournal } from "./witness_journals.ts";

/** Places of the witnesses that only the original reaches during the partition, and only the copy. */
const SIDES = [[0, 1], [2, 3]] as const;
/** The witness whose sequences are released. */
const RELEASED = 2;
/**
 * How many sequences the original is ahead of the copy when the partition ends. It keeps 16 rounds in
 * flight, each of one hash or more.
 */
const LEAD = 15;
/** How long a stuck gateway is watched. */
const WATCH_MS = 1_500;

/** Damage on purpose, which the checks have to notice: a witness loses its journal. */
export type ForkControl = "forget" | undefined;

/** Runs one trial. Everything that it started has ended when it resolves. */
export async function runHalfSigned(
  plan: ForkPlan,
  control?: ForkControl,
): Promise<ForkOutcome> {
  const { seed, scheme, fronts } = plan;
  await using site = await ForkSite.start({ seed, scheme, witnesses: 4, threshold: 3, fronts });
  const { deployment, recorder, copyRecorder, threshold, accepted } = site;
  await pause(plan.snapshotAfterMs);
  await site.settle();
  await site.snapshot();
  await pause(plan.startAfterMs);
  await site.startCopy();
  await eventually("the copy accepts hashes", () => isOk(site.copyUrl));
  const fork = recorder.signed.length;
  for (const index of SIDES[1]) recorder.cut(index);
  for (const index of SIDES[0]) copyRecorder.cut(index);
  const hasSigned = ({ records }: typeof recorder, side: readonly number[], sequence = fork) =>
    side.every((index) => records[index]!.signed.has(sequence));
  // One hash: whatever else the copy puts to its witnesses later, SIDES[0] must have signed other
  // hashes for these sequences by then. Otherwise all witnesses would sign the copy's.
  await using onlyHash = new SteadyClient(site.copyUrl, `only ${seed}`, { count: 1 });
  await eventually("the copy is half signed", () => when(hasSigned(copyRecorder, SIDES[1])));
  site.load();
  await using original = new SteadyClient(deployment.url, `original ${seed}`, { accepted });
  await eventually(
    "the original is half signed",
    () => when(hasSigned(recorder, SIDES[0]) && hasSigned(recorder, SIDES[0], fork + LEAD)),
  );
  if (control === "forget") {
    await site.killWitness(RELEASED);
    await emptyJournal(deployment.folder, RELEASED);
    await site.startForOriginal(RELEASED);
    await eventually("it signs again", () => when(hasSigned(recorder, [RELEASED])));
  }
  for (const index of [...SIDES[0], ...SIDES[1]]) site.reconnect(index);
  await using copy = new SteadyClient(site.copyUrl, `copy ${seed}`);
  for (const { witness, afterMs } of plan.kills) {
    await pause(afterMs);
    await site.killWitness(witness);
    await pause(afterMs);
    await site.startWitness(witness);
  }
  const violations: string[] = [];
  const isStuck = () => when(original.answers.some(isRolledBack));
  let releasedMs;
  await eventually("the copy refuses", () => when(copy.answers.some(isRolledBack)));
  if (control === undefined) {
    await eventually("the original is stuck", isStuck);
    await pause(WATCH_MS);
    await original.stop();
    const limitMs = refusedMs(recorder, threshold);
    violations.push(...checkRefusals("the original", original.answers, limitMs));
    const health = await healthOf(deployment.url);
    if (!health.includes("store_rolled_back")) violations.push(`the original says ${health}`);
    await copy.stop();
    releasedMs = await release(site);
  } else {
    await original.stop();
    await copy.stop();
    await site.killCopy();
    await site.moreAccepted(1);
  }
  const limitMs = refusedMs(copyRecorder, threshold);
  violations.push(...checkRefusals("the copy", copy.answers, limitMs), ...await site.check());
  return {
    violations,
    originalAccepted: accepted.size,
    copyAccepted: [...onlyHash.answers, ...copy.answers].filter(isAccepted).length,
    noticedMs: copy.answers.find(isRolledBack)!.answeredMs - limitMs,
    ...(releasedMs !== undefined && { releasedMs }),
  };
}

/**
 * The procedure of "A fork that is half signed on both sides" in docs/operating.md. Answers how long
 * the original took to accept hashes again.
 */
async function release(site: ForkSite): Promise<number> {
  const { deployment } = site;
  // 1. Stop the copy for good.
  await site.killCopy();
  // 2. Find the size of the last tree head.
  const sth = await deployment.countersign("log", "sth", "--output", "json");
  assert.equal(sth.code, 0, sth.stderr);
  const { tree_size: sequence, network_id: origin } = JSON.parse(sth.stdout).tree_head;
  // 3. Stop a witness that refuses, and release. One is enough for the threshold here.
  assert.equal(await site.stopWitness(RELEASED), 0);
  const released = await deployment.countersign(
    "witness",
    "release",
    join("net", `witness-${RELEASED + 1}`, "witness.json"),
    "--origin",
    origin,
    "--from",
    String(sequence),
    "--yes",
  );
  assert.equal(released.code, 0, released.stderr);
  // 4. Start it. The original signs its rounds again, and the release stays recorded.
  await site.startWitness(RELEASED);
  const startedMs = performance.now();
  await site.moreAccepted(1);
  const ms = performance.now() - startedMs;
  const info = await (await fetch(new URL("/v1/info", site.witnessUrl(RELEASED)))).json();
  assert.deepEqual(
    info.releases.map((one: Record<string, unknown>) => one["from_sequence"]),
    [sequence],
  );
  return ms;
}
