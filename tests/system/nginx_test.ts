/**
 * `deploy/nginx.conf` before a real gateway with fronts: what it lets through, and what it bounds.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { MAX_WAIT_SECONDS } from "../../src/http/limits.ts";
import { inFolder } from "../server/captured_io.ts";
import { ServedNetwork } from "../server/served_network.ts";
import { contentsOf, SocketClient, StreamClient } from "../http/event_clients.ts";
import { eventually, whenSigned } from "../scenarios/deployment.ts";
import { run, Server } from "../scenarios/program.ts";
import { grownBy, GROWTH_BYTES } from "./endless_message.ts";
import { FrontProxy, proxyConfiguration } from "./front_proxy.ts";
import { exchange, pause, RawConnection, requestText, within } from "./raw_connection.ts";

const READY = /^Countersign gateway of (\S+) on http:\/\/127\.0\.0\.1:([0-9]+)$/m;
const SOCKETS = /^ {2}sockets: +ws:\/\/127\.0\.0\.1:([0-9]+)$/m;
const JSON_TYPE = "Content-Type: application/json";

/** Another client than the honest one, which asks from 127.0.0.1. */
const ATTACKER = "127.0.0.2";

/** Milliseconds that the configuration gives a header, and how much later its end may be seen. */
const HEADER_TIMEOUT_MS = 10_000;
const SLACK_MS = 120_000;
const CONNECTIONS_BY_ADDRESS = 32;
const BURST = 200;
/** More than the workers of two cores hold together. */
const IDLE_CONNECTIONS = 5_000;

interface Place {
  readonly folder: string;
  readonly server: Server;
  readonly proxy: FrontProxy;
}

/** A gateway, of the trial network or of the configuration `config`, behind nginx. */
async function behindProxy(
  test: (place: Place) => Promise<void>,
  prepare = (_folder: string): Promise<readonly string[]> => Promise.resolve(["--data", "data"]),
): Promise<void> {
  await inFolder(async (folder) => {
    const args = [
      "serve",
      ...await prepare(folder),
      "--port",
      "0",
      "--event-sockets-port",
      "0",
      "--fronts",
      "2",
    ];
    const { server, match } = await Server.start(args, READY, { cwd: folder });
    await using _gateway = server;
    const [, eventSocketsPort] = SOCKETS.exec(server.stdout) ?? [];
    await using proxy = await FrontProxy.start(Number(match[2]), Number(eventSocketsPort));
    await test({ folder, server, proxy });
  });
}

function post(path: string, body: string, length = body.length): string {
  return requestText(`POST ${path}`, [JSON_TYPE, `Content-Length: ${length}`], body);
}

/** Requires that an honest client is answered while everything else goes on. */
async function requireHonestAnswer({ proxy }: Place): Promise<void> {
  const honest = await exchange(proxy.port, requestText("GET /health"));
  assert.equal(honest.status, 200, honest.received);
}

/** The members of the problem that `connection` received. */
function problemOf(connection: RawConnection) {
  const [head = "", body = ""] = connection.received.split("\r\n\r\n");
  assert.match(head, /^content-type: application\/problem\+json\r?$/im);
  assert.match(head, /^cache-control: no-store\r?$/im);
  const problem = JSON.parse(body);
  assert.equal(problem.status, connection.status);
  return problem;
}

async function normalUse({ folder, proxy }: Place): Promise<void> {
  const where = { cwd: folder, env: { COUNTERSIGN_GATEWAY: proxy.url } };
  await Deno.writeTextFile(join(folder, "claim.txt"), "what I knew today\n");
  const stamped = await run(["stamp", "--save", "--wait-batched", "claim.txt"], where);
  assert.equal(stamped.code, 0, stamped.stderr);
  const verified = await run([
    "verify-proof",
    "--bundle",
    "claim.txt.countersign.json",
    "--file",
    "claim.txt",
    "--network-config",
    "data/network/network.public.json",
  ], where);
  assert.equal(verified.code, 0, verified.stderr);
  assert.match(verified.stdout, /Batched/);

  // New ones each time, whose answer has to wait.
  const newHashes = () =>
    Array.from({ length: 1_000 }, () => crypto.getRandomValues(new Uint8Array(32)).toHex());
  const bulk = await whenSigned(async () => {
    const response = await fetch(`${proxy.url}/v1/attestations/batch`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Prefer": "wait=30" },
      body: JSON.stringify({ hashes: newHashes() }),
    });
    const { status, headers } = response;
    return { status, waited: headers.get("Preference-Applied"), text: await response.text() };
  });
  assert.equal(bulk.status, 200, bulk.text);
  assert.equal(bulk.waited, "wait=30");
  assert.equal(JSON.parse(bulk.text).length, 1_000);
  // Headers of the gateway arrive, and a path goes on as it was sent.
  const network = await fetch(`${proxy.url}/v1/network`);
  await network.body?.cancel();
  assert.equal(network.headers.get("Access-Control-Allow-Origin"), "*");
  assert.equal(network.headers.get("Cache-Control"), "public, no-cache");
  assert.ok(network.headers.has("ETag"));
  for (const path of ["//health", "/v1/../health", "/%68ealth", "/v1//config"]) {
    const sent = await exchange(proxy.port, requestText(`GET ${path}`));
    assert.equal(problemOf(sent).code, "route_not_found", sent.received);
  }
}

/** Events arrive one by one over both ways, while nothing else does, and nothing else is upgraded. */
async function events({ proxy }: Place): Promise<void> {
  const socket = await SocketClient.open(`${proxy.url.replace("http", "ws")}/ws/events`, []);
  const stream = await StreamClient.open(`${proxy.url}/v1/events`, {});
  for (let i = 0; i < 3; i++) {
    const before = socket.events.length;
    const hash = crypto.getRandomValues(new Uint8Array(32)).toHex();
    const answer = await exchange(proxy.port, post("/v1/attestations", JSON.stringify({ hash })));
    assert.ok([200, 202].includes(answer.status ?? 0), answer.received);
    await socket.seen(before + 4);
    await stream.seen(before + 4);
  }
  const resumed = await SocketClient.open(
    `${proxy.url.replace("http", "ws")}/ws/events?after=${socket.events[5]!.id}`,
    [],
  );
  // The same events; lists may be interleaved otherwise, and an id depends on the order.
  assert.deepEqual(contentsOf(socket.events), contentsOf(stream.events));
  const rest = await resumed.seen(socket.events.length - 6);
  assert.deepEqual(contentsOf(rest), contentsOf(socket.events.slice(6)));
  for (const client of [socket, stream, resumed]) await client.close();
  const plain = await exchange(proxy.port, requestText("GET /ws/events"));
  assert.equal(problemOf(plain).code, "malformed_request");
}

/** Messages without an end, by fewer sockets than the proxy grants one address. */
async function endlessMessages({ server, proxy: { port } }: Place): Promise<void> {
  const { grown } = await grownBy({ server, port, clients: port }, 20);
  assert.ok(grown < GROWTH_BYTES, `${grown} bytes more`);
}

async function refusals({ proxy: { port } }: Place): Promise<void> {
  const large = " ".repeat(64 * 1024 + 1);
  const cases: readonly (readonly [string, number, string?])[] = [
    [post("/v1/attestations", large), 413, "body_too_large"],
    [post("/v1/attestations/batch", large), 400, "malformed_json"],
    [post("/v1/attestations/batch", "", 1024 * 1024 + 1), 413, "body_too_large"],
    [requestText(`GET /${"a".repeat(9_000)}`), 414],
    [requestText("GET /health", [`X-Long: ${"a".repeat(9_000)}`]), 400],
    [requestText("GET /health", Array(40).fill(`X-Many: ${"a".repeat(1_000)}`)), 400],
    ["GET /health HTTP/1.1\r\nHost: a/v1/config?\r\n\r\n", 400],
    ["GET /health HTTP/1.1\r\n\r\n", 400],
    [
      requestText(
        "POST /v1/attestations",
        ["Content-Length: 5", "Transfer-Encoding: chunked"],
        "0",
      ),
      400,
    ],
    [
      requestText("POST /v1/attestations", ["Content-Length: 5", "Content-Length: 6"], "aaaaa"),
      400,
    ],
    [requestText("POST /v1/attestations", ["Transfer-Encoding: chunked"], "zz\r\naa\r\n"), 400],
    ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ];
  for (const [text, status, code] of cases) {
    const answer = await exchange(port, text, { from: ATTACKER });
    assert.equal(answer.status, status, `${text.slice(0, 80)}: ${answer.received.slice(0, 200)}`);
    if (code !== undefined) assert.equal(problemOf(answer).code, code);
  }
}

/** Headers a byte at a time, and bodies that stop. */
async function slowClients(place: Place): Promise<void> {
  const { port } = place.proxy;
  const slow = await RawConnection.openMany(100, port, "127.0.0.3");
  const half = await RawConnection.openMany(20, port, "127.0.0.4");
  const start = performance.now();
  for (const connection of half) connection.write(post("/v1/attestations", "{", 100));
  const text = requestText("GET /health", [`X-Slow: ${"a".repeat(1_000)}`]);
  let sent = 0;
  while (performance.now() - start < HEADER_TIMEOUT_MS + SLACK_MS) {
    for (const connection of slow) connection.write(text[sent] ?? "a");
    sent++;
    if (sent % 20 === 1) await requireHonestAnswer(place);
    if ([...slow, ...half].every((connection) => connection.isOver)) break;
    await pause(100);
  }
  assert.ok(performance.now() - start > HEADER_TIMEOUT_MS / 2, "cut before their time");
  for (const connection of [...slow, ...half]) {
    assert.ok(connection.isOver, "a slow client is still connected");
    assert.ok([undefined, 408].includes(connection.status), connection.received);
  }
}

async function manyConnections(place: Place): Promise<void> {
  const { port } = place.proxy;
  const held: RawConnection[] = [];
  const hold = async (count: number) => {
    const more = await RawConnection.openMany(count, port, ATTACKER);
    for (const connection of more) connection.write(post("/v1/attestations", "{", 100));
    held.push(...more);
  };
  const ask = () => exchange(port, requestText("GET /health"), { from: ATTACKER });
  await hold(CONNECTIONS_BY_ADDRESS);
  // The held ones count as soon as the proxy has read their headers. A question that is taken before
  // that may have had the place of one of them.
  await eventually("no more is taken", async () => {
    if ((await ask()).status === 429) return true;
    await hold(1);
    return undefined;
  });
  for (const connection of await Promise.all(Array.from({ length: 5 }, ask))) {
    assert.equal(connection.status, 429, connection.received);
    assert.match(connection.received, /^retry-after: 1\r$/im);
    problemOf(connection);
  }
  await requireHonestAnswer(place);
  for (const connection of held) await connection.close();
  await eventually("more is taken", async () => (await ask()).status === 200 ? true : undefined);
}

/** More than are granted, on so many connections that they come faster than new ones are granted. */
async function manyRequests(place: Place): Promise<void> {
  const connections = await RawConnection.openMany(16, place.proxy.port, "127.0.0.5");
  const request = "GET /health HTTP/1.1\r\nHost: gateway.test\r\n\r\n";
  for (const connection of connections) {
    connection.write(request.repeat(BURST / 2) + requestText("GET /health"));
  }
  const ends = connections.map((connection) => connection.ended);
  assert.ok(await within(240_000, Promise.all(ends)));
  const statuses = connections.flatMap(({ received }) =>
    [...received.matchAll(/HTTP\/1\.1 ([0-9]{3}) /g)].map(([, s]) => s)
  );
  assert.equal(statuses.length, connections.length * (BURST / 2 + 1));
  assert.ok(statuses.filter((status) => status === "200").length >= BURST);
  assert.ok(statuses.includes("429"));
  await requireHonestAnswer(place);
}

async function idleFlood(place: Place): Promise<void> {
  const flood: RawConnection[] = [];
  while (flood.length < IDLE_CONNECTIONS) {
    flood.push(...await RawConnection.openMany(500, place.proxy.port, "127.0.0.6"));
    await requireHonestAnswer(place);
  }
  for (let i = 0; i < 10; i++) await requireHonestAnswer(place);
  await Promise.all(flood.map((connection) => connection.close()));
  await requireHonestAnswer(place);
}

Deno.test("nginx before a gateway serves honest clients and bounds the others", async (t) => {
  await behindProxy(async (place) => {
    const steps = {
      normalUse,
      events,
      endlessMessages,
      refusals,
      slowClients,
      manyConnections,
      manyRequests,
      idleFlood,
    };
    for (const [name, step] of Object.entries(steps)) await t.step(name, () => step(place));
  });
});

Deno.test("clients of a private gateway behind nginx are known by their API keys", async () => {
  let key = "";
  await behindProxy(async ({ proxy }) => {
    const statusOf = async (
      headers: Record<string, string>,
      path: string,
      body: string | null = null,
    ) => {
      const method = body === null ? "GET" : "POST";
      const sent = { "Content-Type": "application/json", ...headers };
      const response = await fetch(proxy.url + path, { method, headers: sent, body });
      await response.body?.cancel();
      return response.status;
    };
    const known = { Authorization: `Bearer ${key}` };
    const submission = JSON.stringify({ hash: "ab".repeat(32) });
    assert.ok(await statusOf(known, "/v1/attestations", submission) < 300);
    assert.equal(await statusOf({}, "/v1/attestations", submission), 401);
    assert.equal(await statusOf(known, "/v1/events"), 200);
    const upgrade = [
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ];
    for (const [field, status] of [[`Authorization: Bearer ${key}`, 101], ["X: none", 401]]) {
      const socket = await RawConnection.open(proxy.port);
      socket.write(requestText("GET /ws/events", [...upgrade, String(field)]));
      await socket.until((received) => received.includes("\r\n\r\n"));
      assert.equal(socket.status, status);
      await socket.close();
    }
  }, async (folder) => {
    const network = await ServedNetwork.create(folder, "private.test");
    await network.configure({ api_keys: { file: "api-keys.json", routes: "all" } });
    const file = join("private.test", "api-keys.json");
    const made = await run(["api-key", "new", "alice", "--file", file], { cwd: folder });
    key = made.stdout.trim();
    return ["--config", join("private.test", "network.json")];
  });
});

Deno.test("nginx waits longer than an answer may be held, and caches nothing", async () => {
  const text = await proxyConfiguration();
  const [, seconds] = /proxy_read_timeout ([0-9]+)s;/.exec(text) ?? [];
  assert.ok(Number(seconds) > MAX_WAIT_SECONDS);
  assert.doesNotMatch(text, /proxy_cache_path|proxy_store|expires/);
});

/** What nginx sends on of each of `requests`. */
async function forwarded(requests: readonly string[]): Promise<string[]> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const received: string[] = [];
  const serving = (async () => {
    for await (const connection of listener) {
      const buffer = new Uint8Array(65_536);
      let text = "";
      while (!text.includes("\r\n\r\n")) {
        const length = await connection.read(buffer);
        if (length === null) break;
        text += new TextDecoder().decode(buffer.subarray(0, length));
      }
      received.push(text);
      const answer = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";
      await connection.write(new TextEncoder().encode(answer));
      connection.close();
    }
  })();
  try {
    await using proxy = await FrontProxy.start(listener.addr.port, 1);
    for (const request of requests) {
      const answer = await exchange(proxy.port, request);
      assert.equal(answer.status, 204, answer.received);
    }
  } finally {
    listener.close();
    await serving.catch(() => {});
  }
  return received;
}

Deno.test("nginx ends lines with CRLF, whatever its client ends them with", async () => {
  const request = requestText("GET /health", ["X-Kept: yes"]);
  const [strict, bare] = await forwarded([request, request.replaceAll("\r\n", "\n")]);
  assert.equal(bare, strict);
  assert.match(bare!, /^GET \/health HTTP\/1\.1\r\n/);
  assert.match(bare!, /\r\nX-Kept: yes\r\n/);
  assert.doesNotMatch(bare!.replaceAll("\r\n", ""), /[\r\n]/);
});

Deno.test("nginx passes on a token for a hash and an API key, and no other credentials", async () => {
  const fields = [
    'PrivateToken token="AAI="',
    "privatetoken token=AAI=",
    "Bearer AAI",
    "Basic AAI",
  ];
  const texts = await forwarded(
    ["/v1/attestations", "/v1/attestations/batch"].flatMap((path) =>
      fields.map((field) => requestText(`POST ${path}`, [`Authorization: ${field}`]))
    ),
  );
  const seen = texts.map((text) => /^Authorization: (.*)\r$/m.exec(text)?.[1]);
  const expected = [fields[0], fields[1], fields[2], undefined];
  assert.deepEqual(seen, [...expected, ...expected]);
});

Deno.test("nginx without a gateway says that there is none", async () => {
  await using proxy = await FrontProxy.start(1, 1);
  for (const path of ["/health", "/ws/events"]) {
    const answer = await exchange(proxy.port, requestText(`GET ${path}`));
    assert.equal(answer.status, 503, answer.received);
    assert.equal(problemOf(answer).title, "Service Unavailable");
    assert.match(answer.received, /^retry-after: 5\r$/im);
  }
});
