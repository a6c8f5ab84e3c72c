import assert from "node:assert/strict";
import { RefusalDelay } from "../../src/http/refusals.ts";
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

Deno.test("RefusalDelay delays a client longer the more of its refusals wait", async () => {
  const delay = new RefusalDelay({ ms: 10, mostMs: 50, perDelay: 2 });
  const left: string[] = [];
  const wait = (name: string, client: typeof LAPTOP) =>
    delay.wait(client).then(() => left.push(name));
  const refusals = Array.from({ length: 100 }, (_, i) => wait(`${i + 1}`, ABUSER));
  await Promise.all([...refusals, wait("laptop", LAPTOP)]);
  const place = (name: string) => left.indexOf(name);
  // Two leave after each delay, the laptop's with the first two, and after five delays all others.
  assert.ok(place("laptop") < place("3"), left.join());
  assert.ok(place("2") < place("3") && place("4") < place("5") && place("8") < place("9"));
  assert.ok(place("9") < place("100"));
  // Nothing is held any more.
  const start = left.length;
  await Promise.all([wait("a", ABUSER), wait("b", LAPTOP)]);
  assert.deepEqual(left.slice(start).toSorted(), ["a", "b"]);
});

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
