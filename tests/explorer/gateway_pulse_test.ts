import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../src/base/clock.ts";
import type { GatewayStatus } from "../../src/proof/format/gateway_status.ts";
import { GatewayPulse, trialWitnesses } from "../../src/explorer/gateway_pulse.ts";
import { refusal } from "./job_gateway.ts";

const STATUS: GatewayStatus = {
  status: "ok",
  witnesses: [],
  pending_count: 0,
  peers: [],
  anchors: [],
  contradictions: 0,
  foreign_witnesses: [],
};

/** A pulse whose time and answers a test moves on. */
function makePulse() {
  let now = 1_000_000;
  const sleeps: { readonly at: number; readonly end: () => void }[] = [];
  const clock: Clock = {
    nowMs: () => now,
    elapsedMs: () => now,
    sleep: (ms: number) =>
      new Promise<void>((resolve) => sleeps.push({ at: now + ms, end: resolve })),
  };
  const answers: PromiseWithResolvers<{ text: string; value: GatewayStatus }>[] = [];
  const shown = { isShown: true };
  const pulse = new GatewayPulse({
    api: {
      status: () => {
        answers.push(Promise.withResolvers());
        return answers.at(-1)!.promise;
      },
    },
    line: { ask: (attempt) => attempt() },
    clock,
    isShown: () => shown.isShown,
  });
  const pass = async (ms: number) => {
    now += ms;
    for (const { at, end } of sleeps) if (at <= now) end();
    await setImmediate();
  };
  const answer = async () => {
    answers.at(-1)!.resolve({ text: "", value: STATUS });
    await setImmediate();
  };
  return { pulse, answers, pass, answer, shown };
}

Deno.test("a pulse asks while the page is shown, and all callers share its request", async () => {
  const { pulse, answers, pass, answer, shown } = makePulse();
  void pulse.run(new AbortController().signal);
  await setImmediate();
  const asked = pulse.status();
  assert.equal(answers.length, 1);
  await answer();
  assert.equal(await asked, STATUS);
  assert.equal(await pulse.status(), STATUS);
  assert.equal(answers.length, 1);
  assert.deepEqual(pulse.state, { last: { status: STATUS, at: 1_000 }, isSlow: false });
  shown.isShown = false;
  await pass(3_000);
  assert.equal(answers.length, 1);
  shown.isShown = true;
  await pass(3_000);
  assert.equal(answers.length, 2);
});

Deno.test("a pulse says that the gateway is slow until an answer is in time", async () => {
  const { pulse, pass, answer } = makePulse();
  void pulse.run(new AbortController().signal);
  await pass(1_000);
  assert.equal(pulse.state.isSlow, false);
  await pass(200);
  assert.equal(pulse.state.isSlow, true);
  await answer();
  assert.equal(pulse.state.isSlow, true);
  await pass(3_000);
  await answer();
  assert.equal(pulse.state.isSlow, false);
});

Deno.test("a refused pulse rests until resume()", async () => {
  const { pulse, answers, pass } = makePulse();
  void pulse.run(new AbortController().signal);
  await setImmediate();
  answers[0]!.reject(refusal(401));
  await setImmediate();
  await pass(3_000);
  await pass(3_000);
  assert.equal(answers.length, 1);
  pulse.resume();
  await pass(3_000);
  assert.equal(answers.length, 2);
});

Deno.test("trialWitnesses() counts only where the gateway's process has all keys", () => {
  const state = (...embedded: readonly boolean[]) => ({
    isSlow: false,
    last: {
      at: 1,
      status: {
        ...STATUS,
        witnesses: embedded.map((one, i) => ({
          id: `n/w${i}`,
          healthy: true,
          ...(one && { embedded: true }),
        })),
      },
    },
  });
  assert.equal(trialWitnesses(state(true, true, true)), 3);
  assert.equal(trialWitnesses(state(true, false, true)), undefined);
  assert.equal(trialWitnesses(state()), undefined);
  assert.equal(trialWitnesses({ isSlow: false }), undefined);
  assert.equal(trialWitnesses(state(true, true), ["n/w0"]), 1);
  assert.equal(trialWitnesses(state(true, true), ["other/w0"]), undefined);
});
