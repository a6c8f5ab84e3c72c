/** The id of a request is in its problem and in the report of the same fault, and never a client's. */

import assert from "node:assert/strict";
import { CountersignError } from "../../src/base/errors.ts";
import { AccessLog } from "../../src/http/access_log.ts";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import { listen } from "../../src/http/listen.ts";
import { operatorApp } from "../../src/http/operator/operator_app.ts";
import type { RequestHandler, RequestObserver } from "../../src/http/request_context.ts";
import { witnessApp } from "../../src/http/witness/witness_app.ts";
import type { ReportDetails } from "../../src/base/report.ts";
import { StandingClock, testWitness } from "../witness/fixture.ts";
import { MemoryWitnessState } from "../witness/memory_state.ts";
import { RefusingService, verifier } from "./gateway_server.ts";

const HASH = "ab".repeat(32);
const ID = /^[0-9a-f]{16}$/;
const FAULT = new Error("a fault of ours");
const OWN = {
  "X-Request-Id": "0123456789abcdef",
  "Traceparent": `00-${HASH.slice(32)}-${"1".repeat(16)}-01`,
};

interface Told {
  readonly report: (error: unknown, requestId: string) => void;
  readonly observer: RequestObserver;
}

/** Each app, and a request that meets a fault in it. */
const APPS: Record<
  string,
  { readonly app: (told: Told) => RequestHandler; readonly path: string }
> = {
  "a gateway's hot path": {
    app: (told) =>
      gatewayApp({ service: new RefusingService({ thrown: FAULT }), verifier, ...told }),
    path: `/v1/bundle/${HASH}`,
  },
  "a gateway's router": {
    app: (told) =>
      gatewayApp({ service: new RefusingService({ thrown: FAULT }), verifier, ...told }),
    path: `/v1/bundle/${HASH}?a=b`,
  },
  "an operator listener": {
    app: (told) =>
      operatorApp({
        readiness: () => Promise.resolve([]),
        metrics: () => Promise.reject(FAULT),
        ...told,
      }),
    path: "/metrics",
  },
  "a witness": {
    app: (told) => {
      const clock = new StandingClock();
      const witness = testWitness({ state: new MemoryWitnessState(), clock });
      witness.releases = () => {
        throw FAULT;
      };
      return witnessApp({ witness, token: "t", clock, ...told });
    },
    path: "/v1/info",
  },
};

for (const [name, { app, path }] of Object.entries(APPS)) {
  Deno.test(`${name} uses one request id in problem, report and access log`, async () => {
    const reports: { error: unknown; id: string }[] = [];
    const lines: (ReportDetails & { message: string })[] = [];
    const answer = app({
      report: (error, id) => reports.push({ error, id }),
      observer: new AccessLog((message, details) => lines.push({ message, ...details })),
    });
    const ids = new Set<string>();
    for (let i = 0; i < 3; i++) {
      const request = new Request(`http://127.0.0.1${path}`, { headers: OWN });
      const response = await answer(request);
      const problem = await response.json();
      assert.equal(response.status, 500, JSON.stringify(problem));
      assert.match(problem.request_id, ID);
      assert.equal(problem.code, "internal");
      assert.deepEqual(reports.at(-1), { error: FAULT, id: problem.request_id });
      assert.equal(lines.at(-1)!.request_id, problem.request_id);
      assert.deepEqual([lines.at(-1)!.status, lines.at(-1)!.code], [500, "internal"]);
      assert.equal(lines.at(-1)!.level, "debug");
      ids.add(problem.request_id);
    }
    assert.equal(ids.size, 3);
    assert.ok(!ids.has(OWN["X-Request-Id"]));
    assert.ok(!JSON.stringify(lines).includes(HASH));
  });
}

Deno.test("a refusal is not reported as a fault but has an id", async () => {
  for (const code of ["hash_unknown", "overloaded", "shutting_down", "rate_limited"] as const) {
    const service = new RefusingService(code);
    const answer = gatewayApp({ service, verifier, report: () => assert.fail(code) });
    const response = await answer(new Request(`http://127.0.0.1/v1/bundle/${HASH}`));
    const { request_id, ...problem } = await response.json();
    assert.deepEqual([problem.code, ID.test(request_id)], [code, true]);
  }
  let told: unknown;
  const service = new RefusingService("storage_failed");
  const report = (error: unknown) => told = error;
  await (await gatewayApp({ service, verifier, report })(
    new Request(`http://127.0.0.1/v1/bundle/${HASH}`),
  )).body?.cancel();
  assert.ok(told instanceof CountersignError);
});

Deno.test("a refusal of the listener has an id", async () => {
  const throwing = listen({
    hostname: "127.0.0.1",
    port: 0,
    handler: () => Promise.reject(FAULT),
  });
  const full = listen({
    hostname: "127.0.0.1",
    port: 0,
    maxInFlight: 0,
    handler: () => new Response("no"),
  });
  for (const [{ url }, status] of [[throwing, 500], [full, 503]] as const) {
    const response = await fetch(url);
    assert.equal(response.status, status);
    assert.match((await response.json()).request_id, ID);
  }
  await throwing.stop(0);
  await full.stop(0);
});

Deno.test("the access log has no text of the client, neither path nor unknown method", async () => {
  const lines: string[] = [];
  const observer = new AccessLog((message, details) =>
    lines.push(message + JSON.stringify(details))
  );
  const service = new RefusingService("hash_unknown");
  const answer = gatewayApp({ service, verifier, observer, report: () => {} });
  await (await answer(new Request("http://127.0.0.1/canary?canary", { method: "CANARY" }))).body
    ?.cancel();
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /^other none 404/);
  assert.doesNotMatch(lines[0]!, /canary/i);
});
