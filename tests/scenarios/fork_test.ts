/**
 * A short run of `deno task fork`, and controls that show that its checks can fail.
 *
 * @module
 */

import assert from "node:assert/strict";
import { IS_LONG, ofLongRuns } from "../long_runs.ts";
import { checkRefusals, checkSigned, type GatewayAnswer } from "./fork_checks.ts";
import { runHalfSigned } from "./fork_half_signed.ts";
import { forkPlan } from "./fork_run.ts";
import { runFork } from "./fork_trial.ts";
import type { SignedByWitness } from "./witness_journals.ts";
import { WitnessRecorder } from "./witness_recorder.ts";

for (
  const [scheme, fronts, isQuiet] of [
    ["ed25519", 1, true],
    ["bls", 0, true],
    ["ed25519", 3, false],
  ] as const
) {
  if (fronts > 0 && !IS_LONG) continue;
  const when = isQuiet ? "of the same size" : "that is behind";
  Deno.test(`${scheme}, ${fronts} fronts: a copy ${when} stops acknowledging, and the original goes on`, async () => {
    const plan = forkPlan(0, { seed: 14, scheme, kills: false });
    const { violations, originalAccepted } = await runFork({ ...plan, fronts, isQuiet });
    assert.deepEqual(violations, []);
    assert.ok(originalAccepted > 50);
  });
}

Deno.test("after a fork that is half signed on both sides, a release lets the original continue", async () => {
  const plan = forkPlan(1, { seed: 14, scheme: "ed25519", kills: true });
  const { violations, releasedMs } = await runHalfSigned({ ...plan, fronts: IS_LONG ? 3 : 0 });
  assert.deepEqual(violations, []);
  assert.ok(releasedMs !== undefined);
});

ofLongRuns.test("control: the run detects a witness that loses its journal", async () => {
  const plan = forkPlan(0, { seed: 14, scheme: "ed25519", kills: false });
  const { violations } = await runHalfSigned({ ...plan, fronts: 1 }, "forget");
  assert.match(violations.join("\n"), /^witness 3 signed two hashes at [0-9]+$/m);
});

/** An answer of a client that was sent at `sentMs`. */
const answer = (sentMs: number, status: number, code?: string): GatewayAnswer => ({
  sentMs,
  answeredMs: sentMs + 1,
  status,
  code,
});

Deno.test("checkRefusals() rejects a 2xx after a refusal by the gateway or the witnesses", () => {
  const refusal = (sentMs: number) => answer(sentMs, 503, "store_rolled_back");
  const before = [answer(0, 202), answer(10, 202)];
  assert.deepEqual(checkRefusals("it", [...before, refusal(20), refusal(30)], 15), []);
  // The refusals of the witnesses were on their way.
  const onTheWay = [16, 17, 18].map((ms) => answer(ms, 202));
  assert.deepEqual(checkRefusals("it", [...before, ...onTheWay, refusal(20)], 15), []);
  for (
    const answers of [
      before,
      [...before, refusal(20), answer(30, 202)],
      [...before, ...onTheWay, answer(19, 202), refusal(20)],
    ]
  ) assert.equal(checkRefusals("it", answers, 15).length, 1);
});

Deno.test("checkSigned() reports two hashes for one sequence, and hashes in no journal", () => {
  const journal = (
    hashes: Record<number, string[]>,
    ...releasedFrom: number[]
  ): SignedByWitness => ({
    hashes: new Map(
      Object.entries(hashes).map(([sequence, found]) => [Number(sequence), new Set(found)]),
    ),
    releasedFrom,
  });
  const check = (...journals: SignedByWitness[]) => checkSigned(2, journals, []);
  assert.deepEqual(check(journal({ 5: ["a"] }), journal({ 5: ["a"] }), journal({ 5: ["b"] })), []);
  // One witness, without and with a release that covers the sequence.
  const twice = { 5: ["a", "b"] };
  assert.equal(check(journal(twice), journal({}), journal({})).length, 1);
  assert.equal(check(journal(twice, 6), journal({}), journal({})).length, 1);
  assert.deepEqual(check(journal(twice, 5), journal({}), journal({})), []);
  // A threshold, by whatever release.
  assert.deepEqual(check(journal({ 5: ["a"] }), journal(twice, 0), journal({ 5: ["b"] })), [
    "a threshold signed two hashes at 5",
  ]);
  const recorder = new WitnessRecorder();
  recorder.open("w1");
  recorder.records[0]!.signed.set(7, "a");
  assert.equal(checkSigned(1, [journal({})], [recorder]).length, 1);
  assert.deepEqual(checkSigned(1, [journal({ 7: ["a"] })], [recorder]), []);
  return recorder.close();
});
