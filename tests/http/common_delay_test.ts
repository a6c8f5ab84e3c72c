import assert from "node:assert/strict";
import { CommonDelay } from "../../src/http/common_delay.ts";
import { AppClient, assertProblem, RefusingService } from "./gateway_server.ts";

const HASH = "ab".repeat(32);

Deno.test("CommonDelay holds everyone back for half the time at least, by one timer", async () => {
  const delay = new CommonDelay(40);
  const start = performance.now();
  const waits = [0, 5, 30, 45].map(async (ms) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    const from = performance.now();
    await delay.wait();
    return performance.now() - from;
  });
  // A timer may be a millisecond early.
  for (const ms of await Promise.all(waits)) assert.ok(ms >= 18, `${ms} ms`);
  assert.ok(performance.now() - start >= 60);
});

Deno.test("CommonDelay leaves no timer behind when nobody waits", async () => {
  const delay = new CommonDelay(10);
  await Promise.all([delay.wait(), delay.wait()]);
  await delay.wait();
});

Deno.test("the refusal of a submission is held back, and says when to ask again", async () => {
  const client = new AppClient(new RefusingService("overloaded"));
  // The first one takes as long for other reasons; and one that is no refusal of load is not held.
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
