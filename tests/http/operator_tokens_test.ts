/**
 * No token that reads may write: every route of the operator listener, with every method and as a handshake,
 * is asked with every token.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  operatorApp,
  type OperatorAppOptions,
  operatorRoutes,
} from "../../src/http/operator/operator_app.ts";
import { addPeerRoutes } from "../../src/http/operator/peer_routes.ts";
import { requireToken } from "../../src/http/bearer_token.ts";
import { type RequestHandler } from "../../src/http/request_context.ts";
import { addRoute } from "../../src/http/router.ts";
import { FakeClock } from "../fake_clock.ts";
import { exchange, requestText } from "../system/raw_connection.ts";

const OPERATOR = "token-of-the-operator-0123456789";
const PEER = "token-of-a-peer-0123456789abcdef";

/** All parts, so that the type names one that is missing here. */
const OPTIONS: Required<OperatorAppOptions> = {
  token: OPERATOR,
  readiness: () => Promise.resolve([]),
  warnings: () => Promise.resolve([]),
  metrics: () => Promise.resolve("# nothing\n"),
  addPeerRoutes(app) {
    addPeerRoutes(app, {
      networkId: "home.example",
      accepted: [{ peer: "peer.example", token: PEER }],
      intake: { take: () => assert.fail("no body is well-formed") },
      clock: new FakeClock(),
      signal: new AbortController().signal,
    });
  },
  budget: { charge: () => {} },
  observer: { answered: () => {} },
  report: (error) => assert.fail(`${error}`),
};

const READS = ["GET", "HEAD"];
const WRITES = ["POST", "PUT", "PATCH", "DELETE"];
/** What a route answers that does not take a token, or not the method. */
const REFUSED = [401, 403, 404, 405];
const HANDSHAKE = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
];

/** The paths that a token gives access to. A socket counts as a write, because it can carry any message. */
interface Opened {
  readonly reads: string[];
  readonly writes: string[];
}

async function openedBy(
  token: string,
  options: OperatorAppOptions,
  handler: RequestHandler = operatorApp(options),
): Promise<Opened> {
  const opened: Opened = { reads: [], writes: [] };
  const paths = new Set(operatorRoutes(options).routes.map(({ path }) => path));
  paths.delete("/*");
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request, info) => handler(request, info),
  );
  const { port } = server.addr;
  const statusOf = async (method: string, path: string, headers: readonly string[]) => {
    const text = requestText(`${method} ${path}`, [`Authorization: Bearer ${token}`, ...headers]);
    const { status } = await exchange(port, text, {
      isAnswered: (text) => text.includes("\r\n\r\n"),
    });
    assert.ok(status !== undefined, `${method} ${path} is not answered`);
    return status;
  };
  for (const path of paths) {
    for (const method of [...READS, ...WRITES]) {
      const status = await statusOf(method, path, ["Content-Length: 0"]);
      if (REFUSED.includes(status)) continue;
      (READS.includes(method) ? opened.reads : opened.writes).push(`${method} ${path}`);
    }
    if (await statusOf("GET", path, HANDSHAKE) === 101) opened.writes.push(`socket ${path}`);
  }
  await server.shutdown();
  return opened;
}

Deno.test("no token of the operator listener reads and writes", async () => {
  const reads = ["GET /ready", "HEAD /ready", "GET /metrics", "HEAD /metrics"];
  assert.deepEqual(await openedBy(OPERATOR, OPTIONS), { reads, writes: [] });
  const writes = ["POST /v1/federation/tree-heads"];
  assert.deepEqual(await openedBy(PEER, OPTIONS), { reads: [], writes });
  assert.deepEqual(await openedBy(`${OPERATOR}x`, OPTIONS), { reads: [], writes: [] });
});

Deno.test("control: a route that writes with the operator's token is found, and so is a socket", async () => {
  const path = "/v1/link";
  const options: OperatorAppOptions = {
    ...OPTIONS,
    addPeerRoutes(app) {
      addRoute(app, path, {
        POST(c) {
          requireToken(c.req.raw.headers, OPERATOR);
          return c.body(null, 204);
        },
      });
    },
  };
  const answer = operatorApp(options);
  // Outside of the router, as a handshake has to be: the runtime needs its own response back.
  const handler: RequestHandler = (request, ...connection) => {
    if (!request.headers.has("Upgrade") || !request.url.endsWith(path)) {
      return answer(request, ...connection);
    }
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onopen = () => socket.close();
    return response;
  };
  const { writes } = await openedBy(OPERATOR, options, handler);
  assert.deepEqual(writes, [`POST ${path}`, `socket ${path}`]);
});
