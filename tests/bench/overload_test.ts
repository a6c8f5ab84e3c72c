import assert from "node:assert/strict";
import { Asker } from "../../bench/load/asker.ts";
import type { Load } from "../../bench/load/load_run.ts";
import { measureOverload, type OverloadReport } from "../../bench/load/overload.ts";
import { encodeRequest } from "../../bench/load/request_bytes.ts";
import type { Scenario } from "../../bench/load/scenario.ts";
import { systemClock } from "../../src/clock.ts";

const CONNECTIONS = 32;
/** What the server works on or keeps waiting; more is refused. */
const ROOM = 8;
const LOAD: Load = {
  connections: ROOM,
  warmUpMs: 0,
  measuredMs: 800,
  arrivals: "fixed",
  backlog: CONNECTIONS,
  checks: 0,
  sockets: "deno",
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

/** Overloads a server that answers one request after the other, and refuses what it has no room for. */
async function overloaded(refusal: HeadersInit, load: Load): Promise<OverloadReport> {
  let inside = 0;
  let last = Promise.resolve();
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async () => {
    if (inside >= ROOM) return new Response("full", { status: 503, headers: refusal });
    inside++;
    await (last = last.then(() => systemClock.sleep(4)));
    inside--;
    return new Response("answer");
  });
  const { port } = server.addr;
  const url = new URL(`http://127.0.0.1:${port}`);
  const target = {
    url,
    endpoint: { hostname: "127.0.0.1", port, tls: false },
    asker: new Asker(url),
    witnesses: [],
    isOurs: true,
  };
  return await measureOverload(target, get, load, 4);
}

Deno.test("an overload tells what was accepted and refused, during it and after", async () => {
  // A closed loop that fills the room and no more finds what the server sustains.
  const report = await overloaded({ "Retry-After": "1" }, LOAD);
  assert.ok(report.sustainedRate > 0);
  const { dueRate, acceptedRate, refusedRate, droppedRate } = report.overloaded;
  assert.equal(dueRate, 4 * report.sustainedRate);
  assert.ok(acceptedRate > 0 && acceptedRate < dueRate);
  assert.ok(refusedRate + droppedRate > 0, "what is too much is refused, or finds no connection");
  assert.equal(report.after.dueRate, report.sustainedRate / 2);
  assert.ok(report.after.refusedRate + report.after.droppedRate < refusedRate + droppedRate);
  assert.deepEqual(report.errors, {});
  assert.equal(report.moments.length, 16);
});

Deno.test("refusals that do not say when to come back are counted", async () => {
  const crowd = { ...LOAD, connections: CONNECTIONS };
  const silent = await overloaded({}, crowd);
  assert.ok(silent.refusedWithoutRetryAfter > 0);
  const told = await overloaded({ "Retry-After": "1" }, crowd);
  assert.ok(told.overloaded.refusedRate > 0);
  assert.equal(told.refusedWithoutRetryAfter, 0);
});
