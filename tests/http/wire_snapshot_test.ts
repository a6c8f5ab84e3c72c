/**
 * Holds every route's answers to the committed transcripts in `wire/`, byte for byte.
 *
 *     deno test --config tests/deno.json -A tests/http/wire_snapshot_test.ts -- --update
 *
 * writes them anew. A difference is a change of the protocol.
 *
 * @module
 */

import assert from "node:assert/strict";
import { DEFAULT_CLIENT_LIMITS } from "../../src/config/gateway_limits.ts";
import { hexOf, utf8 } from "../../src/base/bytes.ts";
import { sha256 } from "../../src/proof/crypto/hashing.ts";
import { ERROR_CODES } from "../../src/base/errors.ts";
import { ISSUER_DIRECTORY_PATH } from "../../src/proof/format/issuer_directory.ts";
import { encodeCrossAnchorRequest } from "../../src/proof/format/federation.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import { operatorApp } from "../../src/http/operator/operator_app.ts";
import { STATUS } from "../../src/http/problem.ts";
import { RateLimits } from "../../src/http/rate_limits.ts";
import { TokenCheck } from "../../src/gateway/tokens/token_check.ts";
import { blindRsaTokenKey, TokenIssuers } from "../../src/gateway/tokens/token_issuers.ts";
import { BlindRsaSigner } from "../../src/proof/crypto/blind_rsa_signer.ts";
import { FakeClock } from "../fake_clock.ts";
import { mesh, Site } from "../gateway/federation/site.ts";
import { peerApp, TOKEN as PEER_TOKEN } from "../gateway/federation/peer_server.ts";
import { serveTokens } from "../gateway/tokens/fixture.ts";
import { PRIVATE_KEY } from "../gateway/tokens/published_vectors.ts";
import { eachScheme, schemeSigner } from "../schemes.ts";
import { NETWORK, WITNESS_ID } from "../witness/fixture.ts";
import { addCheckpointBody } from "../fuzz/wire_targets.ts";
import { ApiDocument } from "./api_document.ts";
import { RefusingService, verifier } from "./gateway_server.ts";
import { routeRequests } from "./route_requests.ts";
import {
  a,
  appOf,
  b,
  openFeed,
  post,
  recordDocuments,
  recordEmptyLog,
  recordEvents,
  recordReads,
  recordRefusals,
  recordSubmissions,
  recordUnconfirmed,
} from "./wire/client_routes.ts";
import { type Handler, Transcript } from "./wire/transcript.ts";
import { BATCH_SIZE, START, WireGateway } from "./wire/wire_gateway.ts";
import { threeEpochs } from "../proof/verify/test_succession.ts";
import { cosignBody, fork, roundBody, serve, TOKEN } from "./witness_server.ts";

const snapshot = (name: string) => new URL(`wire/${name}.txt`, import.meta.url);

eachScheme.test("client routes match the transcript", async (scheme) => {
  const transcript = new Transcript();
  const wire = await WireGateway.start(scheme);
  const feed = openFeed(wire);
  try {
    const app = appOf(wire, { events: feed });
    await recordEmptyLog(transcript, app);
    await recordSubmissions(transcript, app, wire);
    await recordReads(transcript, app, wire);
    await recordEvents(transcript, app);
    if (scheme === "ed25519") await recordRefusals(transcript, app);
    await recordDocuments(transcript, app);
    await recordRest(transcript, app, scheme);
  } finally {
    await feed.close();
    await wire.stop();
  }
  await recordUnconfirmed(transcript, scheme);
  await transcript.check(snapshot(scheme));
});

/** Asks every operation of the OpenAPI document that has not succeeded yet, and requires that it does. */
async function recordRest(
  transcript: Transcript,
  app: Handler,
  scheme: SignatureScheme,
): Promise<void> {
  const answer = await app(new Request("http://gateway.test/openapi.json"));
  const known = {
    hash: b,
    signedAttestation: undefined,
    sizes: [BATCH_SIZE, 2 * BATCH_SIZE],
  } as const;
  const requests = routeRequests(new ApiDocument(await answer.text()), known);
  // A bls network has no C2SP policy, and a WebSocket needs a connection.
  const unanswered = scheme === "bls" ? ["/policy", "/ws/events"] : ["/ws/events"];
  for (const { operation, method, path, headers, body } of requests) {
    if (unanswered.includes(operation.path)) continue;
    const pattern = operation.path.replaceAll(/\{\w+\}/g, "[^ ]+");
    const expected = new RegExp(`^${method} ${pattern}$`);
    const isRecorded = () => transcript.succeeded.some((title) => expected.test(title));
    if (isRecorded()) continue;
    await transcript.send(app, method, path, { headers, ...(body !== undefined && { body }) });
    assert.ok(isRecorded(), `the transcript has no successful ${method} ${operation.path}`);
  }
}

Deno.test("problems of every code match the transcript", async () => {
  const transcript = new Transcript();
  for (const code of ERROR_CODES) {
    const service = new RefusingService(code);
    const app = gatewayApp({ service, verifier, report: () => {} });
    const path = `/v1/attestations/${a}`;
    await transcript.send((request) => app(request), "GET", path, {}, { note: code });
  }
  for (
    const health of [
      "degraded",
      "signing_stalled",
      "publishing_stalled",
      "witnesses_unavailable",
      "store_rolled_back",
      "storage_failed",
      "shutting_down",
    ] as const
  ) {
    const service = new RefusingService("internal", health);
    const app = gatewayApp({ service, verifier, report: () => {} });
    await transcript.send((request) => app(request), "GET", "/health", {}, { note: health });
  }
  assert.equal(Object.keys(STATUS).length, ERROR_CODES.length);
  await transcript.check(snapshot("errors"));
});

Deno.test("admission and rate limits match the transcript", async () => {
  const transcript = new Transcript();
  const wire = await WireGateway.start("ed25519", { spendsTokens: true });
  try {
    const { clock, network } = wire;
    const key = blindRsaTokenKey(new BlindRsaSigner(PRIVATE_KEY).publicKey, {
      notBefore: START,
      notAfter: START + 3600,
    });
    const issuer = { name: "issuer.example", keys: [key] };
    const tokens = new TokenCheck(new TokenIssuers(network.id, [issuer], clock), clock);
    const budget = { charge: () => {}, giveBack: () => {} };
    const app = appOf(wire, { admission: { mode: "token_required", tokens, budget } });
    const submit = async (path: string, note: string, body: unknown) =>
      await transcript.send(app, "POST", path, post(body), { note });
    await transcript.send(app, "GET", "/v1/admission");
    await submit("/v1/attestations", "no token", { hash: a });
    await submit("/v1/attestations", "malformed token", { hash: a, issuer_token: "x" });
    await submit("/v1/attestations/batch", "no tokens", { hashes: [a, b] });

    const reads = { perSecond: 1, burst: 2 };
    const newAttestations = { perSecond: 1, burst: 1 };
    const limits = new RateLimits(
      { ...DEFAULT_CLIENT_LIMITS, reads, newAttestations },
      clock,
      () => {},
    );
    const limited = gatewayApp({
      service: wire.gateway,
      verifier,
      limits,
      admission: { mode: "open", budget: limits.newAttestations },
      report: () => {},
    });
    const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 40_000 } as const;
    const handler: Handler = (request) =>
      limited(request, { remoteAddr, completed: Promise.resolve() });
    for (const note of ["first", "second", "third"]) {
      await transcript.send(handler, "GET", "/v1/config", {}, { note });
    }
    clock.jump(10_000);
    for (const [hash, note] of [[a, "within the budget"], [b, "beyond the budget"]] as const) {
      const init = post({ hash }, { Prefer: "wait=20" });
      await transcript.send(handler, "POST", "/v1/attestations", init, { note });
    }
  } finally {
    await wire.stop();
  }
  await transcript.check(snapshot("admission"));
});

eachScheme.test("witness routes match the transcript", async (scheme) => {
  const transcript = new Transcript("http://witness.test");
  const { app } = serve(undefined, schemeSigner(scheme, WITNESS_ID));
  const authorized = { Authorization: `Bearer ${TOKEN}` };
  const get = (path: string) => transcript.send(app, "GET", path);
  const send = (note: string, path: string, body: unknown, headers = authorized) =>
    transcript.send(app, "POST", path, post(body, headers), { note });
  for (const path of ["/health", "/v1/info", "/v1/sign", "/nothing"]) await get(path);
  await send("no token", "/v1/sign", roundBody(), {} as typeof authorized);
  await send("wrong token", "/v1/sign", roundBody(), { Authorization: "Bearer x" });
  await send("token", "/v1/probe", "");
  await send("no token", "/v1/probe", "", {} as typeof authorized);
  await send("signed", "/v1/sign", roundBody());
  await send("other network", "/v1/sign", roundBody({ network_id: "other.example" }));
  await send("same digest twice", "/v1/sign", roundBody({ hashes: [a, a] }));
  await send("no JSON", "/v1/sign", "{");
  await send("unknown member", "/v1/sign", roundBody({ root: a }));
  await send("early", "/v1/sign", roundBody({ first_sequence: 9, timestamp: START + 6 }));
  await send("late", "/v1/sign", roundBody({ first_sequence: 9, timestamp: START - 61 }));
  await send("other digests", "/v1/sign", roundBody({ hashes: [b, a] }));
  await send("other time", "/v1/sign", roundBody({ timestamp: START - 1 }));
  await send("signed rounds", "/v1/rounds", { from: 0 });
  await send("no sequence", "/v1/rounds", { from: -1 });
  const beacon = { chain_hash: a, round: 1, signature: "00".repeat(48) };
  await send("unknown beacon", "/v1/sign", roundBody({ first_sequence: 9, beacon }));
  await send("large body", "/v1/sign", " ".repeat(131_073));
  await send("first head", "/v1/cosign", cosignBody(0, 5));
  await send("growth", "/v1/cosign", cosignBody(5, 11));
  await send("refresh", "/v1/cosign", cosignBody(11, 11));
  await send("other old size", "/v1/cosign", cosignBody(5, 12));
  await send("old size above size", "/v1/cosign", { ...cosignBody(0, 11), old_size: 12 });
  await send("other root", "/v1/cosign", cosignBody(11, 11, fork));
  await send("no extension", "/v1/cosign", cosignBody(11, 12, fork));
  const unsigned = { ...cosignBody(11, 12), log_signature: "00".repeat(64) };
  await send("log signature", "/v1/cosign", unsigned);
  await send("other epoch", "/v1/cosign", { ...cosignBody(11, 12), epoch: 1 });
  const end = { succession: "0f".repeat(32), attested_at: 1_800_000_000, inclusion_path: [] };
  await send("not armed", "/v1/epoch-end", { ...cosignBody(11, 12), ...end });
  const begin = { link: threeEpochs().links[0], old_size: 11, consistency_path: [] };
  await send("not armed", "/v1/epoch-begin", begin);
  await send("sequence below the size", "/v1/sign", roundBody({ first_sequence: 3 }));
  const text = (body: string) => ({ body, headers: { "Content-Type": "text/plain" } });
  const checkpoint = addCheckpointBody();
  const add = (note: string, body: string, to: Handler = app) =>
    transcript.send(to, "POST", "/add-checkpoint", text(body), { note });
  await add("stale", checkpoint);
  await add("malformed", "old x\n");
  await add("unknown origin", checkpoint.replace("log.example/test\n", "other.example\n"));
  const fresh = serve(undefined, schemeSigner(scheme, WITNESS_ID)).app;
  await add("new origin", checkpoint, fresh);
  const subtree = { note: "without an ML-DSA-44 key" };
  await transcript.send(app, "POST", "/sign-subtree", text("subtree 0 1\n"), subtree);
  const monitored = `/${hexOf(sha256(utf8(NETWORK)))}/checkpoint`;
  await transcript.send(fresh, "GET", monitored, {}, { note: "cosigned" });
  await transcript.send(fresh, "GET", `/${"00".repeat(32)}/checkpoint`, {}, { note: "unknown" });
  await transcript.check(snapshot(`witness_${scheme}`));
});

Deno.test("peer, operator and issuer routes match the transcript", async () => {
  const transcript = new Transcript("http://localhost");
  await recordPeerRoutes(transcript);
  await recordOperatorRoutes(transcript);
  await recordIssuerRoutes(transcript);
  await transcript.check(snapshot("services"));
});

async function recordPeerRoutes(transcript: Transcript): Promise<void> {
  const clock = new FakeClock(START);
  const options = { size: 2, threshold: 2 };
  const home = new Site("home.example", clock, options);
  const other = new Site("peer.example", clock, options);
  mesh([home, other]);
  const app = peerApp(other, clock);
  const authorized = { Authorization: `Bearer ${PEER_TOKEN}` };
  const send = (note: string, body: string, headers = authorized) =>
    transcript.send(app, "POST", "/v1/federation/tree-heads", post(body, headers), { note });
  const first = encodeCrossAnchorRequest({ ...await home.publish(5), minWitnesses: 2, growth: [] });
  await send("no token", first, {} as typeof authorized);
  await send("wrong token", first, { Authorization: "Bearer x" });
  await send("first head", first);
  const grown = await home.publish(3);
  const request = { ...grown, minWitnesses: 2 };
  await send("without proof", encodeCrossAnchorRequest({ ...request, growth: [] }));
  const path = await home.consistencyPath(5, 8);
  const wrong = [{ oldSize: 5, path: path.toReversed() }];
  await send("wrong proof", encodeCrossAnchorRequest({ ...request, growth: wrong }));
  const growth = [{ oldSize: 5, path }];
  await send("growth", encodeCrossAnchorRequest({ ...request, growth }));
  await send("no JSON", "{");
  await transcript.send(app, "GET", "/v1/federation/tree-heads", {}, { note: "peer route" });
}

async function recordOperatorRoutes(transcript: Transcript): Promise<void> {
  const base = {
    readiness: () => Promise.resolve([]),
    metrics: () => Promise.resolve("# metrics\n"),
    report: () => {},
  };
  const app = operatorApp(base);
  for (const path of ["/ready", "/metrics", "/health"]) {
    await transcript.send(app, "GET", path, {}, { note: "operator" });
    await transcript.send(app, "POST", path, {}, { note: "operator" });
  }
  const unready = operatorApp({
    ...base,
    token: "token-of-the-operator",
    readiness: () => Promise.resolve([{ code: "witnesses_missing", detail: "Not ready" }]),
    warnings: () => Promise.resolve([{ code: "disk_nearly_full", detail: "1 MiB" }]),
  });
  await transcript.send(unready, "GET", "/ready", {}, { note: "operator, no token" });
  for (const token of ["x", "token-of-the-operator"]) {
    const headers = { Authorization: `Bearer ${token}` };
    await transcript.send(unready, "GET", "/ready", { headers }, { note: `operator, ${token}` });
  }
}

async function recordIssuerRoutes(transcript: Transcript): Promise<void> {
  const { app } = serveTokens();
  for (const path of ["/health", ISSUER_DIRECTORY_PATH, "/token-request", "/nothing"]) {
    await transcript.send(app, "GET", path, {}, { note: "issuer" });
  }
  const type = { "Content-Type": "application/private-token-request" };
  const send = (note: string, headers: Record<string, string>) =>
    transcript.send(app, "POST", "/token-request", { body: new Uint8Array([0, 2]), headers }, {
      note: `issuer, ${note}`,
    });
  await send("no key", type);
  await send("wrong key", { ...type, Authorization: "Bearer x" });
  await send("malformed", { ...type, Authorization: "Bearer an-api-key-of-a-client-of-ours" });
  await send("text", {
    "Content-Type": "text/plain",
    Authorization: "Bearer an-api-key-of-a-client-of-ours",
  });
}
