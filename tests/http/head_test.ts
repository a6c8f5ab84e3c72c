/**
 * HEAD over a socket: the head of the answer to GET, with its length or none (RFC 9110 sections 8.6
 * and 9.3.2).
 *
 * @module
 */

import assert from "node:assert/strict";
import { systemClock } from "../../src/base/clock.ts";
import { EventFeed } from "../../src/gateway/events/event_feed.ts";
import { loadPageFiles } from "../../src/http/gateway/explorer_assets.ts";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import { FEED_LIMITS } from "../../src/http/events/event_bounds.ts";
import { listen } from "../../src/http/listen.ts";
import type { RequestHandler } from "../../src/http/request_context.ts";
import { GrowingAnchors } from "../gateway/growing_log.ts";
import { RawConnection, requestText } from "../system/raw_connection.ts";
import { ApiDocument } from "./api_document.ts";
import { verifier, withGateway } from "./gateway_server.ts";
import { routeRequests } from "./route_requests.ts";
import { serve as serveWitness } from "./witness_server.ts";

const HASH = "ab".repeat(32);
const UNKNOWN = "00".repeat(32);

/** Problems, and paths that are not in the document. */
const OTHERS = [
  "/nothing",
  "//health",
  "/v1/../health",
  "/v1/attestations/x",
  "/tile/9/000",
  "/ws/events",
  `/v1/attestations/${UNKNOWN}`,
  `/v1/bundle/${UNKNOWN}`,
  "/v1/verify",
  "/v1/attestations",
];
/** Without a length: it does not end. */
const ENDLESS = "/v1/events";

interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** What a server sends until it ends the connection. */
async function ask(port: number, line: string, headers: readonly string[] = []): Promise<Answer> {
  const connection = await RawConnection.open(port);
  connection.write(requestText(line, headers));
  await connection.ended;
  const { received, status = 0 } = connection;
  const end = received.indexOf("\r\n\r\n");
  assert.ok(end > 0, `${line}: ${received}`);
  const fields = received.slice(0, end).split("\r\n").slice(1).map((field) => {
    const [name = "", ...value] = field.split(": ");
    return [name.toLowerCase(), value.join(": ")] as const;
  });
  return { status, headers: new Map(fields), body: received.slice(end + 4) };
}

/** Headers but those of the moment and of the connection. */
function lastingHeaders({ headers }: Answer): [string, string][] {
  return [...headers].filter(([name]) => !["date", "transfer-encoding"].includes(name)).toSorted();
}

/** Requires that HEAD of `path` has the status and the headers of GET, and no body. */
async function requireSameHead(port: number, path: string, headers: readonly string[] = []) {
  const head = await ask(port, `HEAD ${path}`, headers);
  assert.equal(head.body, "", path);
  if (path === ENDLESS) {
    assert.equal(head.headers.get("content-type"), "text/event-stream");
    assert.equal(head.headers.get("content-length"), undefined);
    return;
  }
  // What is about this moment may have changed in between.
  const asked: Answer[] = [];
  for (let i = 0; i < 5; i++) {
    const got = await ask(port, `GET ${path}`, headers);
    const again = await ask(port, `HEAD ${path}`, headers);
    asked.push(got, again);
    if (got.headers.get("content-length") === again.headers.get("content-length")) break;
  }
  const [got, again] = asked.slice(-2) as [Answer, Answer];
  assert.equal(again.status, got.status, path);
  assert.deepEqual(lastingHeaders(again), lastingHeaders(got), path);
  if (got.status !== 304) {
    assert.equal(got.headers.get("content-length"), String(got.body.length), path);
    assert.ok(got.body.length > 0, path);
  }
}

async function listening(
  handler: RequestHandler,
  test: (port: number) => Promise<void>,
): Promise<void> {
  const listener = listen({ hostname: "127.0.0.1", port: 0, handler });
  try {
    await test(listener.address.port);
  } finally {
    await listener.stop(0);
  }
}

Deno.test("HEAD of every gateway route has the headers of GET, with Content-Length", async () => {
  await withGateway(async (server) => {
    await server.publish([HASH]);
    const { gateway } = server;
    const page = await loadPageFiles();
    const report = (error: unknown) => assert.fail(String(error));
    const events = new EventFeed({
      log: gateway.eventLog,
      anchors: new GrowingAnchors(),
      clock: systemClock,
      report,
      limits: FEED_LIMITS,
    });
    const handler = gatewayApp({ service: gateway, verifier, events, page, report });
    await listening(handler, async (port) => {
      const document = new ApiDocument((await ask(port, "GET /openapi.json")).body);
      const known = { hash: HASH, signedAttestation: {}, sizes: [1, 1] } as const;
      const paths = routeRequests(document, known).filter(({ method }) => method === "GET")
        .map(({ path }) => path);
      for (const path of [...paths, ...OTHERS]) await requireSameHead(port, path);
      for (const path of page.keys()) {
        await requireSameHead(port, path);
        await requireSameHead(port, path, ["Accept-Encoding: br"]);
      }
      await requireSameHead(port, "/tile/entries/000.p/1", ["Accept-Encoding: gzip"]);
      const tag = (await ask(port, "GET /v1/network")).headers.get("etag")!;
      await requireSameHead(port, "/v1/network", [`If-None-Match: ${tag}`]);
      assert.equal(events.connections, 0);
    });
    await events.close();
  });
});

Deno.test("HEAD of every witness route has the headers of GET, with Content-Length", async () => {
  await listening(serveWitness().app, async (port) => {
    for (const path of ["/health", "/v1/info", "/nothing"]) await requireSameHead(port, path);
  });
});
