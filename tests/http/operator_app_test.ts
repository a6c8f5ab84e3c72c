import assert from "node:assert/strict";
import { type MetricsSnapshot, metricsText } from "../../src/http/metrics.ts";
import { operatorApp, type OperatorAppOptions } from "../../src/http/operator_app.ts";
import type { UnreadyReason } from "../../src/http/readiness.ts";
import { assertProblem } from "./gateway_server.ts";

const TOKEN = "token-of-the-operator-0123456789";
const BASE = "http://127.0.0.1:8090";

function app(options: Partial<OperatorAppOptions> = {}) {
  return operatorApp({
    readiness: () => Promise.resolve([]),
    metrics: () => Promise.resolve("# nothing\n"),
    report: () => {},
    ...options,
  });
}

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  new Request(BASE + path, { method, headers });

Deno.test("a gateway is ready, or says why not", async () => {
  const ready = await app()(get("/ready"));
  assert.equal(ready.status, 200);
  assert.deepEqual(await ready.json(), { ready: true, reasons: [] });
  const reasons: UnreadyReason[] = [{ code: "witnesses_missing", detail: "Not ready" }];
  const unready = await app({ readiness: () => Promise.resolve(reasons) })(get("/ready"));
  assert.equal(unready.status, 503);
  assert.deepEqual(await unready.json(), { ready: false, reasons });
  for (const response of [ready, unready]) {
    assert.equal(response.headers.get("Cache-Control"), "no-store");
    assert.equal(response.headers.get("Access-Control-Allow-Origin"), null);
  }
});

Deno.test("a token that is configured is required", async () => {
  const answer = app({ token: TOKEN });
  for (const path of ["/ready", "/metrics"]) {
    await assertProblem(await answer(get(path)), "token_required");
    const wrong = { Authorization: `Bearer ${TOKEN}x` };
    await assertProblem(await answer(get(path, wrong)), "token_refused");
    const right = { Authorization: `Bearer ${TOKEN}` };
    assert.equal((await answer(get(path, right))).status, 200);
    assert.equal((await answer(get(path, right, "HEAD"))).status, 200);
  }
});

Deno.test("without a token, only names of this machine are answered", async () => {
  const at = (host: string) => new Request(`http://${host}/metrics`);
  for (const host of ["127.0.0.1:8090", "localhost:8090", "[::1]:8090"]) {
    assert.equal((await app()(at(host))).status, 200, host);
  }
  for (const host of ["rebound.example:8090", "127.0.0.1.example", "10.0.0.1"]) {
    await assertProblem(await app()(at(host)), "token_required");
  }
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const asked = new Request("http://gateway.example/metrics", { headers });
  assert.equal((await app({ token: TOKEN })(asked)).status, 200);
});

Deno.test("other methods and paths are refused, client routes among them", async () => {
  const answer = app();
  for (const path of ["/ready", "/metrics"]) {
    const response = await answer(get(path, {}, "POST"));
    assert.equal(response.headers.get("Allow"), "GET, HEAD");
    await assertProblem(response, "method_not_allowed");
    await assertProblem(await answer(get(path, {}, "toString")), "method_not_allowed");
  }
  const clientPaths = ["/", "/health", "/v1/network", "/v1/status", "/checkpoint", "/openapi.json"];
  for (const path of [...clientPaths, `/v1/bundle/${"00".repeat(32)}`, "/ready/", "/%72eady"]) {
    await assertProblem(await answer(get(path)), "route_not_found");
  }
});

Deno.test("a fault is told to the operator and to nobody else", async () => {
  const reported: unknown[] = [];
  const fault = new Error("/secret/path");
  const answer = app({
    metrics: () => Promise.reject(fault),
    report: (error) => reported.push(error),
  });
  const response = await answer(get("/metrics"));
  assert.ok(!(await response.clone().text()).includes("secret"));
  await assertProblem(response, "internal");
  assert.deepEqual(reported, [fault]);
});

const SNAPSHOT: MetricsSnapshot = {
  now: 1_000,
  ready: false,
  threshold: 2,
  status: {
    status: "ok",
    witnesses: [{ id: "a/w1", healthy: true }, { id: "a/w2", healthy: false }],
    pending_count: 3,
    oldest_pending_age: 4,
    sth: { tree_size: 12, age: 5 },
    beacon: { round: 77, age: 6 },
  },
  peers: [
    { id: "peer", lastCrossAnchor: { treeSize: 11, timestamp: 990 } },
    { id: "away", lastError: "peer_unreachable", failingSince: 900 },
  ],
  anchors: [{
    name: "tsa",
    provider: "rfc3161",
    mode: "required",
    last: { treeSize: 12, timestamp: 980, status: "pending" },
    lastConfirmedSize: 10,
    pending: 2,
    givenUp: 0,
    fault: { code: "anchor_unreachable", at: 999 },
  }],
  added: { crossAnchors: new Map([["peer", 8]]), anchors: new Map([["tsa", 9]]) },
  contradictions: 1,
};

/** Samples by name and labels, as text. */
function samples(text: string): Map<string, string> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => {
    const at = line.lastIndexOf(" ");
    return [line.slice(0, at).replace(/^countersign_/, ""), line.slice(at + 1)];
  }));
}

Deno.test("metrics say how the gateway, its peers and its services are doing", async () => {
  const text = await metricsText(SNAPSHOT);
  const tsa = '{service="tsa",provider="rfc3161"}';
  assert.deepEqual(
    samples(text),
    new Map([
      ["up", "1"],
      ["ready", "0"],
      ["tree_size", "12"],
      ["tree_head_age_seconds", "5"],
      ["pending", "3"],
      ["oldest_pending_age_seconds", "4"],
      ["witness_threshold", "2"],
      ['witness_healthy{witness="a/w1"}', "1"],
      ['witness_healthy{witness="a/w2"}', "0"],
      ["beacon_round", "77"],
      ["beacon_age_seconds", "6"],
      ['cross_anchor_tree_size{peer="peer"}', "11"],
      ['cross_anchor_tree_size{peer="away"}', "0"],
      ['cross_anchor_age_seconds{peer="peer"}', "10"],
      ['cross_anchors_total{peer="peer"}', "8"],
      ['cross_anchors_total{peer="away"}', "0"],
      ['peer_failing_seconds{peer="peer"}', "0"],
      ['peer_failing_seconds{peer="away"}', "100"],
      ["contradictions_total", "1"],
      [`anchor_tree_size${tsa}`, "10"],
      [`anchor_age_seconds${tsa}`, "20"],
      [`anchors_pending${tsa}`, "2"],
      [`anchors_total${tsa}`, "9"],
      [`anchor_failing${tsa}`, "1"],
    ]),
  );
  for (const type of ["tree_size gauge", "contradictions_total counter"]) {
    assert.match(text, new RegExp(`^# TYPE countersign_${type}$`, "m"));
  }
});

Deno.test("a gateway that has published nothing and anchors nowhere has metrics too", async () => {
  const { beacon: _beacon, sth: _sth, ...status } = SNAPSHOT.status;
  const none = { peers: [], anchors: [], contradictions: 0 };
  const found = samples(await metricsText({ ...SNAPSHOT, status, ...none }));
  assert.equal(found.get("tree_size"), "0");
  assert.equal(found.get("contradictions_total"), "0");
  for (const name of found.keys()) assert.ok(!/anchor_|peer_|beacon|head_age/.test(name), name);
});
