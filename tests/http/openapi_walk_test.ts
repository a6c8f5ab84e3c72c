/**
 * Calls every operation of the OpenAPI document until every status and problem code that it promises
 * was met, but for those that are listed here with a reason.
 *
 * @module
 */

import assert from "node:assert/strict";
import { systemClock } from "../../src/base/clock.ts";
import { DEFAULT_CLIENT_LIMITS } from "../../src/config/gateway_limits.ts";
import { CountersignError, type ErrorCode } from "../../src/base/errors.ts";
import { EventFeed } from "../../src/gateway/events/event_feed.ts";
import { COMMON_HEADERS } from "../../src/http/answer.ts";
import { ApiKeys } from "../../src/http/api_keys.ts";
import { PUBLIC_PATHS } from "../../src/http/endpoint.ts";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import { FEED_LIMITS } from "../../src/http/events/event_bounds.ts";
import { listen } from "../../src/http/listen.ts";
import { RateLimits } from "../../src/http/rate_limits.ts";
import { FakeClock } from "../fake_clock.ts";
import { type ApiDocument, codesOf, type Operation } from "./api_document.ts";
import { exchangeOf } from "./exchange_check.ts";
import {
  AppClient,
  type GatewayServer,
  randomHashes,
  RefusingService,
  verifier,
  withGateway,
} from "./gateway_server.ts";
import { routeRequests, STREAM_PATHS } from "./route_requests.ts";

const UNKNOWN = "00".repeat(32);

/** Operations that ask no store and no service, whose answers nothing can spoil, and why. */
const SAFE: Readonly<Record<string, string>> = {
  getAdmission: "it answers what is configured",
  getConfig: "it answers a constant",
  getNetwork: "it answers a constant",
  getSuccession: "it answers from memory",
  getPolicy: "it answers a constant",
  getOpenApi: "it answers a constant",
  getAsyncApi: "it answers a constant",
  getHealth: "it answers what the process remembers",
  verifyAttestation: "it computes from the request and the configuration",
};

/** What is not provoked, and why. */
const UNPROVOKED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(SAFE).flatMap(([id, reason]) =>
      ["500 internal", "503 storage_failed"].map((answer) => [`${id} ${answer}`, reason])
    ),
  ),
  "getHealth 429 rate_limited": "it is for too many in flight alone; work_cost_test.ts has them",
  "getBundle 404 not_batched":
    "no hash here is signed and not batched; proof_routes_test.ts has it",
  "getMerkleProof 404 not_batched":
    "no hash here is signed and not batched; proof_routes_test.ts has it",
  "openEventSocket 101 ok": "fetch upgrades nothing; events_test.ts opens sockets",
  "openEventSocket 421 misdirected_request":
    "no client is limited here; event_socket_listener_test.ts is refused",
};

Deno.test("every documented status and code occurs", async () => {
  const seen = new Set<string>();
  const addSeen = (document: ApiDocument) => document.seen.forEach((entry) => seen.add(entry));
  await withGateway(async (server) => {
    await askEverything(server);
    addSeen(await server.document());
    addSeen(await askForEvents(server));
  });
  for (const fault of FAULTS) {
    const client = new AppClient(
      new RefusingService(fault, "storage_failed"),
      refusingFeed(fault),
    );
    const document = await client.document();
    for (const { operation, method, path, init } of plainRequests(document)) {
      const isDocumented = typeof fault !== "string" || documents(document, operation, fault);
      if (isDocumented) await client.send(method, path, init);
    }
    addSeen(document);
  }
  const document = await new AppClient(new RefusingService("internal"), refusingFeed("internal"))
    .document();
  await askFullAndStoppingListeners(document);
  await askTooMuch(document);
  await askPrivateGateway(document);
  addSeen(document);
  const documented = document.operations.flatMap((operation) =>
    Object.entries(document.responses(operation)).flatMap(([status, response]) => {
      const codes = codesOf(response);
      const isAnswer = codes.length === 0 || Object.keys(response.content ?? {}).length > 1;
      return [...(isAnswer ? ["ok"] : []), ...codes].map((code) =>
        `${operation.id} ${status} ${code}`
      );
    })
  );
  assert.ok(documented.length > 150);
  const missing = documented.filter((entry) => !seen.has(entry));
  assert.deepEqual(missing.toSorted(), Object.keys(UNPROVOKED).toSorted());
});

/** What a service can be at fault with, each met by every operation that asks it. */
const FAULTS: readonly (ErrorCode | { readonly thrown: unknown })[] = [
  "overloaded",
  "store_rolled_back",
  "storage_failed",
  "witnesses_unavailable",
  "standby",
  "log_ended",
  "token_required",
  "token_invalid",
  "token_expired",
  "token_spent",
  "issuer_unreachable",
  { thrown: new Error("a test") },
];

function documents(document: ApiDocument, operation: Operation, code: ErrorCode): boolean {
  return Object.values(document.responses(operation)).some((response) =>
    codesOf(response).includes(code)
  );
}

/** Requests to every operation that get past everything before the service. */
function plainRequests(document: ApiDocument) {
  const known = { hash: UNKNOWN, signedAttestation: { hash: UNKNOWN }, sizes: [1, 2] } as const;
  return routeRequests(document, known).map(({ operation, method, path, headers, body }) => ({
    operation,
    method,
    path,
    init: {
      headers: operation.id === "openEventSocket" ? UPGRADE : headers,
      ...(body !== undefined && { body }),
    },
  }));
}

/** As `serve` listens for clients. */
const REFUSING = { hostname: "127.0.0.1", port: 0, refusalHeaders: COMMON_HEADERS } as const;

/** Requests every operation of an overloaded listener and of a stopping one. */
async function askFullAndStoppingListeners(document: ApiDocument): Promise<void> {
  const handler = gatewayApp({
    service: new RefusingService("internal"),
    verifier,
    events: refusingFeed("internal"),
    report: () => {},
  });
  const full = listen({ ...REFUSING, handler, maxInFlight: 0 });
  await askAll(full.url);
  await full.stop(0);

  const held = Promise.withResolvers<Response>();
  const entered = Promise.withResolvers<void>();
  const stopping = listen({
    ...REFUSING,
    handler: () => {
      entered.resolve();
      return held.promise;
    },
  });
  const waiting = fetch(stopping.url);
  await entered.promise;
  const stopped = stopping.stop(5_000);
  await askAll(stopping.url);
  held.resolve(new Response());
  await (await waiting).body?.cancel();
  await stopped;

  async function askAll(url: string): Promise<void> {
    for (const { method, path, init: { headers: _, ...init } } of plainRequests(document)) {
      const response = await fetch(url + path, { method, ...init });
      document.check(await exchangeOf(method, path, init, response));
    }
  }
}

/** Asks for every operation when nothing is left of what may be asked. */
async function askTooMuch(document: ApiDocument): Promise<void> {
  const reads = { perSecond: 1, burst: 1 };
  const handler = gatewayApp({
    service: new RefusingService("internal"),
    verifier,
    events: refusingFeed("internal"),
    limits: new RateLimits({ ...DEFAULT_CLIENT_LIMITS, reads }, new FakeClock(), assert.fail),
    report: () => {},
  });
  await handler(new Request("http://gateway.test/v1/config"));
  // All at once: each is held back for a while.
  await Promise.all(
    plainRequests(document).map(async ({ method, path, init }) => {
      const response = await handler(
        new Request(`http://gateway.test${path}`, { method, ...init }),
      );
      document.check(await exchangeOf(method, path, init, response));
    }),
  );
}

/** Asks for every operation of a private gateway without a key and with a wrong one. */
async function askPrivateGateway(document: ApiDocument): Promise<void> {
  const handler = gatewayApp({
    service: new RefusingService("internal"),
    verifier,
    events: refusingFeed("internal"),
    apiKeys: new ApiKeys({ routes: "all", realm: "log.test", clock: systemClock }, []),
    report: () => {},
  });
  for (const { operation, method, path, init } of plainRequests(document)) {
    if (PUBLIC_PATHS.has(operation.path)) continue;
    for (const authorization of ["", `Bearer ${"A".repeat(43)}`]) {
      const headers = { ...init.headers, Authorization: authorization };
      const response = await handler(
        new Request(`http://gateway.test${path}`, { method, ...init, headers }),
      );
      assert.equal(response.status, 401, path);
      document.check(await exchangeOf(method, path, init, response));
    }
  }
}

/** Asks for events, in every way that is refused as well. */
async function askForEvents({ gateway }: GatewayServer): Promise<ApiDocument> {
  const feed = new EventFeed({
    log: gateway.eventLog,
    limits: FEED_LIMITS,
    clock: systemClock,
    report: (error) => assert.fail(String(error)),
  });
  const client = new AppClient(gateway, feed);
  await (await client.get("/v1/events")).body?.cancel();
  for (const path of ["/v1/events", "/ws/events"]) {
    for (const query of ["types=x", "hash=x", "after=x"]) {
      await client.get(`${path}?${query}`, UPGRADE);
    }
  }
  await client.get("/ws/events");
  const etag = (await client.get("/asyncapi.json")).headers.get("ETag")!;
  await client.get("/asyncapi.json", { "If-None-Match": etag });
  await feed.close();
  return await client.document();
}

/** Of a handshake that holds. */
const UPGRADE = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Version": "13",
};

/** A feed that refuses every reader. */
function refusingFeed(fault: ErrorCode | { readonly thrown: unknown }): EventFeed {
  const refused = typeof fault === "string"
    ? new CountersignError(fault, "Cannot do this: a test")
    : fault.thrown;
  const feed: Pick<EventFeed, "subscribe"> = { subscribe: () => Promise.reject(refused) };
  return feed as EventFeed;
}

/** Requests every answer and refusal of a gateway with two attestations. */
async function askEverything(server: GatewayServer): Promise<void> {
  const { network } = server;
  await server.get("/checkpoint");
  await server.get("/v1/log/sth");
  const [batched] = await server.batch(2);
  const job = await (await server.get(`/v1/attestations/${batched}`)).json();
  const document = await server.document();
  const known = {
    hash: batched!,
    signedAttestation: job.signed_attestation,
    sizes: [2, 2],
  } as const;
  const answered = routeRequests(document, known).filter(({ path }) => !STREAM_PATHS.has(path));
  for (const { method, path, headers, body } of answered) {
    const init = { method, headers, ...(body !== undefined && { body }) };
    const etag = (await server.send(method, path, init)).headers.get("ETag");
    if (etag !== null) await server.get(path, { "If-None-Match": etag });
  }
  for (const path of ["/v1/attestations", "/v1/attestations/batch", "/v1/verify"]) {
    await server.post(path, "{");
    await server.post(path, []);
    await server.post(path, { hash: "", hashes: [""] });
    await server.post(path, {}, { "Content-Type": "text/plain" });
    await server.post(path, " ".repeat(1024 * 1024 + 1));
  }
  for (
    const path of [
      "/checkpoint/1",
      "/checkpoint/x",
      "/v1/log/sth?log_signature=maybe",
      "/policy?ed25519_only=maybe",
      "/v1/log/sth/1",
      "/v1/log/sth/x",
      "/v1/batches?limit=x",
      "/v1/batches/1",
      "/v1/batches/x",
      "/tile/0/000",
      "/tile/entries/000",
      "/v1/log/consistency?first=1&second=2",
      "/v1/log/consistency?first=2&second=1",
      ...[UNKNOWN, "x"].map((hash) => `/v1/log/proof?hash=${hash}&tree_size=2`),
      ...["", 1].map((size) => `/v1/log/proof?hash=${batched}&tree_size=${size}`),
    ]
  ) await server.get(path);
  network.witnesses.forEach((witness) => witness.down = true);
  const [waiting] = randomHashes(1);
  await server.post("/v1/attestations", { hash: waiting });
  await server.post("/v1/attestations/batch", { hashes: [waiting] });
  await server.get(`/v1/log/proof?hash=${waiting}&tree_size=2`);
  await server.get(`/v1/bundle/${batched}?log_signature=1`);
  for (const hash of [batched, waiting]) {
    await server.get(`/v1/bundle/${hash}`, { Accept: "text/plain" });
  }
  for (const hash of [batched, waiting, UNKNOWN, "x"]) {
    for (const name of ["attestations", "bundle", "proof", "anchors"]) {
      await server.get(`/v1/${name}/${hash}`);
    }
  }
}
