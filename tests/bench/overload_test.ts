import assert from "node:assert/strict";
import { Asker } from "../../bench/load/asker.ts";
import type { Load } from "../../bench/load/load_run.ts";
import { measureOverload, type OverloadReport } from "../../bench/load/overload.ts";
import { encodeRequest } from "../../bench/load/request_bytes.ts";
import type { Scenario } from "../../bench/load/scenario.ts";
import { systemClock } from "../../src/base/clock.ts";

const WINDOW_MS = 800;
const FACTOR = 4;
/** Requests that the server accepts in the closed loop: what it sustains is a rule of its own. */
const SUSTAINED = 8;
const SUSTAINED_RATE = perSecond(SUSTAINED);
/** Due in the open loop: the last one but for rounding when the run is over, which is too late. */
const DUE = FACTOR * SUSTAINED + SUSTAINED / 2 - 1;
/** Of the overload, the first ones, far from its end. */
const REFUSED = 5;

const LOAD: Load = {
  // More than requests are ever due: each is sent, however many of them at once.
  connections: 2 * DUE,
  warmUpMs: 0,
  measuredMs: WINDOW_MS,
  arrivals: "fixed",
  backlog: 2 * DUE,
  checks: 0,
};

/** As a rate of one phase. */
function perSecond(count: number): number {
  return count * 1000 / WINDOW_MS;
}

/** Says in the path of a request which loop it is of, and the how manyth that was due there. */
function numbered(connections: number): Scenario {
  let clients = 0;
  const due = { closed: 0, open: 0 };
  return {
    name: "get",
    hashes: 1,
    submits: false,
    client: () => {
      const loop = clients++ < connections ? "closed" : "open";
      return {
        next: () => encodeRequest("GET", `/${loop}/${due[loop]++}`),
        accepts: ({ status }) => status === 200,
        check: () => () => Promise.resolve(),
      };
    },
  };
}

/** Whether a server takes the n-th request of a loop, and when. */
type Rule = (loop: string, n: number) => boolean | Promise<boolean>;

const refusingTheFirst: Rule = (loop, n) => loop === "closed" ? n < SUSTAINED : n >= REFUSED;

/**
 * Overloads a server that accepts and refuses by `rule`: by what is asked, and not by how much of it
 * there is at a time, so that no answer depends on how fast this machine is.
 */
async function overloaded(rule: Rule, refusal: HeadersInit, load: Load): Promise<OverloadReport> {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async ({ url }) => {
      const [loop, n] = new URL(url).pathname.slice(1).split("/");
      if (await rule(loop!, Number(n))) return new Response("answer");
      return new Response("full", { status: 503, headers: refusal });
    },
  );
  const { port } = server.addr;
  const url = new URL(`http://127.0.0.1:${port}`);
  const target = {
    url,
    endpoint: { hostname: "127.0.0.1", port, tls: false },
    asker: new Asker(url),
    witnesses: [],
    isOurs: true,
  };
  return await measureOverload(target, numbered(load.connections), load, FACTOR);
}

/**
 * The same, with a closed loop that had its answers in its window: a process that is stopped for most
 * of that counts fewer, and rightly so.
 */
async function undisturbed(rule: Rule, refusal: HeadersInit, load: Load): Promise<OverloadReport> {
  let found = "nothing";
  for (let tries = 0; tries < 10; tries++) {
    try {
      const report = await overloaded(rule, refusal, load);
      if (Math.abs(report.sustainedRate - SUSTAINED_RATE) < 0.01) return report;
      found = `a rate of ${report.sustainedRate}`;
    } catch (error) {
      found = String(error);
      if (!/answers in a closed loop required/.test(found)) throw error;
    }
  }
  throw new Error(`A sustained rate of ${SUSTAINED_RATE} required, found ${found}`);
}

Deno.test("an overload run counts accepted and refused requests, during and after the overload", async () => {
  const report = await undisturbed(refusingTheFirst, { "Retry-After": "1" }, LOAD);
  const { overloaded, after, sustainedRate } = report;
  assert.equal(overloaded.dueRate, FACTOR * sustainedRate);
  assert.equal(after.dueRate, sustainedRate / 2);
  assert.equal(overloaded.refusedRate, perSecond(REFUSED));
  assert.equal(after.refusedRate, 0);
  assert.ok(overloaded.acceptedRate > 0 && overloaded.acceptedRate < overloaded.dueRate);
  assert.ok(after.acceptedRate > 0);
  const accepted = (overloaded.acceptedRate + after.acceptedRate) * WINDOW_MS / 1000;
  assert.ok([DUE - REFUSED, DUE - REFUSED + 1].includes(accepted), `${accepted} accepted`);
  assert.deepEqual([overloaded.droppedRate, after.droppedRate, report.unanswered], [0, 0, 0]);
  assert.equal(report.refusedWithoutRetryAfter, 0);
  assert.deepEqual(report.errors, {});
  assert.equal(report.moments.length, 16);
});

Deno.test("a load process that was stopped still sends every due request", async () => {
  const stall = () => {
    const end = performance.now() + WINDOW_MS;
    while (performance.now() < end);
  };
  // While nothing is in flight: a quarter of a gap after one of the requests that follow the overload, before
  // others are due, and after the last one.
  for (const place of [FACTOR * SUSTAINED + 1, DUE - 1]) {
    const stopping: Rule = (loop, n) => {
      if (loop === "open" && n === place) setTimeout(stall, 50);
      return refusingTheFirst(loop, n);
    };
    const { overloaded, after, moments } = await undisturbed(stopping, {}, LOAD);
    const accepted = (overloaded.acceptedRate + after.acceptedRate) * WINDOW_MS / 1000;
    assert.ok([DUE - REFUSED, DUE - REFUSED + 1].includes(accepted), `${accepted} accepted`);
    assert.equal(moments.length, 16);
  }
});

Deno.test("refusals without Retry-After are counted", async () => {
  const silent = await undisturbed(refusingTheFirst, {}, LOAD);
  assert.equal(silent.overloaded.refusedRate, perSecond(REFUSED));
  assert.equal(silent.refusedWithoutRetryAfter, REFUSED);
});

Deno.test("requests without a connection or a place in the queue count as dropped", async () => {
  const connections = 4;
  let released: Promise<void> | undefined;
  // Until all of the overload was due no request of it is answered.
  const holding: Rule = async (loop, n) => {
    if (loop === "closed") {
      released = undefined;
      return n < SUSTAINED;
    }
    await (released ??= systemClock.sleep(WINDOW_MS + 200));
    return true;
  };
  const load = { ...LOAD, connections, backlog: connections };
  const { overloaded, after, errors } = await undisturbed(holding, {}, load);
  // Each connection and each place to wait is taken once before the server answers, and once more
  // by what is due by then if this process was stopped until then.
  const dropped = overloaded.droppedRate + after.droppedRate;
  assert.ok(dropped >= perSecond(FACTOR * SUSTAINED - 4 * connections), `${dropped} a second`);
  assert.deepEqual(errors, {});
});
