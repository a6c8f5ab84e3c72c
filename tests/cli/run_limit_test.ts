import assert from "node:assert/strict";
import type { CommandContext } from "../../src/cli/command_context.ts";
import { RunLimit } from "../../src/cli/run_limit.ts";
import { systemClock } from "../../src/base/clock.ts";
import { GatewayRefusal } from "../../src/proof/format/gateway_refusal.ts";

function limitOf(seconds: number, lastRefusal?: GatewayRefusal): RunLimit {
  const context = { process: { clock: systemClock }, endRequestsWith() {}, lastRefusal };
  return new RunLimit(context as unknown as CommandContext, seconds);
}

Deno.test("during() adds no listener to the signal for each of many files", async () => {
  using limit = limitOf(60);
  let added = 0;
  limit.signal.addEventListener = () => void added++;
  for (let i = 0; i < 12; i++) assert.equal(await limit.during(Promise.resolve(i)), i);
  assert.equal(added, 0);
});

Deno.test("during() ends with the limit while the work goes on", async () => {
  using limit = limitOf(0.05);
  await assert.rejects(limit.during(new Promise(() => {})), /Cannot finish: 0.05 s have passed/);
  await assert.rejects(limit.during(new Promise(() => {})), /Cannot finish/);
});

Deno.test("a run that ends says what the gateway answered last", async () => {
  const action = "stamp";
  using limit = limitOf(
    0.05,
    new GatewayRefusal("job", { status: 503, reason: "storage_failed", action }),
  );
  await assert.rejects(
    limit.during(new Promise(() => {})),
    /^.*Cannot stamp: the gateway answered 503 storage_failed. Cannot finish: 0.05 s have passed/,
  );
});
