import assert from "node:assert/strict";
import { GatewayClient } from "../../../../src/client/gateway_client.ts";
import { GatewayRecords } from "../../../../src/logs/audit/published/gateway_records.ts";
import { FakeClock } from "../../../fake_clock.ts";
import { type Handler, served } from "../../../http/outgoing/fixture.ts";

/**
 * The log's answer behind `answer`, and the number of requests. Pauses do not wait; `timeoutMs` is real
 * time.
 */
async function ask<T>(
  answer: Handler,
  question: (log: GatewayRecords) => Promise<T>,
  timeoutMs = 60_000,
) {
  const clock = new FakeClock();
  let requests = 0;
  let found: unknown;
  await served((request, port) => {
    requests++;
    return answer(request, port);
  }, async (url) => {
    const log = new GatewayRecords(
      new GatewayClient({ url: new URL(`${url}/`), clock, timeoutMs }),
    );
    let isDone = false;
    const asked = question(log).then((value) => found = value, (error) => found = error.code)
      .finally(() => isDone = true);
    while (!isDone) {
      await clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await asked;
  });
  return { found, requests };
}

Deno.test("GatewayRecords distinguishes a 404 from an answer that it cannot read", async () => {
  const gone = await ask(() => new Response("", { status: 404 }), (log) => log.job("ab"));
  assert.deepEqual(gone, { found: undefined, requests: 1 });
  const refused = await ask(() => new Response("", { status: 400 }), (log) => log.sth(5));
  assert.match((refused.found as { damage: string }).damage, /answered 400/);
  const malformed = await ask(() => Response.json([]), (log) => log.sth(5));
  assert.ok("damage" in (malformed.found as object));
  const list = await ask(() => Response.json([]), (log) => log.batches(9));
  assert.deepEqual(list.found, { value: [] });
});

Deno.test("GatewayRecords retries a busy or unreachable gateway a few times", async () => {
  const busy = await ask(() => new Response("", { status: 503 }), (log) => log.latestSth());
  assert.match((busy.found as { damage: string }).damage, /answered 503/);
  assert.equal(busy.requests, 5);
  let count = 0;
  // Holds the answer until the client has timed out.
  const silent: Handler = (request) =>
    ++count < 3
      ? new Promise((resolve) => {
        request.signal.addEventListener("abort", () => resolve(new Response("")));
      })
      : Response.json([]);
  const slow = await ask(silent, (log) => log.batches(9), 500);
  assert.deepEqual(slow.found, { value: [] });
  // A slow machine may add timeouts.
  assert.ok(slow.requests >= 3 && slow.requests <= 5, `${slow.requests} requests`);
});
