import assert from "node:assert/strict";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import { operatorApp } from "../../src/http/operator/operator_app.ts";
import { RequestMetrics } from "../../src/http/request_metrics.ts";
import {
  RequestContext,
  type RequestHandler,
  requestHandler,
  type RequestObserver,
} from "../../src/http/request_context.ts";
import { MetricsPage } from "../../src/http/metrics/metrics_page.ts";
import { memoryStore, TestNetwork } from "../gateway/fixture.ts";
import { Random } from "../random.ts";
import { SEED } from "../seed.ts";
import { metricsOf, valueOf } from "./metrics/page_samples.ts";
import { nativeCrypto as verifier } from "../schemes.ts";

const HASH = "ab".repeat(32);

async function pageOf(metrics: RequestMetrics): Promise<string> {
  const page = new MetricsPage();
  metrics.addTo(page, new Map([["clients", { inFlight: 3 }]]));
  return await page.text();
}

/** Runs `use` with an app that tells `metrics`. */
async function withApp(
  use: (
    ask: (method: string, path: string, init?: RequestInit) => Promise<Response>,
    metrics: RequestMetrics,
    document: () => Promise<{ readonly paths: Readonly<Record<string, unknown>> }>,
  ) => Promise<void>,
): Promise<void> {
  const { gateway } = await new TestNetwork().start(await memoryStore());
  const metrics = new RequestMetrics();
  const app = gatewayApp({ service: gateway, verifier, observer: metrics, report: () => {} });
  try {
    const document = async () =>
      await (await app(new Request("http://127.0.0.1/openapi.json"))).json();
    await use(asking(app), metrics, document);
  } finally {
    await gateway.stop();
  }
}

function asking(app: RequestHandler) {
  return async (method: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await app(new Request(`http://127.0.0.1${path}`, { method, ...init }));
    await response.body?.cancel();
    return response;
  };
}

/** A submission of `hash`. */
function submission(hash: string, headers: Record<string, string> = {}): RequestInit {
  return {
    body: JSON.stringify({ hash }),
    headers: { "Content-Type": "application/json", ...headers },
  };
}

Deno.test("answers are counted by route, method and class, on and off the hot path", () =>
  withApp(async (ask, metrics) => {
    await ask("POST", "/v1/attestations", submission(HASH));
    await ask("POST", "/v1/attestations", submission("no hash"));
    await ask("GET", `/v1/attestations/${HASH}`);
    await ask("HEAD", `/v1/attestations/${HASH}`);
    await ask("GET", `/v1/attestations/${"cd".repeat(32)}`);
    await ask("GET", "/v1/attestations/UPPER");
    await ask("GET", "/v1/network");
    await ask("OPTIONS", "/v1/network");
    await ask("DELETE", "/v1/network");
    await ask("GET", "/nowhere");
    await ask("GET", "/v1/log/consistency?first=x&second=2");
    const text = await pageOf(metrics);
    const samples = metricsOf(text).get("countersign_http_requests_total")!.samples;
    const found = new Map(
      samples.map((
        { labels, value },
      ) => [`${labels.method} ${labels.route} ${labels.status}`, value]),
    );
    assert.deepEqual(
      found,
      new Map([
        ["POST /v1/attestations 2xx", 1],
        ["POST /v1/attestations 4xx", 1],
        ["GET /v1/attestations/{hash} 2xx", 1],
        ["GET /v1/attestations/{hash} 4xx", 2],
        ["HEAD /v1/attestations/{hash} 2xx", 1],
        ["GET /v1/network 2xx", 1],
        ["OPTIONS /v1/network 2xx", 1],
        ["other /v1/network 4xx", 1],
        ["GET none 4xx", 1],
        ["GET /v1/log/consistency 4xx", 1],
      ]),
    );
    const refusals = (code: string) => valueOf(text, "countersign_refusals_total", { code });
    assert.deepEqual(
      ["malformed_hash", "hash_unknown", "method_not_allowed", "route_not_found", "internal"]
        .map(refusals),
      [2, 1, 1, 1, 0],
    );
    assert.equal(refusals("malformed_parameter"), 1);
    assert.equal(
      valueOf(text, "countersign_http_requests_in_flight", { listener: "clients" }),
      3,
    );
    assert.equal(valueOf(text, "countersign_http_body_bytes_held"), 0);
  }));

Deno.test("a held answer is counted without a latency", () =>
  withApp(async (ask, metrics) => {
    const wait = { Prefer: "wait=30" };
    assert.equal((await ask("POST", "/v1/attestations", submission(HASH, wait))).status, 200);
    await ask("GET", `/v1/attestations/${HASH}`, { headers: wait });
    await ask("GET", `/v1/attestations/${HASH}`);
    const bulk = { hashes: [HASH] };
    const body = { ...submission(HASH, wait), body: JSON.stringify(bulk) };
    await ask("POST", "/v1/attestations/batch", body);
    const text = await pageOf(metrics);
    const counts = (route: string, method: string) => {
      const labels = { route, method, status: "2xx" };
      return [
        valueOf(text, "countersign_http_requests_total", labels),
        valueOf(text, "countersign_http_request_duration_seconds_count", labels),
      ];
    };
    assert.deepEqual(counts("/v1/attestations", "POST"), [1, 0]);
    assert.deepEqual(counts("/v1/attestations/{hash}", "GET"), [2, 1]);
    assert.deepEqual(counts("/v1/attestations/batch", "POST"), [1, 0]);
  }));

Deno.test("each route has one template, on and off the hot path", () =>
  withApp(async (ask, metrics, document) => {
    const templates = Object.keys((await document()).paths);
    const asked: [path: string, template: string][] = [
      [`/v1/attestations/${HASH}`, "/v1/attestations/{hash}"],
      [`/v1/bundle/${HASH}`, "/v1/bundle/{hash}"],
      [`/v1/proof/${HASH}`, "/v1/proof/{hash}"],
      ["/tile/0/000", "/tile/{level}/{index}"],
      ["/tile/entries/000", "/tile/entries/{index}"],
    ];
    for (const [path, template] of asked) {
      assert.ok(templates.includes(template), template);
      // With a query no path is hot.
      await ask("GET", path);
      await ask("GET", `${path}?query`);
      const samples = metricsOf(await pageOf(metrics)).get("countersign_http_requests_total")!
        .samples.filter(({ labels }) => labels.route === template);
      assert.equal(samples.reduce((sum, { value }) => sum + value, 0), 2, template);
    }
  }));

Deno.test("labels are from closed lists for any request", () =>
  withApp(async (ask, metrics, document) => {
    const templates = new Set(["none", ...Object.keys((await document()).paths)]);
    const words = ["v1", "attestations", "tile", "0", "x%2f", "..", "bundle", HASH, "\u{1F600}"];
    const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "PURGE"];
    const random = new Random(SEED);
    for (let i = 0; i < 400; i++) {
      const path = Array.from({ length: 1 + i % 4 }, () => `/${random.pick(words)}`).join("");
      await ask(random.pick(methods), `${path}${random.pick(["", "?q=1", `?hash=${i}`])}`);
    }
    const text = await pageOf(metrics);
    for (const { labels } of metricsOf(text).get("countersign_http_requests_total")!.samples) {
      assert.ok(templates.has(labels.route!), `route ${labels.route}`);
      assert.match(labels.method!, /^(GET|HEAD|POST|OPTIONS|other)$/);
      assert.match(labels.status!, /^[1-5]xx$/);
    }
    assert.ok(!text.includes(HASH) && !text.includes("%2f"));
  }));

Deno.test("operator requests are counted, including refused ones", async () => {
  const metrics = new RequestMetrics();
  const ask = asking(operatorApp({
    token: "token-of-the-operator-0123456789",
    readiness: () => Promise.reject(new Error("a fault")),
    metrics: () => Promise.resolve("# nothing\n"),
    observer: metrics,
    report: () => {},
  }));
  const headers = { Authorization: "Bearer token-of-the-operator-0123456789" };
  await ask("GET", "/metrics");
  await ask("GET", "/metrics", { headers });
  await ask("GET", "/ready", { headers });
  await ask("GET", "/elsewhere", { headers });
  const text = await pageOf(metrics);
  const count = (route: string, status: string) =>
    valueOf(text, "countersign_http_requests_total", { route, method: "GET", status });
  assert.deepEqual(
    [
      count("/metrics", "4xx"),
      count("/metrics", "2xx"),
      count("/ready", "5xx"),
      count("none", "4xx"),
    ],
    [1, 1, 1, 1],
  );
  const refusals = (code: string) => valueOf(text, "countersign_refusals_total", { code });
  assert.deepEqual(["token_required", "internal", "route_not_found"].map(refusals), [1, 1, 1]);
});

Deno.test("the latency of an answer is the time from request to response head", async () => {
  let told = Number.NaN;
  const answered: RequestObserver["answered"] = (_context, _status, milliseconds) => {
    told = milliseconds;
  };
  const handler = requestHandler(() => Promise.resolve(new Response()), { answered });
  const startMs = performance.now();
  await handler(new Request("http://127.0.0.1/"));
  assert.ok(told >= 0 && told <= performance.now() - startMs);
});

Deno.test("latencies are counted in seconds, in the right bucket", async () => {
  const metrics = new RequestMetrics();
  const context = new RequestContext(new Request("http://127.0.0.1/"));
  context.route = "/a";
  for (const milliseconds of [0.4, 1, 1.001, 40, 60_000]) {
    metrics.answered(context, 200, milliseconds);
  }
  const text = await pageOf(metrics);
  const labels = { route: "/a", method: "GET", status: "2xx" };
  const below = (le: string) =>
    valueOf(text, "countersign_http_request_duration_seconds_bucket", { ...labels, le });
  assert.deepEqual(["0.001", "0.0025", "0.05", "30", "+Inf"].map(below), [2, 3, 4, 4, 5]);
});
