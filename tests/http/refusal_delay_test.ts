import assert from "node:assert/strict";
import { RefusalDelay } from "../../src/http/refusal_delay.ts";
import { FakeClock } from "../fake_clock.ts";
import { spread, tablesOf, testOverFronts } from "./limits/fronts.ts";
import { AppClient, assertProblem, RefusingService } from "./gateway_server.ts";

const HASH = "ab".repeat(32);

const LAPTOP = { high: 1, low: 1 };
const ABUSER = { high: 2, low: 2 };

Deno.test("RefusalDelay delays each refusal by at least half its period", async () => {
  const delay = new RefusalDelay({ ms: 40 });
  const start = performance.now();
  const waits = [0, 5, 30, 45].map(async (ms) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    const from = performance.now();
    await delay.wait(undefined);
    return performance.now() - from;
  });
  // A timer may be a millisecond early.
  for (const ms of await Promise.all(waits)) assert.ok(ms >= 18, `${ms} ms`);
  assert.ok(performance.now() - start >= 60);
});

Deno.test("RefusalDelay has no timer while no refusal waits", async () => {
  const delay = new RefusalDelay({ ms: 10 });
  await Promise.all([delay.wait(LAPTOP), delay.wait(undefined)]);
  await delay.wait(LAPTOP);
});

testOverFronts(
  "RefusalDelay delays a client longer the more of its refusals wait",
  async (fronts) => {
    const clock = new FakeClock();
    const delay = spread(
      tablesOf(fronts).map((tables) =>
        new RefusalDelay({
          ms: 10,
          mostMs: 50,
          perDelay: 2,
          waiting: tables.holdings("waiting_refusals"),
        }, clock)
      ),
    );
    const startMs = clock.nowMs();
    const wait = (client: typeof LAPTOP) => delay.wait(client).then(() => clock.nowMs() - startMs);
    const refusals = Array.from({ length: 100 }, () => wait(ABUSER));
    const laptop = wait(LAPTOP);
    await clock.advance(100);
    assert.equal(await laptop, 10);
    // Two leave after each delay, and after five delays all others.
    const longer = [10, 10, 20, 20, 30, 30, 40, 40];
    assert.deepEqual(await Promise.all(refusals), [...longer, ...Array(92).fill(50)]);
    // Nothing is held any more.
    const again = Promise.all([wait(ABUSER), wait(LAPTOP)]);
    await clock.advance(100);
    assert.deepEqual(await again, [110, 110]);
  },
);

Deno.test("a refused submission is delayed and has Retry-After", async () => {
  const client = new AppClient(new RefusingService("overloaded"));
  // The first takes as long for other reasons; other refusals are not delayed.
  await client.post("/v1/attestations", { hash: HASH });
  const other = new AppClient(new RefusingService("storage_failed"));
  await other.post("/v1/attestations", { hash: HASH });
  const prompt = performance.now();
  await other.post("/v1/attestations", { hash: HASH });
  const start = performance.now();
  const promptMs = start - prompt;
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => client.post("/v1/attestations", { hash: HASH })),
  );
  const heldMs = performance.now() - start;
  assert.ok(heldMs >= 20, `${heldMs} ms, ${promptMs} ms where nothing is held`);
  for (const response of responses) {
    assert.match(response.headers.get("Retry-After") ?? "", /^[1-9][0-9]*$/);
    await assertProblem(response, "overloaded");
  }
});
