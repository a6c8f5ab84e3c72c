import assert from "node:assert/strict";
import { operatorApp, type OperatorAppOptions } from "../../src/http/operator/operator_app.ts";
import type { ReadinessWarning, UnreadyReason } from "../../src/http/operator/readiness.ts";
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

Deno.test("GET /ready is 200 or lists the reasons", async () => {
  const ready = await app()(get("/ready"));
  assert.equal(ready.status, 200);
  assert.deepEqual(await ready.json(), { ready: true, reasons: [] });
  const reasons: UnreadyReason[] = [{ code: "witnesses_missing", detail: "Not ready" }];
  const unready = await app({ readiness: () => Promise.resolve(reasons) })(get("/ready"));
  assert.equal(unready.status, 503);
  assert.deepEqual(await unready.json(), { ready: false, reasons });
  const warnings: ReadinessWarning[] = [{ code: "disk_nearly_full", detail: "1 MiB" }];
  const warned = await app({ warnings: () => Promise.resolve(warnings) })(get("/ready"));
  assert.equal(warned.status, 200);
  assert.deepEqual(await warned.json(), { ready: true, reasons: [], warnings });
  for (const response of [ready, unready, warned]) {
    assert.equal(response.headers.get("Cache-Control"), "no-store");
    assert.equal(response.headers.get("Access-Control-Allow-Origin"), null);
  }
});

Deno.test("a configured token is required", async () => {
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

Deno.test("without a token, only loopback hosts are answered", async () => {
  const at = (host: string) => new Request(`http://${host}/metrics`);
  for (const host of ["127.0.0.1:8090", "localhost:8090", "[::1]:8090"]) {
    assert.equal((await app()(at(host))).status, 200, host);
  }
  for (const host of ["rebound.example:8090", "127.0.0.1.example", "10.0.0.1"]) {
    await assertProblem(await app()(at(host)), "token_required");
  }
  // The runtime makes a URL of any Host field.
  const invalid = at("localhost");
  Object.defineProperty(invalid, "url", { value: "http://a b/metrics" });
  await assertProblem(await app()(invalid), "token_required");
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const asked = new Request("http://gateway.example/metrics", { headers });
  assert.equal((await app({ token: TOKEN })(asked)).status, 200);
});

Deno.test("other methods and paths are refused, including client routes", async () => {
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

Deno.test("a fault is reported to the operator and not to the client", async () => {
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
