import assert from "node:assert/strict";
import { type Load, type LoadResult, runLoad } from "../../bench/load/load_run.ts";
import type { Scenario } from "../../bench/load/scenario.ts";
import { encodeRequest } from "../../bench/load/request_bytes.ts";

const STALL_AFTER = 50;
const STALL_MS = 1_000;
const LOAD: Load = {
  connections: 1,
  warmUpMs: 0,
  measuredMs: 1_000,
  arrivals: "fixed",
  backlog: 1_000,
  checks: 0,
};

const request = encodeRequest("GET", "/");
const get: Scenario = {
  name: "get",
  hashes: 1,
  submits: false,
  client: () => ({
    next: () => request,
    accepts: ({ status }) => status === 200,
    check: () => () => Promise.resolve(),
  }),
};

/**
 * Runs `load` on a server that answers at once, but for one request, which it holds. `asked` is told
 * how many requests there were so far.
 */
async function stallingOnce(
  load: Load,
  asked: (count: number) => void = () => {},
): Promise<LoadResult> {
  let count = 0;
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async () => {
    asked(++count);
    if (count === STALL_AFTER) await new Promise((resolve) => setTimeout(resolve, STALL_MS));
    return new Response("answer");
  });
  return await runLoad({ hostname: "127.0.0.1", port: server.addr.port, tls: false }, get, load);
}

Deno.test("an open loop counts a stall for every request that it delays, a closed one once", async () => {
  const { tally } = await stallingOnce({
    ...LOAD,
    measuredMs: 2_000,
    rates: [{ rate: 100, ms: Infinity }],
  });
  // 100 of 200 were due while nothing was answered, and waited for up to all of the stall.
  assert.ok(tally.latency.quantile(0.9) > STALL_MS / 4, "the corrected p90 sees it");
  assert.ok(tally.service.quantile(0.9) < STALL_MS / 4, "the time from sending does not");
  // A timer may be early by a little.
  assert.ok(tally.service.maxMs >= STALL_MS - 50, "but for the one request that was held");

  // By a number of requests, not by a time that a slow machine would spend on fewer of them.
  const enough = new AbortController();
  const closed = (await stallingOnce(
    { ...LOAD, measuredMs: 120_000, signal: enough.signal },
    (count) => count === 4 * STALL_AFTER && enough.abort(),
  )).tally;
  assert.ok(closed.latency.count >= 4 * STALL_AFTER - 1);
  assert.ok(closed.latency.maxMs >= STALL_MS - 50);
  assert.ok(closed.latency.quantile(0.9) < STALL_MS / 4, "nor does a closed loop");
});

Deno.test("an open loop schedules requests at its rate, and drops those that do not fit in the queue", async () => {
  const twoRates = await stallingOnce({
    ...LOAD,
    rates: [{ rate: 100, ms: 500 }, { rate: 300, ms: 500 }],
  });
  const due = twoRates.tally.answers;
  // Fewer when this process has no turn between the beginning of the run and that of its requests.
  assert.ok(due > 150 && due <= 201, `50 and 150 required, found ${due}`);
  assert.deepEqual([twoRates.dropped, twoRates.unanswered], [0, 0]);

  const bounded = await stallingOnce({
    ...LOAD,
    rates: [{ rate: 200, ms: Infinity }],
    backlog: 10,
  });
  assert.ok(bounded.dropped >= 80, `about 140 required, found ${bounded.dropped}`);
  const all = bounded.tally.answers + bounded.dropped + bounded.unanswered;
  assert.ok(all > 150 && all <= 201, `200 required, found ${all}`);
});

Deno.test("Poisson arrivals have the requested rate", async () => {
  const { tally } = await stallingOnce({
    ...LOAD,
    connections: 8,
    arrivals: "poisson",
    rates: [{ rate: 400, ms: Infinity }],
  });
  // Ten standard deviations, 20 each, to either side.
  assert.ok(tally.answers > 200 && tally.answers < 600, `400 required, found ${tally.answers}`);
});
