import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { GatewayLine } from "../../src/explorer/gateway_line.ts";
import { refusal, unreachable } from "./job_gateway.ts";

/** A line whose pauses a test ends, with their lengths; negative where nothing may shorten them. */
function makeLine() {
  const pauses: number[] = [];
  const ends: (() => void)[] = [];
  const pause = (ms: number) => {
    pauses.push(ms);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const line = new GatewayLine({ wait: pause, sleep: (ms) => pause(-ms), random: () => 0 });
  const goOn = async () => {
    ends.shift()!();
    await setImmediate();
  };
  return { line, pauses, goOn };
}

Deno.test("one request is repeated while the gateway is away, and the others wait for it", async () => {
  const { line, pauses, goOn } = makeLine();
  const shown: unknown[] = [];
  line.subscribe(() => shown.push(line.state));
  let isAway = true;
  const attempts = [0, 0, 0];
  const asked = attempts.map((_, i) =>
    line.ask(() => {
      attempts[i]!++;
      return isAway ? Promise.reject(unreachable()) : Promise.resolve(i);
    })
  );
  await setImmediate();
  await goOn();
  await goOn();
  assert.deepEqual(attempts, [3, 1, 1]);
  const late = line.ask(() => Promise.resolve("late"));
  await setImmediate();
  assert.equal(shown.length, 3);
  isAway = false;
  await goOn();
  assert.deepEqual(await Promise.all([...asked, late]), [0, 1, 2, "late"]);
  assert.deepEqual(attempts, [4, 2, 2]);
  assert.deepEqual(pauses, [500, 1000, 2000]);
  assert.equal(line.state, undefined);
});

Deno.test("a pause that the gateway asks for is kept, however long", async () => {
  const { line, pauses, goOn } = makeLine();
  const faults: unknown[] = [refusal(429, 100), refusal(503, 0), refusal(503, 1e9)];
  const asked = line.ask(() =>
    faults.length > 0 ? Promise.reject(faults.shift()) : Promise.resolve(1)
  );
  for (let i = 0; i < 3; i++) {
    await setImmediate();
    await goOn();
  }
  assert.equal(await asked, 1);
  assert.deepEqual(pauses, [-100_000, -1_000, -86_400_000]);
});

Deno.test("an error that no patience mends ends the outage, and others are asked", async () => {
  const { line, goOn } = makeLine();
  const faults: unknown[] = [unreachable(), refusal(400)];
  const failing = assert.rejects(line.ask(() => Promise.reject(faults.shift())), /400/);
  const next = line.ask(() => Promise.resolve("next"));
  await setImmediate();
  const other = line.ask(() => Promise.resolve("other"));
  await goOn();
  await failing;
  assert.deepEqual(await Promise.all([next, other]), ["next", "other"]);
  assert.equal(line.state, undefined);
});

Deno.test("an aborted request leaves its turn to the next one, and the outage ends with the last", async () => {
  const { line, goOn } = makeLine();
  const shown: unknown[] = [];
  line.subscribe(() => shown.push(line.state));
  const stop = new AbortController();
  const ask = (fault: unknown, signal?: AbortSignal) =>
    line.ask(() => Promise.reject(signal?.aborted ? signal.reason : fault), signal);
  const left = assert.rejects(ask(unreachable(), stop.signal), /left/);
  await setImmediate();
  const faults = [unreachable(), refusal(400)];
  const next = assert.rejects(line.ask(() => Promise.reject(faults.shift())), /400/);
  stop.abort(new Error("left"));
  await goOn();
  await left;
  assert.ok(line.state !== undefined);
  assert.ok(shown.every((error) => error !== undefined));
  await goOn();
  await next;
  assert.equal(line.state, undefined);

  const again = new AbortController();
  const alone = assert.rejects(ask(unreachable(), again.signal), /left/);
  await setImmediate();
  assert.ok(line.state !== undefined);
  again.abort(new Error("left"));
  await goOn();
  await alone;
  assert.equal(line.state, undefined);
});
