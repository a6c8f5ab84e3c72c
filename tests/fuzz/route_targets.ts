/**
 * Every route of a gateway and of a witness, without a socket. Each answer is in the OpenAPI document,
 * each refusal is a complete problem document, and no status is 500.
 *
 * @module
 */

import assert from "node:assert/strict";
import { pathStart } from "../../src/http/request_path.ts";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import { PROBLEM } from "../../src/http/schema/problem_schema.ts";
import { memoryStore, TestNetwork } from "../gateway/fixture.ts";
import { ApiDocument } from "../http/api_document.ts";
import { exchangeOf } from "../http/exchange_check.ts";
import { GatewayServer, verifier } from "../http/gateway_server.ts";
import { type Known, routeRequests, STREAM_PATHS } from "../http/route_requests.ts";
import { sentAnswer } from "../http/sent_answer.ts";
import { cosignBody, roundBody, serve, TOKEN } from "../http/witness_server.ts";
import type { Target } from "./engine.ts";
import { requestOf, spell, type SpeltRequest } from "./request_text.ts";
import { addCheckpointBody } from "./wire_targets.ts";

/** Targets over servers that have to be closed. */
export interface RouteTargets {
  readonly targets: readonly Target[];
  readonly close: () => Promise<void>;
}

/** A request to every operation of `document` that ends, with all that it may carry. */
export function requestsOf(document: ApiDocument, known: Known): SpeltRequest[] {
  return routeRequests(document, known, "all")
    .filter(({ operation }) => !STREAM_PATHS.has(operation.path))
    .map(({ operation, headers, ...request }) => ({
      ...request,
      headers: {
        ...headers,
        ...(document.parameters(operation).some(({ name }) => name === "Prefer") &&
          { Prefer: "wait=1" }),
        "If-None-Match": '"00000000000000000000000000000000"',
      },
    }));
}

/** A gateway of two batches, and a witness. */
export async function openRouteTargets(): Promise<RouteTargets> {
  const network = new TestNetwork();
  const { gateway } = await network.start(await memoryStore());
  const server = new GatewayServer(network, gateway);
  const [hash] = await server.batch(3);
  const first = gateway.log.latest()!.sth.tree_head.tree_size;
  await server.batch(2);
  const second = gateway.log.latest()!.sth.tree_head.tree_size;
  const job = await (await server.get(`/v1/attestations/${hash}`)).json();
  const document = await server.document();
  const known: Known = {
    hash: job.hash,
    signedAttestation: job.signed_attestation,
    sizes: [first, second],
  };
  const requests = requestsOf(document, known);
  const reported: unknown[] = [];
  const app = gatewayApp({
    service: gateway,
    verifier,
    report: (error) => reported.push(error),
  });
  return {
    targets: [
      gatewayTarget(app, document, requests, reported),
      hotPathTarget(app, requests),
      witnessTarget(),
    ],
    close: () => gateway.stop(),
  };
}

type App = (request: Request) => Response | Promise<Response>;

/** Every request to `app`, which `reported` its faults. */
export function gatewayTarget(
  app: App,
  document: ApiDocument,
  requests: readonly SpeltRequest[],
  reported: unknown[],
): Target {
  return {
    name: "gateway routes",
    covers: [],
    codes: [],
    seeds: requests.map(spell),
    async read(input) {
      const request = requestOf(input);
      if (request === undefined) return false;
      const { method } = request;
      const body = await request.clone().text();
      reported.length = 0;
      const response = await sentAnswer(method, await app(request));
      const { status } = response;
      const path = request.url.slice(pathStart(request.url));
      const sent = { headers: request.headers, body };
      document.check(await exchangeOf(method, path, sent, response.clone()));
      await assertWhole(method, response);
      assert.deepEqual(reported, []);
      return status < 400;
    },
  };
}

/** Submissions and look-ups, each by the hot path and, with a query, by the router. */
function hotPathTarget(app: App, requests: readonly SpeltRequest[]): Target {
  const hot = requests.filter(({ path }) => /^\/v1\/attestations(\/[0-9a-f]{64})?$/.test(path));
  assert.equal(hot.length, 2);
  return {
    name: "hot path",
    covers: [],
    codes: [],
    seeds: hot.map(spell),
    async read(input) {
      const request = requestOf(input);
      if (request === undefined || request.url.includes("?")) return false;
      const { method, headers, body } = request.clone();
      // An empty query is another URL of the same resource.
      const general = new Request(request.url.replace(/#|$/, "?$&"), {
        method,
        headers,
        ...(body !== null && { body: await request.clone().bytes() }),
      });
      // A new hash waits once; later requests for it get the same answer.
      await (await app(request.clone())).body?.cancel();
      const [fast, slow] = [await app(request), await app(general)];
      assert.deepEqual(await seenOf(fast), await seenOf(slow));
      return fast.status < 400;
    },
  };
}

/** All of an answer but what may change between two moments. */
async function seenOf(response: Response): Promise<unknown> {
  const body = await response.text();
  const headers = Object.fromEntries(response.headers);
  if (response.status >= 400) {
    // Request ids differ.
    const { request_id: _, ...problem } = body === "" ? {} : JSON.parse(body);
    return { status: response.status, headers, problem };
  }
  const { hash, status } = body === "" ? {} : JSON.parse(body);
  return { status: response.status, headers, hash, job: status };
}

function witnessTarget(): Target {
  const authorization = { "Authorization": `Bearer ${TOKEN}` };
  const post = {
    method: "POST",
    headers: { "Content-Type": "application/json", ...authorization },
  };
  const requests: SpeltRequest[] = [
    { method: "GET", path: "/health" },
    { method: "GET", path: "/v1/info" },
    { ...post, path: "/v1/sign", body: JSON.stringify(roundBody()) },
    { ...post, path: "/v1/cosign", body: JSON.stringify(cosignBody(0, 5)) },
    { method: "POST", path: "/add-checkpoint", body: addCheckpointBody() },
    { method: "GET", path: `/${"0a".repeat(32)}/checkpoint` },
  ];
  return {
    name: "witness routes",
    covers: [],
    codes: [],
    share: 0.3,
    seeds: requests.map(spell),
    async read(input) {
      const request = requestOf(input);
      if (request === undefined) return false;
      // A fresh witness for each request, since its state would refuse the next one.
      const { ask, reports } = serve();
      const { method, headers, body } = request;
      const bytes = body === null ? undefined : await request.bytes();
      const init = { method, headers, ...(bytes !== undefined && { body: bytes }) };
      const response = await ask(request.url.slice("http://gateway.test".length), init);
      assert.equal(response.headers.get("Cache-Control"), "no-store");
      const isSize = response.headers.get("Content-Type") === "text/x.tlog.size";
      if (isSize) assert.match(await response.text(), /^[0-9]+\n$/);
      else await assertWhole(method, response);
      assert.deepEqual(reports, []);
      // A fresh witness has cosigned nothing, so it has no checkpoint to give.
      const isUncosigned = response.status === 404 && request.url.endsWith("/checkpoint");
      return response.status < 400 || isUncosigned;
    },
  };
}

/** Requires a problem document of every refusal, and that no answer is a fault of ours. */
async function assertWhole(method: string, response: Response): Promise<void> {
  const { status, headers } = response;
  const text = await response.text();
  assert.ok(status < 500, `${status}: ${text}`);
  if (method === "HEAD" || status === 204 || status === 304) return assert.equal(text, "");
  if (status < 400) return assert.notEqual(text, "");
  assert.equal(headers.get("Content-Type"), "application/problem+json", text);
  assert.equal(headers.get("Cache-Control"), "no-store");
  const problem = JSON.parse(text);
  const { size: _, ...members } = problem;
  assert.deepEqual(PROBLEM.parse(members, { where: "answer", code: "malformed_json" }), members);
  assert.equal(problem.status, status);
}
