/**
 * The exchanges of every client route, in each state of the log.
 *
 * @module
 */

import assert from "node:assert/strict";
import { systemClock } from "../../../src/base/clock.ts";
import type { SignatureScheme } from "../../../src/proof/format/signature_set.ts";
import { EventFeed } from "../../../src/gateway/events/event_feed.ts";
import { gatewayApp, type GatewayAppOptions } from "../../../src/http/gateway/gateway_app.ts";
import { FEED_LIMITS } from "../../../src/http/events/event_bounds.ts";
import { GrowingAnchors } from "../../gateway/growing_log.ts";
import { digestOf } from "../../proof/verify/test_network.ts";
import { ApiDocument } from "../api_document.ts";
import { verifier } from "../gateway_server.ts";
import { answerLines, type Handler, Transcript } from "./transcript.ts";
import { BATCH_SIZE, evidence, WireGateway } from "./wire_gateway.ts";

export const [a, b, c, d, e, f, g] = [
  digestOf("a"),
  digestOf("b"),
  digestOf("c"),
  digestOf("d"),
  digestOf("e"),
  digestOf("f"),
  digestOf("g"),
] as const;
const UNKNOWN = digestOf("never submitted");
const JSON_TYPE = { "Content-Type": "application/json" };

/** The handler of a gateway with every part that has routes. */
export function appOf({ gateway }: WireGateway, options: Partial<GatewayAppOptions> = {}): Handler {
  const app = gatewayApp({
    service: gateway,
    verifier,
    evidence,
    report: (error) => {
      throw error;
    },
    ...options,
  });
  return (request) => app(request);
}

/** A `POST` of `body` as it is when it is a text, as JSON otherwise. */
export const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  body: typeof body === "string" ? body : JSON.stringify(body),
  headers: { ...JSON_TYPE, ...headers },
});

export async function recordEmptyLog(transcript: Transcript, app: Handler): Promise<void> {
  const empty = { note: "empty log" };
  const { headers } = await app(new Request("http://gateway.test/health"));
  transcript.add("common headers", [...headers].map(([name, value]) => `${name}: ${value}`));
  for (
    const path of [
      "/health",
      "/v1/config",
      "/v1/network",
      "/v1/succession",
      "/policy",
      "/v1/admission",
      "/v1/status",
      "/v1/batches",
      "/v1/log/sth",
      "/checkpoint",
      "/v1/log/consistency?first=1&second=1",
      "/tile/0/000.p/1",
      "/v1/federation/contradictions",
      "/v1/federation/tree-heads",
    ]
  ) await transcript.send(app, "GET", path, {}, empty);
}

export async function recordSubmissions(
  transcript: Transcript,
  app: Handler,
  wire: WireGateway,
): Promise<void> {
  const attestations = "/v1/attestations";
  const wait = { "Prefer": "wait=20" };
  await transcript.send(app, "POST", attestations, post({ hash: a }, wait), { note: "new hash" });
  const repeated = post({ hash: a, issuer_token: null, extra: 1 });
  await transcript.send(app, "POST", attestations, repeated, { note: "known hash" });
  await transcript.send(app, "GET", `${attestations}/${a}`, {}, { note: "confirmed" });
  for (const path of ["/v1/bundle/", "/v1/proof/", "/v1/anchors/"]) {
    await transcript.send(app, "GET", `${path}${a}`, {}, { note: "confirmed, not batched" });
  }
  const bulk = post({ hashes: [a, b, c, b], issuer_tokens: [null, "x", null, null] }, wait);
  await transcript.send(app, "POST", `${attestations}/batch`, bulk, { note: "two are new" });
  await wire.settled(BATCH_SIZE);
  wire.clock.jump(60_000);
  const more = post({ hashes: [d, e, f] }, wait);
  await transcript.send(app, "POST", `${attestations}/batch`, more, { note: "all are new" });
  await wire.settled(2 * BATCH_SIZE);
  await wire.anchorLatest();
  wire.clock.jump(60_000);
  const last = post({ hash: g }, wait);
  await transcript.send(app, "POST", attestations, last, { note: "after two batches" });
  await wire.settled(2 * BATCH_SIZE);
}

export async function recordReads(
  transcript: Transcript,
  app: Handler,
  wire: WireGateway,
): Promise<void> {
  const job = await transcript.send(app, "GET", `/v1/attestations/${b}`, {}, { note: "batched" });
  const { signed_attestation: signed } = await job.json();
  const verify = "/v1/verify";
  await transcript.send(app, "POST", verify, post(signed), { note: "valid" });
  const { attestation, round, ...signatures } = signed;
  const changed = { ...attestation, timestamp: attestation.timestamp + 1 };
  const forged = { attestation: changed, round, ...signatures };
  await transcript.send(app, "POST", verify, post(forged), { note: "signatures do not verify" });
  const foreign = { attestation: { ...attestation, network_id: "other.example" }, round };
  const otherNetwork = post({ ...foreign, ...signatures });
  await transcript.send(app, "POST", verify, otherNetwork, { note: "other network" });
  const other = "signatures" in signatures
    ? { signature: "00".repeat(48), signers: [wire.network.witnesses[0]!.id] }
    : { signatures: [] };
  const otherScheme = post({ attestation, round, ...other });
  await transcript.send(app, "POST", verify, otherScheme, { note: "other scheme" });
  const mixed = post({ ...signed, ...other });
  await transcript.send(app, "POST", verify, mixed, { note: "mixed shapes" });
  const size = 2 * BATCH_SIZE;
  for (
    const path of [
      `/v1/bundle/${b}`,
      `/v1/bundle/${e}`,
      `/v1/proof/${b}`,
      `/v1/proof/${e}`,
      `/v1/anchors/${b}`,
      "/v1/log/sth",
      `/v1/log/sth/${BATCH_SIZE}`,
      `/v1/log/consistency?first=${BATCH_SIZE}&second=${size}`,
      `/v1/log/consistency?first=${size}&second=${size}`,
      `/v1/log/proof?hash=${b}&tree_size=${BATCH_SIZE}`,
      `/v1/log/proof?hash=${b}&tree_size=${size}`,
      "/v1/batches",
      `/v1/batches?before=${size}&limit=1`,
      `/v1/batches/${size}`,
      "/checkpoint",
      `/tile/0/000.p/${size}`,
      `/tile/0/000.p/${BATCH_SIZE}`,
      `/tile/entries/000.p/${size}`,
      "/health",
      "/v1/status",
    ]
  ) await transcript.send(app, "GET", path);
  await transcript.send(app, "GET", `/checkpoint/${BATCH_SIZE}`);
  for (const path of [`/v1/bundle/${b}`, `/v1/log/sth/${size}`, "/v1/log/sth"]) {
    await transcript.send(app, "GET", `${path}?log_signature=true`);
  }
  const text = { headers: { Accept: "text/plain" } };
  await transcript.send(app, "GET", `/v1/bundle/${b}`, text, { note: "as a tlog-proof" });
  const cose = { headers: { Accept: "application/cose" } };
  await transcript.send(app, "GET", `/v1/bundle/${b}`, cose, { note: "as a COSE receipt" });
  const growth = `/v1/log/consistency?first=${BATCH_SIZE}&second=${size}`;
  await transcript.send(app, "GET", growth, cose, { note: "as a COSE receipt" });
  const { headers } = await app(new Request("http://gateway.test/v1/network"));
  const init = { headers: { "If-None-Match": headers.get("ETag")! } };
  const answer = await app(new Request("http://gateway.test/v1/network", init));
  assert.equal(answer.status, 304);
  for (const path of ["/health", "/v1/network", `/v1/attestations/${b}`, "/checkpoint"]) {
    await transcript.send(app, "HEAD", path);
  }
  for (const path of ["/v1/attestations", "/v1/network", `/v1/bundle/${b}`, "/tile/0/000.p/3"]) {
    await transcript.send(app, "OPTIONS", path);
  }
}

export function openFeed({ gateway }: WireGateway): EventFeed {
  const anchors = new GrowingAnchors();
  anchors.add("cross_anchor.added");
  anchors.add("external_anchor.added");
  return new EventFeed({
    log: gateway.eventLog,
    anchors,
    clock: systemClock,
    report: (error) => {
      throw error;
    },
    limits: FEED_LIMITS,
  });
}

/** Reads each type of event for itself: the order between lists is not part of the protocol. */
export async function recordEvents(transcript: Transcript, app: Handler): Promise<void> {
  const from = "after=v1.0.0.0.0.0";
  const streams = [
    [`types=attestation.accepted&${from}`, 7],
    [`types=attestation.confirmed&${from}`, 7],
    [`types=batch.closed&${from}`, 2],
    [`types=sth.published&${from}`, 2],
    [`types=cross_anchor.added&${from}`, 1],
    [`types=external_anchor.added&${from}`, 1],
    [`types=attestation.accepted&hash=${b}&${from}`, 1],
    ["after=v1.99.0.0.0.0", 1],
  ] as const;
  for (const [query, count] of streams) {
    const path = `/v1/events?${query}`;
    const response = await app(new Request(`http://gateway.test${path}`));
    // The first frame is the greeting.
    const text = await firstFrames(response, count + 1);
    transcript.add(`GET ${path}`, [...answerLines(response), "", text]);
  }
  const upgrade = { note: "no WebSocket handshake" };
  await transcript.send(app, "GET", "/ws/events", {}, upgrade);
  const malformed = ["types=all", "after=1", "hash=ab"];
  for (const query of malformed) await transcript.send(app, "GET", `/v1/events?${query}`);
}

/** The text of a stream up to the end of its frame `count`. */
async function firstFrames(response: Response, count: number): Promise<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (text.split("\n\n").length <= count) {
    const { value, done } = await reader.read();
    assert.ok(!done, text);
    text += value;
  }
  await reader.cancel();
  return text.split("\n\n").slice(0, count).join("\n\n");
}

export async function recordRefusals(transcript: Transcript, app: Handler): Promise<void> {
  const attestations = "/v1/attestations";
  const bulk = `${attestations}/batch`;
  const send = (note: string, path: string, init: RequestInit) =>
    transcript.send(app, "POST", path, init, { note });
  await send("uppercase hash", attestations, post({ hash: a.toUpperCase() }));
  await send("short hash", attestations, post({ hash: a.slice(1) }));
  await send("no hash", attestations, post({}));
  await send("no JSON", attestations, post("{"));
  await send("member twice", attestations, post(`{"hash":"${a}","hash":"${a}"}`));
  await send("token of a wrong type", attestations, post({ hash: a, issuer_token: 1 }));
  await send("large body", attestations, post(" ".repeat(65_537)));
  await send("text", attestations, { body: "{}", headers: { "Content-Type": "text/plain" } });
  await send("no media type", attestations, { body: new Uint8Array([123, 125]) });
  await send("no hashes", bulk, post({ hashes: [] }));
  await send("1,001 hashes", bulk, post({ hashes: Array(1001).fill(a) }));
  await send("one malformed hash", bulk, post({ hashes: [a, "x"] }));
  await send("other number of tokens", bulk, post({ hashes: [a], issuer_tokens: [] }));
  await send("no object", "/v1/verify", post([]));
  await send("no members", "/v1/verify", post({}));
  for (
    const path of [
      "/v1/nothing",
      "/v1/attestations/",
      "/v1/attestations/AB",
      `/v1/attestations/${UNKNOWN}`,
      "/v1/bundle/x",
      `/v1/bundle/${UNKNOWN}`,
      `/v1/proof/${UNKNOWN}`,
      `/v1/proof/${g}`,
      `/v1/anchors/${UNKNOWN}`,
      "/v1/log/sth/0",
      "/v1/log/sth/4",
      "/v1/log/sth/04",
      "/v1/log/sth/x",
      "/v1/log/consistency",
      "/v1/log/consistency?first=0&second=3",
      "/v1/log/consistency?first=6&second=3",
      "/v1/log/consistency?first=3&second=5",
      "/v1/log/consistency?first=3&first=3&second=6",
      "/v1/log/proof",
      `/v1/log/proof?hash=${b}`,
      `/v1/log/proof?hash=${b}&tree_size=2`,
      `/v1/log/proof?hash=${e}&tree_size=3`,
      `/v1/log/proof?hash=${UNKNOWN}&tree_size=3`,
      "/v1/log/proof?hash=x&tree_size=3",
      "/v1/batches?limit=0",
      "/v1/batches?limit=101",
      "/v1/batches?before=x",
      "/v1/batches/4",
      "/tile/0/000",
      "/tile/0/000.p/9",
      "/tile/9/000",
      "/tile/entries/000",
      "/tile/entries/1",
    ]
  ) await transcript.send(app, "GET", path);
  for (const path of ["/health", "/v1/log/sth", "/v1/attestations/batch", "/checkpoint"]) {
    await transcript.send(app, "DELETE", path);
  }
  await transcript.send(app, "GET", attestations);
  const waiting = { headers: { Prefer: "wait=31" } };
  await transcript.send(app, "GET", `${attestations}/${a}`, waiting, { note: "waits too long" });
}

/** Records which documents there are, and what the OpenAPI document says of each operation. */
export async function recordDocuments(transcript: Transcript, app: Handler): Promise<void> {
  for (const path of ["/openapi.json", "/asyncapi.json"]) {
    await transcript.send(app, "GET", path, {}, { omitBody: true });
  }
  const answer = await app(new Request("http://gateway.test/openapi.json"));
  const { operations } = new ApiDocument(await answer.text());
  transcript.add(
    "operations of the OpenAPI document",
    operations.map(({ method, path, id, value }) =>
      `${id} ${method} ${path} ${Object.keys(value["responses"] as object).join()}`
    ),
  );
}

/** Records jobs and refusals of a gateway whose witnesses do not answer. */
export async function recordUnconfirmed(
  transcript: Transcript,
  scheme: SignatureScheme,
): Promise<void> {
  const wire = await WireGateway.start(scheme, { isSilent: true });
  try {
    const app = appOf(wire);
    const path = "/v1/attestations";
    await transcript.send(app, "POST", path, post({ hash: a }), { note: "pending" });
    await transcript.send(app, "GET", `${path}/${a}`, {}, { note: "pending" });
    const bulk = post({ hashes: [a, b] });
    await transcript.send(app, "POST", `${path}/batch`, bulk, { note: "pending" });
    for (const read of ["/v1/bundle/", "/v1/proof/", "/v1/anchors/"]) {
      await transcript.send(app, "GET", `${read}${a}`, {}, { note: "pending" });
    }
    await transcript.send(app, "GET", "/v1/log/sth", {}, { note: "pending" });
    await transcript.send(app, "GET", "/v1/status", {}, { note: "pending" });
  } finally {
    await wire.stop();
  }
}
